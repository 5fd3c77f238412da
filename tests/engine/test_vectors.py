"""Agreement with counts and traces made independently of this engine (see vectors/)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

import pytest

from engine import GAMES
from engine.protocol import perft

HERE = Path(__file__).parent / "vectors"


class PerftCount(NamedTuple):
    start: str
    depth: int
    wanted: int


class Trace(NamedTuple):
    game: str
    options: dict[str, str | int]
    start: str
    plies: list[tuple[str, int, str]]
    end: str
    outcome: str


def load_counts() -> list[PerftCount]:
    rows = [row.split("\t") for row in (HERE / "perft.tsv").read_text("utf-8").splitlines()]
    return [PerftCount(start, int(depth), int(wanted)) for start, depth, wanted in rows]


def load_traces() -> list[Trace]:
    return [Trace(**json.loads(row)) for row in (HERE / "traces.jsonl").read_text("utf-8").splitlines()]


def digest(texts: list[str]) -> str:
    return hashlib.sha1(" ".join(texts).encode(), usedforsecurity=False).hexdigest()[:12]


@pytest.mark.parametrize("count", load_counts(), ids=lambda count: f"{count.start} depth={count.depth}")
def test_sequences_are_as_many_as_counted(count: PerftCount) -> None:
    name, *settings = count.start.split()
    position = GAMES[name].initial_position(**dict(setting.split("=") for setting in settings))
    assert perft(position, count.depth) == count.wanted


@pytest.mark.parametrize("trace", load_traces(), ids=lambda trace: trace.start[:60])
def test_games_go_as_recorded(trace: Trace) -> None:
    position = GAMES[trace.game].load(trace.start)
    for text, number, wanted in trace.plies:
        texts = list(map(str, position.legal_moves()))
        assert (len(texts), digest(texts)) == (number, wanted)
        position = position.play(position.parse(text))
    assert str(position) == trace.end
    assert position.outcome == trace.outcome


WITH_OPTIONS = [trace for trace in load_traces() if trace.options]
"""The others begin from a set-up drawn in a way of their own."""


@pytest.mark.parametrize("trace", WITH_OPTIONS, ids=lambda trace: trace.start[:60])
def test_games_start_as_recorded(trace: Trace) -> None:
    assert str(GAMES[trace.game].initial_position(**trace.options)) == trace.start


def test_the_vectors_cover_every_game() -> None:
    assert {trace.game for trace in load_traces()} == set(GAMES)
    assert {count.start.split()[0] for count in load_counts()} == set(GAMES)
