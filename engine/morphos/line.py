"""The position line of Morphos: ``morphos MUTATORS ROWS SIDE TURN EXTRA``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from engine import cells, rows
from engine.fields import split
from engine.game import Cell, NotationError, Side
from engine.morphos.board import LARGEST, SMALLEST, point
from engine.morphos.reasons import Reason
from engine.morphos.ruleset import MUTATORS, SIZES, Ruleset, ruleset
from engine.morphos.stones import OTHER, Stones
from engine.texts import quoted

if TYPE_CHECKING:
    from engine.morphos.position import MorphosPosition

NAME = "morphos"
FORM = f"{NAME} MUTATORS ROWS SIDE TURN EXTRA"
LETTERS = {Side.BLACK: "b", Side.WHITE: "w"}
SIDES = {"b": Side.BLACK, "w": Side.WHITE}

_TURNS = re.compile(r"0|[1-9][0-9]{0,17}")
_EXTRA = re.compile(rf"(,swapped)?(,x{cells.PATTERN})?(,owed)?(,passed)?")


class Fields(NamedTuple):
    """What a position line says, checked; the order is that of a position's own fields."""

    rules: Ruleset
    standing: Stones
    mover: Side
    turns: int
    swapped: bool
    flipped: int | None
    owed: bool
    passed: bool


def write(position: MorphosPosition) -> str:
    """Give the position line."""
    size, stones = position.rules.size, position.stones
    signs = {name: LETTERS[side] for name, side in stones.items()}
    ranks = [
        [signs.get(cells.cell(file, rank), rows.EMPTY) for file in range(size)]
        for rank in reversed(range(size))
    ]
    extra = [
        said
        for said, holds in (
            ("swapped", position.swapped),
            (f"x{position.flipped_cell}", position.flipped is not None),
            ("owed", position.owed),
            ("passed", position.passed),
        )
        if holds
    ]
    fields = (position.rules.mutators, rows.write(ranks), LETTERS[position.mover], position.turns)
    return " ".join((NAME, *map(str, fields), ",".join(extra) or "-"))


def read(text: str) -> Fields:
    """Read a position line. Any well-formed position is accepted, reachable or not. Raises NotationError."""
    mutators, row_text, side, turns, extra = split(text, FORM)
    if mutators not in MUTATORS:
        raise _error(Reason.LINE_MUTATORS, text, found=quoted(mutators))
    size = row_text.count("/") + 1
    if size not in SIZES:
        raise _error(Reason.LINE_SIZE, text, found=size, smallest=SMALLEST, largest=LARGEST)
    if side not in SIDES:
        raise _error(Reason.LINE_SIDE, text, found=quoted(side))
    if not _TURNS.fullmatch(turns):
        raise _error(Reason.LINE_TURN, text, found=quoted(turns))
    rules = ruleset(size, mutators)
    black, white = _stones(text, row_text, size)
    standing = Stones.standing(rules.board, rules.surrounds, black, white)
    fields = Fields(rules, standing, SIDES[side], int(turns), *_extra(text, rules, extra))
    _check_extra(text, fields)
    return fields


def _stones(text: str, row_text: str, size: int) -> tuple[int, int]:
    """Give Black's and White's stones as points."""
    try:
        ranks = rows.read(row_text, [size] * size, "bw")
    except NotationError as error:
        raise NotationError(error.reason, text=text) from None
    sides = {"b": 0, "w": 0, rows.EMPTY: 0}
    for above, row in enumerate(ranks):
        for file, sign in enumerate(row):
            sides[sign] |= 1 << point(file, size - 1 - above)
    return sides["b"], sides["w"]


def _extra(text: str, rules: Ruleset, extra: str) -> tuple[bool, int | None, bool, bool]:
    """Give what the last field says: swapped, the flipped stone's point, owed, passed."""
    if extra == "-":
        return False, None, False, False
    parts = _EXTRA.fullmatch(f",{extra}")
    cell = parts[2].removeprefix(",x") if parts and parts[2] else None
    if parts is None or (cell and cell not in rules.board.at):
        raise _error(Reason.LINE_EXTRA, text, found=quoted(extra))
    flipped = rules.board.at[Cell(cell)] if cell else None
    return bool(parts[1]), flipped, bool(parts[3]), bool(parts[4])


def _check_extra(text: str, fields: Fields) -> None:
    """Refuse what the mutators in play or the board rule out."""
    rules, standing = fields.rules, fields.standing
    least = 2 if fields.swapped else int(fields.flipped is not None or fields.owed or fields.passed)
    if fields.turns < least:
        raise _error(Reason.LINE_EARLY, text, turns=fields.turns, found=quoted(text.rsplit(maxsplit=1)[-1]))
    if fields.flipped is not None:
        cell = rules.board.cell_at[fields.flipped]
        if not rules.counting:
            raise _error(Reason.LINE_FLIP_MUTATOR, text, found=f"x{cell}")
        enemy = OTHER[fields.mover]
        if standing.owner(fields.flipped) is not enemy:
            names = {"enemy": enemy.capitalize(), "mover": fields.mover.capitalize()}
            raise _error(Reason.LINE_FLIP_STONE, text, found=f"x{cell}", cell=cell, **names)
    if fields.owed and not rules.restoring:
        raise _error(Reason.LINE_OWED_MUTATOR, text)
    if fields.owed and not standing.empty:
        raise _error(Reason.LINE_OWED_FULL, text)
    if fields.passed and (fields.owed or fields.flipped is not None):
        raise _error(Reason.LINE_PASSED, text)


def _error(reason: Reason, text: str, **values: object) -> NotationError:
    return NotationError(reason.say(**values), text=text)
