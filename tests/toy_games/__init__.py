"""Two complete small games that only the tests know: Breakthrough on 6 x 6, and Ataxx on 7 x 7.

They have every part of a game (docs/adding-a-game.md follows Ataxx): the rules (`breakthrough`, `ataxx`, and
what both share in `board`), the renderer (`renderer`), the texts (`texts/`) and the rule books (`rules/`). No
code of the project mentions them. Breakthrough captures by replacement; Ataxx converts and passes.
"""

from pathlib import Path

from render import register_renderer
from tests.toy_games.ataxx import ATAXX
from tests.toy_games.breakthrough import BREAKTHROUGH
from tests.toy_games.renderer import build_scene

__all__ = ["ATAXX", "BREAKTHROUGH", "RULES_FOLDER", "TEXTS_FOLDER", "TOY_GAMES", "build_scene"]

TOY_GAMES = (BREAKTHROUGH, ATAXX)
TEXTS_FOLDER = Path(__file__).parent / "texts"
RULES_FOLDER = Path(__file__).parent / "rules"

for _game in TOY_GAMES:
    register_renderer(_game.name, build_scene)
