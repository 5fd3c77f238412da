"""Values of the opening explorer: who played, which games are shown, and what was played. All are frozen.

What is counted of a match is one number in the column `explored`: :func:`encode_counted`, NOT_COUNTED for a
match that does not count, and more by `storage.tables.STALE` when its result has changed since.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

from storage.tables import STALE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import OptionValue
    from matches.match_view import MatchSummary

NOT_COUNTED = -1
LOWEST_RATINGS = (1400, 1600, 1800)


class Players(IntEnum):
    """Who played a game: people by the mean of their ratings after it, or the computer with anybody.

    The values are stored.
    """

    UNRATED = 0  # people, in a game that did not count for ratings
    BELOW_1400 = 1
    FROM_1400 = 2
    FROM_1600 = 3
    FROM_1800 = 4
    COMPUTER = 5

    @classmethod
    def of_rating(cls, rating: float) -> Players:
        """Return the people with a mean rating."""
        return cls(cls.BELOW_1400 + sum(rating >= lowest for lowest in LOWEST_RATINGS))


class Result(IntEnum):
    """Who won a game. The values are stored."""

    WON_BY_FIRST = 0
    DRAWN = 1
    WON_BY_SECOND = 2


class GameFilter(StrEnum):
    """Which games somebody wants to see; the value stands in links."""

    PEOPLE = "people"
    FROM_1400 = "1400"
    FROM_1600 = "1600"
    FROM_1800 = "1800"
    UNRATED = "unrated"
    COMPUTER = "computer"
    ALL = "all"

    @property
    def players(self) -> tuple[Players, ...]:
        """Who played these games, the strongest first, the computer last."""
        people = tuple(one for one in reversed(Players) if one is not Players.COMPUTER)
        if self is GameFilter.ALL:
            return (*people, Players.COMPUTER)
        if self is GameFilter.PEOPLE:
            return people
        if self is GameFilter.COMPUTER:
            return (Players.COMPUTER,)
        if self is GameFilter.UNRATED:
            return (Players.UNRATED,)
        return tuple(one for one in people if one >= Players.of_rating(float(self.value)))


@dataclass(frozen=True, slots=True)
class Results:
    """How many games the first and the second side won, and how many were drawn."""

    won_by_first: int = 0
    drawn: int = 0
    won_by_second: int = 0

    def __add__(self, other: Results) -> Results:
        return Results(
            self.won_by_first + other.won_by_first,
            self.drawn + other.drawn,
            self.won_by_second + other.won_by_second,
        )

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.won_by_first + self.drawn + self.won_by_second


@dataclass(frozen=True, slots=True)
class ExploredMove:
    """A move, and the results of the games in which it was played."""

    text: str
    results: Results


@dataclass(frozen=True, slots=True)
class ExploredPosition:
    """What was played in a position, the most frequent first, with the moves of its canonical form.

    `games` are examples: those between the highest rated, the latest first, as far as a reader may see them.
    """

    moves: tuple[ExploredMove, ...]
    games: tuple[MatchSummary, ...]

    @property
    def results(self) -> Results:
        """The results of all games together."""
        return sum((move.results for move in self.moves), Results())


@dataclass(frozen=True, slots=True)
class ExploredStart:
    """The options of a game with which games began, and how many."""

    options: Mapping[str, OptionValue]
    games: int


def encode_counted(players: Players, result: Result) -> int:
    """Return the number that stands for a counted game."""
    return players * len(Result) + result


def decode_counted(explored: int) -> tuple[Players, Result]:
    """Return what :func:`encode_counted` encoded, also if the number is stale."""
    players, result = divmod(explored % STALE, len(Result))
    return Players(players), Result(result)
