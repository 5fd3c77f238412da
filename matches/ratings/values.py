"""The values that ratings are told in. All are frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.ratings.glicko import Rating

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Side
    from matches.values import MatchId, Person

PROVISIONAL_DEVIATION = 150.0
"""A rating counts among the leaders while its deviation is below this.

Servers where a game takes minutes ask for 110 or less, which is some seventeen games. Here eight or nine
matches are enough, and then two a year: a match lasts for months.
"""

_UNIT = 10**9  # stored numbers are billionths, so that every machine that replays a log finds the same


@dataclass(frozen=True, slots=True)
class Standing:
    """How a person stands at a game now: the deviation has grown since the last match.

    `played` counts the rated matches; `is_provisional` tells that too little is known to be ranked. `rank`
    among the leaders counts from 1, None where it was not asked for or the rating is provisional.
    """

    person: Person
    game: str
    rating: Rating
    played: int
    is_provisional: bool
    rated_at: datetime
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class RatingStep:
    """One rated match in the course of a rating: its score (1, 0.5 or 0), and the rating after it."""

    match: MatchId
    at: datetime
    score: float
    rating: Rating


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a match did to a person's rating."""

    person: Person
    before: Rating
    after: Rating


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """One page of the ratings at a game, the best first, those that are provisional last.

    Pages count from 1; there is one even where nobody is rated. `people` counts all who are.
    """

    game: str
    page: int
    pages: int
    people: int
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class ResultCounts:
    """Results counted."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def played(self) -> int:
        """All of them."""
        return self.won + self.drawn + self.lost

    def plus(self, score: float) -> ResultCounts:
        """Return the count with one result more: 1, 0.5 or 0."""
        won, drawn, lost = score == 1, score == 0.5, score == 0
        return ResultCounts(self.won + won, self.drawn + drawn, self.lost + lost)


@dataclass(frozen=True, slots=True)
class Results:
    """A person's results at a game, rated or not: in all, and by opponent, colour and start mode.

    Each is sorted by how many there are. A start mode is the value that a simultaneous
    choice decides; a game without one has no start modes.
    """

    total: ResultCounts
    by_opponent: Mapping[Person, ResultCounts]
    by_side: Mapping[Side, ResultCounts]
    by_start: Mapping[str, ResultCounts]


def encode_rating(rating: Rating) -> tuple[int, int, int]:
    """Return the stored form: rating, deviation and volatility."""
    return round(rating.rating * _UNIT), round(rating.deviation * _UNIT), round(rating.volatility * _UNIT)


def decode_rating(rating: int, deviation: int, volatility: int) -> Rating:
    """Read the stored form."""
    return Rating(rating / _UNIT, deviation / _UNIT, volatility / _UNIT)
