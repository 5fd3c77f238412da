"""The position line of Morphos: ``morphos MUTATORS ROWS SIDE TURN EXTRA``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from engine import cells, position_text
from engine.game import Cell, NotationError, Side
from engine.morphos.board import MAX_SIZE, MIN_SIZE, point_at
from engine.morphos.ruleset import MUTATORS, SIZES, Ruleset, get_ruleset
from engine.morphos.stones import OPPONENT, Stones
from engine.notation_text import abbreviate
from engine.position_text import check_side, split_fields

if TYPE_CHECKING:
    from engine.morphos.state import MorphosState
    from engine.sentences import RefusalValue

NAME = "morphos"
LAYOUT = f"{NAME} MUTATORS ROWS SIDE TURN EXTRA"
SIDE_LETTERS = {Side.BLACK: "b", Side.WHITE: "w"}
SIDES_BY_LETTER = {"b": Side.BLACK, "w": Side.WHITE}

_TURNS = re.compile(r"0|[1-9][0-9]{0,17}")
_EXTRA = re.compile(rf"(,swapped)?(,x{cells.PATTERN})?(,owed)?(,passed)?")


class MorphosFields(NamedTuple):
    """The checked contents of a position line, in the order of the fields of a position."""

    rules: Ruleset
    stones: Stones
    mover: Side
    turn_count: int
    swapped: bool
    flipped_point: int | None
    must_restore: bool
    follows_pass: bool


def format_position(position: MorphosState) -> str:
    """Return the position line."""
    size, stones = position.rules.size, position.stones
    letters = {name: SIDE_LETTERS[side] for name, side in stones.items()}
    ranks = [
        [letters.get(cells.cell(file, rank), position_text.EMPTY) for file in range(size)]
        for rank in reversed(range(size))
    ]
    extra = [
        word
        for word, holds in (
            ("swapped", position.swapped),
            (f"x{position.flipped_cell}", position.flipped_point is not None),
            ("owed", position.must_restore),
            ("passed", position.follows_pass),
        )
        if holds
    ]
    fields = (
        position.rules.mutators,
        position_text.format_rows(ranks),
        SIDE_LETTERS[position.mover],
        position.turn_count,
    )
    return " ".join((NAME, *map(str, fields), ",".join(extra) or "-"))


def parse_position(text: str, rules_version: int) -> MorphosFields:
    """Return the fields of a position line under a version of the rules. Raise NotationError.

    Every well-formed position is accepted, whether or not it can be reached.
    """
    mutators, row_text, side, turns, extra = split_fields(text, LAYOUT)
    if mutators not in MUTATORS:
        raise _notation_error("line_mutators", text, found=abbreviate(mutators))
    size = row_text.count("/") + 1
    if size not in SIZES:
        raise _notation_error("line_size", text, found=size, smallest=MIN_SIZE, largest=MAX_SIZE)
    check_side(side, SIDES_BY_LETTER, text)
    if not _TURNS.fullmatch(turns):
        raise _notation_error("line_turn", text, found=abbreviate(turns))
    rules = get_ruleset(size, mutators, rules_version)
    black, white = _parse_stones(text, row_text, size)
    stones = Stones.from_points(rules.board, rules.patterns, black, white)
    fields = MorphosFields(
        rules, stones, SIDES_BY_LETTER[side], int(turns), *_parse_extra(text, rules, extra)
    )
    _check_extra(text, fields)
    return fields


def _parse_stones(text: str, row_text: str, size: int) -> tuple[int, int]:
    """Return Black's and White's stones as sets of points."""
    ranks = position_text.parse_rows(row_text, [size] * size, "bw", text)
    sides = {"b": 0, "w": 0, position_text.EMPTY: 0}
    for above, row in enumerate(ranks):
        for file, letter in enumerate(row):
            sides[letter] |= 1 << point_at(file, size - 1 - above)
    return sides["b"], sides["w"]


def _parse_extra(text: str, rules: Ruleset, extra: str) -> tuple[bool, int | None, bool, bool]:
    """Return the contents of the last field: swapped, the point of the flipped stone, owed, passed."""
    if extra == "-":
        return False, None, False, False
    match = _EXTRA.fullmatch(f",{extra}")
    cell = match[2].removeprefix(",x") if match and match[2] else None
    if match is None or (cell and cell not in rules.board.point_of):
        raise _notation_error("line_extra", text, found=abbreviate(extra))
    flipped = rules.board.point_of[Cell(cell)] if cell else None
    return bool(match[1]), flipped, bool(match[3]), bool(match[4])


def _check_extra(text: str, fields: MorphosFields) -> None:
    """Raise NotationError if the last field contradicts the mutators or the board."""
    rules, stones = fields.rules, fields.stones
    minimum = (
        2
        if fields.swapped
        else int(fields.flipped_point is not None or fields.must_restore or fields.follows_pass)
    )
    if fields.turn_count < minimum:
        raise _notation_error(
            "line_early",
            text,
            turns=fields.turn_count,
            found=abbreviate(text.rsplit(maxsplit=1)[-1]),
        )
    if fields.flipped_point is not None:
        cell = rules.board.cell_at[fields.flipped_point]
        if not rules.counts_flipped_stone:
            raise _notation_error("line_flip_mutator", text, found=f"x{cell}")
        enemy = OPPONENT[fields.mover]
        if stones.owner(fields.flipped_point) is not enemy:
            names = {"enemy": enemy.noun, "mover": fields.mover.noun}
            raise _notation_error("line_flip_stone", text, found=f"x{cell}", cell=cell, **names)
    if fields.must_restore and not rules.restores_captured:
        raise _notation_error("line_owed_mutator", text)
    if fields.must_restore and not stones.empty:
        raise _notation_error("line_owed_full", text)
    if fields.follows_pass and (fields.must_restore or fields.flipped_point is not None):
        raise _notation_error("line_passed", text)


def _notation_error(key: str, text: str, **values: RefusalValue) -> NotationError:
    return NotationError(f"morphos.{key}", values, text=text)
