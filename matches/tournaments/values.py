"""Tournaments as values: what an organiser sets, and the views that front ends show.

The plain values of pairings and tables are in :mod:`matches.tournaments.results`, what can be done in
:mod:`matches.tournaments.service`. Points are counted in halves: 2 for a win, 1 for a draw.
All views are frozen, with the names that their reader may see.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, NewType

from matches.platforms import WEBSITE
from matches.terms import Terms, TimeControl, TimeoutRule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import OptionValue
    from matches.tournaments.pairing.knock_out import Duel
    from matches.tournaments.results import Decision, EntrantId, GameState
    from matches.values import MatchId, Person

TournamentId = NewType("TournamentId", int)

DAY, WEEK = timedelta(days=1), timedelta(weeks=1)

MIN_ENTRANTS = 3
"""With fewer entrants on its date a tournament does not begin."""

MAX_ENTRANTS = 512
MAX_NAME_LENGTH, MAX_ABOUT_LENGTH = 60, 1000  # characters
MIN_REASON_LENGTH, MAX_REASON_LENGTH = 3, 300  # characters of what an organiser says about an act
MAX_GAMES = 5  # that one tournament can be played at
MIN_STAGE, MAX_STAGE = timedelta(days=3), timedelta(weeks=52)
MAX_WAIT = timedelta(weeks=52)  # from the creation to the start
MAX_ROUNDS = 30  # of a Swiss tournament, or seasons of a league
LEAGUE_PAUSE = WEEK
LEAGUE_SEASONS = 4  # by default: a year
GAME_LENGTH_ON_LADDER = timedelta(weeks=6)
MAX_OPEN = 20
"""Open games of one account in all tournaments together; the next ones wait."""

GAMES_AT_ONCE = 5  # of one player in one tournament
MAX_VACATION = timedelta(days=14)  # that stops clocks in one stage
WARNINGS_BEFORE = (timedelta(weeks=2), timedelta(days=2))
"""How long before the end of a stage the players of an unfinished game are told that it will be decided."""

TIME_CONTROL = TimeControl(timedelta(days=14), timedelta(days=1), timedelta(days=21))


class Kind(StrEnum):
    """How a tournament is played."""

    ROUND_ROBIN = "round_robin"  # everybody against everybody, in one stage
    LEAGUE = "league"  # divisions by rating, a season is a stage; promotion and relegation
    SWISS = "swiss"  # in each round, a stage, entrants with equal points meet
    KNOCK_OUT = "knock_out"  # two games with colours swapped; the loser is out
    LADDER = "ladder"  # one stage, in which entrants challenge those above them


REPLACED_LATER = frozenset({Kind.LEAGUE, Kind.SWISS})
"""The kinds of which entrants can be replaced after the start, too."""

STAGE_LENGTHS = {
    Kind.ROUND_ROBIN: 13 * WEEK,
    Kind.LEAGUE: 13 * WEEK,
    Kind.SWISS: 5 * WEEK,
    Kind.KNOCK_OUT: 6 * WEEK,
    Kind.LADDER: 52 * WEEK,
}
"""How long a stage lasts at most if the organiser does not choose."""


class TournamentState(StrEnum):
    """How far a tournament is."""

    OPEN = "open"  # one can join
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"  # too few joined, or the organiser ended it before the start


class StageState(StrEnum):
    """How far a stage is. `CLOSING`: its date has passed, and the last games are being decided."""

    RUNNING = "running"
    CLOSING = "closing"
    OVER = "over"


class Withdrawal(StrEnum):
    """Why an entrant no longer plays."""

    LEFT = "left"  # by own choice
    LOST_CLOCKS = "lost_clocks"  # two lost clocks without a move in between, or one before the first move
    EXCLUDED = "excluded"  # by the organiser
    GONE = "gone"  # the account was deleted, closed or excluded from the server or website
    JOINED = "joined"  # the account was joined with that of another entrant
    ABSENT = "absent"  # of a league: too few games of a season were played for the second time


class Act(StrEnum):
    """What the log of a tournament has: acts of organisers, and what the rules did. The value is stored."""

    CREATED = "created"
    CHANGED = "changed"
    STARTED = "started"
    STAGE_STARTED = "stage_started"
    STAGE_ENDED = "stage_ended"
    SHORTENED = "shortened"  # details: asked, rounds
    JOINED_LATE = "joined_late"  # after the start
    DROPPED = "dropped"  # down a ladder, without a game for 30 days
    WITHDRAWN = "withdrawn"  # details: why (a Withdrawal)
    EXCLUDED = "excluded"
    REPLACED = "replaced"
    CORRECTED = "corrected"  # details: game, before, after (such as "2-0")
    ENDED_EARLY = "ended_early"
    CANCELLED = "cancelled"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class GameSetup:
    """A game and its options, complete but for random ones."""

    game: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EntryLimits:
    """Who may join: those with a rating in these bounds, and so many; of a server its members."""

    min_rating: int | None = None
    max_rating: int | None = None
    entrants: int = MAX_ENTRANTS


@dataclass(frozen=True, slots=True)
class Settings:
    """What an organiser sets. Games alternate from round to round if there are several.

    `starts_at` is the end of the registration. `stage_length` is how long a stage lasts at most, `rounds`
    the number of rounds of a Swiss tournament (None: as many as needed) or seasons of a league.
    `computer_level` is the level at which the computer fills an odd place, None for never.
    `server` and `channel` are those of a server's own tournament: its matches are played there. By default
    it is open to all platforms, and its matches have no place.
    """

    name: str
    kind: Kind
    games: tuple[GameSetup, ...]
    starts_at: datetime
    stage_length: timedelta = timedelta(0)  # zero: the usual one of the kind
    rounds: int | None = None
    time_control: TimeControl = TIME_CONTROL
    rated: bool = True
    limits: EntryLimits = EntryLimits()
    games_at_once: int = GAMES_AT_ONCE
    computer_level: str | None = None
    about: str = ""
    server: str = WEBSITE
    channel: str = ""

    @property
    def length(self) -> timedelta:
        """How long a stage lasts at most."""
        return self.stage_length or STAGE_LENGTHS[self.kind]

    @property
    def is_of_server(self) -> bool:
        """Whether it is a server's own tournament."""
        return self.server != WEBSITE

    @property
    def terms(self) -> Terms:
        """The terms of its matches: a lost clock loses the game, and no turn is taken back."""
        return Terms(
            time_control=self.time_control,
            timeout_rule=TimeoutRule.LOST,
            takebacks_allowed=False,
            rated=self.rated,
        )


