"""The three editions of Morelli and their differences."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Setup(StrEnum):
    """How the outermost band is filled; the value is that of the option."""

    FACING = "facing"  # §2.2, later rules
    ADJACENT = "adjacent"  # §2.2, later rules
    FREE = "free"  # §2.6, later rules
    RANDOM = "random"  # §2.2, rules of 2015
    PAIRS = "pairs"  # §2.3, rules of 2015; Mindsports, Setting up


class Phase(StrEnum):
    """The phase of a game; the value is the last field of a position line."""

    PLAY = "-"
    FREE = "free"
    PAIRS = "pairs"


@dataclass(frozen=True, slots=True)
class Edition:
    """One of the three texts of the rules.

    Attributes:
        allows_declining: Whether captures and the occupation may be declined (§5.4, §6.8 of the later rules).
        doubles_placements: Whether the sides place 1, 2, 2, ..., 2, 1 times in turn during the set-up;
            otherwise once each, with Black making the last placement as well (§2.3.5 of 2015).

    """

    name: str
    vocabulary: str
    setups: tuple[Setup, ...]
    allows_declining: bool
    doubles_placements: bool

    @property
    def setup_phases(self) -> tuple[Phase, ...]:
        """The set-up phases that are possible in this edition."""
        return tuple(Phase(setup.value) for setup in self.setups if setup in {Setup.FREE, Setup.PAIRS})


NESTOR = Edition(
    name="nestor",
    vocabulary="morelli.nestor",
    setups=(Setup.FACING, Setup.ADJACENT, Setup.FREE),
    allows_declining=True,
    doubles_placements=True,
)
REVISED = Edition(
    name="2015",
    vocabulary="morelli.throne",
    setups=(Setup.RANDOM, Setup.PAIRS),
    allows_declining=False,
    doubles_placements=False,
)
MINDSPORTS = Edition(
    name="mindsports",
    vocabulary="morelli.throne",
    setups=(Setup.RANDOM, Setup.PAIRS),
    allows_declining=False,
    doubles_placements=True,
)
EDITIONS = (NESTOR, REVISED, MINDSPORTS)


def get_edition(name: str) -> Edition:
    """Return the edition called `name`. Raise KeyError if there is none."""
    return {each.name: each for each in EDITIONS}[name]
