"""The sentences with which Morelli refuses a move, an option or a position line, in an edition's terms."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.game import Side

BANDS = ("violet", "indigo", "blue", "green", "yellow", "orange", "red")
"""Colours of the bands from the Centre outwards (§1.1)."""

COLOURS = {Side.BLACK: "black", Side.WHITE: "white"}
NAMES = {Side.BLACK: "Black", Side.WHITE: "White"}


@dataclass(frozen=True, slots=True)
class Terminology:
    """What the text of an edition calls the pieces and the middle cell."""

    stone: str
    tower: str
    centre: str


TOWER_AND_CENTRE = Terminology("stone", "tower", "Centre")
KING_AND_THRONE = Terminology("piece", "king", "throne")


class MorelliMessage(Enum):
    """One sentence for each reason; fields in braces are filled in by :meth:`to_text`."""

    NOT_A_MOVE = (
        "{text} is not a move: write the cell that the {stone} leaves, a dash and the cell where it lands, "
        "like {example}."
    )
    NOT_A_MOVE_OR_DECLINE = (
        "{text} is not a move: write the cell that the {stone} leaves, a dash and the cell where it lands, "
        "like {example}; after ~ follow the cells whose capture is declined, separated by commas."
    )
    NOT_A_PLACEMENT = "{text} is not a placement: write one cell of the outermost band, like {example}."
    NO_CELL = "{text}: there is no cell {cell} on this board, which goes from A1 to {last}."
    TWICE = "{text}: {cell} is declined twice."
    NOT_OF_THIS_BOARD = "{text} is not a move on this board."

    GAME_OVER = "The game is over."
    SETTING_UP = (
        "The board is still being set up: place on a free cell of the outermost band, like {example}."
    )
    SETUP_DONE = "{cell}: the set-up is over, so a move names two cells, like {example}."
    NOT_OUTERMOST = "{cell} lies on {band}; the set-up fills only the outermost band, which is {outermost}."
    PLACE_TAKEN = "{cell} already holds a {colour} {stone}."

    SAME_CELL = "{start} to {end}: the {stone} must move to another cell."
    TOWER_STAYS = "{start} to {end}: a {tower} never moves."
    EMPTY_START = "{start} to {end}: no {stone} stands on {start}."
    NOT_YOURS = "{start} to {end}: the {stone} on {start} is {owner}'s, and it is {mover}'s turn."
    INTO_CENTRE = "{start} to {end}: {end} is the {centre}, where no {stone} may come to rest."
    NO_NEARER = "{start} to {end}: {end} lies on {band}, no nearer the {centre} than {start}."
    NOT_STRAIGHT = "{start} to {end}: the two do not lie on one rank, file or diagonal."
    BLOCKED = "{start} to {end}: the {colour} {stone} on {cell} is in the way."
    BLOCKED_BY_TOWER = "{start} to {end}: the {colour} {tower} on the {centre} is in the way."
    TAKEN = "{start} to {end}: {end} already holds a {colour} {stone}."

    COMPULSORY = (
        "{start} to {end}: in this edition captures and the {centre} are compulsory, so nothing is declined."
    )
    NO_CAPTURE = "{start} to {end} does not capture {cell}, so that cannot be declined."
    NO_OCCUPATION = "{start} to {end} does not earn the {centre}, so its occupation cannot be declined."
    OWN_TOWER = (
        "{start} to {end}: {mover}'s {tower} holds the {centre} already, so no occupation can be declined."
    )
    LOST_OCCUPATION = (
        "{start} to {end} would earn the {centre} only with a capture that is declined here, so there is "
        "no occupation to decline."
    )

    NOT_OFFERED = "{answer} is not among what can be chosen here."
    PATH_TOO_LONG = "The move is complete before {answer}."

    LINE_TOO_LONG = "A position line is at most {longest} characters long."
    LINE_FIELD_COUNT = (
        "A position line reads: morelli EDITION ROWS SIDE PHASE. This one has {found} fields, not 5."
    )
    LINE_NAME = "A position line of Morelli begins with morelli, not {found}."
    LINE_EDITION = "There is no edition {found}; it is one of {choices}."
    LINE_SIZE = "The board has {found} rows here; in Morelli it has 13, 11 or 9."
    LINE_SIDE = "The side to move is b or w, not {found}."
    LINE_PHASE = "The phase is - or the set-up ({choices} in edition {edition}), not {found}."
    LINE_TOWER = "There is a {tower} on {cell}; it can stand only on the {centre}, {middle}."
    LINE_STONE_IN_CENTRE = "There is a {stone} on {cell}, the {centre}, where only a {tower} can stand."
    LINE_SETUP_INSIDE = "During the set-up every {stone} stands on the outermost band; {cell} lies within."
    LINE_SETUP_TOWER = "During the set-up no {tower} is on the board."
    LINE_SETUP_FULL = "The outermost band is full, so the set-up is over and the phase is -."
    LINE_SETUP_COUNT = (
        "Before placement {next} Black has {black} and White {white} on the board, not as here."
    )
    LINE_SETUP_PAIR = "In a set-up by pairs {cell} and {opposite} hold opposite colours or are both empty."
    LINE_SETUP_SIDE = "Placement {next} of the set-up is {owner}'s."

    OPTION_SETUP = "Edition {edition} is set up {choices}, not {found}."
    FISTS_STILL_CLOSED = "The fists are still closed: the set-up must be settled before the game can start."
    FISTS_OF_OTHER_EDITION = "Closed fists belong to edition {edition}."
    INVALID_PICK = "Closed fists hold {choices}, not {found}."

    def to_text(self, terminology: Terminology, **values: object) -> str:
        """Return the sentence with its fields replaced by `values` and the words of `terminology`."""
        return self.value.format(
            stone=terminology.stone, tower=terminology.tower, centre=terminology.centre, **values
        )
