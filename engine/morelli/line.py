"""The position line of Morelli: ``morelli EDITION ROWS SIDE PHASE``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine import cells, rows
from engine.game import NotationError, Side
from engine.morelli import setup
from engine.morelli.board import SIZES, board
from engine.morelli.editions import EDITIONS, Phase, edition
from engine.morelli.reasons import NAMES, TOWER_AND_CENTRE, Reason
from engine.texts import LONGEST_LINE, quoted

if TYPE_CHECKING:
    from engine.game import Cell
    from engine.morelli.board import Board
    from engine.morelli.editions import Edition
    from engine.morelli.position import MorelliPosition

NAME = "morelli"
LETTERS = {Side.BLACK: "b", Side.WHITE: "w"}
SIDES = {"b": Side.BLACK, "w": Side.WHITE}


class Fields(NamedTuple):
    """What a position line says, checked; the order is that of a position's own fields."""

    edition: Edition
    size: int
    black: int
    white: int
    tower: Side | None
    turn: Side
    phase: Phase


def write(position: MorelliPosition) -> str:
    """Give the position line."""
    on = board(position.size)
    signs = dict.fromkeys(on.cells, rows.EMPTY)
    signs.update((name, LETTERS[side]) for name, side in position.stones.items())
    if position.tower:
        signs[on.centre] = LETTERS[position.tower].upper()
    ranks = [[signs[cells.cell(file, rank)] for file in range(on.size)] for rank in reversed(range(on.size))]
    fields = (NAME, position.edition.name, rows.write(ranks), LETTERS[position.turn], position.phase.value)
    return " ".join(fields)


def read(text: str) -> Fields:
    """Read a position line. Any well-formed position is accepted, reachable or not. Raises NotationError.

    During a set-up, whose rules fix what stands where after how many placements, only what can arise is.
    """
    if len(text) > LONGEST_LINE:
        raise _error(Reason.LINE_TOO_LONG, text, longest=LONGEST_LINE)
    found = text.split()
    if len(found) != 5:
        raise _error(Reason.LINE_FIELD_COUNT, text, found=len(found))
    name, edition_name, row_text, side, phase = found
    if name != NAME:
        raise _error(Reason.LINE_NAME, text, found=quoted(name))
    if edition_name not in {each.name for each in EDITIONS}:
        names = ", ".join(each.name for each in EDITIONS)
        raise _error(Reason.LINE_EDITION, text, found=quoted(edition_name), choices=names)
    if side not in SIDES:
        raise _error(Reason.LINE_SIDE, text, found=quoted(side))
    text_edition = edition(edition_name)
    fields = _placed(
        text, text_edition, _signs(text, row_text), SIDES[side], _phase(text, text_edition, phase)
    )
    if fields.phase is not Phase.PLAY:
        _check_setup(text, fields)
    return fields


def _phase(text: str, of: Edition, found: str) -> Phase:
    if found == Phase.PLAY:
        return Phase.PLAY
    if found in of.phases:
        return Phase(found)
    names = ", ".join(of.phases)
    raise _error(Reason.LINE_PHASE, text, found=quoted(found), choices=names, edition=of.name)


def _signs(text: str, row_text: str) -> dict[Cell, str]:
    size = row_text.count("/") + 1
    if size not in SIZES:
        raise _error(Reason.LINE_SIZE, text, found=size)
    try:
        ranks = rows.read(row_text, [size] * size, "bwBW")
    except NotationError as error:
        raise NotationError(error.reason, text=text) from None
    return {
        cells.cell(file, size - 1 - above): sign
        for above, row in enumerate(ranks)
        for file, sign in enumerate(row)
        if sign != rows.EMPTY
    }


def _placed(text: str, of: Edition, signs: dict[Cell, str], turn: Side, phase: Phase) -> Fields:
    size = text.count("/") + 1
    on = board(size)
    tower = None
    sides = {Side.BLACK: 0, Side.WHITE: 0}
    for cell, sign in signs.items():
        side = SIDES[sign.lower()]
        if sign.isupper() and cell != on.centre:
            raise _error(Reason.LINE_TOWER, text, of, cell=cell, middle=on.centre)
        if sign.islower() and cell == on.centre:
            raise _error(Reason.LINE_STONE_IN_CENTRE, text, of, cell=cell)
        if cell == on.centre:
            tower = side
        else:
            sides[side] |= on.bit[cell]
    return Fields(of, size, sides[Side.BLACK], sides[Side.WHITE], tower, turn, phase)


def _check_setup(text: str, fields: Fields) -> None:
    on = board(fields.size)
    stones = fields.black | fields.white
    if fields.tower:
        raise _error(Reason.LINE_SETUP_TOWER, text, fields.edition)
    if stones & ~on.rim:
        raise _error(Reason.LINE_SETUP_INSIDE, text, fields.edition, cell=on.names(stones & ~on.rim)[0])
    if stones == on.rim:
        raise _error(Reason.LINE_SETUP_FULL, text, fields.edition)
    if fields.phase is Phase.FREE:
        _check_counts(text, fields)
    else:
        _check_pairs(text, fields, on)
    total = setup.placements(on, fields.phase)
    done = setup.placed(fields.phase, stones)
    owner = setup.placer(fields.edition, total, done)
    if fields.turn is not owner:
        raise _error(Reason.LINE_SETUP_SIDE, text, fields.edition, next=done + 1, owner=NAMES[owner])


def _check_counts(text: str, fields: Fields) -> None:
    done = (fields.black | fields.white).bit_count()
    total = setup.placements(board(fields.size), fields.phase)
    black = sum(setup.placer(fields.edition, total, before) is Side.BLACK for before in range(done))
    if fields.black.bit_count() != black:
        raise _error(
            Reason.LINE_SETUP_COUNT, text, fields.edition, next=done + 1, black=black, white=done - black
        )


def _check_pairs(text: str, fields: Fields, on: Board) -> None:
    for cell in on.outermost:
        across = on.opposite[cell]
        here, there = on.bit[cell], on.bit[across]
        if bool(fields.black & here) != bool(fields.white & there):
            raise _error(Reason.LINE_SETUP_PAIR, text, fields.edition, cell=cell, opposite=across)


def _error(reason: Reason, text: str, of: Edition | None = None, **values: object) -> NotationError:
    return NotationError(reason.say(of.words if of else TOWER_AND_CENTRE, **values), text=text)
