"""Morphos as a game of the contract: its options, its start and its position lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import cells, options
from engine.game import Game, Option, Side
from engine.morphos import line
from engine.morphos.board import LARGEST, SMALLEST
from engine.morphos.position import MorphosPosition
from engine.morphos.ruleset import MUTATORS, NONE, Ruleset, ruleset
from engine.morphos.stones import Stones

if TYPE_CHECKING:
    from engine.game import Setting

USUAL_SIZE = 13


class Morphos(Game):
    """Morphos under version 1 of its rules.

    Options: `size`; `mutators`, the text's letters in play, in any order, or ``-``.
    """

    name = line.NAME
    rules_version = 1
    sides = (Side.BLACK, Side.WHITE)
    draws = False
    options = (
        Option("size", USUAL_SIZE, minimum=SMALLEST, maximum=LARGEST),
        Option("mutators", NONE, choices=MUTATORS),
    )

    def settings(self, /, **given: Setting) -> dict[str, Setting]:
        """Complete and check options. Raises OptionError."""
        letters = sorted(str(given.get("mutators", NONE)).strip().lower())
        if "".join(letters) in MUTATORS:
            given["mutators"] = "".join(letters)
        return options.complete(self.name, self.options, given)

    def start(self, /, **given: Setting) -> MorphosPosition:
        """Give the first position: empty, or under mutator e chequered with A1 black. Raises OptionError."""
        settled = self.settings(**given)
        rules = ruleset(int(settled["size"]), str(settled["mutators"]))
        standing = Stones.standing(rules.board, rules.surrounds, *_first_stones(rules))
        return MorphosPosition(rules, standing, Side.BLACK, 0)

    def load(self, text: str) -> MorphosPosition:
        """Read a position line. Raises NotationError."""
        return MorphosPosition(*line.read(text))


def _first_stones(rules: Ruleset) -> tuple[int, int]:
    """Give Black's and White's stones before the first turn, as points (mutator e)."""
    if not rules.filled:
        return 0, 0
    board = rules.board
    black = board.set(name for name in board.cells if sum(cells.place(name)) % 2 == 0)
    return black, board.points ^ black


MORPHOS = Morphos()