@dataclass(frozen=True, slots=True)
class EntrantView:
    """Somebody who takes part. `seed` and `rating` are known from the start on.

    `division` is that of the shown stage of a league, 1 the highest, or 0. `withdrawn` says why they play no
    longer, since `withdrawn_at`. `was_warned`: they lost a clock, and the next one without a move before it
    withdraws them. `is_registered`: they play the next season of a league too.
    """

    id: EntrantId
    person: Person
    joined_at: datetime
    seed: int | None = None
    rating: int | None = None
    division: int = 0
    withdrawn: Withdrawal | None = None
    withdrawn_at: datetime | None = None
    was_warned: bool = False
    is_registered: bool = True


@dataclass(frozen=True, slots=True)
class GameView:
    """A game of a tournament. `first` has the side that begins, `second` None is a bye.

    `points` are half points of both. `setup` is the index of its game in the settings. An open game ends at
    `ends_at` at the latest. `chances` are those of `first` by which it was adjudicated, from 0 to 1.
    On a ladder, `answer_by` is until when a challenge has to be accepted, None once it is.
    """

    id: int
    first: EntrantId
    second: EntrantId | None
    state: GameState
    round: int
    number: int
    setup: int
    points: tuple[int, int] | None = None
    decision: Decision | None = None
    match: MatchId | None = None
    opened_at: datetime | None = None
    ended_at: datetime | None = None
    ends_at: datetime | None = None
    answer_by: datetime | None = None
    chances: float | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of a table: the place, points in halves, and how many games were played and are still to be.

    `tie_break` says what puts the entrant above the next one with equal points: a member of
    `matches.tournaments.standings.TieBreak`, or None. `best` and `worst` are the places that can still be
    reached. `is_promoted`, `is_relegated`: by the table as it is now.
    """

    place: int
    entrant: EntrantId
    points: int
    played: int
    remaining: int
    tie_break: str | None
    best: int
    worst: int
    is_promoted: bool = False
    is_relegated: bool = False


@dataclass(frozen=True, slots=True)
class GroupView:
    """Entrants who are in one table: a division of a league, else all of the stage.

    `table` is in the order of places. Of a Swiss tournament it counts the games of all stages up to the shown
    one, while `games` are those of the stage. Of a ladder it is the order.
    """

    number: int
    table: tuple[TableRow, ...]
    games: tuple[GameView, ...]

    @property
    def entrants(self) -> tuple[EntrantId, ...]:
        """The entrants in the order of places."""
        return tuple(row.entrant for row in self.table)


@dataclass(frozen=True, slots=True)
class StageDates:
    """A stage without its games. `ends_at` was fixed when it began; `ended_at` is when it was over."""

    number: int
    state: StageState
    starts_at: datetime
    ends_at: datetime
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class StageView:
    """A stage with its tables and games."""

    dates: StageDates
    groups: tuple[GroupView, ...]


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What was done, when and why. `by` None: the rules did it."""

    at: datetime
    act: Act
    by: Person | None = None
    about: Person | None = None
    reason: str = ""
    details: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rights:
    """What the reader of a view can do now."""

    can_join: bool = False
    can_leave: bool = False
    can_manage: bool = False
    can_challenge: tuple[EntrantId, ...] = ()  # on a ladder
    can_answer: tuple[int, ...] = ()  # games of a ladder
    can_register: bool = False  # for the next season of a league, with one click


