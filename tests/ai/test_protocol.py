"""The text protocol of ``python -m ai``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ai.__main__ import OpponentSession
from ai.levels import LEVELS_BY_NAME, Level
from ai.search import Opponent
from engine import GAMES
from engine.morabaraba.board import POINTS
from matches import ADAPTIVE, level_strength
from matches import LEVELS as ALL_LEVELS

START = "start morabaraba"


LEVELS = "beginner, beginner+, casual, casual+, club, club+, strong, strong+, expert, master."


@pytest.fixture(scope="module")
def opponent() -> Opponent:
    return Opponent.start()


@pytest.mark.long
def test_a_generated_move_is_played_and_can_be_taken_back(opponent: Opponent) -> None:
    session = OpponentSession(opponent)
    start = session.answer(START)
    answer = session.answer("genmove club 3")
    assert answer is not None
    assert answer.removeprefix("= ") in POINTS
    assert session.answer("to_move") == "= red"
    assert session.answer("undo") == start


def test_half_a_level_can_play(opponent: Opponent) -> None:
    session, position = OpponentSession(opponent), GAMES["morabaraba"].initial_position()
    session.answer(START)
    expected = opponent.choose_move(position, Level.CASUAL, 3, share=0.5)
    assert session.answer("genmove casual+ 3") == f"= {expected}"


def test_levels_are_those_that_people_can_choose() -> None:
    assert (*LEVELS_BY_NAME, ADAPTIVE) == ALL_LEVELS
    assert all(
        level_strength(each) == list(Level).index(level) + share
        for each, (level, share) in LEVELS_BY_NAME.items()
    )


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("genmove", "? There is no level without a name; there are " + LEVELS),
        ("genmove king", "? There is no level king; there are " + LEVELS),
        ("genmove expert+", "? There is no level expert+; there are " + LEVELS),
        ("genmove club x", "? genmove wants a level, and a whole number as the seed."),
        ("genmove club", "? There is no position yet; start or load one."),
    ],
)
def test_refusals(opponent: Opponent, line: str, answer: str) -> None:
    session = OpponentSession(opponent)
    if not line.endswith("club"):
        session.answer(START)
    assert session.answer(line) == answer


def test_a_finished_game_has_no_move(opponent: Opponent) -> None:
    session = OpponentSession(opponent)
    session.answer("load morelli nestor 9/9/9/9/4W4/9/9/9/9 b -")
    assert session.answer("genmove club") == "? The game is over."


@pytest.mark.long
def test_the_module_runs() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "ai"],
        input=b"start morabaraba\ngenmove beginner\nquit\n",
        capture_output=True,
        cwd=Path(__file__).parents[2],
        check=False,
        timeout=60,
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout.count(b"=") == 3
