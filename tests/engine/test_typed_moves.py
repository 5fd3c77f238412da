"""Moves as people type them: what is understood as which move, and what stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import GAMES, NotationError
from tests.engine.morabaraba_diagrams import from_men

if TYPE_CHECKING:
    from engine.game import Position

FACING = GAMES["morelli"].initial_position(size=9, setup="facing")
FREE = GAMES["morelli"].initial_position(size=9, setup="free")
FREE_PAIR = FREE.play(FREE.parse("A4"))
MORPHOS = GAMES["morphos"].initial_position(size=5, mutators="c")
STEPPING = from_men("A1 A4 D7 D5", "G7 G1 F2 E4")
PLACING = GAMES["morabaraba"].initial_position()


@pytest.mark.parametrize(
    ("position", "typed", "expected"),
    [
        *(
            (FACING, typed, "C1-D2")
            for typed in (
                "c1d2", "c1 d2", "C1 to D2", "C1toD2", "C1xD2", "C1→D2", "C1 -> D2", "C1=>D2", "c1:d2",
                "C1,D2", "C1-D2!", "c1d2?!", "1. C1-D2", "12.c1d2", "1... C1 D2", "Black C1-D2",
                "black: c1 d2", "3. Black C1 to D2!", "move C1 to D2", "Move from c1 to d2.",
                "1. Black moves from C1 to D2", "C1-D2,",
            )
        ),
        (STEPPING, "a1 d1", "A1-D1"),
        (STEPPING, "D7-A7xG7", "D7-A7xG7"),
        (STEPPING, "White D7-A7xG7!", "D7-A7xG7"),
        (STEPPING, "D7A7", "D7-A7"),
        (PLACING, "1. a1", "a1"),
        (PLACING, "A1 A4", "A1 A4"),
        (MORPHOS, "d4 e5", "D4,E5"),
        (MORPHOS, "d4e5", "D4,E5"),
        (MORPHOS, "d4 and e5", "d4 and e5"),
        (MORPHOS, "place d4,e5", "d4,e5"),
        (PLACING, "place A4", "A4"),
        (PLACING, "place", "place"),
        (FREE, "A4", "A4"),
        (FREE_PAIR, "B9,C9", "B9 C9"),
        (FREE_PAIR, "B9, C9,", "B9 C9"),
        (FREE_PAIR, "B9,A4", "B9,A4"),
        (FACING, "C1-D9", "C1-D9"),
        (FACING, "nonsense", "nonsense"),
        (FACING, "!", "!"),
        (FACING, "Black", "Black"),
        (FACING, "", ""),
    ],
)  # fmt: skip
def test_typed_words_are_understood(position: Position, typed: str, expected: str) -> None:
    assert " ".join(position.resolve_words(typed.split())) == expected


@pytest.mark.parametrize(
    ("position", "typed", "first_move"),
    [
        (FACING, "C1-D2", "C1-D2"),
        (FACING, "1. c1 d2!", "C1-D2"),
        (FREE, "A4 B9", "A4"),
        (FACING, "C1-D9", None),
        (FACING, "nonsense", None),
        (FACING, "", None),
    ],
)
def test_a_turn_is_read_with_its_first_move(position: Position, typed: str, first_move: str | None) -> None:
    turn = position.read_turn(typed.split())
    assert turn.texts == position.resolve_words(typed.split())
    assert turn.first_move == (None if first_move is None else position.parse(first_move))


@pytest.mark.parametrize("typed", ["1" * 6000, "1." * 3000, "A1 " * 2000, "Black " * 99, "!" * 6000])
def test_hostile_words_stay_as_they_are(typed: str) -> None:
    moves = FACING.resolve_words(typed.split())
    assert moves
    with pytest.raises(NotationError):
        FACING.parse(moves[0] if "A1" not in typed else typed)
