"""How fast the games are: ``python -m bench.engine_speed``.

For every game: the time of a legal list, of a move read from text, validated and played, and of a turn of a
random game (is it over? which moves are there? play one). With RAYUELA_PEERS naming a Python that has
`chess`, and perhaps `pyspiel`, these do the same after every round of ours, so that both meet the same
weather.
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
"""For each peer, how the names of the subjects begin that are set against it."""
MEASURES = ("legal list", "move read and played", "turn of a random game")
ROUNDS = 9
GAMES_PER_SUBJECT = 3
EXTRA_OPTIONS: tuple[tuple[str, dict[str, OptionValue]], ...] = (
    ("morelli", {"edition": "2015"}),
    ("morelli", {"size": 9}),
    ("morphos", {"size": 19}),
)
"""Option sets that are timed beside every game's default."""


@dataclass(slots=True)
class EngineTimings:
    """Microseconds of one subject, a list of rounds for each of MEASURES."""

    name: str
    rounds: tuple[list[float], ...] = field(default_factory=lambda: ([], [], []))

    def add(self, times: list[float]) -> None:
        """Take in one round."""
        for values, new in zip(self.rounds, times, strict=True):
            values.append(new)

    def speedups_over(self, other: EngineTimings) -> tuple[float, ...]:
        """Return how many times as fast as `other`, timed beside it, this is: the median over the rounds."""
        return tuple(
            median(theirs / mine for mine, theirs in zip(*pair, strict=True))
            for pair in zip(self.rounds, other.rounds, strict=True)
        )


class Subject:
    """A game with options: games of it played at random beforehand, as position lines and move texts."""

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
        """Return the microseconds of one round of each measure."""
        return [self.time_move_lists(), self.time_replays(), self.time_random_games()]

    def time_move_lists(self) -> float:
        """List the moves of every position, each fresh from its line."""
        positions = [self.game.load(line) for line in reversed(self.lines)]

        def action() -> int:
            while positions:
                positions.pop().legal_moves()
            return len(self.lines)

        return time_per_item(action)

    def time_replays(self) -> float:
        """Read and play every recorded move."""

        def action() -> int:
            for record in self.records:
                position = self.start
                for text in record:
                    position = position.play(position.parse(text))
            return sum(map(len, self.records))

        return time_per_item(action)

    def time_random_games(self) -> float:
        """Play as many games at random."""

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
    """Return the microseconds that each of the items took of which `action` says the number."""
    start = time.perf_counter()
    count = action()
    return (time.perf_counter() - start) / count * 1e6


class PeerProcess:
    """The peers in their own interpreter, playing a round when asked."""

    def __init__(self, python: str) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - the interpreter that whoever runs this has named
            [python, str(PEER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def time_round(self) -> dict[str, list[float]]:
        """Return the microseconds of one round, by peer; none where the interpreter cannot."""
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
        """Let the interpreter end."""
        self.process.communicate()


PeerTimings = dict[str, EngineTimings]
"""The figures of each peer, by its name."""


def measure(python: str | None, rounds: int = ROUNDS) -> list[tuple[EngineTimings, PeerTimings]]:
    """Return the figures of every game, and beside them those of the peers if `python` has them."""
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
    """Return the goal of each measure for a subject, set by python-chess in the same run."""
    list_goal = "at least 2 times" if "2015" in subject else "at least as fast"
    return list_goal if subject.startswith("morelli") else "", "at most 25 µs", "at least 2 times"


def rows(python: str | None) -> Iterator[Row]:
    """Return every game, beside it the peers that play something like it, and then the peers."""
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
