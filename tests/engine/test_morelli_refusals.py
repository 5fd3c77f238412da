"""Morelli: the message for every illegal or unreadable move, in the terms of the edition."""

from __future__ import annotations

import pytest

from engine import GameError, IllegalMove, NotationError
from engine.morelli import MORELLI
from tests.engine.morelli_diagrams import from_stones

START = "morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w7w/w7w/w7w/bbbbbbbbw b -"
FREE = "morelli nestor b3w4/9/9/9/9/9/9/9/9 w free"
OVER = "morelli nestor 9/9/9/9/4B4/9/9/9/9 b -"
MIDDLE = str(from_stones("A5 D1 E2 H9 K10 F6", "C7 I5 K4 C3", size=13))
WITH_TOWER = str(from_stones("A7 F6 D1", "", tower="W"))
FORM = "write the cell that the stone leaves, a dash and the cell where it lands, like"
DECLINE = "after ~ follow the cells whose capture is declined, separated by commas."

ILLEGAL = [
    (OVER, "A1-B2", "The game is over."),
    (OVER, "A1", "The game is over."),
    (
        FREE,
        "A1-B2",
        "The board is still being set up: place on a free cell of the outermost band, like A1.",
    ),
    (FREE, "E9", "E9 already holds a white stone."),
    (FREE, "A9", "A9 already holds a black stone."),
    (FREE, "B8", "B8 lies on green; the set-up fills only the outermost band, which is yellow."),
    (FREE, "E5", "E5 lies on violet; the set-up fills only the outermost band, which is yellow."),
    (START, "A4", "A4: the set-up is over, so a move names two cells, like A1-B2."),
    (MIDDLE, "A5-A5", "A5 to A5: the stone must move to another cell."),
    (MIDDLE, "B5-C5", "B5 to C5: no stone stands on B5."),
    (MIDDLE, "G7-H8", "G7 to H8: no stone stands on G7."),
    (MIDDLE, "C7-D7", "C7 to D7: the stone on C7 is White's, and it is Black's turn."),
    (MIDDLE, "A5-G7", "A5 to G7: G7 is the Centre, where no stone may come to rest."),
    (MIDDLE, "D1-I13", "D1 to I13: I13 lies on red, no nearer the Centre than D1."),
    (MIDDLE, "A5-A9", "A5 to A9: A9 lies on red, no nearer the Centre than A5."),
    (MIDDLE, "F6-E6", "F6 to E6: E6 lies on blue, no nearer the Centre than F6."),
    (MIDDLE, "K10-L10", "K10 to L10: L10 lies on orange, no nearer the Centre than K10."),
    (MIDDLE, "E2-E12", "E2 to E12: E12 lies on orange, no nearer the Centre than E2."),
    (MIDDLE, "A5-C8", "A5 to C8: the two do not lie on one rank, file or diagonal."),
    (MIDDLE, "A5-D8", "A5 to D8: the white stone on C7 is in the way."),
    (MIDDLE, "A5-L5", "A5 to L5: the white stone on I5 is in the way."),
    (MIDDLE, "D1-G4", "D1 to G4: the black stone on E2 is in the way."),
    (MIDDLE, "K10-H7", None),
    (MIDDLE, "A5-C3", "A5 to C3: C3 already holds a white stone."),
    (MIDDLE, "A5-C7", "A5 to C7: C7 already holds a white stone."),
    (MIDDLE, "D1-E2", "D1 to E2: E2 already holds a black stone."),
    (WITH_TOWER, "A7-H7", "A7 to H7: the white tower on the Centre is in the way."),
    (WITH_TOWER, "G7-H8", "G7 to H8: a tower never moves."),
    (WITH_TOWER, "A7-G7", "A7 to G7: G7 is the Centre, where no stone may come to rest."),
]


@pytest.mark.parametrize(("line", "text", "reason"), [row for row in ILLEGAL if row[2]])
def test_an_illegal_move_is_refused_with_the_reason(line: str, text: str, reason: str) -> None:
    position = MORELLI.load(line)
    with pytest.raises(IllegalMove) as caught:
        position.parse(text)
    assert caught.value.reason == reason
    assert (caught.value.text, caught.value.position) == (text, position)


def test_the_refusal_names_the_nearest_stone_in_the_way() -> None:
    for text, cell in [("A5-L5", "D5"), ("M5-B5", "J5"), ("E1-E12", "E3"), ("K13-C5", "I11")]:
        position = from_stones("A5 M5 E1 K13", "D5 F5 J5 E3 E8 I11 G9")
        with pytest.raises(IllegalMove, match=f"the white stone on {cell} is in the way"):
            position.parse(text)


DECLINING = from_stones("A5 G5 E7 E3 J4 J10 D10", "F5 E6 C6")
ONLY_BY_CAPTURE = from_stones("E3 C6 E10 J9 I4", "D5")
NOT_EARNED = (
    "E3 to E4 would earn the Centre only with a capture that is declined here, so there is no occupation to "
    "decline."
)
OWN_TOWER = from_stones("E3 J4 J10 D10", "", tower="B")


