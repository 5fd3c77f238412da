"""Building views from rows: interprets a stored match with the rules of its game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from engine.game import EventKind, Outcome, Side
from matches.audience import Audience, MatchAccess, Reader, ShownNames, choose_name
from matches.clocks.rows import match_time_from_row
from matches.errors import MatchUnknown
from matches.match_view import LoggedMove, MatchView
from matches.options import parse_options
from matches.preferences.values import parse_preferences
from matches.terms import parse_terms
from matches.times import from_millis
from matches.values import (
    ChallengeId,
    Correction,
    EndReason,
    MatchId,
    MatchState,
    Offer,
    OfferId,
    OfferKind,
    Person,
    Pick,
    Result,
    Reveal,
    Seat,
)
from storage.match import corrections, matches
from storage.match.takebacks import load_earlier_log

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from engine.game import Event, Game, Position
    from matches.updates import Announcement
    from storage import Connection
    from storage.match.corrections import CorrectionRow
    from storage.match.matches import CandidateRow, MatchListRow, MatchRow
    from storage.match.packed_logs import MoveRow

RowT = TypeVar("RowT", "MatchRow", "MatchListRow", "CandidateRow")
Seats = tuple[Seat, Seat]


@dataclass(frozen=True, slots=True)
class RecentMoves:
    """The moves of the last complete turn, and those of an unfinished turn."""

    last_turn: tuple[LoggedMove, ...] = ()
    unfinished_moves: tuple[LoggedMove, ...] = ()


async def fetch_match(connection: Connection, match: int, *, lock: bool = False) -> MatchRow:
    """Return the row of a match; with `lock` it is locked until the commit. Raises MatchUnknown."""
    row = await matches.get(connection, match, lock=lock)
    if row is None:
        raise MatchUnknown(match=match)
    return row


def with_shown_names(row: RowT, names: ShownNames) -> RowT:
    """Return the row of a match in which the players have the names that somebody sees."""
    if names is ShownNames.REAL:
        return row
    return replace(
        row,
        first_name=choose_name(names, row.audience, row.first, row.first_name, row.first_alias),
        second_name=choose_name(names, row.audience, row.second, row.second_name, row.second_alias),
    )


def find_shown_names(row: CandidateRow, account: str) -> ShownNames | None:
    """Return which names an account sees in a match, whatever servers it is a member of.

    None if it may not see the match.
    """
    access = MatchAccess(Audience(row.audience), row.server, (row.first, row.second))
    return Reader(frozenset({account})).names_in(access)


def load_initial_position(game: Game, row: MatchRow) -> Position:
    """Return the initial position of a match that has one. Raises GameError if the row is corrupt."""
    return game.initial_position(**parse_options(row.options)) if row.base is None else game.load(row.base)


def load_position_after(game: Game, row: MatchRow, moves: Sequence[MoveRow]) -> Position:
    """Return the position after the last of `moves`, without any the initial position.

    Moves of a packed log have no positions; then they must start at ply 1, and are played. Raises GameError
    if the row or the log is corrupt.
    """
    if moves and moves[-1].position is not None:
        return game.load(moves[-1].position)
    position = load_initial_position(game, row)
    for move in moves:
        position = position.play(position.parse(move.text))
    return position


def build_view(row: MatchRow, game: Game, position: Position | None, recent: RecentMoves) -> MatchView:
    """Return the view of a match at a position, with these recent moves."""
    seats = seats_from_row(row, game)
    return MatchView(
        id=MatchId(row.id),
        challenge=None if row.challenge is None else ChallengeId(row.challenge),
        server=row.server,
        channel=row.place,
        is_direct=row.direct_since is not None,
        game=row.game,
        rules_version=row.rules_version,
        options=parse_options(row.options),
        state=MatchState(row.state),
        seats=seats,
        ply=row.ply,
        position=position,
        last_turn=recent.last_turn,
        unfinished_moves=recent.unfinished_moves,
        picked_by=_picked_by(row, seats),
        reveal=_build_reveal(row, game, seats),
        pending_offer=_build_pending_offer(row, seats),
        result=result_from_row(row, seats),
        is_current=True,
        made_at=from_millis(row.made_at),
        changed_at=from_millis(row.changed_at),
        terms=parse_terms(row.terms),
        audience=Audience(row.audience),
        takebacks=row.takebacks,
        text_readers=tuple(
            account
            for account, stored in ((row.first, row.first_preferences), (row.second, row.second_preferences))
            if stored is not None and parse_preferences(stored).boards_as_text
        ),
        time=None
        if row.state == MatchState.OVER
        else match_time_from_row(row, [seat.person for seat in seats]),
    )


def announced_ply(row: MatchRow) -> int:
    """Return the ply up to which everybody sees the moves of a match."""
    return row.ply if row.state == MatchState.OVER else row.turn_ply


def build_current_view(
    row: MatchRow, game: Game, position: Position | None, recent: RecentMoves, readers: Collection[str] = ()
) -> MatchView:
    """Return the current view of a match for these accounts, or by default for everybody.

    `position` is the stored one. An unfinished turn is shown to its player alone until the match is over.
    """
    if row.ply == announced_ply(row) or position is None:
        return build_view(row, game, position, recent)
    turn_start = recent.last_turn[-1].position if recent.last_turn else load_initial_position(game, row)
    if row.mover in readers:
        return replace(build_view(row, game, position, recent), turn_start=turn_start)
    announced = RecentMoves(last_turn=recent.last_turn)
    return replace(build_view(row, game, turn_start, announced), ply=row.turn_ply)


def seats_from_row(row: MatchRow, game: Game) -> Seats:
    """Return the current seats, in the order of the game's sides."""
    first, second = game.sides
    return (
        Seat(first, Person(row.first, row.first_name)),
        Seat(second, Person(row.second, row.second_name)),
    )


