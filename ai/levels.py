"""The six levels, and how a level chooses among the candidates of a search."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Candidate:
    """One turn that a search has looked at.

    Attributes:
        text: The canonical text of the turn.
        visits: How many simulations began with it.
        value: The expected result for the player to move, from 0 (lost) to 1 (won).
        prior: How likely it seemed before the search; all add up to 1.
        proven: The result that is certain (0, 0.5 or 1), or None.

    """

    text: str
    visits: int
    value: float
    prior: float
    proven: float | None


class Level(StrEnum):
    """How strong the computer plays, weakest first; the value is its name in commands."""

    BEGINNER = "beginner"
    CASUAL = "casual"
    CLUB = "club"
    STRONG = "strong"
    EXPERT = "expert"
    MASTER = "master"


PROOF_POSITIONS = 100_000
"""In so many positions at most a hint, an analysis and expert look for forced wins beside the simulations.

In as many they look for forced losses.
"""

ENDINGS_ONLY = 1
"""So few positions that there is no such look beside the simulations; known endings are used all the same."""

PROVING_LEVELS = {Level.EXPERT: PROOF_POSITIONS, Level.MASTER: 5 * PROOF_POSITIONS}
"""The levels that do so, and in how many positions."""

TOP_LEVELS = (Level.EXPERT, Level.MASTER)
LONG_LEVELS = (Level.MASTER,)
"""Those that may think for up to twenty seconds."""


@dataclass(frozen=True, slots=True)
class LevelSettings:
    """What makes a level in one game.

    Attributes:
        simulations: The length of the search, the same on every machine; 0 to choose by the priors alone.
        temperature: How freely it chooses: 0 takes the turn searched most, 1 takes each in proportion.
        margin: How much less than the best turn's value, from 0 to 1, it puts up with.
        oversights: How often, from 0 to 1, it plays the turn that seems natural without looking further.

    """

    simulations: int
    temperature: float
    margin: float
    oversights: float = 0.0


def interpolate(lower: LevelSettings, upper: LevelSettings, share: float) -> LevelSettings:
    """Return the settings at a `share` (0 to 1) of the way from one level to another.

    Strength grows with the logarithm of the length of a search, so its simulations grow by a factor.
    """
    simulations = max(1, lower.simulations) ** (1 - share) * max(1, upper.simulations) ** share
    pairs = (
        (lower.temperature, upper.temperature),
        (lower.margin, upper.margin),
        (lower.oversights, upper.oversights),
    )
    return LevelSettings(round(simulations), *((1 - share) * low + share * high for low, high in pairs))


HALF = "+"
"""Ends the name of what is halfway from one level to the next, in strength."""

LEVELS_BY_NAME = {
    f"{level}{ending}": (level, share)
    for level in Level
    for ending, share in (("", 0.0), (HALF, 0.5))
    if not share or level not in TOP_LEVELS
}
"""Each level and what is halfway, weakest first: the level, and the share of the way to the next one."""


def settings_at(levels: Mapping[str, LevelSettings], level: Level, share: float) -> LevelSettings:
    """Return the settings of a level, or those at a `share` (0 to below 1) of the way to the next one.

    Where `levels` has settings of its own for halfway, the way leads over them.
    """
    if not share:
        return levels[level]
    lower, half = levels[level], levels.get(f"{level}{HALF}")
    if half is not None and share <= 0.5:
        return interpolate(lower, half, 2 * share)
    order = list(Level)
    upper = levels[order[order.index(level) + 1]]
    return interpolate(lower, upper, share) if half is None else interpolate(half, upper, 2 * share - 1)


BEST = LevelSettings(0, 0.0, 0.0)
"""Takes the turn searched most, whatever the length of the search."""

FALLBACK_LEVELS: Mapping[str, LevelSettings] = {
    Level.BEGINNER: LevelSettings(8, 1.0, 0.5),
    Level.CASUAL: LevelSettings(30, 0.6, 0.2),
    Level.CLUB: LevelSettings(100, 0.3, 0.1),
    Level.STRONG: LevelSettings(250, 0.0, 0.0),
    Level.EXPERT: LevelSettings(500, 0.0, 0.0),
    Level.MASTER: LevelSettings(1000, 0.0, 0.0),
}
"""The levels of a search in plain Python, which is a thousand times slower."""

LOWEST_PRIOR = 0.1
"""A choice by the priors leaves out what is less likely than this share of the likeliest."""


def choose(candidates: Sequence[Candidate], settings: LevelSettings, rng: random.Random) -> Candidate:
    """Return the candidate that a level plays: never one that is proven lost, unless all are."""
    winning = [each for each in candidates if each.proven == 1]
    if winning:
        return max(winning, key=_strength)
    open_candidates = [each for each in candidates if each.proven != 0] or list(candidates)
    best = max(open_candidates, key=_strength)
    if settings.temperature <= 0:
        return best
    if best.visits == 0 or rng.random() < settings.oversights:
        highest = max(each.prior for each in open_candidates)
        near = [each for each in open_candidates if each.prior >= LOWEST_PRIOR * highest]
        shares = [each.prior / highest if highest else 1.0 for each in near]
    else:
        lowest = best.value - settings.margin
        near = [each for each in open_candidates if each is best or (each.visits and each.value >= lowest)]
        shares = [each.visits / best.visits for each in near]
    return rng.choices(near, [share ** (1 / settings.temperature) for share in shares])[0]


def _strength(candidate: Candidate) -> tuple[int, float, float]:
    return candidate.visits, candidate.value, candidate.prior
