"""The position line of Morabaraba: ``morabaraba MEN ROWS SIDE HANDS EXTRA``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from engine import cells, position_text
from engine.game import Cell, NotationError, Side
from engine.morabaraba.board import get_board
from engine.morabaraba.side_state import (
    MEN_CHOICES,
    MOVING_NO_CAPTURE_LIMIT,
    NO_CAPTURE_LIMIT,
    SideState,
    have_three_each,
    no_capture_limit,
)
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
_EXTRA = re.compile(rf"(?:,w:{_STEP})?(?:,r:{_STEP})?(?:,quiet=([1-9][0-9]{{0,2}}))?")


class MorabarabaFields(NamedTuple):
    """The checked contents of a position line, in the order of the fields of a position."""

    rules_version: int
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


def parse_position(text: str, rules_version: int) -> MorabarabaFields:
    """Return the fields of a position line under a version of the rules. Raise NotationError.

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
    most_quiet = NO_CAPTURE_LIMIT if rules_version == 1 else MOVING_NO_CAPTURE_LIMIT
    white_forbidden, red_forbidden, no_capture_count = _parse_extra(text, extra, most_quiet)
    states = (
        SideState(white, int(hand_match[1]), white_forbidden),
        SideState(red, int(hand_match[2]), red_forbidden),
    )
    fields = MorabarabaFields(rules_version, int(men), *states, SIDES_BY_LETTER[side], no_capture_count)
    _check_counts(text, int(men), states)
    if no_capture_count:
        _check_quiet_turns(text, extra, fields)
    return fields


def _parse_men(text: str, row_text: str) -> tuple[int, int]:
    """Return White's and Red's men on the board, as bits."""
    board = get_board()
    ranks = position_text.parse_rows(row_text, [len(row) for row in board.rows], "wr", text)
    sides = {"w": 0, "r": 0, position_text.EMPTY: 0}
    for names, row in zip(board.rows, ranks, strict=True):
        for name, letter in zip(names, row, strict=True):
            sides[letter] |= board.bit[name]
    return sides["w"], sides["r"]


def _parse_extra(
    text: str, extra: str, most_quiet: int
) -> tuple[tuple[int, int] | None, tuple[int, int] | None, int]:
    """Return the contents of the last field: White's and Red's forbidden step, and the quiet turns."""
    if extra == "-":
        return None, None, 0
    match = _EXTRA.fullmatch(f",{extra}")
    bit = get_board().bit
    names = [part for part in match.groups()[:4] if part] if match else []
    no_capture_count = int(match[5] or 0) if match else 0
    if match is None or not all(name in bit for name in names) or no_capture_count > most_quiet:
        raise _notation_error("line_extra", text, found=abbreviate(extra), most=most_quiet)
    steps = [
        (bit[Cell(start)], bit[Cell(end)]) if start else None
        for start, end in (match.groups()[:2], match.groups()[2:4])
    ]
    if any(step and step[0] == step[1] for step in steps):
        raise _notation_error("line_extra", text, found=abbreviate(extra), most=most_quiet)
    return steps[0], steps[1], no_capture_count


def _check_counts(text: str, men: int, states: tuple[SideState, SideState]) -> None:
    for side, state in zip(SIDES_BY_LETTER.values(), states, strict=True):
        if state.men_left > men:
            counts = {"board": state.men.bit_count(), "hand": state.hand, "men": men}
            raise _notation_error("line_too_many", text, side=side.noun, **counts)


def _check_quiet_turns(text: str, extra: str, fields: MorabarabaFields) -> None:
    """Check a count of quiet turns above 0: the turn just before must have been one of them."""
    states = fields.white, fields.red
    if fields.rules_version == 1:
        if not have_three_each(*states):
            raise _notation_error("line_quiet_before_three", text)
        return
    last_mover = Side.RED if fields.mover is Side.WHITE else Side.WHITE
    if (fields.red if last_mover is Side.RED else fields.white).hand:
        raise _notation_error("line_quiet", text, side=last_mover.noun)
    if fields.no_capture_count > no_capture_limit(*states):
        raise _notation_error("line_extra", text, found=abbreviate(extra), most=no_capture_limit(*states))


def _notation_error(key: str, text: str, **values: RefusalValue) -> NotationError:
    return NotationError(f"morabaraba.{key}", values, text=text)
