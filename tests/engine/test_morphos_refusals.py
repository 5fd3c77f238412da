"""Morphos: the message for every illegal or unreadable turn."""

from __future__ import annotations

import pytest

from engine import AmbiguousMove, IllegalMove, NotationError
from engine.morphos import MORPHOS
from tests.engine.morphos_diagrams import from_diagram, play_moves

MIDDLE = str(
    from_diagram(
        """
        . . . . .
        w . b . .
        b . . . .
        w . w b .
        . . . . .
        """,
        mover="w",
    )
)
OWING = str(
    play_moves(
        from_diagram("..... w.... b.... w.... .....".replace(" ", "\n"), mutators="d", mover="w"), "xA3"
    )
)
BACK = (
    "morphos b "
    + str(
        from_diagram(
            """
            . . . . . . .
            . . w . . . .
            . . w b b . .
            . . b b b . .
            . . . w w . .
            . . . . . . .
            . . . . . . .
            """
        )
    ).split()[2]
    + " w 10 xC4"
)
BACK_AFTER_RESTORING = "morphos bd 7/7/2ww3/2bww2/2bbw2/4b2/7 b 13 xD5,owed"
STUCK = "morphos e wbbbb/wbbbb/bwwwb/wbwww/wbbww b 10 -"
OVER = "morphos - 5/5/wwwww/5/5 b 9 -"
FORM = "write an empty point to place a stone, like D4, or x and a point to flip the stone there, like xD4."

UNREADABLE = [
    ("nonsense", f"nonsense is not a move: {FORM}"),
    ("", f" is not a move: {FORM}"),
    ("x", f"x is not a move: {FORM}"),
    ("A1-A2", f"A1-A2 is not a move: {FORM}"),
    ("A1,", f"A1, is not a move: {FORM}"),
    ("A1+", f"A1+ is not a move: {FORM}"),
    ("A1,A2,A3", f"A1,A2,A3 is not a move: {FORM}"),
    ("xA1,A2", f"xA1,A2 is not a move: {FORM}"),
    ("F1", "F1: there is no point F1 on this board, which goes from A1 to E5."),
    ("xA6", "xA6: there is no point A6 on this board, which goes from A1 to E5."),
    ("A1,A9", "A1,A9: there is no point A9 on this board, which goes from A1 to E5."),
    ("G1+A1", "G1+A1: there is no point G1 on this board, which goes from A1 to E5."),
    ("X4", "X4: there is no point X4 on this board, which goes from A1 to E5."),
    ("B2,b2", "B2,b2: a turn places on two different points."),
]
ILLEGAL = [
    (MIDDLE, "A3", "A3 already holds a black stone; stones go on empty points."),
    (MIDDLE, "A4", "A4 already holds a white stone; stones go on empty points."),
    (MIDDLE, "swap", "swap: changing sides is open to White alone, on White's first turn."),
    (MIDDLE, "pass", "pass: White has another move, so passing is not allowed."),
    (MIDDLE, "A3,A1", "A3 already holds a black stone; stones go on empty points."),
    (MIDDLE, "A1,A5", "A1,A5: a turn places one stone; two belong to mutator c, which is not in play."),
    (MIDDLE, "B1+A1", "B1+A1: no captured stone waits to be put back."),
    (MIDDLE, "xA1", "xA1: no stone stands on A1."),
    (MIDDLE, "xA4", "xA4: the stone on A4 is White's own; only the enemy's can be flipped."),
    (
        MIDDLE,
        "xC4",
        (
            "xC4: the black stone on C4 is not vulnerable; White's stones and edges complete neither pattern "
            "around it."
        ),
    ),
    (BACK, "xD4", "xD4: Black could flip the stone on D4 straight back, which mutator b forbids."),
    (
        BACK_AFTER_RESTORING,
        "A1+xD4",
        (
            "xD4: White could put the captured stone on B5 and flip the stone on D4 straight back, which "
            "mutator b forbids."
        ),
    ),
    (
        STUCK,
        "xA1",
        (
            "xA1: the white stone on A1 is not vulnerable; Black's stones and edges complete neither pattern "
            "around it."
        ),
    ),
    (OWING, "A2+C3", "A2 already holds a white stone; stones go on empty points."),
    (OWING, "C3+C3", "C3 is the point that the captured stone goes back to; the turn needs another."),
    (OWING, "C3+xC3", "xC3: C3 holds the stone just put back, which is Black's own."),
    (OWING, "C3+pass", "pass: Black has another move, so passing is not allowed."),
    (OWING, "C3+swap", "swap: changing sides is open to White alone, on White's first turn."),
    (
        OWING,
        "xA2",
        (
            "xA2: Black first puts the captured stone back; name an empty point for it, then the turn, "
            "like A1+A5."
        ),
    ),
    (OVER, "A1", "The game is over."),
    (OVER, "pass", "The game is over."),
]


