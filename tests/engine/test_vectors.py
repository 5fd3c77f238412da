"""Move counts and games that another implementation computed (see vectors/)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

import pytest

from engine import GAMES, get_game
from engine.protocol import perft

HERE = Path(__file__).parent / "vectors"


class PerftCount(NamedTuple):
    start: str
    depth: int
    expected: int


class Trace(NamedTuple):
    game: str
    rules: int
    options: dict[str, str | int]
    start: str
    plies: list[tuple[str, int, str]]
    end: str
    outcome: str


def load_counts() -> list[PerftCount]:
    rows = [row.split("\t") for row in (HERE / "perft.tsv").read_text("utf-8").splitlines()]
    return [PerftCount(start, int(depth), int(expected)) for start, depth, expected in rows]


def load_traces() -> list[Trace]:
    """Return the games of every file; each names the version of its rules."""
    rows = [
        row for path in sorted(HERE.glob("traces*.jsonl")) for row in path.read_text("utf-8").splitlines()
    ]
    return [Trace(**json.loads(row)) for row in rows]


def trace_id(trace: Trace) -> str:
    return f"{trace.start[:60]} rules={trace.rules}"


def digest(texts: list[str]) -> str:
    return hashlib.sha1(" ".join(texts).encode(), usedforsecurity=False).hexdigest()[:12]


@pytest.mark.parametrize("count", load_counts(), ids=lambda count: f"{count.start} depth={count.depth}")
def test_perft_counts(count: PerftCount) -> None:
    name, *settings = count.start.split()
    position = GAMES[name].initial_position(**dict(setting.split("=") for setting in settings))
    assert perft(position, count.depth) == count.expected


@pytest.mark.parametrize("trace", load_traces(), ids=trace_id)
def test_games_agree_with_the_traces(trace: Trace) -> None:
    position = get_game(trace.game, trace.rules).load(trace.start)
    for text, number, expected in trace.plies:
        texts = list(map(str, position.legal_moves()))
        assert (len(texts), digest(texts)) == (number, expected)
        position = position.play(position.parse(text))
    assert str(position) == trace.end
    assert position.outcome == trace.outcome


WITH_OPTIONS = [trace for trace in load_traces() if trace.options]
"""The other traces begin from a random set-up that another random generator made."""


@pytest.mark.parametrize("trace", WITH_OPTIONS, ids=trace_id)
def test_starts_agree_with_the_traces(trace: Trace) -> None:
    assert str(get_game(trace.game, trace.rules).initial_position(**trace.options)) == trace.start


def test_every_game_has_move_counts_and_traces_are_of_its_current_rules() -> None:
    assert {count.start.split()[0] for count in load_counts()} == set(GAMES)
    versions = {(trace.game, trace.rules) for trace in load_traces()}
    assert {(name, GAMES[name].rules_version) for name, _ in versions} <= versions
