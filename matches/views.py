"""Matches as they are seen: now, at an earlier ply, in whole, and in lists."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine import find
from matches.clocks.reading import read_time
from matches.errors import MatchUnknown
from matches.options import read_options
from matches.reading import (
    Recent,
    fetch,
    first_board,
    make_result,
    read_recent,
    read_seats,
    read_told,
    read_view,
    replay,
    seats_after,
    seats_before,
    with_correction,
    with_told,
)
from matches.stamps import read_stamp
from matches.steps import AnnouncementKind, History
from matches.terms import read_terms
from matches.times import moment
from matches.values import (
    UNDER_WAY,
    MatchId,
    MatchState,
    MatchSummary,
    Offer,
    OfferId,
    OfferKind,
    Person,
    Reason,
    Seat,
)
from storage import matches
from storage.takebacks import log_before

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from engine.game import Game
    from matches.steps import Announcement
    from matches.values import MatchView
    from storage import Connection, Store
    from storage.matches import ListedRow, MatchRow, MoveRow

_LOOKS = 5  # at a match that will not hold still
_ENDS = (
    AnnouncementKind.RESIGNED,
    AnnouncementKind.AGREED,
    AnnouncementKind.ABORTED,
    AnnouncementKind.CLAIMED,
    AnnouncementKind.TIMED_OUT,
    AnnouncementKind.CORRECTED,
)


class Views:
    """The matches of a store, to be read. Nothing is locked and nothing changed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def now(self, match: MatchId) -> MatchView:
        """Give a match as it stands."""
        async with self._store.reading() as connection:
            return await _present(connection, match)

    async def at(self, match: MatchId, ply: int) -> MatchView:
        """Give a match as it stood after move `ply` of its log."""
        async with self._store.reading() as connection:
            row, game = await _get(connection, match)
            return await _past(connection, row, game, ply, row.takebacks)

    async def stamped(self, match: MatchId, stamp: int) -> MatchView:
        """Give a match as it stood when its board had a stamp; its moves may have been taken back since."""
        ply, takebacks = read_stamp(stamp)
        async with self._store.reading() as connection:
            row, game = await _get(connection, match)
            if (ply, takebacks) == (row.ply, row.takebacks):
                return await _present(connection, match)
            return await _past(connection, row, game, ply, takebacks)

    async def of(self, announcement: Announcement) -> MatchView:
        """Give a match as it stood when something was to be announced."""
        match = announcement.match
        if match is None:
            raise MatchUnknown(match=0)
        async with self._store.reading() as connection:
            row, game = await _get(connection, match)
            if announcement.kind is AnnouncementKind.FISTS:
                return _with_fists_closed(row, game)
            if announcement.kind in _ENDS or "resigned" in announcement.details:
                view = await _present(connection, match)
            elif row.position is None:
                return _with_fists_closed(row, game)
            else:
                view = await _past(connection, row, game, announcement.ply, announcement.takebacks)
            if "replies" in announcement.details:
                view = with_told(view, await read_told(connection, game, row, announcement))
            return _with_offer(view, row, announcement)

    async def history(self, match: MatchId) -> History:
        """Give a match in whole."""
        async with self._store.reading() as connection:
            row, rows = await _steady(connection, match, whole=True)
            view = await _seen(connection, row, rows)
        if row.position is None:
            return History(match=view, start=None, moves=())
        people = {seat.person.account: seat.person for seat in view.seats}
        start = first_board(find(row.game, row.rules_version), row)
        return History(match=view, start=start, moves=tuple(replay(start, rows, people)))

    async def games(self, person: Person, server: str | None) -> tuple[MatchSummary, ...]:
        """List the matches of a person that are not over."""
        async with self._store.reading() as connection:
            rows = await matches.of_person(connection, person.account, server, UNDER_WAY)
        listed = [summary(row) for row in rows]
        return tuple(sorted(listed, key=lambda line: not _waits_for(line, person)))

    async def turns(self, person: Person, server: str | None) -> tuple[MatchSummary, ...]:
        """List the matches that wait for a person, in a server or anywhere."""
        async with self._store.reading() as connection:
            rows = await matches.of_person(connection, person.account, server, UNDER_WAY)
        waiting = [line for line in map(summary, rows) if _waits_for(line, person)]
        return tuple(sorted(waiting, key=lambda line: _urgency(line, person)))

    async def recent(self, server: str, place: str | None, limit: int) -> tuple[MatchSummary, ...]:
        """List the newest matches in a server, or of a place in it."""
        async with self._store.reading() as connection:
            rows = await matches.of_server(connection, server, place, limit)
        return tuple(summary(row) for row in rows)

    async def waiting(self, person: Person, place: str) -> tuple[MatchSummary, ...]:
        """List the matches in a place where a person is to move."""
        async with self._store.reading() as connection:
            rows = await matches.of_mover(connection, person.account, place)
        return tuple(summary(row) for row in rows)


async def _get(connection: Connection, match: MatchId) -> tuple[MatchRow, Game]:
    row = await fetch(connection, match)
    return row, find(row.game, row.rules_version)


async def _present(connection: Connection, match: MatchId) -> MatchView:
    return await _seen(connection, *await _steady(connection, match))


