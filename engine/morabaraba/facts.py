"""Plain facts about a turn: what it wins, closes, prevents and threatens, and what it allows.

A point where a side could close a mill is one where a legal turn of that side would close it, if it were that
side's turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Fact
from engine.morabaraba.board import get_board
from engine.morabaraba.fact_keys import MorabarabaFact
from engine.morabaraba.movegen import generate
from engine.morabaraba.side_state import FLYING_COUNT, LOSING_COUNT, SideState
from engine.morabaraba.state import MorabarabaState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.morabaraba.moves import MorabarabaTurn

MAX_BLOCKED_STEPS = 8
"""A turn takes at most so many steps from the other side: four into a point, and four of a man removed."""

FEW_STEPS = 3
MANY_LINES = 3


def find_facts(position: MorabarabaState, turn: MorabarabaTurn, after: MorabarabaState) -> Iterator[Fact]:
    """Yield the facts about a legal `turn`, the most important first; `after` is the position after it."""
    board, side, opponent = get_board(), after.enemy, after.own
    cells = board.to_cells
    wins = after.outcome is not None and after.outcome.winner is position.mover
    if wins and opponent.men_left <= LOSING_COUNT:
        yield Fact(MorabarabaFact.WINS_BY_CAPTURE, cells(turn.removed))
    elif wins:
        yield Fact(MorabarabaFact.WINS_BY_BLOCK)
    count, points = find_closed_mills(side.men, turn.end)
    if count:
        yield Fact(MorabarabaFact.CLOSES_MILLS, cells(points), count)
    if after.outcome:
        return
    own_points = find_mill_points(side, after.empty)
    opponent_points = find_mill_points(opponent, after.empty)
    is_forced = _is_mill_forced(after, own_points)
    if is_forced:
        yield Fact(MorabarabaFact.FORCES_MILLS, cells(own_points))
    prevented = find_mill_points(position.enemy, position.empty) & ~opponent_points
    if prevented:
        yield Fact(MorabarabaFact.PREVENTS_MILLS, cells(prevented))
    if not is_forced and own_points & ~find_mill_points(position.own, position.empty):
        yield Fact(MorabarabaFact.THREATENS_MILLS, cells(own_points))
    yield from _find_room(position, turn, after)
    yield from _find_drawbacks(after, opponent_points)


def _find_drawbacks(after: MorabarabaState, points: int) -> Iterator[Fact]:
    """Yield what the turn allows; `points` are where the opponent can close a mill."""
    cells = get_board().to_cells
    if _can_win(after, points):
        yield Fact(MorabarabaFact.ALLOWS_WIN, is_drawback=True)
    if points:
        yield Fact(MorabarabaFact.ALLOWS_MILLS, cells(points), is_drawback=True)
    elif forcing := find_forcing_points(after):
        yield Fact(MorabarabaFact.ALLOWS_FORCED_MILLS, cells(forcing), is_drawback=True)


def find_forcing_points(position: MorabarabaState) -> int:
    """Return where a turn of the side to move can end that makes a mill unstoppable, as bits."""
    found = 0
    for turn in generate(position):
        after = position.play(turn)
        if isinstance(after, MorabarabaState) and not after.outcome:
            points = find_mill_points(after.enemy, after.empty)
            if _is_mill_forced(after, points):
                found |= turn.end
    return found


def _find_room(position: MorabarabaState, turn: MorabarabaTurn, after: MorabarabaState) -> Iterator[Fact]:
    """Yield that the turn leaves the opponent few steps, or takes a point with many free lines."""
    if not after.own.hand and not after.own.can_fly:
        steps, before = count_steps(after.own, after.empty), count_steps(position.enemy, position.empty)
        if steps <= FEW_STEPS and steps < before:
            yield Fact(MorabarabaFact.LIMITS_STEPS, count=steps, before=before)
    board = get_board()
    lines = sum(not pair & after.own.men for pair in board.partners[turn.end])
    if not turn.start and lines >= MANY_LINES:
        yield Fact(MorabarabaFact.TAKES_LINES, board.to_cells(turn.end), lines)


def find_closed_mills(men: int, point: int) -> tuple[int, int]:
    """Return in how many mills of `men` the man on `point` is, and their points. Sets are bits."""
    count = points = 0
    for mill in get_board().mills:
        if mill & point and men & mill == mill:
            count, points = count + 1, points | mill
    return count, points


def find_mill_points(side: SideState, empty: int) -> int:
    """Return the points (bits) where `side` could close a mill if it were its turn."""
    board, found = get_board(), 0
    for mill in board.mills:
        missing = mill & ~side.men
        if (
            missing & empty
            and not missing & missing - 1
            and _can_reach(side, empty, missing, side.men & ~mill)
        ):
            found |= missing
    return found


def _can_reach(side: SideState, empty: int, end: int, men: int) -> bool:
    """Return whether `side` can place a man on `end`, or move one of `men` there."""
    if side.hand:
        return True
    board = get_board()
    starts = men if side.can_fly else men & board.neighbours[end]
    return any(side.destinations(empty, start) & end for start in board.split_bits(starts))


def _is_mill_forced(after: MorabarabaState, points: int) -> bool:
    """Return whether the side that has just moved can close a mill next whatever the other side replies.

    `points` are where it could now. Where the next turn may end the game as a draw, the answer is no.
    """
    left = after.turns_to_draw
    if not points or (left is not None and left <= 1):
        return False
    side, empty = after.enemy, after.empty
    replies = sorted(generate(after), key=lambda reply: not reply.end & points)  # those that stop one first
    return all(_can_close_after(side, empty, reply) for reply in replies)


def _can_close_after(side: SideState, empty: int, reply: MorabarabaTurn) -> bool:
    """Return whether `side` is still in the game after a reply, and can close a mill."""
    side, empty = _play_against(side, empty, reply)
    return side.men_left > LOSING_COUNT and find_mill_points(side, empty) != 0


def _can_win(after: MorabarabaState, mill_points: int) -> bool:
    """Return whether the side to move can win with its next turn; it can close a mill on `mill_points`.

    Where that turn may end the game as a draw, blocking the other side does not count.
    """
    side, empty, left = after.enemy, after.empty, after.turns_to_draw
    if mill_points and side.men and side.men_left <= FLYING_COUNT:
        return True
    if side.hand or (left is not None and left <= 1) or count_steps(side, empty) > MAX_BLOCKED_STEPS:
        return False
    replies = (_play_against(side, empty, reply) for reply in generate(after))
    return any(not count_steps(side, empty) for side, empty in replies if empty)


def count_steps(side: SideState, empty: int) -> int:
    """Return how many steps `side` has, with men in hand how many placements."""
    return sum(points.bit_count() for _, points in side.destinations_by_start(empty))


def _play_against(side: SideState, empty: int, reply: MorabarabaTurn) -> tuple[SideState, int]:
    """Return `side` and the empty points after a turn of the other side."""
    men = side.men & ~reply.removed
    return SideState(men, side.hand, side.forbidden_step), empty & ~reply.end | reply.start | reply.removed