@dataclass(frozen=True, slots=True)
class TournamentView:
    """A tournament as its reader sees it.

    `rounds` is how many stages there will be, None if that is not known; fewer than `settings.rounds` if too
    few take part. `stage` is the one that was asked for, by default the newest; None before the start.
    `ends_at` is when the whole tournament ends at the latest, None before the start of what has no end.
    `me` is the reader's entrant. `winners` have the first place, once it is over. `bracket` has the rounds of
    a knock-out as far as their entrants are known, whatever stage is shown.
    """

    id: TournamentId
    settings: Settings
    state: TournamentState
    organiser: Person
    made_at: datetime
    entrants: tuple[EntrantView, ...]
    stages: tuple[StageDates, ...]
    stage: StageView | None
    log: tuple[LogEntry, ...]
    rounds: int | None = None
    ends_at: datetime | None = None
    ended_at: datetime | None = None
    me: EntrantId | None = None
    winners: tuple[EntrantId, ...] = ()
    bracket: tuple[tuple[Duel, ...], ...] = ()
    rights: Rights = Rights()

    @property
    def is_replaceable(self) -> bool:
        """Whether entrants can be replaced now."""
        return self.stage is None or self.settings.kind in REPLACED_LATER

    def entrant(self, number: EntrantId) -> EntrantView:
        """Return the entrant with an id. Raises KeyError."""
        for one in self.entrants:
            if one.id == number:
                return one
        raise KeyError(number)


@dataclass(frozen=True, slots=True)
class TournamentSummary:
    """A tournament in a list. `stage` is the number of the newest stage, 0 before the start."""

    id: TournamentId
    name: str
    kind: Kind
    state: TournamentState
    games: tuple[GameSetup, ...]
    entrants: int
    starts_at: datetime
    server: str
    stage: int = 0
    stage_ends_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TournamentOfMatch:
    """The tournament to which a match belongs, for its page.

    `ends_at` is when the match is decided at the latest. `chances` are those of the account `assessed`, from
    0 to 1, if it was adjudicated.
    """

    tournament: TournamentId
    name: str
    stage: int
    game: int
    ends_at: datetime | None
    decision: Decision | None
    chances: float | None
    assessed: str


@dataclass(frozen=True, slots=True)
class Win:
    """A first place of a player: the mark on their page. `stage` is the season of a league, else 0."""

    tournament: TournamentId
    name: str
    kind: Kind
    stage: int
    ended_at: datetime
