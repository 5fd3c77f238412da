"""The position line of Morabaraba: ``morabaraba MEN ROWS SIDE HANDS EXTRA``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from engine import cells, position_text
from engine.game import Cell, NotationError, Side
from engine.morabaraba.board import get_board
from engine.morabaraba.side_state import FLYING_COUNT, MEN_CHOICES, NO_CAPTURE_LIMIT, SideState
from engine.notation_text import abbreviate
from engine.position_text import check_side, split_fields

if TYPE_CHECKING:
    from engine.morabaraba.state import MorabarabaState
    from engine.sentences import RefusalValue

NAME = "morabaraba"
LAYOUT = f"{NAME} MEN ROWS SIDE HANDS EXTRA"
SIDE_LETTERS = {Side.WHITE: "w", Side.RED: "r"}
SIDES_BY_LETTER = {"w": Side.WHITE, "r": Side.RED}

_HANDS = re.compile(r"(0|[1-9][0-9]?),(0|[1-9][0-9]?)")
_STEP = rf"({cells.PATTERN})-({cells.PATTERN})"
_EXTRA = re.compile(rf"(?:,w:{_STEP})?(?:,r:{_STEP})?(?:,quiet=([1-9][0-9]?))?")


class MorabarabaFields(NamedTuple):
    """The checked contents of a position line, in the order of the fields of a position."""

    men_per_side: int
    white: SideState
    red: SideState
    mover: Side
    no_capture_count: int


def format_position(position: MorabarabaState) -> str:
    """Return the position line."""
    letters = {name: SIDE_LETTERS[side] for name, side in position.stones.items()}
    ranks = [[letters.get(name, position_text.EMPTY) for name in row] for row in get_board().rows]
    hands = f"{position.white.hand},{position.red.hand}"
    extra = [f"{SIDE_LETTERS[side]}:{start}-{end}" for side, (start, end) in position.forbidden_steps.items()]
    if position.no_capture_count:
        extra.append(f"quiet={position.no_capture_count}")
    fields = (
        NAME,
        str(position.men_per_side),
        position_text.format_rows(ranks),
        SIDE_LETTERS[position.mover],
        hands,
    )
    return " ".join((*fields, ",".join(extra) or "-"))


def parse_position(text: str) -> MorabarabaFields:
    """Return the fields of a position line. Raise NotationError.

    Every well-formed position is accepted, whether or not it can be reached.
    """
    men, row_text, side, hands, extra = split_fields(text, LAYOUT)
    if men not in map(str, MEN_CHOICES):
        raise _notation_error("line_men", text, found=abbreviate(men))
    white, red = _parse_men(text, row_text)
    check_side(side, SIDES_BY_LETTER, text)
    hand_match = _HANDS.fullmatch(hands)
    if hand_match is None:
        raise _notation_error("line_hands", text, found=abbreviate(hands))
    white_forbidden, red_forbidden, no_capture_count = _parse_extra(text, extra)
    states = (
        SideState(white, int(hand_match[1]), white_forbidden),
        SideState(red, int(hand_match[2]), red_forbidden),
    )
    _check_counts(text, int(men), states, no_capture_count)
    return MorabarabaFields(int(men), *states, SIDES_BY_LETTER[side], no_capture_count)


def _parse_men(text: str, row_text: str) -> tuple[int, int]:
    """Return White's and Red's men on the board, as bits."""
    board = get_board()
    ranks = position_text.parse_rows(row_text, [len(row) for row in board.rows], "wr", text)
    sides = {"w": 0, "r": 0, position_text.EMPTY: 0}
    for names, row in zip(board.rows, ranks, strict=True):
        for name, letter in zip(names, row, strict=True):
            sides[letter] |= board.bit[name]
    return sides["w"], sides["r"]


def _parse_extra(text: str, extra: str) -> tuple[tuple[int, int] | None, tuple[int, int] | None, int]:
    """Return the contents of the last field: White's and Red's forbidden step, and the quiet turns."""
    if extra == "-":
        return None, None, 0
    match = _EXTRA.fullmatch(f",{extra}")
    bit = get_board().bit
    names = [part for part in match.groups()[:4] if part] if match else []
    no_capture_count = int(match[5] or 0) if match else 0
    if match is None or not all(name in bit for name in names) or no_capture_count > NO_CAPTURE_LIMIT:
        raise _notation_error("line_extra", text, found=abbreviate(extra), most=NO_CAPTURE_LIMIT)
    steps = [
        (bit[Cell(start)], bit[Cell(end)]) if start else None
        for start, end in (match.groups()[:2], match.groups()[2:4])
    ]
    if any(step and step[0] == step[1] for step in steps):
        raise _notation_error("line_extra", text, found=abbreviate(extra), most=NO_CAPTURE_LIMIT)
    return steps[0], steps[1], no_capture_count


def _check_counts(text: str, men: int, states: tuple[SideState, SideState], no_capture_count: int) -> None:
    for side, state in zip(SIDES_BY_LETTER.values(), states, strict=True):
        if state.men_left > men:
            counts = {"board": state.men.bit_count(), "hand": state.hand, "men": men}
            raise _notation_error("line_too_many", text, side=side.noun, **counts)
    if no_capture_count and any(state.men_left != FLYING_COUNT for state in states):
        raise _notation_error("line_quiet", text)


def _notation_error(key: str, text: str, **values: RefusalValue) -> NotationError:
    return NotationError(f"morabaraba.{key}", values, text=text)
