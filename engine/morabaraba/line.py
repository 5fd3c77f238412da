"""The position line of Morabaraba: ``morabaraba MEN ROWS SIDE HANDS EXTRA``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from engine import cells, rows
from engine.fields import split
from engine.game import Cell, NotationError, Side
from engine.morabaraba.board import board
from engine.morabaraba.camp import FLYING, Camp
from engine.morabaraba.reasons import Reason
from engine.texts import quoted

if TYPE_CHECKING:
    from engine.morabaraba.position import MorabarabaPosition

NAME = "morabaraba"
FORM = f"{NAME} MEN ROWS SIDE HANDS EXTRA"
MEN: Final = (12, 11)
"""How many men each side may start with."""

QUIET_TURNS: Final = 20
"""So many turns in a row without a capture, both sides at three men, make a draw."""

LETTERS = {Side.WHITE: "w", Side.RED: "r"}
SIDES = {"w": Side.WHITE, "r": Side.RED}

_HANDS = re.compile(r"(0|[1-9][0-9]?),(0|[1-9][0-9]?)")
_STEP = rf"({cells.PATTERN})-({cells.PATTERN})"
_EXTRA = re.compile(rf"(?:,w:{_STEP})?(?:,r:{_STEP})?(?:,quiet=([1-9][0-9]?))?")


class Fields(NamedTuple):
    """What a position line says, checked; the order is that of a position's own fields."""

    most: int
    white: Camp
    red: Camp
    mover: Side
    quiet: int


def write(position: MorabarabaPosition) -> str:
    """Give the position line."""
    signs = {name: LETTERS[side] for name, side in position.stones.items()}
    ranks = [[signs.get(name, rows.EMPTY) for name in row] for row in board().rows]
    hands = f"{position.white.hand},{position.red.hand}"
    extra = [f"{LETTERS[side]}:{start}-{end}" for side, (start, end) in position.barred.items()]
    if position.quiet:
        extra.append(f"quiet={position.quiet}")
    fields = (NAME, str(position.most), rows.write(ranks), LETTERS[position.mover], hands)
    return " ".join((*fields, ",".join(extra) or "-"))


def read(text: str) -> Fields:
    """Read a position line. Any well-formed position is accepted, reachable or not. Raises NotationError."""
    men, row_text, side, hands, extra = split(text, FORM)
    if men not in map(str, MEN):
        raise _error(Reason.LINE_MEN, text, found=quoted(men))
    white, red = _men(text, row_text)
    if side not in SIDES:
        raise _error(Reason.LINE_SIDE, text, found=quoted(side))
    held = _HANDS.fullmatch(hands)
    if held is None:
        raise _error(Reason.LINE_HANDS, text, found=quoted(hands))
    white_barred, red_barred, quiet = _extra(text, extra)
    camps = Camp(white, int(held[1]), white_barred), Camp(red, int(held[2]), red_barred)
    _check(text, int(men), camps, quiet)
    return Fields(int(men), *camps, SIDES[side], quiet)


def _men(text: str, row_text: str) -> tuple[int, int]:
    """Give White's and Red's men on the board as bits."""
    on = board()
    try:
        ranks = rows.read(row_text, [len(row) for row in on.rows], "wr")
    except NotationError as error:
        raise NotationError(error.reason, text=text) from None
    sides = {"w": 0, "r": 0, rows.EMPTY: 0}
    for names, row in zip(on.rows, ranks, strict=True):
        for name, sign in zip(names, row, strict=True):
            sides[sign] |= on.bit[name]
    return sides["w"], sides["r"]


def _extra(text: str, extra: str) -> tuple[tuple[int, int] | None, tuple[int, int] | None, int]:
    """Give what the last field says: the moves barred to White and to Red, and the quiet turns."""
    if extra == "-":
        return None, None, 0
    parts = _EXTRA.fullmatch(f",{extra}")
    bit = board().bit
    names = [part for part in parts.groups()[:4] if part] if parts else []
    quiet = int(parts[5] or 0) if parts else 0
    if parts is None or not all(name in bit for name in names) or quiet > QUIET_TURNS:
        raise _error(Reason.LINE_EXTRA, text, found=quoted(extra), most=QUIET_TURNS)
    steps = [
        (bit[Cell(start)], bit[Cell(end)]) if start else None
        for start, end in (parts.groups()[:2], parts.groups()[2:4])
    ]
    if any(step and step[0] == step[1] for step in steps):
        raise _error(Reason.LINE_EXTRA, text, found=quoted(extra), most=QUIET_TURNS)
    return steps[0], steps[1], quiet


def _check(text: str, men: int, camps: tuple[Camp, Camp], quiet: int) -> None:
    for side, camp in zip(SIDES.values(), camps, strict=True):
        if camp.left > men:
            counts = {"board": camp.men.bit_count(), "hand": camp.hand, "men": men}
            raise _error(Reason.LINE_TOO_MANY, text, side=side.capitalize(), **counts)
    if quiet and any(camp.left != FLYING for camp in camps):
        raise _error(Reason.LINE_QUIET, text)


def _error(reason: Reason, text: str, **values: object) -> NotationError:
    return NotationError(reason.say(**values), text=text)
