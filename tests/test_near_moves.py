"""Legal moves near a text that is none: what is suggested, and how few moves are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import GAMES
from move_builder import resolve_line, split_moves, suggest_lines
from tests.engine.morabaraba_diagrams import from_men

if TYPE_CHECKING:
    from engine.game import Position

MORELLI = GAMES["morelli"].initial_position(size=9, setup="facing")
FREE = GAMES["morelli"].initial_position(size=9, setup="free")
MORPHOS = GAMES["morphos"].initial_position(size=19, mutators="c")
MORPHOS_ONE = GAMES["morphos"].initial_position(size=9)
PLACING = GAMES["morabaraba"].initial_position()
MILL = from_men("A1 A4 D7 D5", "G7 G1 F2 E4")


@pytest.mark.parametrize(
    ("position", "words", "expected"),
    [
        (MORELLI, "C1-D1", "C1-D2"),
        (MORELLI, "c1-d22", "C1-D2"),
        (MORELLI, "C1-", "C1-C2"),
        (PLACING, "A9", "A7"),
        (PLACING, "A2", "A1"),
        (MILL, "D7-A7", "D7-A7xG1"),
        (MORPHOS, "D4,E99", "D4,E9"),
    ],
)
def test_near_moves_are_suggested(position: Position, words: str, expected: str) -> None:
    found = [" ".join(line) for line in suggest_lines(position, words.split())]
    assert expected in found
    assert len(found) <= 3
    for line in found:
        position.parse(line)


@pytest.mark.parametrize("text", ["hello", "Z9-A1", "A1" * 3000, "\u202e", "9", "-", ""])
def test_nothing_is_suggested_for_other_texts(text: str) -> None:
    assert suggest_lines(MORELLI, [text]) == []


def test_the_other_moves_of_a_turn_stay() -> None:
    first, second = (str(move) for move in list(FREE.legal_moves())[:2])
    position = FREE.play(FREE.parse(first))
    wrong = f"{second}9"
    lines = suggest_lines(FREE, [first, wrong])
    assert lines
    assert all(line[0] == first and position.parse(line[1]) for line in lines)


@pytest.mark.parametrize(
    ("position", "typed", "expected"),
    [
        (MORPHOS_ONE, "B2, C3", "B2 C3"),
        (MORPHOS_ONE, "B2,C3 xB2", "B2 C3 xB2"),
        (MORPHOS, "B2,C3 D4,E5", "B2,C3 D4,E5"),
        (PLACING, "A1, A4; A7", "A1 A4 A7"),
        (MORELLI, "move D1 to D4, move A5 to F5", "D1-D4 A5-F5"),
        (MORELLI, "D1-D4~H5,H6 A5-F5", "D1-D4~H5,H6 A5-F5"),
        (MORELLI, ",", ""),
        (MORELLI, "1. d1 to d4 a5f5! 2. White F1 f4", "D1-D4 A5-F5 F1-F4"),
        (MORELLI, "D1-D4 A5-F5", "D1-D4 A5-F5"),
        (MORELLI, "D1 d4 a5 to a6 F1-F4", "D1-D4 A5-A6 F1-F4"),  # A5-A6 is not legal
        (MORELLI, "hello D1-D4", "hello D1-D4"),
        (PLACING, "1. A1 A4 2. d7", "A1 A4 D7"),
        (MILL, "1. D7 a7 A4-B4", "D7-A7 A4-B4"),  # which man to remove is open
        (FREE, "A1 A2 B1", "A1 A2 B1"),
        (MORELLI, "", ""),
    ],
)
def test_typed_lines_are_read_move_by_move(position: Position, typed: str, expected: str) -> None:
    assert " ".join(resolve_line(position, split_moves(typed))) == expected
