"""Parsing of typed turns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine import cells
from engine.game import Cell, NotationError
from engine.morabaraba.board import get_board
from engine.morabaraba.legality import check_turn
from engine.morabaraba.moves import get_move_template
from engine.notation_text import MAX_MOVE_LENGTH, normalize

if TYPE_CHECKING:
    from engine.morabaraba.moves import MorabarabaTurn
    from engine.morabaraba.state import MorabarabaState
    from engine.sentences import RefusalValue

_TURN = re.compile(rf"({cells.PATTERN})(?:-({cells.PATTERN}))?(?:X({cells.PATTERN})|(~))?")


def parse_move(position: MorabarabaState, text: str) -> MorabarabaTurn:
    """Return the legal turn that `text` names. Raise NotationError, IllegalMove or AmbiguousMove."""
    match = _TURN.fullmatch(normalize(text)) if len(text) <= MAX_MOVE_LENGTH else None
    if match is None:
        raise _notation_error(position, text, "not_a_turn")
    turn = _build_turn(position, text, match)
    check_turn(position, turn, text)
    return turn


def _build_turn(position: MorabarabaState, text: str, match: re.Match[str]) -> MorabarabaTurn:
    bit = get_board().bit
    first, second, removed, declines = match.groups()
    for name in (first, second, removed):
        if name and name not in bit:
            raise _notation_error(position, text, "no_point", cell=name)
    start, end = (bit[Cell(first)], bit[Cell(second)]) if second else (0, bit[Cell(first)])
    if start == end:
        raise _notation_error(position, text, "same_point")
    template = get_move_template(start, end)
    if removed:
        return template.removal_turns[bit[Cell(removed)]]
    return template.declining_turn if declines else template.plain_turn


def _notation_error(position: MorabarabaState, text: str, key: str, **values: RefusalValue) -> NotationError:
    return NotationError(f"morabaraba.{key}", values, text=text, position=position)
