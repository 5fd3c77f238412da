"""Puzzles: as text and back, right and wrong answers, and lines that are none."""

from dataclasses import replace

import pytest

from engine import GAMES
from engine.game import IllegalMove
from engine.puzzle import Puzzle, PuzzleError

WIN = (
    "2 | win 2 | 1400 | connects corner | G4 A1 xF5 | "
    "morphos - 1b2wbb/wwwwwbb/1bbwwbw/1b2bw1/2b4/1b1w3/1w5 w 25 -"
)
GAP = "2 | gap | 1650 | - | G7-F6xB6 | morabaraba 11 2r/wr1/rw1/wrw1r1/3/1rr/3 r 0,0 quiet=5"
SAME = "2 | gap | 1500 | - | A5+B2 | morphos d 1bwwb/wb1b1/w1bwb/w1ww1/wwbbb b 20 owed"
LAST = "2 | win 1 | 700 | - | xC4 | morphos - bbwww/wbwwb/b1bbw/b1wbw/wbwbb b 24 -"


def test_text_and_back() -> None:
    for text in (WIN, GAP, SAME, LAST):
        puzzle = Puzzle.parse(text, GAMES)
        assert str(puzzle) == text
        assert Puzzle.parse(str(puzzle), GAMES) == puzzle


def test_parts() -> None:
    puzzle = Puzzle.parse(WIN, GAMES)
    assert (puzzle.game.name, puzzle.solver.value, puzzle.wins_in, puzzle.rating) == (
        "morphos",
        "white",
        2,
        1400,
    )
    assert puzzle.themes == ("connects", "corner")
    assert (puzzle.solver_turns, puzzle.ends_game) == (2, True)
    assert puzzle.position_at(0) == puzzle.start
    assert str(puzzle.position_at(1)).endswith(" b 26 -")
    assert puzzle.position_at(3).outcome is not None


def test_key_depends_on_position_and_line_alone() -> None:
    puzzle = Puzzle.parse(WIN, GAMES)
    assert puzzle.key == replace(puzzle, rating=1, themes=(), wins_in=3).key
    assert puzzle.key != replace(puzzle, line=puzzle.line[:1]).key
    assert len(puzzle.key) == 16


def test_answers_are_typed_in_any_form() -> None:
    puzzle = Puzzle.parse(GAP, GAMES)
    assert puzzle.is_answer(0, " g7\u2013f6 x b6")
    assert not puzzle.is_answer(0, "G7-F6xA4")
    with pytest.raises(IllegalMove):
        puzzle.is_answer(0, "G7-F6xD2")


def test_turns_to_the_same_position_are_one_answer() -> None:
    puzzle = Puzzle.parse(SAME, GAMES)
    assert puzzle.is_answer(0, "B2+A5")
    assert not puzzle.is_answer(0, "A5+B3")


def test_last_turn_may_win_in_any_way() -> None:
    puzzle = Puzzle.parse(LAST, GAMES)
    assert puzzle.is_answer(0, "B3")
    assert not puzzle.is_answer(0, "B2")


def test_only_the_last_turn_may_win_in_any_way() -> None:
    """A line that goes on asks for its own turn, even where another one wins at once."""
    last = Puzzle.parse(LAST, GAMES)
    longer = replace(last, line=("xC1", "D1", "xC4"), wins_in=3)
    assert not longer.is_answer(0, "B3")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gap",
        GAP.replace("2 |", "9 |"),
        GAP.replace("gap", "loss"),
        GAP.replace("morabaraba", "chess"),
        GAP.replace("1650", "0"),
        GAP.replace("1650", "many"),
        GAP.replace("| - |", "| Two% |"),
        GAP.replace("G7-F6xB6", "G7-F6xD2"),
        GAP.replace("G7-F6xB6", ""),
        WIN.replace("G4 A1 xF5", "G4 A1"),
        WIN.replace("win 2", "win 1"),
        WIN.replace("win 2", "win 3"),
    ],
)
def test_no_puzzle(text: str) -> None:
    with pytest.raises(PuzzleError):
        Puzzle.parse(text, GAMES)
