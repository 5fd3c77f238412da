"""Check whether one turn is legal, and say why not; this does not generate all legal turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import AmbiguousMove, IllegalMove
from engine.morabaraba.board import get_board
from engine.morabaraba.messages import MorabarabaMessage
from engine.morabaraba.mobility import destinations, removable_men
from engine.morabaraba.moves import get_move_template
from engine.notation_text import abbreviate

if TYPE_CHECKING:
    from engine.morabaraba.moves import MorabarabaTurn
    from engine.morabaraba.state import MorabarabaState


def check_turn(position: MorabarabaState, turn: MorabarabaTurn, text: str) -> None:
    """Raise IllegalMove if `turn` is not legal in `position`; `text` is what the player typed.

    Raise AmbiguousMove if the turn closes a mill and does not say which man is removed.
    """
    own = position.own
    if position.decided_outcome:
        raise illegal_move(position, MorabarabaMessage.GAME_OVER, text)
    if turn.start:
        if (
            own.hand
            or not own.men & turn.start
            or not destinations(own, position.empty, turn.start) & turn.end
        ):
            raise _step_error(position, turn, text)
    elif not own.hand:
        raise illegal_move(position, MorabarabaMessage.NONE_IN_HAND, text)
    elif not position.empty & turn.end:
        raise _occupied_error(position, turn, text)
    if get_board().closes_mill(own.men & ~turn.start, turn.end):
        _check_removal(position, turn, text)
    elif turn.removed or turn.declines_removal:
        message = MorabarabaMessage.NO_MILL if turn.removed else MorabarabaMessage.NO_MILL_TO_DECLINE
        raise illegal_move(position, message, text)


def illegal_move(
    position: MorabarabaState, message: MorabarabaMessage, text: str, **values: object
) -> IllegalMove:
    """Return the error for `text`; `values` are the fields of `message` besides the text and the sides.

    If the game is over, the error says that instead.
    """
    if position.outcome:
        message = MorabarabaMessage.GAME_OVER
    names = {"mover": position.mover.capitalize(), "enemy": position.opponent.capitalize()}
    return IllegalMove(
        message.to_text(text=abbreviate(text), **names, **values), text=text, position=position
    )


def _step_error(position: MorabarabaState, turn: MorabarabaTurn, text: str) -> IllegalMove:
    """Return the error for a step from `turn.start` to `turn.end`."""
    own, cell_at = position.own, get_board().cell_at
    start, end = cell_at[turn.start], cell_at[turn.end]
    if own.hand:
        return illegal_move(position, MorabarabaMessage.IN_HAND, text)
    if turn.start & position.empty:
        return illegal_move(position, MorabarabaMessage.NO_MAN, text, cell=start)
    if not turn.start & own.men:
        return illegal_move(position, MorabarabaMessage.NOT_YOURS, text, cell=start)
    if not turn.end & position.empty:
        return _occupied_error(position, turn, text)
    if own.forbidden_step == (turn.start, turn.end):
        return illegal_move(position, MorabarabaMessage.STRAIGHT_BACK, text)
    return illegal_move(position, MorabarabaMessage.NOT_ADJACENT, text, start=start, end=end)


def _occupied_error(position: MorabarabaState, turn: MorabarabaTurn, text: str) -> IllegalMove:
    colour = position.mover if position.own.men & turn.end else position.opponent
    return illegal_move(
        position, MorabarabaMessage.TAKEN, text, cell=get_board().cell_at[turn.end], colour=colour
    )


def _check_removal(position: MorabarabaState, turn: MorabarabaTurn, text: str) -> None:
    """Check the removal of `turn`, which closes a mill (Placing the men). Raise as :func:`check_turn`."""
    board, enemy_men = get_board(), position.enemy.men
    if not enemy_men:
        if turn.removed or turn.declines_removal:
            raise illegal_move(position, MorabarabaMessage.NONE_TO_REMOVE, text)
        return
    removable = removable_men(enemy_men)
    men = ", ".join(board.to_cells(removable))
    if not turn.removed:
        if turn.declines_removal:
            return
        template = get_move_template(turn.start, turn.end)
        choices = (
            *(template.removal_turns[man].text for man in board.split_bits(removable)),
            template.declining_turn.text,
        )
        reason = illegal_move(position, MorabarabaMessage.WHICH_MAN, text, men=men).reason
        raise AmbiguousMove(reason, text=text, position=position, choices=choices)
    cell = board.cell_at[turn.removed]
    if turn.removed & removable:
        return
    if turn.removed & enemy_men:
        raise illegal_move(position, MorabarabaMessage.IN_MILL, text, cell=cell, men=men)
    own = turn.removed & (position.own.men & ~turn.start | turn.end)
    raise illegal_move(
        position, MorabarabaMessage.REMOVE_OWN if own else MorabarabaMessage.REMOVE_NO_MAN, text, cell=cell
    )
