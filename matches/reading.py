"""From rows to values: what a stored match says, with its game to interpret it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from engine.game import EventKind, Outcome, Side
from matches.clocks.reading import read_time
from matches.errors import MatchUnknown
from matches.options import read_options
from matches.terms import read_terms
from matches.times import moment
from matches.values import (
    ChallengeId,
    Correction,
    MatchId,
    MatchState,
    MatchView,
    Offer,
    OfferId,
    OfferKind,
    Person,
    Pick,
    Played,
    Reason,
    Result,
    Reveal,
    Seat,
)
from storage import corrections, matches
from storage.takebacks import log_before

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engine.game import Event, Game, Position
    from matches.steps import Announcement
    from storage import Connection
    from storage.corrections import CorrectionRow
    from storage.matches import MatchRow, MoveRow

Seats = tuple[Seat, Seat]


@dataclass(frozen=True, slots=True)
class Recent:
    """The moves of the last complete turn, and those of a run that is not complete."""

    last: tuple[Played, ...] = ()
    run: tuple[Played, ...] = ()


async def fetch(connection: Connection, match: int, *, lock: bool = False) -> MatchRow:
    """Give the row of a match; with `lock` nobody else changes it meanwhile. Raises MatchUnknown."""
    row = await matches.get(connection, match, lock=lock)
    if row is None:
        raise MatchUnknown(match=match)
    return row


def first_board(game: Game, row: MatchRow) -> Position:
    """Give the first board of a match that has one. Raises GameError where the row is not what it was."""
    return game.start(**read_options(row.options)) if row.base is None else game.load(row.base)


def read_view(row: MatchRow, game: Game, position: Position | None, recent: Recent) -> MatchView:
    """Give the view of a match as its row says it stands."""
    seats = read_seats(row, game)
    return MatchView(
        id=MatchId(row.id),
        challenge=None if row.challenge is None else ChallengeId(row.challenge),
        server=row.server,
        place=row.place,
        game=row.game,
        rules_version=row.rules_version,
        options=read_options(row.options),
        state=MatchState(row.state),
        seats=seats,
        ply=row.ply,
        position=position,
        last=recent.last,
        run=recent.run,
        picked=_picked(row, seats),
        reveal=_reveal(row, game, seats),
        standing=_standing(row, seats),
        result=_result(row, seats),
        current=True,
        made_at=moment(row.made_at),
        changed_at=moment(row.changed_at),
        terms=read_terms(row.terms),
        takebacks=row.takebacks,
        time=None if row.state == MatchState.OVER else read_time(row, [seat.person for seat in seats]),
    )


def read_seats(row: MatchRow, game: Game) -> Seats:
    """Give the seats as they are now, in the order of the game's first move."""
    first, second = game.sides
    return (
        Seat(first, Person(row.first, row.first_name)),
        Seat(second, Person(row.second, row.second_name)),
    )


def seats_before(move: Played, seats: Seats) -> Seats:
    """Give the seats right before a move, whoever sits where in `seats`: the mover sat on the move's side."""
    seat = seat_of(seats, move.side)
    return seats if seat is not None and seat.person == move.person else swapped(seats)


def seats_after(move: Played, seats: Seats) -> Seats:
    """Give the seats right after a move, whoever sits where in `seats`."""
    before = seats_before(move, seats)
    return swapped(before) if swaps(move.events) else before


def swaps(events: Iterable[Event]) -> bool:
    """Say whether the people change sides."""
    return sum(event.kind is EventKind.SWAP for event in events) % 2 == 1


def swapped(seats: Seats) -> Seats:
    """Give the seats with the people exchanged."""
    first, second = seats
    return Seat(first.side, second.person), Seat(second.side, first.person)


def replay(base: Position, rows: Sequence[MoveRow], people: Mapping[str, Person]) -> list[Played]:
    """Play stored moves from the position before them. Raises GameError where the log is not what it was."""
    played = []
    for row in rows:
        move = base.parse(row.text)
        events, base = base.events(move), base.play(move)
        played.append(
            Played(
                ply=row.ply,
                turn=row.turn,
                side=Side(row.side),
                person=people[row.person],
                text=row.text,
                events=events,
                position=base,
                at=moment(row.played_at),
            )
        )
    return played


