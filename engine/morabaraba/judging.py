"""Whether a turn is legal, and the refusal where it is not; nothing is listed for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import AmbiguousMove, IllegalMove
from engine.morabaraba.board import board
from engine.morabaraba.moves import way
from engine.morabaraba.reasons import Reason
from engine.texts import quoted

if TYPE_CHECKING:
    from engine.morabaraba.camp import Camp
    from engine.morabaraba.moves import Turn
    from engine.morabaraba.position import MorabarabaPosition


def removable(adverse: int) -> int:
    """Give which of the `adverse` men may be removed: those outside mills, or all if there are none such."""
    return adverse & ~board().milled(adverse) or adverse


def ends(own: Camp, empty: int, start: int) -> int:
    """Give where the man of `own` on `start` may go (bits): a step along a line, or anywhere if it flies."""
    reach = empty if own.flies else board().nexts[start] & empty
    return reach & ~own.barred[1] if own.barred and own.barred[0] == start else reach


def reaches(own: Camp, empty: int) -> list[tuple[int, int]]:
    """Give each start that `own` can choose (0 for a placement) with where that leads, as bits."""
    if own.hand:
        return [(0, empty)]
    on = board()
    if own.barred:
        return [(start, ends(own, empty, start)) for start in on.each(own.men)]
    if own.flies:
        return [(start, empty) for start in on.each(own.men)]
    nexts = on.nexts
    return [(start, nexts[start] & empty) for start in on.each(own.men)]


def check(position: MorabarabaPosition, turn: Turn, text: str) -> None:
    """Raise IllegalMove unless `turn` is legal in `position`; `text` is how it was given.

    Raises AmbiguousMove where it closes a mill and does not say which man is removed.
    """
    own = position.own
    if position.settled:
        raise illegal(position, Reason.OVER, text)
    if turn.start:
        if own.hand or not own.men & turn.start or not ends(own, position.empty, turn.start) & turn.end:
            raise _step_refusal(position, turn, text)
    elif not own.hand:
        raise illegal(position, Reason.NONE_IN_HAND, text)
    elif not position.empty & turn.end:
        raise _taken(position, turn, text)
    if board().closes(own.men & ~turn.start, turn.end):
        _check_removal(position, turn, text)
    elif turn.removed or turn.declines:
        reason = Reason.NO_MILL if turn.removed else Reason.NO_MILL_TO_DECLINE
        raise illegal(position, reason, text)


def illegal(position: MorabarabaPosition, reason: Reason, text: str, **values: object) -> IllegalMove:
    """Give the refusal of `text` for `reason`, or because the game is over; the names are filled in here."""
    if position.outcome:
        reason = Reason.OVER
    names = {"mover": position.mover.capitalize(), "enemy": position.other.capitalize()}
    return IllegalMove(reason.say(text=quoted(text), **names, **values), text=text, position=position)


def _step_refusal(position: MorabarabaPosition, turn: Turn, text: str) -> IllegalMove:
    """Say why the man on `turn.start` cannot go to `turn.end`."""
    own, cell_at = position.own, board().cell_at
    start, end = cell_at[turn.start], cell_at[turn.end]
    if own.hand:
        return illegal(position, Reason.IN_HAND, text)
    if turn.start & position.empty:
        return illegal(position, Reason.NO_MAN, text, cell=start)
    if not turn.start & own.men:
        return illegal(position, Reason.NOT_YOURS, text, cell=start)
    if not turn.end & position.empty:
        return _taken(position, turn, text)
    if own.barred == (turn.start, turn.end):
        return illegal(position, Reason.STRAIGHT_BACK, text)
    return illegal(position, Reason.NOT_NEXT, text, start=start, end=end)


def _taken(position: MorabarabaPosition, turn: Turn, text: str) -> IllegalMove:
    colour = position.mover if position.own.men & turn.end else position.other
    return illegal(position, Reason.TAKEN, text, cell=board().cell_at[turn.end], colour=colour)


def _check_removal(position: MorabarabaPosition, turn: Turn, text: str) -> None:
    """Check what `turn`, which closes a mill, says of the man to be removed (Placing the men)."""
    on, adverse = board(), position.adverse.men
    if not adverse:
        if turn.removed or turn.declines:
            raise illegal(position, Reason.NONE_TO_REMOVE, text)
        return
    free = removable(adverse)
    men = ", ".join(on.names(free))
    if not turn.removed:
        if turn.declines:
            return
        closing = way(turn.start, turn.end)
        choices = (*(closing.removing[man].text for man in on.each(free)), closing.declining.text)
        reason = illegal(position, Reason.WHICH, text, men=men).reason
        raise AmbiguousMove(reason, text=text, position=position, choices=choices)
    cell = on.cell_at[turn.removed]
    if turn.removed & free:
        return
    if turn.removed & adverse:
        raise illegal(position, Reason.IN_MILL, text, cell=cell, men=men)
    own = turn.removed & (position.own.men & ~turn.start | turn.end)
    raise illegal(position, Reason.REMOVE_OWN if own else Reason.REMOVE_NO_MAN, text, cell=cell)
