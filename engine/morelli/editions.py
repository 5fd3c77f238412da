"""The three editions of Morelli and in what they differ."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from engine.morelli.messages import KING_AND_THRONE, TOWER_AND_CENTRE

if TYPE_CHECKING:
    from engine.morelli.messages import Terminology


class Setup(StrEnum):
    """How the outermost band comes to be filled; the value is the option's."""

    FACING = "facing"  # §2.2, later rules
    ADJACENT = "adjacent"  # §2.2, later rules
    FREE = "free"  # §2.6, later rules
    RANDOM = "random"  # §2.2, rules of 2015
    PAIRS = "pairs"  # §2.3, rules of 2015; Mindsports, Setting up


class Phase(StrEnum):
    """Where a game stands; the value is the last field of a position line."""

    PLAY = "-"
    FREE = "free"
    PAIRS = "pairs"


@dataclass(frozen=True, slots=True)
class Edition:
    """One of the three texts.

    `allows_declining`: captures and the occupation may be declined (§5.4, §6.8 of the later rules).
    `doubles_placements`: placements of a set-up alternate 1, 2, 2, ..., 2, 1; otherwise 1, 1, ..., 1 with
    Black placing last as well (§2.3.5 of 2015).
    """

    name: str
    vocabulary: str
    terminology: Terminology
    setups: tuple[Setup, ...]
    allows_declining: bool
    doubles_placements: bool

    @property
    def setup_phases(self) -> tuple[Phase, ...]:
        """The set-up phases that a position of this edition can be in."""
        return tuple(Phase(setup.value) for setup in self.setups if setup in {Setup.FREE, Setup.PAIRS})


NESTOR = Edition(
    name="nestor",
    vocabulary="morelli.nestor",
    terminology=TOWER_AND_CENTRE,
    setups=(Setup.FACING, Setup.ADJACENT, Setup.FREE),
    allows_declining=True,
    doubles_placements=True,
)
REVISED = Edition(
    name="2015",
    vocabulary="morelli.throne",
    terminology=KING_AND_THRONE,
    setups=(Setup.RANDOM, Setup.PAIRS),
    allows_declining=False,
    doubles_placements=False,
)
MINDSPORTS = Edition(
    name="mindsports",
    vocabulary="morelli.throne",
    terminology=KING_AND_THRONE,
    setups=(Setup.RANDOM, Setup.PAIRS),
    allows_declining=False,
    doubles_placements=True,
)
EDITIONS = (NESTOR, REVISED, MINDSPORTS)


def get_edition(name: str) -> Edition:
    """Return the edition called `name`. Raises KeyError."""
    return {each.name: each for each in EDITIONS}[name]
