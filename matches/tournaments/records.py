"""A tournament as it is stored, loaded as a whole, and its entrants and games as plain values."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from matches.computer.accounts import is_computer
from matches.errors import Refusal
from matches.tournaments.results import Decision, Entrant, EntrantId, GameState, TournamentGame
from matches.tournaments.settings import parse_settings
from matches.tournaments.values import Act, Kind, TournamentId, TournamentState, Withdrawal
from storage.tournament import games, tournaments

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matches.tournaments.results import Blocks
    from matches.tournaments.values import Settings
    from storage import Connection
    from storage.tournament.rows import EntrantRow, GameRow, StageRow, TournamentRow

Groups = tuple[tuple[EntrantId, ...], ...]
LARGE = 64
"""With more entrants, pairs and tables are computed in a thread."""

NO_SEED = 1_000_000  # of somebody who has not begun to play
ENTRANT = "entrant"
"""The detail of a withdrawal in the log that has the number of the entrant."""


@dataclass(frozen=True, slots=True)
class Records:
    """What is stored about a tournament. `stages` and `games` are in the order in which they were made.

    `left` are those who were withdrawn in each season of a league, also if they have come back since.
    """

    row: TournamentRow
    settings: Settings
    entrants: dict[EntrantId, EntrantRow]
    stages: tuple[StageRow, ...]
    games: tuple[GameRow, ...]
    plain_games: tuple[TournamentGame, ...] = field(default=())
    left: Mapping[int, frozenset[EntrantId]] = field(default_factory=dict)

    @property
    def id(self) -> TournamentId:
        """The number of the tournament."""
        return TournamentId(self.row.id)

    @property
    def state(self) -> TournamentState:
        """How far it is."""
        return TournamentState(self.row.state)

    @property
    def stage(self) -> StageRow | None:
        """The newest stage, None before the start."""
        return self.stages[-1] if self.stages else None

    @property
    def draw(self) -> int:
        """The number from which everything is drawn."""
        return self.row.draw or 0

    @property
    def active(self) -> tuple[EntrantRow, ...]:
        """The entrants who have not withdrawn."""
        return tuple(one for one in self.entrants.values() if one.withdrawn is None)

    def games_in(self, stage: int, division: int | None = None) -> tuple[GameRow, ...]:
        """Return the games of a stage, or of one of its divisions."""
        return tuple(one for one in self.games if one.stage == stage and division in {None, one.division})

    def unfinished(self) -> tuple[GameRow, ...]:
        """Return the games of all stages that are not over."""
        return tuple(one for one in self.games if one.state in UNFINISHED)

    def is_withdrawn(self, entrant: int | None) -> bool:
        """Return whether an entrant has withdrawn."""
        return entrant is not None and self.entrants[EntrantId(entrant)].withdrawn is not None

    def has_left(self, entrant: int | None, stage: int) -> bool:
        """Return whether an entrant has withdrawn in a stage or before it: not after its end date."""
        return (
            self.is_withdrawn(entrant) and (self.entrants[EntrantId(entrant or 0)].withdrawn_in or 0) <= stage
        )

    def plain_entrants(self, ids: Iterable[int] | None = None) -> tuple[Entrant, ...]:
        """Return entrants as plain values, by default all who have a seed."""
        wanted = [one.id for one in self.entrants.values() if one.seed is not None] if ids is None else ids
        return tuple(_entrant(self.entrants[EntrantId(one)]) for one in wanted)

    def entrants_at_end(self, ids: Iterable[int], stage: int) -> tuple[Entrant, ...]:
        """Return entrants as they were when a stage ended: who has left since had not left then."""
        return tuple(
            replace(_entrant(row), withdrawn_in=stage if self._has_left_until(row, stage) else None)
            for row in (self.entrants[EntrantId(one)] for one in ids)
        )

    def _has_left_until(self, row: EntrantRow, stage: int) -> bool:
        """Return whether somebody was withdrawn in a stage or, without coming back, before it.

        Whoever may play no longer because of absence in a season has played until its end.
        """
        if row.id in self.left.get(stage, ()):
            return True
        if row.withdrawn_in is None or row.withdrawn_in > stage:
            return False
        if row.withdrawn_in == stage:
            return row.withdrawn != Withdrawal.ABSENT
        return row.withdrawn is not None


UNFINISHED = (GameState.WAITING, GameState.OPEN)


def is_unfinished(game: GameRow) -> bool:
    """Return whether a game is not over, or is annulled and its match still has to be ended."""
    is_annulled_only = game.state == GameState.ANNULLED and game.match is not None and game.ended_at is None
    return game.state in UNFINISHED or is_annulled_only


async def load(connection: Connection, tournament: TournamentId) -> Records:
    """Return everything about a tournament. Raises `tournament_unknown`."""
    row = await tournaments.get(connection, tournament)
    if row is None:
        raise Refusal("tournament_unknown")
    entrants = {EntrantId(one.id): one for one in await tournaments.list_entrants(connection, tournament)}
    stages, left = tuple(await tournaments.list_stages(connection, tournament)), {}
    if row.kind == Kind.LEAGUE:
        log = await tournaments.list_withdrawals(connection, tournament, (Act.WITHDRAWN, Act.EXCLUDED))
        left = _list_left(stages, entrants, log)
    rows = tuple(await games.list_all(connection, tournament))
    return Records(
        row=row,
        settings=parse_settings(row),
        entrants=entrants,
        stages=stages,
        games=rows,
        plain_games=tuple(map(plain_game, rows)),
        left=left,
    )


async def load_locked(connection: Connection, tournament: TournamentId) -> Records:
    """Lock a tournament until the commit, and return it as :func:`load` does."""
    await tournaments.lock(connection, tournament)
    return await load(connection, tournament)


async def load_blocks(connection: Connection, records: Records) -> Blocks:
    """Return the pairs of entrants of whom one has blocked the other."""
    ids = {one.account: EntrantId(one.id) for one in records.active}
    pairs = await tournaments.list_blocks(connection, ids)
    return frozenset(frozenset((ids[person], ids[blocked])) for person, blocked in pairs)


def plain_game(row: GameRow) -> TournamentGame:
    """Return a game as a plain value. The second of a bye has no points."""
    points = None if row.first_points is None else (row.first_points, row.second_points or 0)
    return TournamentGame(
        id=row.id,
        stage=row.stage,
        first=EntrantId(row.first),
        second=None if row.second is None else EntrantId(row.second),
        state=GameState(row.state),
        points=points,
        decision=None if row.decision is None else Decision(row.decision),
        match=row.match,
        round=row.round,
        number=row.number,
    )


def parse_groups(stored: str) -> Groups:
    """Return the groups of a stage."""
    return tuple(tuple(EntrantId(one) for one in group) for group in json.loads(stored))


def _list_left(
    stages: Iterable[StageRow], entrants: Mapping[EntrantId, EntrantRow], log: Sequence[tuple[str, int, str]]
) -> dict[int, frozenset[EntrantId]]:
    """Return who was withdrawn in each season before its end date; a clock was always lost before it.

    Whoever is out because of absence has played until the end.
    """
    withdrawals, found = [(account, at, json.loads(details)) for account, at, details in log], {}
    for stage in stages:
        left = [
            (account, details.get(ENTRANT))
            for account, at, details in withdrawals
            if stage.starts_at <= at <= (stage.ended_at or at)
            and details["why"] != Withdrawal.ABSENT
            and (at < stage.ends_at or details["why"] == Withdrawal.LOST_CLOCKS)
        ]
        # An account can have several entrants, after another one was joined with it. Old logs name none.
        ids = {number for _, number in left}
        accounts = {account for account, number in left if number is None}
        group = (one for group in parse_groups(stage.groups) for one in group)
        found[stage.number] = frozenset(
            one for one in group if one in ids or entrants[one].account in accounts
        )
    return found


def _entrant(row: EntrantRow) -> Entrant:
    return Entrant(
        id=EntrantId(row.id),
        seed=NO_SEED + row.id if row.seed is None else row.seed,
        rating=float(row.rating or 0),
        withdrawn_in=row.withdrawn_in if row.withdrawn is not None else None,
        is_filler=is_computer(row.account),
    )
