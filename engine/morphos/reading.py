"""Reading a turn that a person typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine import cells
from engine.game import Cell, NotationError
from engine.morphos.judging import check
from engine.morphos.moves import PASS, SWAP
from engine.morphos.reasons import Reason
from engine.texts import LONGEST_MOVE, clean, quoted

if TYPE_CHECKING:
    from engine.morphos.moves import Turn
    from engine.morphos.position import MorphosPosition

_TURN = re.compile(
    rf"(?:(?P<restored>{cells.PATTERN})\+)?"
    rf"(?:(?P<word>SWAP|PASS)|X(?P<flip>{cells.PATTERN})|(?P<first>{cells.PATTERN})(?:,(?P<second>{cells.PATTERN}))?)"
)


def read(position: MorphosPosition, text: str) -> Turn:
    """Give the legal turn that `text` means. Raises NotationError, IllegalMove or AmbiguousMove."""
    found = _TURN.fullmatch(clean(text[:LONGEST_MOVE])) if len(text) <= LONGEST_MOVE else None
    if found is None:
        raise _unreadable(position, text, Reason.NOT_A_TURN)
    turn = _turn(position, text, found)
    check(position, turn, text)
    return turn


def _turn(position: MorphosPosition, text: str, found: re.Match[str]) -> Turn:
    turns, at = position.rules.turns, position.rules.board.at
    restored, word, flip, first, second = found.groups()
    for name in (restored, flip, first, second):
        if name and name not in at:
            raise _unreadable(position, text, Reason.NO_CELL, cell=name)
    if word:
        turn = SWAP if word == "SWAP" else PASS
    elif flip:
        turn = turns.flips[at[Cell(flip)]]
    elif first == second:
        raise _unreadable(position, text, Reason.TWICE)
    else:
        turn = turns.placement(at[Cell(name)] for name in (first, second) if name)
    return turns.restoring(at[Cell(restored)], turn) if restored else turn


def _unreadable(position: MorphosPosition, text: str, reason: Reason, **values: object) -> NotationError:
    last = position.rules.board.cells[-1]
    return NotationError(reason.say(text=quoted(text), last=last, **values), text=text, position=position)
