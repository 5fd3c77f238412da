"""Morphos as a game of the contract: its options, its start and its position lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import cells, options
from engine.game import Game, Option, Side
from engine.morphos import position_line
from engine.morphos.board import MAX_SIZE, MIN_SIZE
from engine.morphos.position import MorphosPosition
from engine.morphos.ruleset import MUTATORS, NO_MUTATORS, Ruleset, get_ruleset
from engine.morphos.stones import Stones

if TYPE_CHECKING:
    from engine.game import OptionValue

DEFAULT_SIZE = 13


class Morphos(Game):
    """Morphos under version 1 of its rules.

    Options: `size`; `mutators`, the text's letters in play, in any order, or ``-``.
    """

    name = position_line.NAME
    rules_version = 1
    sides = (Side.BLACK, Side.WHITE)
    allows_draws = False
    options = (
        Option("size", DEFAULT_SIZE, minimum=MIN_SIZE, maximum=MAX_SIZE),
        Option("mutators", NO_MUTATORS, choices=MUTATORS),
    )

    def complete_options(self, /, **given: OptionValue) -> dict[str, OptionValue]:
        """Complete and check options. Raises OptionError."""
        letters = sorted(str(given.get("mutators", NO_MUTATORS)).strip().lower())
        if "".join(letters) in MUTATORS:
            given["mutators"] = "".join(letters)
        return options.complete(self.name, self.options, given)

    def initial_position(self, /, **given: OptionValue) -> MorphosPosition:
        """Return the first position: empty, or under mutator e chequered with A1 black.

        Raises OptionError.
        """
        completed = self.complete_options(**given)
        rules = get_ruleset(int(completed["size"]), str(completed["mutators"]))
        stones = Stones.from_points(rules.board, rules.patterns, *_initial_stones(rules))
        return MorphosPosition(rules, stones, Side.BLACK, 0)

    def load(self, text: str) -> MorphosPosition:
        """Read a position line. Raises NotationError."""
        return MorphosPosition(*position_line.parse_position(text))


def _initial_stones(rules: Ruleset) -> tuple[int, int]:
    """Return Black's and White's stones before the first turn, as points (mutator e)."""
    if not rules.starts_full:
        return 0, 0
    board = rules.board
    black = board.to_points(name for name in board.cells if sum(cells.coordinates(name)) % 2 == 0)
    return black, board.points ^ black


MORPHOS = Morphos()
