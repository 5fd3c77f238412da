"""The text protocol of ``python -m engine``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine import GAMES
from engine.protocol import Session

ROOT = Path(__file__).parents[2]
START = "morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w7w/w7w/w7w/bbbbbbbbw b -"
AFTER = "morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w7w/w4b2w/w7w/bbb1bbbbw w -"
OVER = "morelli nestor 9/9/9/9/4W4/9/9/9/9 b -"


def answers_to(*lines: str) -> list[str | None]:
    session = Session()
    return [session.answer(line) for line in lines]


def run_protocol(commands: bytes) -> str:
    """Return the answers of ``python -m engine`` to `commands`; check its exit code and error output."""
    run = subprocess.run(
        [sys.executable, "-m", "engine"],
        input=commands,
        capture_output=True,
        cwd=ROOT,
        check=False,
        timeout=60,
    )
    assert (run.returncode, run.stderr) == (0, b"")
    return run.stdout.decode("utf-8")


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["games"], f"= {' '.join(GAMES)}"),
        (["start morelli size=9"], f"= {START}"),
        (["start morelli size=9 edition=nestor setup=facing"], f"= {START}"),
        ([f"load {START}"], f"= {START}"),
        ([f"load {START}", "position"], f"= {START}"),
        ([f"load {START}", "to_move"], "= black"),
        ([f"load {AFTER}", "to_move"], "= white"),
        ([f"load {OVER}", "to_move"], "= -"),
        ([f"load {START}", "outcome"], "= -"),
        ([f"load {OVER}", "outcome"], "= white"),
        (["load morelli nestor 9/9/9/9/9/9/9/9/9 w -", "outcome"], "= draw"),
        (
            ["load morelli nestor 9/9/9/9/4B4/9/9/9/2b6 b -", "moves"],
            "= C1-B2 C1-C2 C1-C3 C1-C4 C1-C5 C1-C6 C1-C7 C1-C8 C1-D2 C1-E3 C1-F4 C1-G5 C1-H6",
        ),
        ([f"load {OVER}", "moves"], "="),
        ([f"load {START}", "play D1-F3"], f"= {AFTER}"),
        ([f"load {START}", "play  d1 \N{EM DASH} f3 "], f"= {AFTER}"),
        ([f"load {START}", "play D1-F3", "undo"], f"= {START}"),
        ([f"load {START}", "play D1-F3", "undo", "undo"], "? There is no move to take back."),
        ([f"load {START}", "play D1-F3", "play D1-E2"], "? D1 to E2: no stone stands on D1."),
        ([f"load {START}", "play D1-D9"], "? D1 to D9: D9 lies on yellow, no nearer the Centre than D1."),
        ([f"load {START}", "play D1-D9", "position"], f"= {START}"),
        ([f"load {START}", "load nonsense", "position"], f"= {START}"),
        ([f"load {START}", "perft 0"], "= 1"),
        ([f"load {START}", "perft 1"], "= 192"),
        ([f"load {OVER}", "perft 0"], "= 1"),
        ([f"load {OVER}", "perft 1"], "= 0"),
        (["load morelli nestor 9/9/9/9/4B4/9/5b3/9/9 b -", "perft 64"], "= 0"),
        (["fists LL RR"], "= free"),
        (["fists ll ll"], "= adjacent"),
        (["quit"], "="),
        (["\t start   morelli\tsize=9 \r\n"], f"= {START}"),
        ([""], None),
        (["   "], None),
        (["# games"], None),
    ],
    ids=lambda value: " | ".join(value)[:60] if isinstance(value, list) else "",
)
def test_a_command_is_answered(lines: list[str], answer: str | None) -> None:
    assert answers_to(*lines)[-1] == answer


NO_POSITION = "? There is no position yet; start or load one."
NAMES = ", ".join(GAMES)
COMMANDS = ", ".join(Session().commands)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            "hello",
            f"? There is no command hello; there are {COMMANDS}.",
        ),
        ("position", NO_POSITION),
        ("to_move", NO_POSITION),
        ("moves", NO_POSITION),
        ("play A1-B2", NO_POSITION),
        ("undo", NO_POSITION),
        ("outcome", NO_POSITION),
        ("perft 1", NO_POSITION),
        ("start", f"? There is no game without a name; there are {NAMES}."),
        ("start chess", f"? There is no game chess; there are {NAMES}."),
        ("start morelli 9", "? 9 is no setting; write key=value."),
        ("start morelli size=9 size=11", "? size is set twice."),
        ("start morelli size=8", "? size cannot be 8; it is one of 13, 11, 9."),
        (
            "start morelli colour=red",
            "? morelli has no option colour; its options are edition, size, setup, seed.",
        ),
        ("start morelli self=1", "? morelli has no option self; its options are edition, size, setup, seed."),
        ("load", f"? There is no game without a name; there are {NAMES}."),
        ("load nonsense", f"? There is no game nonsense; there are {NAMES}."),
        ("play", "? play wants a move."),
        ("games please", "? games wants nothing after it."),
        ("fists LL", "? fists wants two picks, such as LL RR."),
        ("fists LL XX", "? Closed fists hold LL, RR, LR, not XX."),
        ("x" * 5000, "? A line is at most 4000 characters long."),
    ],
    ids=lambda value: value[:40],
)
def test_a_command_that_fails_says_why(line: str, reason: str) -> None:
    assert answers_to(line) == [reason]


@pytest.mark.parametrize("depth", ["", "-1", "x", "1.5", "65", "9" * 30, "²"])
def test_an_invalid_depth_is_refused(depth: str) -> None:
    answer = answers_to(f"load {START}", f"perft {depth}")[-1]
    assert answer is not None
    assert answer.startswith("? A depth is a whole number from 0 to 64, not ")


def test_the_commands_are_those_of_the_protocol() -> None:
    assert COMMANDS == (
        "games, start, load, position, to_move, moves, play, undo, outcome, perft, fists, quit"
    )


def test_the_program_answers_line_by_line() -> None:
    commands = f"# a game\n\nload {START}\nplay D1-F3\nundo\nquit\ngames\n".encode()
    assert run_protocol(commands) == f"= {START}\n\n= {AFTER}\n\n= {START}\n\n=\n\n"


def test_the_end_of_input_quits() -> None:
    assert run_protocol(b"fists RR RR") == "= facing\n\n"


@pytest.mark.parametrize(
    "commands",
    [
        b"\xff\xfe\x00",
        b"play \xf0\x9f\x98\x80",
        b"\x00",
        b"start morelli size=\xed\xa0\x80",
        b"x" * 3_000_000,
    ],
    ids=["no text", "emoji", "nul", "surrogate", "huge"],
)
def test_any_bytes_get_one_answer(commands: bytes) -> None:
    answers = run_protocol(commands + b"\ngames\n").split("\n\n")
    assert answers[0].startswith("? ")
    assert answers[1:] == [f"= {' '.join(GAMES)}", ""]


def test_a_closed_output_is_not_an_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as run:
        assert run.stdin
        assert run.stdout
        assert run.stderr
        run.stdout.close()
        run.stdin.write(b"games\n" * 100)
        run.stdin.close()
        assert run.stderr.read() == b""
        assert run.wait(60) == 0