def seats_before(move: LoggedMove, seats: Seats) -> Seats:
    """Return the seats right before a move; `seats` are those at any time.

    The mover had the move's side.
    """
    seat = seat_for_side(seats, move.side)
    return seats if seat is not None and seat.person == move.person else swap_seats(seats)


def seats_after(move: LoggedMove, seats: Seats) -> Seats:
    """Return the seats right after a move; `seats` are those at any time."""
    before = seats_before(move, seats)
    return swap_seats(before) if swaps_sides(move.events) else before


def swaps_sides(events: Iterable[Event]) -> bool:
    """Return whether the players change sides."""
    return sum(event.kind is EventKind.SWAP for event in events) % 2 == 1


def swap_seats(seats: Seats) -> Seats:
    """Return the seats with the players exchanged."""
    first, second = seats
    return Seat(first.side, second.person), Seat(second.side, first.person)


def replay_moves(
    base: Position, rows: Sequence[MoveRow], people: Mapping[str, Person], known: Sequence[LoggedMove] = ()
) -> list[LoggedMove]:
    """Play stored moves from the position before them. Raises GameError if the log is corrupt.

    `known` are moves that were played from the same position before. As long as the stored ones are the same,
    they are not played again.
    """
    played: list[LoggedMove] = []
    same = takewhile(lambda pair: pair[0].text == pair[1].text, zip(known, rows, strict=False))
    known_count = len(list(same))
    for index, row in enumerate(rows):
        if index < known_count:
            events, base = known[index].events, known[index].position
        else:
            move = base.parse(row.text)
            events, base = base.events(move), base.play(move)
        played.append(
            LoggedMove(
                ply=row.ply,
                turn=row.turn,
                side=Side(row.side),
                person=people[row.person],
                text=row.text,
                events=events,
                position=base,
                played_at=from_millis(row.played_at),
            )
        )
    return played


def build_recent_moves(game: Game, row: MatchRow, moves: Sequence[MoveRow]) -> RecentMoves:
    """Return the last complete turn and the unfinished one from stored moves.

    `moves` must hold the last turn, the complete turn before it and one move more (its position is the start
    of the replay), or start at ply 1.
    """
    if not moves:
        return RecentMoves()
    earlier = sum(move.turn < moves[-1].turn - 1 for move in moves)
    base = load_position_after(game, row, moves[:earlier])
    people = {seat.person.account: seat.person for seat in seats_from_row(row, game)}
    return split_recent_moves(base, replay_moves(base, moves[earlier:], people))


