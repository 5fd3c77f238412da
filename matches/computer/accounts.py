"""The accounts of the computer: one for each level, with fixed ratings. Nobody else can have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from matches.ratings.glicko import Rating

if TYPE_CHECKING:
    from collections.abc import Iterable

ACCOUNT_PREFIX = "computer:"
FIXED_LEVELS = ("beginner", "casual", "club", "strong", "expert", "master")
"""The levels, weakest first. What they mean is decided by whoever thinks."""

ADAPTIVE = "adaptive"
"""The level that follows the results of a person (see :mod:`matches.computer.adaptive`)."""

HALF = "+"
"""Ends the name of a level halfway from one to the next."""

LEVELS = (
    *("beginner", "beginner+", "casual", "casual+", "club", "club+", "strong", "strong+", "expert", "master"),
    ADAPTIVE,
)
"""All levels, the weakest first. *Master* is only *expert* with a longer search: nothing is between them."""

NAME = "Rayuela"


ComputerRatings: TypeAlias = Mapping[tuple[str, str], float]
"""The rating of a level, by game and level. A level without one is never rated."""

DEVIATION = 60.0
"""How exactly the rating of a level is known, in points: about as that of a person after many matches."""


def level_strength(level: str) -> float | None:
    """Return the strength of a level that is always the same, as a number of levels above the lowest.

    None for the adaptive one, and for one of another version.
    """
    whole = level.removesuffix(HALF)
    if level not in LEVELS or whole not in FIXED_LEVELS:
        return None
    return FIXED_LEVELS.index(whole) + (0.5 if level.endswith(HALF) else 0.0)


def strength_levels(strength: float) -> tuple[str, str]:
    """Return the level at or below a strength and the one at or above it."""
    return FIXED_LEVELS[int(strength)], FIXED_LEVELS[int(strength) + (strength % 1 > 0)]


def computer_account(level: str) -> str:
    """Return the account that plays at a level."""
    return f"{ACCOUNT_PREFIX}{level}"


def computer_level(account: str) -> str | None:
    """Return the level of an account of the computer, None for a person's account."""
    return account.removeprefix(ACCOUNT_PREFIX) if account.startswith(ACCOUNT_PREFIX) else None


def computer_name(level: str) -> str:
    """Return the name of the computer at a level."""
    return f"{NAME} ({level})"


def is_computer(account: str | None) -> bool:
    """Return whether an account is one of the computer."""
    return account is not None and account.startswith(ACCOUNT_PREFIX)


def without_computers(accounts: Iterable[str]) -> tuple[str, ...]:
    """Return those of the accounts that belong to persons."""
    return tuple(account for account in accounts if not is_computer(account))


def find_computer_rating(ratings: ComputerRatings, game: str, account: str) -> Rating | None:
    """Return the rating of an account of the computer at a game, or None, also for a person's account."""
    number = ratings.get((game, computer_level(account) or ""))
    return None if number is None else Rating(number, DEVIATION)
