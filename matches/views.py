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
from matches.terms import read_terms
from matches.times import moment
from matches.values import (
    UNDER_WAY,
    AnnouncementKind,
    History,
    MatchId,
    MatchState,
    MatchSummary,
    Person,
    Reason,
    Seat,
)
from storage import matches

if TYPE_CHECKING:
    from datetime import datetime

    from engine.game import Game
    from matches.values import Announcement, MatchView
    from storage import Connection, Store
    from storage.matches import ListedRow, MatchRow

_ENDS = (
    AnnouncementKind.RESIGNED,
    AnnouncementKind.AGREED,
    AnnouncementKind.CLAIMED,
    AnnouncementKind.TIMED_OUT,
    AnnouncementKind.CORRECTED,
)


class Views:
    """The matches of a store, to be read. The log only grows, so no lock and no transaction is needed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def now(self, match: MatchId) -> MatchView:
        """Give a match as it stands."""
        async with self._store.reading() as connection:
            row, game = await _get(connection, match)
            return await _present(connection, row, game)

    async def at(self, match: MatchId, ply: int) -> MatchView:
        """Give a match as it stood after move `ply`."""
        async with self._store.reading() as connection:
            row, game = await _get(connection, match)
            return await _past(connection, row, game, ply)

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
                view = await _present(connection, row, game)
            elif row.position is None:
                return _with_fists_closed(row, game)
            else:
                view = await _past(connection, row, game, announcement.ply)
            if "replies" in announcement.details:
                view = with_told(view, await read_told(connection, game, row, announcement))
            return _with_offer(view, row, announcement)

    async def history(self, match: MatchId) -> History:
        """Give a match in whole."""
        async with self._store.reading() as connection:
            row, game = await _get(connection, match)
            rows = [move for move in await matches.moves(connection, match) if move.ply <= row.ply]
            view = await _present(connection, row, game)
        if row.position is None:
            return History(match=view, start=None, moves=())
        people = {seat.person.account: seat.person for seat in view.seats}
        start = first_board(game, row)
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


async def _present(connection: Connection, row: MatchRow, game: Game) -> MatchView:
    moves = await matches.recent_moves(connection, row.id, row.ply)
    position = None if row.position is None else game.load(row.position)
    view = read_view(row, game, position, read_recent(game, row, moves))
    return await with_correction(connection, view)


async def _past(connection: Connection, row: MatchRow, game: Game, ply: int) -> MatchView:
    """Give the match right after a move: with the result if that move ended it, and never an offer."""
    if row.position is None or not 0 <= ply <= row.ply:
        raise MatchUnknown(match=row.id)
    moves = await matches.recent_moves(connection, row.id, max(ply, min(row.ply, 1)))
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
    current = ply == row.ply and state == row.state
    view = read_view(row, game, position, recent)
    return replace(
        view,
        state=state,
        seats=seats,
        ply=ply,
        offer=None,
        result=None if over is None else make_result(over, Reason.PLAYED, seats),
        current=current,
        changed_at=moment(changed_at),
        time=view.time if current else None,
    )


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
        offer=None,
        result=None,
        current=row.state == MatchState.FISTS,
        changed_at=view.made_at,
        time=view.time if row.state == MatchState.FISTS else None,
    )


def _with_offer(view: MatchView, row: MatchRow, announcement: Announcement) -> MatchView:
    """Put the offer back that an announcement tells of."""
    if announcement.kind is not AnnouncementKind.OFFERED:
        return view
    stands = row.offer == announcement.by and not row.offer_declined
    seat = view.seat(announcement.by)
    return replace(view, offer=None if seat is None else seat.person, current=view.current and stands)


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
    )


def _waits_for(line: MatchSummary, person: Person) -> bool:
    return any(awaited.account == person.account for awaited in line.waits_for)


def _urgency(line: MatchSummary, person: Person) -> tuple[int, datetime]:
    """Give what sorts matches by a person's time: where it is over, where it runs, where it does not."""
    mine = None if line.time is None else line.time.of(person.account)
    if mine is None or (mine.fell_at is None and mine.deadline is None):
        return 2, line.changed_at
    return (0, mine.fell_at) if mine.fell_at is not None else (1, mine.deadline or line.changed_at)