DECLINES = [
    (DECLINING, "A5-E5~H8", "A5 to E5 does not capture H8, so that cannot be declined."),
    (DECLINING, "A5-E5~F5,C6", "A5 to E5 does not capture C6, so that cannot be declined."),
    (DECLINING, "A5-E5~G5", "A5 to E5 does not capture G5, so that cannot be declined."),
    (DECLINING, "A5-D5~F5", "A5 to D5 does not capture F5, so that cannot be declined."),
    (
        DECLINING,
        "A5-E5~G7",
        "A5 to E5 does not earn the Centre, so its occupation cannot be declined.",
    ),
    (
        ONLY_BY_CAPTURE,
        "E3-E4~D5,G7",
        NOT_EARNED,
    ),
    (
        OWN_TOWER,
        "E3-D4~G7",
        "E3 to D4: Black's tower holds the Centre already, so no occupation can be declined.",
    ),
    (
        from_stones("A5 G5", "F5", edition="2015"),
        "A5-E5~F5",
        "A5 to E5: in this edition captures and the throne are compulsory, so nothing is declined.",
    ),
    (
        from_stones("A5 G5", "F5", edition="2015"),
        "A5-A6~F5",
        "A5 to A6: A6 lies on red, no nearer the throne than A5.",
    ),
]


@pytest.mark.parametrize(("position", "text", "reason"), DECLINES)
def test_an_invalid_decline_is_refused_with_the_reason(position: object, text: str, reason: str) -> None:
    assert isinstance(position, type(DECLINING))
    with pytest.raises(IllegalMove) as caught:
        position.parse(text)
    assert caught.value.reason == reason


UNREADABLE = [
    (START, "hello", f"hello is not a move: {FORM} A1-B2; {DECLINE}"),
    (START, "A1-", f"A1- is not a move: {FORM} A1-B2; {DECLINE}"),
    (START, "A1-B2~", f"A1-B2~ is not a move: {FORM} A1-B2; {DECLINE}"),
    (START, "A1-B2~C3,", f"A1-B2~C3, is not a move: {FORM} A1-B2; {DECLINE}"),
    (START, "A01-B2", f"A01-B2 is not a move: {FORM} A1-B2; {DECLINE}"),
    (START, "A1\nB2", f"A1 B2 is not a move: {FORM} A1-B2; {DECLINE}"),
    (OVER, "x", f"x is not a move: {FORM} A5-B5; {DECLINE}"),
    (START.replace("nestor", "2015"), "x", f"x is not a move: {FORM.replace('stone', 'piece')} A1-B2."),
    (FREE, "x", "x is not a placement: write one cell of the outermost band, like A1."),
    (START, "J1-B2", "J1-B2: there is no cell J1 on this board, which goes from A1 to I9."),
    (START, "A1-B10", "A1-B10: there is no cell B10 on this board, which goes from A1 to I9."),
    (START, "A1-B2~Z1", "A1-B2~Z1: there is no cell Z1 on this board, which goes from A1 to I9."),
    (FREE, "A10", "A10: there is no cell A10 on this board, which goes from A1 to I9."),
    (START, "A1-B2~C3,C3", "A1-B2~C3,C3: C3 is declined twice."),
]


@pytest.mark.parametrize(("line", "text", "reason"), UNREADABLE)
def test_unreadable_text_is_refused_with_the_reason(line: str, text: str, reason: str) -> None:
    position = MORELLI.load(line)
    with pytest.raises(NotationError) as caught:
        position.parse(text)
    assert caught.value.reason == reason
    assert (caught.value.text, caught.value.position) == (text, position)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("G7-H8", "G7 to H8: a king never moves."),
        ("B5-C5", "B5 to C5: no piece stands on B5."),
        ("A7-H7", "A7 to H7: the white king on the throne is in the way."),
        ("F6-E6", "F6 to E6: E6 lies on blue, no nearer the throne than F6."),
    ],
)
@pytest.mark.parametrize("edition", ["2015", "mindsports"])
def test_other_editions_have_their_own_words(edition: str, text: str, reason: str) -> None:
    position = MORELLI.load(WITH_TOWER.replace("nestor", edition))
    with pytest.raises(IllegalMove) as caught:
        position.parse(text)
    assert caught.value.reason == reason


def test_a_very_long_text_is_abbreviated() -> None:
    with pytest.raises(NotationError) as caught:
        MORELLI.load(START).parse("A1-B2" * 1000)
    assert len(caught.value.reason) < 250


def test_a_move_of_another_board_is_refused() -> None:
    small, large = MORELLI.initial_position(size=9), MORELLI.initial_position(size=13)
    for move in large.legal_moves():
        with pytest.raises(IllegalMove):
            small.play(move)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (("A6",), "A6 is not among what can be chosen here."),
        (("A5", "A6"), "A6 is not among what can be chosen here."),
        (("A5", "E5", "C6"), "C6 is not among what can be chosen here."),
        (("A5", "E5", "F5,E6"), "F5,E6 is not among what can be chosen here."),
        (("A5", "E5", ""), " is not among what can be chosen here."),
        (("A5", "B5", "yes"), "The move is complete before yes."),
        (("E3", "D4", "maybe"), "maybe is not among what can be chosen here."),
    ],
)
def test_an_answer_that_was_not_offered_is_refused(path: tuple[str, ...], reason: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        DECLINING.next_choice(path)
    assert caught.value.reason == reason


def test_every_refusal_is_a_game_error() -> None:
    for error in (IllegalMove, NotationError):
        assert issubclass(error, GameError)
