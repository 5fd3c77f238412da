"""Morabaraba as a game of the contract: its option, its start and its position lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import options
from engine.game import Game, Option, Side
from engine.morabaraba import position_line
from engine.morabaraba.position import MorabarabaPosition
from engine.morabaraba.side_state import SideState

if TYPE_CHECKING:
    from engine.game import OptionValue


class Morabaraba(Game):
    """Morabaraba under version 1 of its rules. Option: `men`, how many each side has."""

    name = position_line.NAME
    rules_version = 1
    sides = (Side.WHITE, Side.RED)
    allows_draws = True
    options = (Option("men", position_line.MEN_CHOICES[0], choices=position_line.MEN_CHOICES),)

    def complete_options(self, /, **given: OptionValue) -> dict[str, OptionValue]:
        """Complete and check options. Raises OptionError."""
        return options.complete(self.name, self.options, given)

    def initial_position(self, /, **given: OptionValue) -> MorabarabaPosition:
        """Return the empty board with all men in hand. Raises OptionError."""
        men = int(self.complete_options(**given)["men"])
        return MorabarabaPosition(men, SideState(0, men), SideState(0, men), Side.WHITE)

    def load(self, text: str) -> MorabarabaPosition:
        """Read a position line. Raises NotationError."""
        return MorabarabaPosition(*position_line.parse_position(text))


MORABARABA = Morabaraba()
