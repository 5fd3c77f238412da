"""How fast the games are: ``python -m bench.engine_speed``.

Measures for every game the time for a list of legal moves, for a move parsed, validated and played, and for a
turn of a random game (is it over? list the moves, play one). If RAYUELA_PEERS is a Python with `chess`, and
perhaps `pyspiel`, the peers do the same after every round, so that the load of the machine affects both.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from bench.table import Row, format_table
from engine import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine import OptionValue, Position

PEER = Path(__file__).with_name("engine_peer.py")
COMPARED_GAME = {
    "python-chess": "",
    "OpenSpiel nine_mens_morris": "morabaraba",
    "OpenSpiel hex(board_size=13)": "morphos",
}
"""For each peer, the beginning of the names of the subjects that are compared with it."""
MEASURES = ("list of legal moves", "move parsed and played", "turn of a random game")
ROUNDS = 9
GAMES_PER_SUBJECT = 3
EXTRA_OPTIONS: tuple[tuple[str, dict[str, OptionValue]], ...] = (
    ("morelli", {"edition": "2015"}),
    ("morelli", {"size": 9}),
    ("morphos", {"size": 19}),
)
"""Option sets that are timed besides every game's default."""


@dataclass(slots=True)
class EngineTimings:
    """Microseconds of one subject: for each of MEASURES a list with one value for each round."""

    name: str
    rounds: tuple[list[float], ...] = field(default_factory=lambda: ([], [], []))

    def add(self, times: list[float]) -> None:
        """Add the times of one round."""
        for values, new in zip(self.rounds, times, strict=True):
            values.append(new)

    def speedups_over(self, other: EngineTimings) -> tuple[float, ...]:
        """Return how many times as fast as `other` this is, for each measure: the median over the rounds."""
        return tuple(
            median(theirs / mine for mine, theirs in zip(*pair, strict=True))
            for pair in zip(self.rounds, other.rounds, strict=True)
        )


class Subject:
    """A game with options, and random games of it, recorded as position lines and move texts."""

    def __init__(self, game: str, options: dict[str, OptionValue]) -> None:
        self.game = GAMES[game]
        random_options = {option.name: 1 for option in self.game.options if option.is_random}
        self.name = " ".join([game, *(str(value) for value in options.values())])
        self.start = self.game.initial_position(**random_options, **options)
        self.lines: list[str] = []
        self.records: list[list[str]] = []
        for seed in range(GAMES_PER_SUBJECT):
            record: list[str] = []
            for position, text in self._play(random.Random(seed)):
                self.lines.append(str(position))
                record.append(text)
            self.records.append(record)

    def _play(self, rng: random.Random) -> Iterator[tuple[Position, str]]:
        position = self.start
        while position.outcome is None:
            move = rng.choice(position.legal_moves())
            yield position, str(move)
            position = position.play(move)

    def time_round(self) -> list[float]:
        """Return the microseconds for each measure in one round."""
        return [self.time_move_lists(), self.time_replays(), self.time_random_games()]

    def time_move_lists(self) -> float:
        """Time the legal moves of every position, loaded from its line so that nothing is cached."""
        positions = [self.game.load(line) for line in reversed(self.lines)]

        def action() -> int:
            while positions:
                positions.pop().legal_moves()
            return len(self.lines)

        return time_per_item(action)

    def time_replays(self) -> float:
        """Time parsing and playing every recorded move."""

        def action() -> int:
            for record in self.records:
                position = self.start
                for text in record:
                    position = position.play(position.parse(text))
            return sum(map(len, self.records))

        return time_per_item(action)

    def time_random_games(self) -> float:
        """Time as many random games."""

        def action() -> int:
            turns = 0
            for seed in range(GAMES_PER_SUBJECT):
                rng, position = random.Random(seed), self.start
                while position.outcome is None:
                    position = position.play(rng.choice(position.legal_moves()))
                    turns += 1
            return turns

        return time_per_item(action)


def time_per_item(action: Callable[[], int]) -> float:
    """Return the microseconds for each item; `action` returns the number of items."""
    start = time.perf_counter()
    count = action()
    return (time.perf_counter() - start) / count * 1e6


class PeerProcess:
    """The peers in their own interpreter."""

    def __init__(self, python: str) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - an interpreter that the caller has named
            [python, str(PEER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def time_round(self) -> dict[str, list[float]]:
        """Return the microseconds of one round by peer; empty where the interpreter has failed."""
        if self.process.stdin is None or self.process.stdout is None:
            return {}
        try:
            self.process.stdin.write("round\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return {}
        line = self.process.stdout.readline()
        timings: dict[str, list[float]] = json.loads(line) if line else {}
        return timings

    def close(self) -> None:
        """End the interpreter."""
        self.process.communicate()


PeerTimings = dict[str, EngineTimings]
"""The timings of each peer, by its name."""


def measure(python: str | None, rounds: int = ROUNDS) -> list[tuple[EngineTimings, PeerTimings]]:
    """Return the timings of every subject, with those of the peers that `python` has."""
    subjects = [Subject(name, options) for name, options in (*((name, {}) for name in GAMES), *EXTRA_OPTIONS)]
    peers = PeerProcess(python) if python else None
    results: list[tuple[EngineTimings, PeerTimings]] = [
        (EngineTimings(subject.name), {}) for subject in subjects
    ]
    for round_number in range(rounds + 1):
        for subject, (our_timings, peer_timings) in zip(subjects, results, strict=True):
            our_times, peer_times = subject.time_round(), peers.time_round() if peers else {}
            if round_number:  # the first round warms the caches
                our_timings.add(our_times)
                for name, times in peer_times.items():
                    peer_timings.setdefault(name, EngineTimings(name)).add(times)
    if peers:
        peers.close()
    return results


def goals(subject: str) -> tuple[str, ...]:
    """Return the goal of each measure for a subject; speeds are relative to python-chess in the same run."""
    list_goal = "at least 2 times" if "2015" in subject else "at least as fast"
    return list_goal if subject.startswith("morelli") else "", "at most 25 µs", "at least 2 times"


def rows(python: str | None) -> Iterator[Row]:
    """Return the rows of every subject, compared with similar peers, and then those of the peers."""
    results = measure(python)
    for our_timings, peer_timings in results:
        comparable = [
            rival for name, rival in peer_timings.items() if our_timings.name.startswith(COMPARED_GAME[name])
        ]
        ratios = [dict(zip(MEASURES, our_timings.speedups_over(rival), strict=True)) for rival in comparable]
        for name, times, goal in zip(MEASURES, our_timings.rounds, goals(our_timings.name), strict=True):
            comparisons = (
                f"{ratio[name]:.2f} times {rival.name}"
                for rival, ratio in zip(comparable, ratios, strict=True)
            )
            yield Row.from_values(
                f"{our_timings.name}: {name}", times, "µs", goal=goal, comparison=", ".join(comparisons)
            )
    for peer in results[0][1].values():
        for name, times in zip(MEASURES, peer.rounds, strict=True):
            yield Row.from_values(f"{peer.name}: {name}", times, "µs")


def main() -> None:
    """Print the table."""
    python = os.environ.get("RAYUELA_PEERS") or next(iter(sys.argv[1:]), None)
    print(format_table("Games", rows(python)))


if __name__ == "__main__":
    main()
