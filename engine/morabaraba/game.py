"""Morabaraba as a game of the contract: its option, its start and its position lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import options
from engine.game import Game, Option, Side
from engine.morabaraba import line
from engine.morabaraba.camp import Camp
from engine.morabaraba.position import MorabarabaPosition

if TYPE_CHECKING:
    from engine.game import Setting


class Morabaraba(Game):
    """Morabaraba under version 1 of its rules. Option: `men`, how many each side has."""

    name = line.NAME
    rules_version = 1
    sides = (Side.WHITE, Side.RED)
    draws = True
    options = (Option("men", line.MEN[0], choices=line.MEN),)

    def settings(self, /, **given: Setting) -> dict[str, Setting]:
        """Complete and check options. Raises OptionError."""
        return options.complete(self.name, self.options, given)

    def start(self, /, **given: Setting) -> MorabarabaPosition:
        """Give the empty board with all men in hand. Raises OptionError."""
        men = int(self.settings(**given)["men"])
        return MorabarabaPosition(men, Camp(0, men), Camp(0, men), Side.WHITE)

    def load(self, text: str) -> MorabarabaPosition:
        """Read a position line. Raises NotationError."""
        return MorabarabaPosition(*line.read(text))


MORABARABA = Morabaraba()
