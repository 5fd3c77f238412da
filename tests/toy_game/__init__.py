"""A complete small game that only the tests know: Breakthrough on 6 x 6, without options.

It has every part of a game (docs/adding-a-game.md follows it): the rules (`game`), the renderer (`renderer`),
the texts (`texts/`) and the rule book (`rules/`). No code of the project mentions it.
"""

from pathlib import Path

from tests.toy_game.game import BREAKTHROUGH
from tests.toy_game.renderer import build_scene

__all__ = ["BREAKTHROUGH", "RULES_FOLDER", "TEXTS_FOLDER", "build_scene"]

TEXTS_FOLDER = Path(__file__).parent / "texts"
RULES_FOLDER = Path(__file__).parent / "rules"
