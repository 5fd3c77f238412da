"""The ratings of the computer's levels: fixed numbers that come from outside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from matches.computer.accounts import computer_level
from matches.ratings.glicko import Rating

ComputerRatings: TypeAlias = Mapping[tuple[str, str], float]
"""The rating of a level, by game and level. A level without one is never rated."""

DEVIATION = 60.0
"""How exactly the rating of a level is known, in points: about as that of a person after many matches."""


def find_computer_rating(ratings: ComputerRatings, game: str, account: str) -> Rating | None:
    """Return the rating of an account of the computer at a game, or None, also for a person's account."""
    number = ratings.get((game, computer_level(account) or ""))
    return None if number is None else Rating(number, DEVIATION)