def read_recent(game: Game, row: MatchRow, moves: Sequence[MoveRow]) -> Recent:
    """Interpret the latest moves: all of the last turn and, before it, one complete turn and one move more.

    The moves may begin later only where the log itself begins.
    """
    if not moves:
        return Recent()
    from_start = moves[0].ply == 1
    base = first_board(game, row) if from_start else game.load(moves[0].position)
    people = {seat.person.account: seat.person for seat in read_seats(row, game)}
    played = replay(base, moves if from_start else moves[1:], people)
    turn = played[-1].turn
    before = played[-2].position if len(played) > 1 else base
    latest = tuple(move for move in played if move.turn == turn)
    if completes(before, played[-1].position):
        return Recent(last=latest)
    return Recent(last=tuple(move for move in played if move.turn == turn - 1), run=latest)


async def read_told(
    connection: Connection, game: Game, row: MatchRow, announcement: Announcement
) -> tuple[tuple[Played, ...], ...]:
    """Give all turns that an announcement tells, the moves of each."""
    first = announcement.first_ply or announcement.ply
    if announcement.takebacks == row.takebacks:
        log = await matches.moves(connection, row.id)
    else:
        log = await log_before(connection, row.id, announcement.takebacks)
    log = log[: announcement.ply]
    base = first_board(game, row) if first == 1 else game.load(log[first - 2].position)
    people = {seat.person.account: seat.person for seat in read_seats(row, game)}
    played = replay(base, log[first - 1 :], people)
    return tuple(tuple(moves) for _, moves in groupby(played, key=attrgetter("turn")))


def with_told(view: MatchView, turns: tuple[tuple[Played, ...], ...]) -> MatchView:
    """Give the view of a match with all the turns that are told together."""
    return replace(view, lead=turns[:-1], last=turns[-1])


def completes(before: Position, after: Position) -> bool:
    """Say whether the move between two positions completes a turn, and so is to be announced."""
    return before.due <= 1 or after.to_move is None


def seat_of(seats: Seats, side: Side | None) -> Seat | None:
    """Give the seat that plays a side."""
    return next((seat for seat in seats if seat.side == side), None)


def read_correction(row: CorrectionRow) -> Correction:
    """Give a correction as its row says."""
    return Correction(
        by=Person(row.by, row.by_name),
        why=row.text,
        at=moment(row.made_at),
        old_outcome=None if row.old_outcome is None else Outcome(row.old_outcome),
        old_reason=Reason(row.old_reason),
        outcome=None if row.outcome is None else Outcome(row.outcome),
    )


async def with_correction(connection: Connection, view: MatchView) -> MatchView:
    """Put the latest correction into the result of a match that was corrected; others stay as they are."""
    if view.result is None or view.result.reason not in {Reason.CORRECTED, Reason.VOIDED}:
        return view
    made = await corrections.of_match(connection, view.id)
    return replace(view, result=replace(view.result, correction=read_correction(made[-1])))


def _picked(row: MatchRow, seats: Seats) -> tuple[Person, ...]:
    if row.state != MatchState.FISTS:
        return ()
    inside = zip(seats, (row.first_picked, row.second_picked), strict=True)
    return tuple(seat.person for seat, picked in inside if picked)


def _reveal(row: MatchRow, game: Game, seats: Seats) -> Reveal | None:
    if row.state == MatchState.FISTS or game.fists is None:
        return None
    if row.first_pick is None or row.second_pick is None:
        return None
    picks = (Pick(seats[0].person, row.first_pick), Pick(seats[1].person, row.second_pick))
    option = game.fists.option
    return Reveal(picks=picks, option=option, value=str(read_options(row.options)[option]))


def _standing(row: MatchRow, seats: Seats) -> Offer | None:
    if row.standing is None or row.offer_kind is None:
        return None
    by = next(seat.person for seat in seats if seat.person.account == row.offer_by)
    return Offer(OfferId(row.standing), OfferKind(row.offer_kind), by)


def _result(row: MatchRow, seats: Seats) -> Result | None:
    if row.reason is None:
        return None
    outcome = None if row.outcome is None else Outcome(row.outcome)
    return make_result(outcome, Reason(row.reason), seats)


def make_result(outcome: Outcome | None, reason: Reason, seats: Seats) -> Result:
    """Say who won by an outcome."""
    winner = None if outcome is None else seat_of(seats, outcome.winner)
    loser = None if winner is None else next(seat for seat in seats if seat is not winner)
    return Result(outcome=outcome, reason=reason, winner=winner, loser=loser)
