"""Whether a turn is legal, and the refusal where it is not; nothing is listed for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import AmbiguousMove, IllegalMove, Side
from engine.morphos.board import each
from engine.morphos.flips import flippable, flips_back, vulnerable
from engine.morphos.moves import Kind, Turn
from engine.morphos.reasons import Reason
from engine.morphos.stones import OTHER
from engine.texts import quoted

if TYPE_CHECKING:
    from engine.morphos.position import MorphosPosition
    from engine.morphos.stones import Stones


def check(position: MorphosPosition, turn: Turn, text: str) -> None:
    """Raise IllegalMove unless `turn` is legal in `position`; `text` is how it was given.

    Raises AmbiguousMove where a captured stone is owed and only its point is left open.
    """
    if position.outcome:
        raise illegal(position, Reason.OVER, text)
    stones = position.standing
    if turn.restored is not None:
        if not position.owed:
            raise illegal(position, Reason.NOTHING_TO_RESTORE, text)
        _check_place(position, stones, turn.restored, None, text)
        stones = stones.placed(position.mover, turn.restored)
    elif position.owed:
        raise _left_open(position, turn, text)
    _check_regular(position, stones, turn, text)


def illegal(position: MorphosPosition, reason: Reason, text: str, **values: object) -> IllegalMove:
    """Give the refusal of `text` for `reason`; the text and both sides' names are filled in here."""
    mover, enemy = position.mover.capitalize(), OTHER[position.mover].capitalize()
    said = reason.say(text=quoted(text), mover=mover, enemy=enemy, **values)
    return IllegalMove(said, text=text, position=position)


def may_swap(position: MorphosPosition) -> bool:
    """Tell whether the people may change sides now (Pie rule): on White's first turn, once."""
    return (
        position.turns == 1
        and position.mover is Side.WHITE
        and not position.swapped
        and not position.owed
        and not position.outcome
    )


def can_move(position: MorphosPosition, stones: Stones) -> bool:
    """Tell whether the mover can place or flip with `stones` on the board."""
    return bool(stones.empty or flippable(position.rules, stones, position.mover, position.flipped))


def _check_regular(position: MorphosPosition, stones: Stones, turn: Turn, text: str) -> None:
    if turn.kind is Kind.PLACE:
        if len(turn.points) > 1 and not position.rules.doubling:
            raise illegal(position, Reason.ONE_STONE, text)
        for at in turn.points:
            _check_place(position, stones, at, turn.restored, text)
    elif turn.kind is Kind.FLIP:
        _check_flip(position, stones, turn, text)
    elif turn.kind is Kind.SWAP:
        if not may_swap(position):
            raise illegal(position, Reason.ONLY_FIRST, text)
    elif may_swap(position) or can_move(position, stones):
        raise illegal(position, Reason.MUST_MOVE, text)


def _check_place(position: MorphosPosition, stones: Stones, at: int, restored: int | None, text: str) -> None:
    if stones.empty >> at & 1:
        return
    cell = stones.board.cell_at.get(at)
    if cell is None:
        raise illegal(position, Reason.FOREIGN, text)
    if at == restored:
        raise illegal(position, Reason.TAKEN_BY_RESTORED, text, cell=cell)
    raise illegal(position, Reason.TAKEN, text, cell=cell, colour=stones.owner(at))


def _check_flip(position: MorphosPosition, stones: Stones, turn: Turn, text: str) -> None:
    rules, mover, (at,) = position.rules, position.mover, turn.points
    cell = stones.board.cell_at.get(at)
    if cell is None:
        raise illegal(position, Reason.FOREIGN, text)
    owner = stones.owner(at)
    if owner is None:
        raise illegal(position, Reason.EMPTY, text, cell=cell)
    if owner is mover:
        reason = Reason.OWN_RESTORED if at == turn.restored else Reason.OWN
        raise illegal(position, reason, text, cell=cell)
    if not vulnerable(rules, stones, mover, position.flipped, at):
        raise illegal(position, Reason.NOT_VULNERABLE, text, cell=cell, colour=owner)
    if rules.counting and flips_back(rules, stones, mover, at):
        raise illegal(position, Reason.FLIPPED_BACK, text, cell=cell)


def _left_open(position: MorphosPosition, turn: Turn, text: str) -> IllegalMove | AmbiguousMove:
    """Say that the captured stone comes first, and which points for it make `turn` legal (mutator d)."""
    restored = [position.rules.turns.restoring(at, turn) for at in each(position.standing.empty)]
    choices = tuple(sorted(turn.text for turn in restored if _is_legal(position, turn)))
    example = choices[0] if choices else next(position.beginning(""))
    refusal = illegal(position, Reason.RESTORE_FIRST, text, example=example)
    if not choices:
        return refusal
    return AmbiguousMove(refusal.reason, text=text, position=position, choices=choices)


def _is_legal(position: MorphosPosition, turn: Turn) -> bool:
    try:
        check(position, turn, turn.text)
    except IllegalMove:
        return False
    return True
