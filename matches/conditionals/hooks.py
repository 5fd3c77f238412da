"""The hooks that play conditional moves, and invalidate them when the match takes another course."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.conditionals.future_board import FutureBoard, find_branch_to
from matches.conditionals.tree import format_tree, parse_tree
from matches.conditionals.values import LossReason
from matches.errors import Refusal
from matches.hook_events import ConditionalReply
from matches.locking import MatchHooks
from matches.platforms import find_way, needs_no_sending
from matches.values import encode_revision
from matches.view_builder import seat_for_side
from storage.match import conditionals

if TYPE_CHECKING:
    from matches.conditionals.tree import Branch
    from matches.hook_events import MatchEnded, TurnPlayed
    from matches.locking import LockedMatch
    from storage.match.conditionals import ConditionalMovesRow


class ConditionalMoveHooks(MatchHooks):
    """Plays saved replies. Costs nothing in a match without conditional moves."""

    async def reply(self, locked: LockedMatch, turn: TurnPlayed) -> ConditionalReply | None:
        """Return the reply to a complete turn, after advancing every tree of the match by the turn."""
        if not locked.row.has_conditional_moves:
            return None
        rows = await conditionals.list_valid(locked.connection, locked.row.id)
        replies = [await _advance_tree(locked, turn, row) for row in rows]
        if not rows:
            await locked.change(has_conditional_moves=False)
        return next((reply for reply in replies if reply is not None), None)

    async def after_end(self, locked: LockedMatch, end: MatchEnded) -> None:  # noqa: ARG002
        """Delete all trees."""
        if locked.row.has_conditional_moves:
            await conditionals.remove(locked.connection, locked.row.id)


async def invalidate_lines(locked: LockedMatch) -> None:
    """Invalidate all conditional moves of a match after a takeback: their starting board is gone."""
    if locked.row.has_conditional_moves:
        for row in await conditionals.list_valid(locked.connection, locked.row.id):
            await _invalidate(locked, row, LossReason.TAKEN_BACK)


async def _advance_tree(
    locked: LockedMatch, turn: TurnPlayed, row: ConditionalMovesRow
) -> ConditionalReply | None:
    """Advance a tree by one turn; return the reply if one is due."""
    branch = _played_branch(locked, turn, row)
    if branch is None:
        if row.person == turn.person.account:
            await conditionals.remove(locked.connection, row.match, row.person)
        else:
            await _invalidate(locked, row, LossReason.DEVIATED)
        return None
    if not branch.children:
        await conditionals.remove(locked.connection, row.match, row.person)
        return None
    answer = branch.children[0] if branch.children[0].is_own else None
    if answer is not None and not _is_legal(locked, answer):
        await _invalidate(locked, row, LossReason.ILLEGAL)
        return None
    await conditionals.update_columns(
        locked.connection,
        row.match,
        row.person,
        ply=locked.row.ply,
        position=str(locked.board()),
        tree=format_tree(branch.children),
        changed_at=locked.now,
    )
    if answer is None:
        return None
    owner = next(seat.person for seat in locked.seats if seat.person.account == row.person)
    return ConditionalReply(owner, answer.move_texts)


def _played_branch(locked: LockedMatch, turn: TurnPlayed, row: ConditionalMovesRow) -> Branch | None:
    """Return the branch of a tree that was just played, or None."""
    branch = find_branch_to(row.match, locked.game.load(row.position), parse_tree(row.tree), turn.position)
    is_consistent = branch is not None and row.ply + len(branch.move_texts) == locked.row.ply
    return branch if is_consistent else None


def _is_legal(locked: LockedMatch, answer: Branch) -> bool:
    seat = seat_for_side(locked.seats, locked.board().to_move)
    if seat is None:
        return False
    try:
        FutureBoard(locked.row.id, locked.board(), seat.side).play_turn(answer.move_texts)
    except Refusal:
        return False
    return True


async def _invalidate(locked: LockedMatch, row: ConditionalMovesRow, reason: LossReason) -> None:
    """Invalidate a tree and schedule a private notice to its owner; where none is sent, it waits there."""
    is_sent = not needs_no_sending(find_way(row.person), row.person)
    await conditionals.update_columns(
        locked.connection,
        row.match,
        row.person,
        ply=encode_revision(locked.row.ply, locked.row.takebacks),
        position="",
        tree=format_tree(()),
        changed_at=locked.now,
        lost=reason,
        due_at=locked.now if is_sent else None,
    )
