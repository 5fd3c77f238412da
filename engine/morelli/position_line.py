"""The position line of Morelli: ``morelli EDITION ROWS SIDE PHASE``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine import cells, position_text
from engine.game import NotationError, Side
from engine.morelli import setup
from engine.morelli.bits import iter_bits
from engine.morelli.board import SIZES, get_board
from engine.morelli.editions import EDITIONS, Phase, get_edition
from engine.notation_text import abbreviate
from engine.position_text import check_side, split_fields

if TYPE_CHECKING:
    from engine.game import Cell
    from engine.morelli.board import MorelliBoard
    from engine.morelli.editions import Edition
    from engine.morelli.state import MorelliState
    from engine.sentences import RefusalValue

NAME = "morelli"
LAYOUT = f"{NAME} EDITION ROWS SIDE PHASE"
SIDE_LETTERS = {Side.BLACK: "b", Side.WHITE: "w"}
SIDES_BY_LETTER = {"b": Side.BLACK, "w": Side.WHITE}


class MorelliFields(NamedTuple):
    """The checked contents of a position line, in the order of the fields of a position."""

    edition: Edition
    size: int
    black: int
    white: int
    tower: Side | None
    mover: Side
    phase: Phase


def format_position(position: MorelliState) -> str:
    """Return the position line."""
    board = get_board(position.size)
    letters = {board.bit[board.centre]: SIDE_LETTERS[position.tower].upper()} if position.tower else {}
    letters |= dict.fromkeys(iter_bits(position.black), SIDE_LETTERS[Side.BLACK])
    letters |= dict.fromkeys(iter_bits(position.white), SIDE_LETTERS[Side.WHITE])
    ranks = [[letters.get(bit, position_text.EMPTY) for bit in rank] for rank in board.ranks]
    fields = (
        NAME,
        position.edition.name,
        position_text.format_rows(ranks),
        SIDE_LETTERS[position.mover],
        position.phase.value,
    )
    return " ".join(fields)


def parse_position(text: str) -> MorelliFields:
    """Return the fields of a position line. Raise NotationError.

    Every well-formed position is accepted, whether or not it can be reached; during the set-up only those
    with the stones and the side to move that the rules require.
    """
    edition_name, row_text, side, phase = split_fields(text, LAYOUT, "morelli.line_name")
    if edition_name not in {each.name for each in EDITIONS}:
        names = tuple(each.name for each in EDITIONS)
        raise _notation_error("line_edition", text, found=abbreviate(edition_name), choices=names)
    check_side(side, SIDES_BY_LETTER, text)
    edition = get_edition(edition_name)
    fields = _build_fields(
        text, edition, _parse_rows(text, row_text), SIDES_BY_LETTER[side], _parse_phase(text, edition, phase)
    )
    if fields.phase is not Phase.PLAY:
        _check_setup(text, fields)
    return fields


def _parse_phase(text: str, edition: Edition, found: str) -> Phase:
    if found == Phase.PLAY:
        return Phase.PLAY
    if found in edition.setup_phases:
        return Phase(found)
    raise _notation_error(
        "line_phase",
        text,
        found=abbreviate(found),
        choices=edition.setup_phases,
        edition=edition.name,
    )


def _parse_rows(text: str, row_text: str) -> dict[Cell, str]:
    size = row_text.count("/") + 1
    if size not in SIZES:
        raise _notation_error("line_size", text, found=size)
    ranks = position_text.parse_rows(row_text, [size] * size, "bwBW", text)
    return {
        cells.cell(file, size - 1 - above): letter
        for above, row in enumerate(ranks)
        for file, letter in enumerate(row)
        if letter != position_text.EMPTY
    }


def _build_fields(
    text: str, edition: Edition, letters: dict[Cell, str], mover: Side, phase: Phase
) -> MorelliFields:
    size = text.count("/") + 1
    board = get_board(size)
    tower = None
    sides = {Side.BLACK: 0, Side.WHITE: 0}
    for cell, letter in letters.items():
        side = SIDES_BY_LETTER[letter.lower()]
        if letter.isupper() and cell != board.centre:
            raise _notation_error("line_tower", text, edition, cell=cell, middle=board.centre)
        if letter.islower() and cell == board.centre:
            raise _notation_error("line_stone_in_centre", text, edition, cell=cell)
        if cell == board.centre:
            tower = side
        else:
            sides[side] |= board.bit[cell]
    return MorelliFields(edition, size, sides[Side.BLACK], sides[Side.WHITE], tower, mover, phase)


def _check_setup(text: str, fields: MorelliFields) -> None:
    board = get_board(fields.size)
    stones = fields.black | fields.white
    if fields.tower:
        raise _notation_error("line_setup_tower", text, fields.edition)
    if stones & ~board.outermost_bits:
        raise _notation_error(
            "line_setup_inside",
            text,
            fields.edition,
            cell=board.to_cells(stones & ~board.outermost_bits)[0],
        )
    if stones == board.outermost_bits:
        raise _notation_error("line_setup_full", text, fields.edition)
    if fields.phase is Phase.FREE:
        _check_counts(text, fields)
    else:
        _check_pairs(text, fields, board)
    total = setup.placement_count(board, fields.phase)
    done = setup.placements_made(fields.phase, stones)
    owner = setup.placing_side(fields.edition, total, done)
    if fields.mover is not owner:
        raise _notation_error("line_setup_side", text, fields.edition, next=done + 1, owner=owner.noun)


def _check_counts(text: str, fields: MorelliFields) -> None:
    done = (fields.black | fields.white).bit_count()
    total = setup.placement_count(get_board(fields.size), fields.phase)
    black = sum(setup.placing_side(fields.edition, total, before) is Side.BLACK for before in range(done))
    if fields.black.bit_count() != black:
        raise _notation_error(
            "line_setup_count",
            text,
            fields.edition,
            next=done + 1,
            black=black,
            white=done - black,
        )


def _check_pairs(text: str, fields: MorelliFields, board: MorelliBoard) -> None:
    for cell in board.outermost:
        across = board.opposite[cell]
        here, there = board.bit[cell], board.bit[across]
        if bool(fields.black & here) != bool(fields.white & there):
            raise _notation_error("line_setup_pair", text, fields.edition, cell=cell, opposite=across)


def _notation_error(
    key: str, text: str, edition_in_play: Edition | None = None, **values: RefusalValue
) -> NotationError:
    """Return the error for the line `text`; its sentence uses the terms of `edition_in_play`."""
    vocabulary = edition_in_play.vocabulary if edition_in_play else ""
    return NotationError(f"morelli.{key}", values, text=text, vocabulary=vocabulary)
