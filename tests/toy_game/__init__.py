"""A complete small game that only the tests know: Breakthrough on 6 x 6, without options.

It shows all that a game consists of (docs/adding-a-game.md follows it): the rules (`game`), the picture
(`renderer`), the texts (`texts/`) and the rule book (`rules/`). Nothing outside this package knows its name.
"""

from pathlib import Path

from tests.toy_game.game import BREAKTHROUGH
from tests.toy_game.renderer import build_scene

__all__ = ["BREAKTHROUGH", "RULES_FOLDER", "TEXTS_FOLDER", "build_scene"]

TEXTS_FOLDER = Path(__file__).parent / "texts"
RULES_FOLDER = Path(__file__).parent / "rules"