@pytest.mark.parametrize(("text", "reason"), UNREADABLE)
def test_unreadable_text_is_refused_with_the_reason(text: str, reason: str) -> None:
    position = MORPHOS.load(MIDDLE)
    with pytest.raises(NotationError) as caught:
        position.parse(text)
    assert (caught.value.reason, caught.value.text, caught.value.position) == (reason, text, position)


@pytest.mark.parametrize(("line", "text", "reason"), ILLEGAL)
def test_an_illegal_turn_is_refused_with_the_reason(line: str, text: str, reason: str) -> None:
    position = MORPHOS.load(line)
    with pytest.raises(IllegalMove) as caught:
        position.parse(text)
    assert (caught.value.reason, caught.value.text, caught.value.position) == (reason, text, position)


def test_a_turn_without_the_captured_stone_is_ambiguous() -> None:
    position = MORPHOS.load(OWING)
    with pytest.raises(AmbiguousMove) as caught:
        position.parse("d4")
    assert caught.value.reason == (
        "d4: Black first puts the captured stone back; name an empty point for it, then the turn, like A1+D4."
    )
    assert len(caught.value.choices) == 21
    assert all(str(position.parse(choice)) == choice for choice in caught.value.choices)


def test_only_points_that_make_the_flip_possible_are_offered() -> None:
    position = from_diagram(
        """
        . . . . .
        . . b . .
        . . w b .
        . . b . .
        . . . . .
        """,
        mutators="d",
        extra="owed",
    )
    with pytest.raises(AmbiguousMove) as caught:
        position.parse("xC3")
    assert caught.value.choices == ("D2+xC3", "D4+xC3")


def test_only_points_that_prevent_the_flip_back_are_offered() -> None:
    with pytest.raises(AmbiguousMove) as caught:
        MORPHOS.load(BACK_AFTER_RESTORING).parse("xD4")
    assert caught.value.choices == ("B5+xD4",)


def test_a_legal_turn_of_another_board_is_refused_when_played() -> None:
    far = MORPHOS.initial_position(size=9).parse("H1")
    flip = MORPHOS.initial_position(size=9, mutators="ae").parse("xF1")
    position = MORPHOS.load(MIDDLE)
    for turn in (far, flip):
        with pytest.raises(IllegalMove, match="is not a move on this board"):
            position.play(turn)


def test_playing_a_turn_without_the_captured_stone_is_illegal() -> None:
    turn = MORPHOS.initial_position(size=5, mutators="d").parse("D4")
    with pytest.raises(IllegalMove, match="Black first puts the captured stone back"):
        MORPHOS.load(OWING).play(turn)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (("A3",), "A3 is not among what can be chosen here."),
        (("flip", "C4"), "C4 is not among what can be chosen here."),
        (("place", "A1", "A2"), "The move is complete before A2."),
        (("swap",), "swap is not among what can be chosen here."),
    ],
)
def test_an_answer_that_was_not_offered_is_refused(path: tuple[str, ...], reason: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        MORPHOS.load(MIDDLE).next_choice(path)
    assert caught.value.reason == reason
