"""Reading matches: now, at an earlier ply, with all moves, and in lists."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine import get_game
from matches.audience import ShownNames
from matches.clocks.rows import match_time_from_row
from matches.computer.accounts import is_computer
from matches.errors import MatchUnknown
from matches.fingerprints import fingerprint_from_row
from matches.match_view import MatchSummary
from matches.options import parse_options
from matches.terms import parse_terms
from matches.times import from_millis
from matches.updates import AnnouncementKind, MatchHistory
from matches.values import (
    ACTIVE_STATES,
    EndReason,
    MatchId,
    MatchState,
    Offer,
    OfferId,
    OfferKind,
    Person,
    Seat,
    decode_revision,
)
from matches.view_builder import (
    RecentMoves,
    announced_ply,
    build_current_view,
    build_recent_moves,
    build_view,
    decide_result,
    fetch_match,
    find_shown_names,
    load_announced_turns,
    load_initial_position,
    replay_moves,
    result_from_row,
    seats_after,
    seats_before,
    seats_from_row,
    split_recent_moves,
    with_announced_turns,
    with_correction,
    with_shown_names,
)
from storage.match import matches
from storage.match.takebacks import load_earlier_log

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from engine.game import Game
    from matches.match_view import LoggedMove, MatchView
    from matches.updates import Announcement
    from storage import Connection, Database
    from storage.match.matches import MatchListRow, MatchRow
    from storage.match.packed_logs import MoveRow

_MAX_READ_ATTEMPTS = 5  # if moves are taken back between two statements
_END_KINDS = (
    AnnouncementKind.RESIGNED,
    AnnouncementKind.AGREED,
    AnnouncementKind.ABORTED,
    AnnouncementKind.CLAIMED,
    AnnouncementKind.TIMED_OUT,
    AnnouncementKind.CORRECTED,
)


class Views:
    """The matches of a database, read without locks."""

    def __init__(self, database: Database, games: Mapping[str, Game]) -> None:
        self._database = database
        self._games = games

    async def current(
        self, match: MatchId, readers: Collection[str] = (), names: ShownNames = ShownNames.REAL
    ) -> MatchView:
        """Return the current view of a match for the accounts `readers`. Raises MatchUnknown."""
        async with self._database.read(short=True) as connection:
            return await load_view(connection, match, self._games, readers, names)

    async def names_for(self, match: MatchId, account: str) -> ShownNames | None:
        """Return which names an account sees in a match, whatever servers it is a member of.

        None if it may not see the match. Raises MatchUnknown.
        """
        async with self._database.read(short=True) as connection:
            row = await fetch_match(connection, match)
        return find_shown_names(row, account)

    async def summary(self, match: MatchId) -> MatchSummary:
        """Return a match as in a list, with its latest post. Raises MatchUnknown."""
        async with self._database.read() as connection:
            rows = await matches.list_by_ids(connection, [match])
        if not rows:
            raise MatchUnknown(match=match)
        return summary_from_row(rows[0], self._games)

    async def at_ply(self, match: MatchId, ply: int) -> MatchView:
        """Return the view after move `ply` of the current log; 0 is the initial position.

        Raises MatchUnknown, also if the log has no such move.
        """
        async with self._database.read() as connection:
            row, game = await _get_match(connection, match, self._games)
            return await _view_at_ply(connection, row, game, ply, row.takebacks)

    async def at_revision(
        self,
        match: MatchId,
        revision: int,
        readers: Collection[str] = (),
        names: ShownNames = ShownNames.REAL,
    ) -> MatchView:
        """Return the view at a board revision for `readers`; its moves may have been taken back since.

        Raises MatchUnknown, also if there was no such revision.
        """
        ply, takebacks = decode_revision(revision)
        async with self._database.read() as connection:
            row, game = await _get_match(connection, match, self._games, names)
            is_own_turn = row.mover in readers
            current_plies = {row.turn_ply, row.ply if is_own_turn else announced_ply(row)}
            if takebacks == row.takebacks and ply in current_plies:
                return await load_view(connection, match, self._games, readers, names)
            return await _view_at_ply(connection, row, game, ply, takebacks)

    async def at_announcement(
        self, announcement: Announcement, names: ShownNames = ShownNames.REAL
    ) -> MatchView:
        """Return the view of a match as it was when `announcement` was written.

        Raises MatchUnknown, also for the announcement of a challenge.
        """
        match = announcement.match
        if match is None:
            raise MatchUnknown(match=0)
        async with self._database.read() as connection:
            row, game = await _get_match(connection, match, self._games, names)
            if announcement.kind is AnnouncementKind.CHOOSING:
                return _before_any_pick(row, game)
            if announcement.kind in _END_KINDS or "resigned" in announcement.details:
                view = await load_view(connection, match, self._games, names=names)
            elif row.position is None:
                return _before_any_pick(row, game)
            else:
                is_current_log = announcement.takebacks == row.takebacks
                ply = min(announcement.ply, row.turn_ply) if is_current_log else announcement.ply
                view = await _view_at_ply(connection, row, game, ply, announcement.takebacks)
            if not announcement.details.keys().isdisjoint(("replies", "undoes")):
                view = with_announced_turns(
                    view, await load_announced_turns(connection, game, row, announcement)
                )
            return _restore_offer(view, row, announcement)

    async def history(
        self, match: MatchId, names: ShownNames = ShownNames.REAL, known: Sequence[LoggedMove] = ()
    ) -> MatchHistory:
        """Return a match with every move that everybody may see, its events and the position after it.

        `known` are moves of the match that were read before: they are not played again. Raises MatchUnknown.
        """
        async with self._database.read() as connection:
            stored, rows = await _consistent_read(connection, match, all_moves=True)
            row, board, start, moves = with_shown_names(stored, names), None, None, []
            game = get_game(row.game, row.rules_version, self._games)
            if row.position is not None:
                board, start = game.load(row.position), load_initial_position(game, row)
                people = {seat.person.account: seat.person for seat in seats_from_row(row, game)}
                moves = replay_moves(start, rows, people, known)
            recent = RecentMoves() if start is None else split_recent_moves(start, moves)
            view = build_current_view(row, game, board, recent)
            if names is ShownNames.REAL:  # a correction names the manager who made it
                view = await with_correction(connection, view)
        announced = tuple(move for move in moves if move.ply <= announced_ply(row))
        fingerprint = fingerprint_from_row(stored, row.first_picked + row.second_picked, None)
        return MatchHistory(view, fingerprint, start, announced)

    async def list_active_of(self, person: Person, server: str | None) -> tuple[MatchSummary, ...]:
        """Return the matches of `person` that are not over, in `server` or, with None, anywhere.

        Those that wait for the person come first; then the longest unchanged first.
        """
        async with self._database.read() as connection:
            rows = await matches.list_for_person(connection, person.account, server, ACTIVE_STATES)
        listed = [summary_from_row(row, self._games) for row in rows]
        return tuple(sorted(listed, key=lambda line: not _awaits(line, person)))

    async def list_awaiting(self, person: Person, *, server: str | None = None) -> tuple[MatchSummary, ...]:
        """Return the matches that wait for `person`, in `server` or, with None, anywhere.

        Those whose time is over come first, then the nearest deadline, then those without a deadline, the
        longest unchanged first.
        """
        async with self._database.read() as connection:
            rows = await matches.list_for_person(connection, person.account, server, ACTIVE_STATES)
        awaiting = [line for row in rows if _awaits(line := summary_from_row(row, self._games), person)]
        return tuple(sorted(awaiting, key=lambda line: _urgency_key(line, person)))

    async def list_recent(
        self, server: str, *, channel: str | None = None, limit: int = 25
    ) -> tuple[MatchSummary, ...]:
        """Return the matches in `server`, or only those in `channel`, over or not, the newest first."""
        async with self._database.read() as connection:
            rows = await matches.list_for_server(connection, server, channel, limit)
        return tuple(summary_from_row(row, self._games) for row in rows)

    async def list_recent_of(self, account: str, *, limit: int = 25) -> tuple[MatchSummary, ...]:
        """Return the matches of an account anywhere, over or not, the newest first."""
        async with self._database.read() as connection:
            rows = await matches.list_newest_of(connection, account, limit)
        return tuple(summary_from_row(row, self._games) for row in rows)

    async def list_awaiting_in(self, person: Person, channel: str) -> tuple[MatchSummary, ...]:
        """Return the matches in `channel` in which `person` is to move, the longest waiting first."""
        async with self._database.read(short=True) as connection:
            rows = await matches.list_for_mover(connection, person.account, channel)
        return tuple(summary_from_row(row, self._games) for row in rows)


async def _get_match(
    connection: Connection,
    match: MatchId,
    games: Mapping[str, Game],
    names: ShownNames = ShownNames.REAL,
) -> tuple[MatchRow, Game]:
    row = with_shown_names(await fetch_match(connection, match), names)
    return row, get_game(row.game, row.rules_version, games)


async def load_view(
    connection: Connection,
    match: MatchId,
    games: Mapping[str, Game],
    readers: Collection[str] = (),
    names: ShownNames = ShownNames.REAL,
) -> MatchView:
    """Return the current view of a match for the accounts `readers`. Raises MatchUnknown."""
    stored, moves = await _consistent_read(connection, match)
    row = with_shown_names(stored, names)
    game = get_game(row.game, row.rules_version, games)
    position = None if row.position is None else game.load(row.position)
    view = build_current_view(row, game, position, build_recent_moves(game, row, moves), readers)
    # A correction names the manager who made it.
    return await with_correction(connection, view) if names is ShownNames.REAL else view


async def _consistent_read(
    connection: Connection,
    match: MatchId,
    *,
    all_moves: bool = False,
) -> tuple[MatchRow, Sequence[MoveRow]]:
    """Return the row of a match and its recent moves, or all.

    Both are read again if moves were taken back in between.
    """
    for _ in range(_MAX_READ_ATTEMPTS):
        row = await fetch_match(connection, match)
        if all_moves:
            moves = [move for move in await matches.list_moves(connection, match) if move.ply <= row.ply]
        else:
            moves = await matches.list_recent_moves(connection, match, row.ply)
        if row.ply == (moves[-1].ply if moves else 0):
            break
    return row, moves


async def _view_at_ply(
    connection: Connection, row: MatchRow, game: Game, ply: int, takebacks: int
) -> MatchView:
    """Return the view right after a move: without an offer, with a result only if the move ended the game."""
    moves = await _moves_until(connection, row, ply, takebacks)
    recent = build_recent_moves(game, row, moves)
    played = (*recent.last_turn, *recent.unfinished_moves)
    seats = seats_from_row(row, game)
    if ply == 0:
        position, changed_at, recent = load_initial_position(game, row), row.made_at, RecentMoves()
        seats = seats_before(played[0], seats) if played else seats
    else:
        position, changed_at = played[-1].position, moves[-1].played_at
        seats = seats_after(played[-1], seats)
    outcome = position.outcome
    state = MatchState.PLAYING if outcome is None else MatchState.OVER
    is_current_ply = row.turn_ply <= ply <= announced_ply(row)
    is_current = is_current_ply and (takebacks, state) == (row.takebacks, row.state)
    view = build_view(row, game, position, recent)
    return replace(
        view,
        state=state,
        seats=seats,
        ply=ply,
        takebacks=takebacks,
        is_taken_back=takebacks < row.takebacks,
        pending_offer=None,
        result=None if outcome is None else decide_result(outcome, EndReason.PLAYED, seats),
        is_current=is_current,
        changed_at=from_millis(changed_at),
        time=view.time if is_current else None,
    )


async def _moves_until(connection: Connection, row: MatchRow, ply: int, takebacks: int) -> Sequence[MoveRow]:
    """Return the recent moves up to `ply`, as the log was after so many takebacks; for ply 0 the first move.

    Raises MatchUnknown if the log had no such move, or if it belongs to the unfinished turn.
    """
    if row.position is None or not (0 <= takebacks <= row.takebacks and ply >= 0):
        raise MatchUnknown(match=row.id)
    if takebacks == row.takebacks:
        if ply > announced_ply(row):
            raise MatchUnknown(match=row.id)
        moves = await matches.list_recent_moves(connection, row.id, max(ply, min(row.ply, 1)))
    else:
        moves = (await load_earlier_log(connection, row.id, takebacks))[: max(ply, 1)]
    if ply > 0 and (not moves or moves[-1].ply != ply):
        raise MatchUnknown(match=row.id)
    return moves


def _before_any_pick(row: MatchRow, game: Game) -> MatchView:
    """Return the view of a match before the first pick of its simultaneous choice."""
    view = build_view(row, game, None, RecentMoves())
    options = dict(view.options)
    if game.simultaneous_choice is not None:
        options[game.simultaneous_choice.option] = game.simultaneous_choice.value
    return replace(
        view,
        options=MappingProxyType(options),
        state=MatchState.CHOOSING,
        ply=0,
        picked_by=(),
        reveal=None,
        pending_offer=None,
        result=None,
        is_current=row.state == MatchState.CHOOSING,
        changed_at=view.made_at,
        time=view.time if row.state == MatchState.CHOOSING else None,
    )


def _restore_offer(view: MatchView, row: MatchRow, announcement: Announcement) -> MatchView:
    """Put the offer of an announcement into the view; it is current only while the offer is pending."""
    seat = view.seat(announcement.by)
    if announcement.kind is not AnnouncementKind.OFFERED or seat is None:
        return view
    number, kind = announcement.details["offer"], announcement.details["what"]
    offer = Offer(OfferId(int(number)), OfferKind(str(kind)), seat.person)
    return replace(view, pending_offer=offer, is_current=view.is_current and row.pending_offer == number)


def summary_from_row(row: MatchListRow, games: Mapping[str, Game]) -> MatchSummary:
    """Return the summary of a match from its row."""
    game = get_game(row.game, row.rules_version, games)
    people = (Person(row.first, row.first_name), Person(row.second, row.second_name))
    picked = (row.first_picked, row.second_picked)
    if row.state == MatchState.CHOOSING:
        waits_for = tuple(person for person, done in zip(people, picked, strict=True) if not done)
    else:
        waits_for = tuple(person for person in people if person.account == row.mover)
    seats = (Seat(game.sides[0], people[0]), Seat(game.sides[1], people[1]))
    return MatchSummary(
        id=MatchId(row.id),
        server=row.server,
        channel=row.place,
        game=row.game,
        options=parse_options(row.options),
        state=MatchState(row.state),
        seats=seats,
        ply=row.turn_ply,
        waits_for=waits_for,
        changed_at=from_millis(row.changed_at),
        post=None if row.direct_since is not None else row.post,
        terms=parse_terms(row.terms),
        time=None if row.state == MatchState.OVER else match_time_from_row(row, people),
        takebacks=row.takebacks,
        is_direct=row.direct_since is not None,
        result=result_from_row(row, seats),
        has_board=bool(row.has_board),
    )


def _awaits(line: MatchSummary, person: Person) -> bool:
    return any(awaited.account == person.account for awaited in line.waits_for)


def _urgency_key(line: MatchSummary, person: Person) -> tuple[bool, int, datetime]:
    """Return a sort key: time over, then the nearest deadline, then no deadline by last change.

    Matches against the computer come after all others.
    """
    against_computer = any(is_computer(seat.person.account) for seat in line.seats)
    own_time = None if line.time is None else line.time.for_account(person.account)
    if own_time is not None and own_time.flagged_at is not None:
        return against_computer, 0, own_time.flagged_at
    if own_time is not None and own_time.deadline is not None:
        return against_computer, 1, own_time.deadline
    return against_computer, 2, line.changed_at