async def _seen(connection: Connection, row: MatchRow, moves: Sequence[MoveRow]) -> MatchView:
    game = find(row.game, row.rules_version)
    position = None if row.position is None else game.load(row.position)
    view = read_view(row, game, position, read_recent(game, row, moves))
    return await with_correction(connection, view)


async def _steady(
    connection: Connection, match: MatchId, *, whole: bool = False
) -> tuple[MatchRow, Sequence[MoveRow]]:
    """Give a match with its latest moves, or all; both again if moves were taken back in between."""
    for _ in range(_LOOKS):
        row = await fetch(connection, match)
        if whole:
            moves = [move for move in await matches.moves(connection, match) if move.ply <= row.ply]
        else:
            moves = await matches.recent_moves(connection, match, row.ply)
        if row.ply == (moves[-1].ply if moves else 0):
            break
    return row, moves


async def _past(connection: Connection, row: MatchRow, game: Game, ply: int, takebacks: int) -> MatchView:
    """Give the match right after a move: with the result if that move ended it, and never an offer."""
    moves = await _until(connection, row, ply, takebacks)
    recent = read_recent(game, row, moves)
    played = (*recent.last, *recent.run)
    seats = read_seats(row, game)
    if ply == 0:
        position, changed_at, recent = first_board(game, row), row.made_at, Recent()
        seats = seats_before(played[0], seats) if played else seats
    else:
        position, changed_at = played[-1].position, moves[-1].played_at
        seats = seats_after(played[-1], seats)
    over = position.outcome
    state = MatchState.PLAYING if over is None else MatchState.OVER
    current = (ply, takebacks, state) == (row.ply, row.takebacks, row.state)
    view = read_view(row, game, position, recent)
    return replace(
        view,
        state=state,
        seats=seats,
        ply=ply,
        takebacks=takebacks,
        standing=None,
        result=None if over is None else make_result(over, Reason.PLAYED, seats),
        current=current,
        changed_at=moment(changed_at),
        time=view.time if current else None,
    )


async def _until(connection: Connection, row: MatchRow, ply: int, takebacks: int) -> Sequence[MoveRow]:
    """Give the latest moves up to a ply as they were after so many takebacks, the first for ply 0."""
    if row.position is None or not (0 <= takebacks <= row.takebacks and ply >= 0):
        raise MatchUnknown(match=row.id)
    if takebacks == row.takebacks:
        moves = await matches.recent_moves(connection, row.id, max(ply, min(row.ply, 1)))
    else:
        moves = (await log_before(connection, row.id, takebacks))[: max(ply, 1)]
    if ply > 0 and (not moves or moves[-1].ply != ply):
        raise MatchUnknown(match=row.id)
    return moves


def _with_fists_closed(row: MatchRow, game: Game) -> MatchView:
    """Give a match as it was before anybody had picked."""
    view = read_view(row, game, None, Recent())
    options = dict(view.options)
    if game.fists is not None:
        options[game.fists.option] = game.fists.value
    return replace(
        view,
        options=MappingProxyType(options),
        state=MatchState.FISTS,
        ply=0,
        picked=(),
        reveal=None,
        standing=None,
        result=None,
        current=row.state == MatchState.FISTS,
        changed_at=view.made_at,
        time=view.time if row.state == MatchState.FISTS else None,
    )


def _with_offer(view: MatchView, row: MatchRow, announcement: Announcement) -> MatchView:
    """Put the offer back that an announcement tells of."""
    seat = view.seat(announcement.by)
    if announcement.kind is not AnnouncementKind.OFFERED or seat is None:
        return view
    number, kind = announcement.details["offer"], announcement.details["what"]
    offer = Offer(OfferId(int(number)), OfferKind(str(kind)), seat.person)
    return replace(view, standing=offer, current=view.current and row.standing == number)


def summary(row: ListedRow) -> MatchSummary:
    """Give one line of a list of matches."""
    game = find(row.game, row.rules_version)
    people = (Person(row.first, row.first_name), Person(row.second, row.second_name))
    picked = (row.first_picked, row.second_picked)
    if row.state == MatchState.FISTS:
        waits_for = tuple(person for person, done in zip(people, picked, strict=True) if not done)
    else:
        waits_for = tuple(person for person in people if person.account == row.mover)
    return MatchSummary(
        id=MatchId(row.id),
        server=row.server,
        place=row.place,
        game=row.game,
        options=read_options(row.options),
        state=MatchState(row.state),
        seats=(Seat(game.sides[0], people[0]), Seat(game.sides[1], people[1])),
        ply=row.ply,
        waits_for=waits_for,
        changed_at=moment(row.changed_at),
        post=row.post,
        terms=read_terms(row.terms),
        time=None if row.state == MatchState.OVER else read_time(row, people),
        takebacks=row.takebacks,
    )


def _waits_for(line: MatchSummary, person: Person) -> bool:
    return any(awaited.account == person.account for awaited in line.waits_for)


def _urgency(line: MatchSummary, person: Person) -> tuple[int, datetime]:
    """Give what sorts matches by a person's time: where it is over, where it runs, where it does not."""
    mine = None if line.time is None else line.time.of(person.account)
    if mine is None or (mine.fell_at is None and mine.deadline is None):
        return 2, line.changed_at
    return (0, mine.fell_at) if mine.fell_at is not None else (1, mine.deadline or line.changed_at)
