"""Values about ratings. All are frozen."""

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

_UNIT = 10**9  # stored numbers are billionths, so that replaying gives equal numbers on every machine


@dataclass(frozen=True, slots=True)
class Standing:
    """A person's current rating at a game; its deviation has grown since the last match.

    `played` is the number of rated matches. `is_provisional`: whether the deviation is too high to be ranked.
    `rank` counts from 1 on the leaderboard; None if it was not asked for or the rating is provisional.
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
    """One rated match of a person: its score (1, 0.5 or 0), and the rating after it."""

    match: MatchId
    at: datetime
    score: float
    rating: Rating


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of a person's rating by a match."""

    person: Person
    before: Rating
    after: Rating


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """One page of the ratings at a game, the best first, provisional ones last.

    Pages count from 1; there is one even if nobody is rated. `people` is the number of rated persons.
    `is_recomputing`: whether ratings are being computed again after a corrected result.
    """

    game: str
    page: int
    pages: int
    people: int
    standings: tuple[Standing, ...]
    is_recomputing: bool = False


@dataclass(frozen=True, slots=True)
class ResultCounts:
    """Numbers of wins, draws and losses."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def played(self) -> int:
        """The sum of all."""
        return self.won + self.drawn + self.lost

    def plus(self, score: float, count: int = 1) -> ResultCounts:
        """Return the counts with more results of one kind: 1, 0.5 or 0."""
        won, drawn, lost = (count * (score == one) for one in (1, 0.5, 0))
        return ResultCounts(self.won + won, self.drawn + drawn, self.lost + lost)


@dataclass(frozen=True, slots=True)
class Results:
    """A person's results at a game, rated or not: in total, and by opponent, colour and start mode.

    Each is sorted by count, the highest first. A start mode is the value that the game's simultaneous choice
    decides; other games have none.
    """

    total: ResultCounts
    by_opponent: Mapping[Person, ResultCounts]
    by_side: Mapping[Side, ResultCounts]
    by_start: Mapping[str, ResultCounts]


def encode_rating(rating: Rating) -> tuple[int, int, int]:
    """Return the stored form: rating, deviation and volatility as whole numbers."""
    return round(rating.rating * _UNIT), round(rating.deviation * _UNIT), round(rating.volatility * _UNIT)


def decode_rating(rating: int, deviation: int, volatility: int) -> Rating:
    """Return the rating of its stored form."""
    return Rating(rating / _UNIT, deviation / _UNIT, volatility / _UNIT)
