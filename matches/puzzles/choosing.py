"""Which puzzle somebody gets next, and which one is that of a day."""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING

from matches.audience import PUBLIC
from matches.puzzles.values import SEEN_LENGTH
from storage.puzzle import puzzles

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date

    from storage import Connection
    from storage.puzzle.puzzles import Excluded

FIRST_RATING = 1100
"""About the rating of the first puzzles of somebody without a rating: half of the shipped ones are easier."""

DAILY_RATING = 1500
SPREAD = 100
"""In points: how far the rating looked for may be from that of the solver."""

NEAREST = 5
"""Among so many of the nearest one is chosen at random, so that not everybody gets the same."""


async def choose_near(
    connection: Connection,
    *,
    games: Sequence[str],
    theme: str,
    ratings: dict[str, float],
    default: float,
    excluded: Excluded,
    seen: Collection[str] = (),
    chance: random.Random,
) -> str | None:
    """Return the key of a puzzle of one of `games` near the rating there; None if there is none left.

    The games are tried in a random order. `ratings` are the solver's, as far as there are any. None is chosen
    whose key begins as one of `seen`.
    """
    for game in chance.sample(games, len(games)):
        rating = round(ratings.get(game, default)) + chance.randint(-SPREAD, SPREAD)
        for limit in (NEAREST, 2 * NEAREST, NEAREST + len(seen)) if seen else (NEAREST,):
            found = await puzzles.list_candidates(
                connection,
                game=game,
                theme=theme,
                rating=rating,
                audiences=PUBLIC,
                excluded=excluded,
                limit=limit,
            )
            new = [one for one in found if one[1][:SEEN_LENGTH] not in seen]
            if new:
                new.sort(key=lambda one: (abs(one[0] - rating), one[1]))
                return chance.choice(new[:NEAREST])[1]
    return None


def chance_of_day(day: date) -> random.Random:
    """Return a source of numbers that is the same for everybody on a day."""
    digest = hashlib.sha256(day.isoformat().encode()).digest()
    return random.Random(int.from_bytes(digest))  # noqa: S311 - no secret
