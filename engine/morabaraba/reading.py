"""Reading a turn that a person typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine import cells
from engine.game import Cell, NotationError
from engine.morabaraba.board import board
from engine.morabaraba.judging import check
from engine.morabaraba.moves import way
from engine.morabaraba.reasons import Reason
from engine.texts import LONGEST_MOVE, clean, quoted

if TYPE_CHECKING:
    from engine.morabaraba.moves import Turn
    from engine.morabaraba.position import MorabarabaPosition

_TURN = re.compile(rf"({cells.PATTERN})(?:-({cells.PATTERN}))?(?:X({cells.PATTERN})|(~))?")


def read(position: MorabarabaPosition, text: str) -> Turn:
    """Give the legal turn that `text` means. Raises NotationError, IllegalMove or AmbiguousMove."""
    found = _TURN.fullmatch(clean(text)) if len(text) <= LONGEST_MOVE else None
    if found is None:
        raise _unreadable(position, text, Reason.NOT_A_TURN)
    turn = _turn(position, text, found)
    check(position, turn, text)
    return turn


def _turn(position: MorabarabaPosition, text: str, found: re.Match[str]) -> Turn:
    bit = board().bit
    first, second, removed, declines = found.groups()
    for name in (first, second, removed):
        if name and name not in bit:
            raise _unreadable(position, text, Reason.NO_POINT, cell=name)
    start, end = (bit[Cell(first)], bit[Cell(second)]) if second else (0, bit[Cell(first)])
    if start == end:
        raise _unreadable(position, text, Reason.SAME_POINT)
    named = way(start, end)
    if removed:
        return named.removing[bit[Cell(removed)]]
    return named.declining if declines else named.bare


def _unreadable(position: MorabarabaPosition, text: str, reason: Reason, **values: object) -> NotationError:
    return NotationError(reason.say(text=quoted(text), **values), text=text, position=position)
