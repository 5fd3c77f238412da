"""Entrants, games and results of a tournament as plain values. No database, no clock.

Points are counted in halves: a win is 2, a draw 1, a loss 0. So they are whole numbers, also in tie-breaks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from collections.abc import Iterable

EntrantId = NewType("EntrantId", int)

WIN, DRAW, LOSS = 2, 1, 0
"""What a game is worth, in half points."""

Blocks = frozenset[frozenset[EntrantId]]
"""The pairs of entrants of whom one has blocked the other: they are not to play each other."""


class GameState(StrEnum):
    """How far a game of a tournament is. `WAITING`: it is not open yet. `ANNULLED`: it counts for nobody."""

    WAITING = "waiting"
    OPEN = "open"
    OVER = "over"
    ANNULLED = "annulled"


class Decision(StrEnum):
    """How a result came about."""

    PLAYED = "played"
    LOST_CLOCK = "lost_clock"
    BY_DEFAULT = "by_default"
    BYE = "bye"
    BLOCKED = "blocked"
    ADJUDICATED = "adjudicated"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who takes part. `seed` is drawn and published at the start: 1 is the highest, no two are equal.

    `withdrawn_in` is the stage in which the entrant withdrew, was excluded or withdrawn; None: still in it.
    `is_filler`: the computer, which fills an odd place and is not ranked: it is below everybody.
    """

    id: EntrantId
    seed: int
    rating: float = 1500.0
    withdrawn_in: int | None = None
    is_filler: bool = False


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game that is to be created: `first` has the side that begins. `second` None is a bye.

    `round` counts from 1 within the stage, in the order in which games open. `number` counts the games
    between the same two within the round. `is_blocked`: it is not played, each gets half a point.
    """

    first: EntrantId
    second: EntrantId | None
    round: int = 1
    number: int = 1
    is_blocked: bool = False

    @property
    def decision(self) -> Decision | None:
        """Return what decides the game as soon as it is created, if it is not played."""
        if self.second is None:
            return Decision.BYE
        return Decision.BLOCKED if self.is_blocked else None

    @property
    def points(self) -> tuple[int, int] | None:
        """Return the half points of a game that is not played: a bye is a win, a blocked pair draws."""
        if self.second is None:
            return WIN, LOSS
        return (DRAW, DRAW) if self.is_blocked else None


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """A game of a tournament as it is stored. `first` has the side that begins; `second` None is a bye.

    `points` are the half points of `first` and `second`, present exactly if the state is `OVER`.
    `round` and `number` are those of its `Pairing`. `match` is the number of the match in which it is played.
    """

    id: int
    stage: int
    first: EntrantId
    second: EntrantId | None
    state: GameState = GameState.WAITING
    points: tuple[int, int] | None = None
    decision: Decision | None = None
    match: int | None = None
    round: int = 1
    number: int = 1

    def __post_init__(self) -> None:
        """Raise ValueError if an entrant plays itself, or if points and state contradict each other."""
        if self.first == self.second:
            raise ValueError(f"entrant {self.first} cannot play itself")
        if (self.points is not None) != (self.state is GameState.OVER):
            raise ValueError(f"game {self.id} is {self.state} with the points {self.points}")

    @property
    def players(self) -> tuple[EntrantId, ...]:
        """Return both entrants, or one if it is a bye."""
        return (self.first,) if self.second is None else (self.first, self.second)

    @property
    def pair(self) -> frozenset[EntrantId]:
        """Return the entrants without their sides."""
        return frozenset(self.players)

    def points_of(self, entrant: EntrantId) -> int | None:
        """Return the half points of a player of this game, or None while it is not over."""
        if self.points is None:
            return None
        return self.points[0] if entrant == self.first else self.points[1]

    def opponent_of(self, entrant: EntrantId) -> EntrantId | None:
        """Return who plays against a player of this game; None if it is a bye."""
        return self.second if entrant == self.first else self.first


def games_of(entrant: EntrantId, games: Iterable[TournamentGame]) -> tuple[TournamentGame, ...]:
    """Return the games of an entrant that count: not the annulled ones."""
    return tuple(game for game in games if entrant in game.players and game.state is not GameState.ANNULLED)


def format_points(halves: int) -> str:
    """Return half points as a number: ``0``, ``½``, ``1½``."""
    whole, half = divmod(halves, WIN)
    return f"{whole or ''}½" if half else str(whole)
