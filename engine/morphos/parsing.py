"""Parsing of typed turns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine import cells
from engine.game import Cell, NotationError
from engine.morphos.legality import check_turn
from engine.morphos.moves import PASS, SWAP
from engine.notation_text import MAX_MOVE_LENGTH, normalize

if TYPE_CHECKING:
    from engine.morphos.moves import MorphosTurn
    from engine.morphos.state import MorphosState
    from engine.sentences import RefusalValue

_TURN = re.compile(
    rf"(?:(?P<restored>{cells.PATTERN})\+)?"
    rf"(?:(?P<word>SWAP|PASS)|X(?P<flip>{cells.PATTERN})|(?P<first>{cells.PATTERN})(?:,(?P<second>{cells.PATTERN}))?)"
)


def parse_move(position: MorphosState, text: str) -> MorphosTurn:
    """Return the legal turn that `text` names. Raise NotationError, IllegalMove or AmbiguousMove."""
    match = _TURN.fullmatch(normalize(text[:MAX_MOVE_LENGTH])) if len(text) <= MAX_MOVE_LENGTH else None
    if match is None:
        raise _notation_error(position, text, "not_a_turn")
    turn = _build_turn(position, text, match)
    check_turn(position, turn, text)
    return turn


def _build_turn(position: MorphosState, text: str, match: re.Match[str]) -> MorphosTurn:
    table, at = position.rules.turn_table, position.rules.board.point_of
    restored, word, flip, first, second = match.groups()
    for name in (restored, flip, first, second):
        if name and name not in at:
            last = position.rules.board.cells[-1]
            raise _notation_error(position, text, "no_cell", cell=name, last=last)
    if word:
        turn = SWAP if word == "SWAP" else PASS
    elif flip:
        turn = table.flips[at[Cell(flip)]]
    elif first == second:
        raise _notation_error(position, text, "twice")
    else:
        turn = table.placement(at[Cell(name)] for name in (first, second) if name)
    return table.with_restore(at[Cell(restored)], turn) if restored else turn


def _notation_error(position: MorphosState, text: str, key: str, **values: RefusalValue) -> NotationError:
    return NotationError(f"morphos.{key}", values, text=text, position=position)