def split_recent_moves(base: Position, played: Sequence[LoggedMove]) -> RecentMoves:
    """Return the last complete turn and the unfinished one of moves that begin at `base`, with a turn."""
    if not played:
        return RecentMoves()
    turn = played[-1].turn
    before = played[-2].position if len(played) > 1 else base
    latest = tuple(move for move in played if move.turn == turn)
    if completes_turn(before, played[-1].position):
        return RecentMoves(last_turn=latest)
    return RecentMoves(
        last_turn=tuple(move for move in played if move.turn == turn - 1), unfinished_moves=latest
    )


async def load_announced_turns(
    connection: Connection, game: Game, row: MatchRow, announcement: Announcement
) -> tuple[tuple[LoggedMove, ...], ...]:
    """Return the moves of all turns that an announcement covers, turn by turn."""
    first = announcement.first_ply or announcement.ply
    if announcement.takebacks == row.takebacks:
        log = await matches.list_moves(connection, row.id)
    else:
        log = await load_earlier_log(connection, row.id, announcement.takebacks)
    log = log[: announcement.ply]
    base = load_position_after(game, row, log[: first - 1])
    people = {seat.person.account: seat.person for seat in seats_from_row(row, game)}
    played = replay_moves(base, log[first - 1 :], people)
    return tuple(tuple(moves) for _, moves in groupby(played, key=attrgetter("turn")))


def with_announced_turns(view: MatchView, turns: tuple[tuple[LoggedMove, ...], ...]) -> MatchView:
    """Return the view with all the turns that are announced together."""
    return replace(view, preceding_turns=turns[:-1], last_turn=turns[-1])


def completes_turn(before: Position, after: Position) -> bool:
    """Return whether the move between two positions completes a turn."""
    return before.moves_due <= 1 or after.to_move is None


def seat_for_side(seats: Seats, side: Side | None) -> Seat | None:
    """Return the seat of a side, or None."""
    return next((seat for seat in seats if seat.side == side), None)


def correction_from_row(row: CorrectionRow) -> Correction:
    """Return the correction of a row."""
    return Correction(
        by=Person(row.by, row.by_name),
        stated_reason=row.text,
        corrected_at=from_millis(row.made_at),
        old_outcome=None if row.old_outcome is None else Outcome(row.old_outcome),
        old_reason=EndReason(row.old_reason),
        outcome=None if row.outcome is None else Outcome(row.outcome),
    )


async def with_correction(connection: Connection, view: MatchView) -> MatchView:
    """Return the view with the latest correction of its result, if it was corrected."""
    if view.result is None or view.result.reason not in {EndReason.CORRECTED, EndReason.VOIDED}:
        return view
    rows = await corrections.list_for_match(connection, view.id)
    return replace(view, result=replace(view.result, correction=correction_from_row(rows[-1])))


def _picked_by(row: MatchRow, seats: Seats) -> tuple[Person, ...]:
    if row.state != MatchState.CHOOSING:
        return ()
    picks = zip(seats, (row.first_picked, row.second_picked), strict=True)
    return tuple(seat.person for seat, picked in picks if picked)


def _build_reveal(row: MatchRow, game: Game, seats: Seats) -> Reveal | None:
    if row.state == MatchState.CHOOSING or game.simultaneous_choice is None:
        return None
    if row.first_pick is None or row.second_pick is None:
        return None
    picks = (Pick(seats[0].person, row.first_pick), Pick(seats[1].person, row.second_pick))
    option = game.simultaneous_choice.option
    return Reveal(picks=picks, option=option, value=str(parse_options(row.options)[option]))


def _build_pending_offer(row: MatchRow, seats: Seats) -> Offer | None:
    if row.pending_offer is None or row.offer_kind is None:
        return None
    by = next(seat.person for seat in seats if seat.person.account == row.offer_by)
    return Offer(OfferId(row.pending_offer), OfferKind(row.offer_kind), by)


def result_from_row(row: MatchRow | MatchListRow, seats: Seats) -> Result | None:
    """Return the result of a match, without its correction; None if it is not over."""
    if row.reason is None:
        return None
    outcome = None if row.outcome is None else Outcome(row.outcome)
    return decide_result(outcome, EndReason(row.reason), seats)


def decide_result(outcome: Outcome | None, reason: EndReason | str, seats: Seats) -> Result:
    """Return the result for an outcome: who won, who lost."""
    winner = None if outcome is None else seat_for_side(seats, outcome.winner)
    loser = None if winner is None else next(seat for seat in seats if seat is not winner)
    return Result(outcome=outcome, reason=reason, winner=winner, loser=loser)
