"""Morelli: position lines, and the errors for invalid ones."""

from __future__ import annotations

import pytest

from engine import NotationError, Side
from engine.morelli import MORELLI
from tests.engine.morelli_diagrams import from_diagram

EMPTY = "/".join(["9"] * 9)
EDGE = "/".join(["b8", *["9"] * 7, "9"])


def test_the_line_of_the_default_start() -> None:
    assert str(MORELLI.initial_position(size=9)) == (
        "morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w7w/w7w/w7w/bbbbbbbbw b -"
    )


def test_a_tower_is_a_capital_letter_on_the_centre() -> None:
    position = from_diagram(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . w . . . . . .
        . . . . . . . . .
        . . . b W . . . .
        . . . . . . . . .
        . . . . . . b . .
        . . . . . . . . .
        w . . . . . . . .
        """,
        turn="w",
    )
    assert str(position) == "morelli nestor 9/9/2w6/9/3bW4/9/6b2/9/w8 w -"
    assert position.tower is Side.WHITE
    assert dict(position.stones) == {
        "A1": Side.WHITE,
        "C7": Side.WHITE,
        "D5": Side.BLACK,
        "G3": Side.BLACK,
    }
    assert (position.centre, position.band(position.centre)) == ("E5", 4)


@pytest.mark.parametrize(
    "line",
    [
        f"morelli nestor {EMPTY} b -",
        "morelli 2015 bbbbbbbbb/bbbbbbbbb/bbbbbbbbb/bbbbbbbbb/bbbbWbbbb/9/9/9/9 w -",
        "morelli mindsports 9/9/9/9/4B4/9/9/9/wwwwwwwww b -",
        "morelli nestor b8/9/9/9/9/9/9/9/9 w free",
        "morelli nestor b7w/9/9/9/9/9/9/9/w7b b free",
        "morelli 2015 b8/9/9/9/9/9/9/9/8w w pairs",
        "morelli mindsports b8/9/9/9/b7w/9/9/9/8w w pairs",
    ],
)
def test_valid_positions_load_even_if_unreachable(line: str) -> None:
    assert str(MORELLI.load(line)) == line


def test_extra_spaces_are_ignored() -> None:
    assert MORELLI.load(f"  morelli\tnestor  {EMPTY} b   - \n") == MORELLI.load(f"morelli nestor {EMPTY} b -")


COLUMNS = ("line", "reason")
REFUSED = [
    ("", "A position line reads: morelli EDITION ROWS SIDE PHASE. It has 5 fields, and this one has 0."),
    (
        f"morelli nestor {EMPTY} b",
        "A position line reads: morelli EDITION ROWS SIDE PHASE. It has 5 fields, and this one has 4.",
    ),
    (f"morphos nestor {EMPTY} b -", "A position line of Morelli begins with morelli, not morphos."),
    (
        f"morelli Nestor {EMPTY} b -",
        "There is no edition Nestor; it is one of nestor, 2015, mindsports.",
    ),
    (
        "morelli nestor 8/8/8/8/8/8/8/8 b -",
        "A board of Morelli has 13, 11 or 9 rows, not 8.",
    ),
    ("morelli nestor x b -", "A board of Morelli has 13, 11 or 9 rows, not 1."),
    (f"morelli nestor {EMPTY} r -", "The side to move is b or w, not r."),
    (f"morelli nestor {EMPTY} B -", "The side to move is b or w, not B."),
    (
        f"morelli nestor {EMPTY} b pairs",
        "The phase is - or the set-up (free in edition nestor), not pairs.",
    ),
    (f"morelli 2015 {EMPTY} b free", "The phase is - or the set-up (pairs in edition 2015), not free."),
    (f"morelli nestor {EMPTY[:-1]}8 b -", "Row 1 must be 9 cells wide, not 8."),
    (f"morelli nestor 10{EMPTY[1:]} b -", "Row 9 must be 9 cells wide, not 10."),
    (f"morelli nestor b9{EMPTY[1:]} b -", "Row 9 must be 9 cells wide, not 10."),
    (f"morelli nestor {EMPTY[1:]} b -", "Row 9 must be 9 cells wide, not 0."),
    (
        f"morelli nestor r8{EMPTY[1:]} b -",
        "Row 9 holds r; only b, w, B, W and numbers of empty cells may stand there.",
    ),
    (
        f"morelli nestor 0b8{EMPTY[1:]} b -",
        "Row 9 holds 0; only b, w, B, W and numbers of empty cells may stand there.",
    ),
    (
        f"morelli nestor .8{EMPTY[1:]} b -",
        "Row 9 holds .; only b, w, B, W and numbers of empty cells may stand there.",
    ),
    (f"morelli nestor B8{EMPTY[1:]} b -", "There is a tower on A9; it can stand only on the Centre, E5."),
    (f"morelli 2015 W8{EMPTY[1:]} b -", "There is a king on A9; it can stand only on the throne, E5."),
    (
        "morelli nestor 9/9/9/9/4b4/9/9/9/9 b -",
        "There is a stone on E5, the Centre, where only a tower can stand.",
    ),
    (
        "morelli 2015 9/9/9/9/4w4/9/9/9/9 b -",
        "There is a piece on E5, the throne, where only a king can stand.",
    ),
    (
        "morelli nestor b8/9/9/3b5/9/9/9/9/9 b free",
        "During the set-up every stone stands on the outermost band; D6 lies within.",
    ),
    ("morelli nestor 9/9/9/9/4B4/9/9/9/9 b free", "During the set-up no tower is on the board."),
    ("morelli 2015 9/9/9/9/4B4/9/9/9/9 b pairs", "During the set-up no king is on the board."),
    (
        "morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w7w/w7w/w7w/bbbbbbbbw b free",
        "The outermost band is full, so the set-up is over and the phase is -.",
    ),
    (
        f"morelli nestor bb7{EMPTY[1:]} w free",
        "Before placement 3 Black has 1 and White 1 on the board, not as here.",
    ),
    (f"morelli nestor b8{EMPTY[1:]} b free", "Placement 2 of the set-up is White's."),
    (f"morelli 2015 {EMPTY} w pairs", "Placement 1 of the set-up is Black's."),
    (
        f"morelli 2015 b8{EMPTY[1:]} w pairs",
        "In a set-up by pairs A9 and I1 hold opposite colours or are both empty.",
    ),
    (
        f"morelli 2015 b8{EMPTY[1:-1]}8b w pairs",
        "In a set-up by pairs A9 and I1 hold opposite colours or are both empty.",
    ),
    (
        f"morelli 2015 w8{EMPTY[1:-1]}8w w pairs",
        "In a set-up by pairs A9 and I1 hold opposite colours or are both empty.",
    ),
    ("9" * 4001, "A position line is at most 4000 characters long."),
]


@pytest.mark.parametrize(COLUMNS, REFUSED, ids=[row[1][:50] for row in REFUSED])
def test_an_invalid_line_is_refused_with_the_reason(line: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        MORELLI.load(line)
    assert caught.value.reason == reason
    assert caught.value.text == line


@pytest.mark.parametrize(
    "rows", ["9999999999999999999999/9/9/9/9/9/9/9/9", "٣bbbbbb/9/9/9/9/9/9/9/9", "b" * 3000 + "/9" * 8]
)
def test_hostile_rows_are_refused(rows: str) -> None:
    with pytest.raises(NotationError, match="Row 9"):
        MORELLI.load(f"morelli nestor {rows} b -")
