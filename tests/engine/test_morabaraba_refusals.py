"""Morabaraba: the message for every illegal or unreadable turn."""

from __future__ import annotations

import pytest

from engine import AmbiguousMove, IllegalMove, NotationError
from engine.morabaraba import MORABARABA
from engine.morphos import MORPHOS
from tests.engine.morabaraba_diagrams import from_men

PLACING = str(from_men("A1 A4", "C3 D3 E3 G7", hands=(3, 3)))
MOVING = str(from_men("A1 A4 D7 D5", "C3 D3 E3 G7"))
BARRED = str(from_men("A1 A4 D7 D5", "C3 D3 E3 G7", extra="w:D7-D6"))
ALONE = str(from_men("A1 A4", "", hands=(3, 3)))
OVER = str(from_men("A1 A4", "C3 D3 E3 G7"))
BLOCKED = str(from_men("A1 A4 A7 D1", "B4 B2 B6 D7 D2 G1"))
FORM = (
    "write the point for a man, like D2, or the man and where it goes, like A1-A4; a mill is followed by x "
    "and the man to be removed, or by ~ to remove none."
)

UNREADABLE = [
    ("nonsense", f"nonsense is not a move: {FORM}"),
    ("", f" is not a move: {FORM}"),
    ("A1-", f"A1- is not a move: {FORM}"),
    ("A1x", f"A1x is not a move: {FORM}"),
    ("A1xG7~", f"A1xG7~ is not a move: {FORM}"),
    ("A1-A4-A7", f"A1-A4-A7 is not a move: {FORM}"),
    ("D4", "D4: there is no point D4 on this board."),
    ("A1-B1", "A1-B1: there is no point B1 on this board."),
    ("A7xH7", "A7xH7: there is no point H7 on this board."),
    ("A1-a1", "A1-a1: a man must move to another point."),
]
ILLEGAL = [
    (
        PLACING,
        "A1-D1",
        "A1-D1: White still has men in hand, so a turn places one on an empty point, like D2.",
    ),
    (PLACING, "C3", "C3: C3 already holds a red man."),
    (PLACING, "A1", "A1: A1 already holds a white man."),
    (PLACING, "D2xG7", "D2xG7: no mill is closed, so no man is removed."),
    (PLACING, "D2~", "D2~: no mill is closed, so there is nothing to decline."),
    (PLACING, "A7xC3", "A7xC3: the man on C3 stands in a mill, and Red has others that do not (G7)."),
    (PLACING, "A7xD2", "A7xD2: no man of Red's stands on D2."),
    (PLACING, "A7xA4", "A7xA4: the man on A4 is White's own."),
    (PLACING, "A7xA7", "A7xA7: the man on A7 is White's own."),
    (ALONE, "A7~", "A7~: Red has no man on the board that could be removed."),
    (ALONE, "A7xC3", "A7xC3: Red has no man on the board that could be removed."),
    (MOVING, "D2", "D2: White has no man in hand, so a turn moves one, like A1-A4."),
    (MOVING, "D2-D1", "D2-D1: no man stands on D2."),
    (MOVING, "G7-G4", "G7-G4: the man on G7 is Red's, and it is White's turn."),
    (MOVING, "D7-G7", "D7-G7: G7 already holds a red man."),
    (MOVING, "D7-D1", "D7-D1: D1 is not next to D7 on a line; only a side with three men left flies."),
    (MOVING, "A1-A7", "A1-A7: A7 is not next to A1 on a line; only a side with three men left flies."),
    (MOVING, "D7-A7xD7", "D7-A7xD7: no man of Red's stands on D7."),
    (
        BARRED,
        "D7-D6",
        (
            "D7-D6: that man has just left one mill and closed another with one move, so it may not go "
            "straight back this turn."
        ),
    ),
    (OVER, "A1-D1", "The game is over."),
    (BLOCKED, "A1-B2", "The game is over."),
]


@pytest.mark.parametrize(("text", "reason"), UNREADABLE)
def test_unreadable_text_is_refused_with_the_reason(text: str, reason: str) -> None:
    position = MORABARABA.load(PLACING)
    with pytest.raises(NotationError) as caught:
        position.parse(text)
    assert (caught.value.reason, caught.value.text, caught.value.position) == (reason, text, position)


@pytest.mark.parametrize(("line", "text", "reason"), ILLEGAL)
def test_an_illegal_turn_is_refused_with_the_reason(line: str, text: str, reason: str) -> None:
    position = MORABARABA.load(line)
    with pytest.raises(IllegalMove) as caught:
        position.parse(text)
    assert (caught.value.reason, caught.value.text, caught.value.position) == (reason, text, position)


@pytest.mark.parametrize(
    ("line", "text", "men", "choices"),
    [
        (PLACING, "a7", "G7", ("A7xG7", "A7~")),
        (MOVING, "D7 - A7", "G7", ("D7-A7xG7", "D7-A7~")),
        (
            str(from_men("A1 A4", "C3 D3 E3", hands=(3, 3))),
            "A7",
            "C3, D3, E3",
            ("A7xC3", "A7xD3", "A7xE3", "A7~"),
        ),
    ],
)
def test_a_mill_without_a_man_to_remove_is_ambiguous(
    line: str, text: str, men: str, choices: tuple[str, ...]
) -> None:
    position = MORABARABA.load(line)
    with pytest.raises(AmbiguousMove) as caught:
        position.parse(text)
    assert caught.value.reason == (
        f"{text} closes a mill: add x and the man to be removed ({men}), or ~ to remove none."
    )
    assert (caught.value.choices, caught.value.position) == (choices, position)
    assert all(str(position.parse(choice)) == choice for choice in choices)


def test_playing_a_mill_without_a_man_to_remove_is_illegal() -> None:
    turn = MORABARABA.initial_position().parse("A7")
    with pytest.raises(IllegalMove, match="A7 closes a mill"):
        MORABARABA.load(PLACING).play(turn)


def test_a_turn_of_another_game_is_refused() -> None:
    with pytest.raises(IllegalMove, match="D2 is not a move of Morabaraba"):
        MORABARABA.initial_position().play(MORPHOS.initial_position().parse("D2"))


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (("G7",), "G7 is not among what can be chosen here."),
        (("A7", "C3"), "C3 is not among what can be chosen here."),
        (("A7", "G7", "-"), "The move is complete before -."),
        (("D2", "-"), "The move is complete before -."),
    ],
)
def test_an_answer_that_was_not_offered_is_refused(path: tuple[str, ...], reason: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        MORABARABA.load(PLACING).next_choice(path)
    assert caught.value.reason == reason
