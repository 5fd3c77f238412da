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

from bench.table import Row, printed
from engine import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine import Position, Setting

PEER = Path(__file__).with_name("engine_peer.py")
ALIKE = {
    "python-chess": "",
    "OpenSpiel nine_mens_morris": "morabaraba",
    "OpenSpiel hex(board_size=13)": "morphos",
}
"""For each peer, how the names of the subjects begin that are set against it."""
MEASURES = ("legal list", "move read and played", "turn of a random game")
ROUNDS = 9
PLAYED = 3
MORE: tuple[tuple[str, dict[str, Setting]], ...] = (
    ("morelli", {"edition": "2015"}),
    ("morelli", {"size": 9}),
    ("morphos", {"size": 19}),
)
"""Option sets that are timed beside every game's default."""


@dataclass(slots=True)
class Figures:
    """Microseconds of one subject, a list of rounds for each of MEASURES."""

    name: str
    rounds: tuple[list[float], ...] = field(default_factory=lambda: ([], [], []))

    def add(self, times: list[float]) -> None:
        """Take in one round."""
        for known, new in zip(self.rounds, times, strict=True):
            known.append(new)

    def against(self, other: Figures) -> tuple[float, ...]:
        """Give how many times as fast as `other`, timed beside it, this is: the median over the rounds."""
        return tuple(
            median(theirs / mine for mine, theirs in zip(*pair, strict=True))
            for pair in zip(self.rounds, other.rounds, strict=True)
        )


class Subject:
    """A game with options: games of it played at random beforehand, as position lines and move texts."""

    def __init__(self, game: str, options: dict[str, Setting]) -> None:
        self.game = GAMES[game]
        drawn = {option.name: 1 for option in self.game.options if option.drawn}
        self.name = " ".join([game, *(str(value) for value in options.values())])
        self.start = self.game.start(**drawn, **options)
        self.lines: list[str] = []
        self.records: list[list[str]] = []
        for seed in range(PLAYED):
            record: list[str] = []
            for position, text in self._play(random.Random(seed)):
                self.lines.append(str(position))
                record.append(text)
            self.records.append(record)

    def _play(self, chance: random.Random) -> Iterator[tuple[Position, str]]:
        position = self.start
        while position.outcome is None:
            move = chance.choice(position.legal_moves())
            yield position, str(move)
            position = position.play(move)

    def round(self) -> list[float]:
        """Give the microseconds of one round of each measure."""
        return [self.lists(), self.moves(), self.games()]

    def lists(self) -> float:
        """List the moves of every position, each fresh from its line."""
        positions = [self.game.load(line) for line in reversed(self.lines)]

        def act() -> int:
            while positions:
                positions.pop().legal_moves()
            return len(self.lines)

        return per_item(act)

    def moves(self) -> float:
        """Read and play every recorded move."""

        def act() -> int:
            for record in self.records:
                position = self.start
                for text in record:
                    position = position.play(position.parse(text))
            return sum(map(len, self.records))

        return per_item(act)

    def games(self) -> float:
        """Play as many games at random."""

        def act() -> int:
            turns = 0
            for seed in range(PLAYED):
                chance, position = random.Random(seed), self.start
                while position.outcome is None:
                    position = position.play(chance.choice(position.legal_moves()))
                    turns += 1
            return turns

        return per_item(act)


def per_item(act: Callable[[], int]) -> float:
    """Give the microseconds that each of the items took of which `act` says the number."""
    start = time.perf_counter()
    count = act()
    return (time.perf_counter() - start) / count * 1e6


class Peers:
    """The peers in their own interpreter, playing a round when asked."""

    def __init__(self, python: str) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - the interpreter that whoever runs this has named
            [python, str(PEER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def round(self) -> dict[str, list[float]]:
        """Give the microseconds of one round, by peer; none where the interpreter cannot."""
        if self.process.stdin is None or self.process.stdout is None:
            return {}
        try:
            self.process.stdin.write("round\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return {}
        line = self.process.stdout.readline()
        told: dict[str, list[float]] = json.loads(line) if line else {}
        return told

    def close(self) -> None:
        """Let the interpreter end."""
        self.process.communicate()


Beside = dict[str, Figures]
"""The figures of each peer, by its name."""


def measure(python: str | None, rounds: int = ROUNDS) -> list[tuple[Figures, Beside]]:
    """Give the figures of every game, and beside them those of the peers if `python` has them."""
    subjects = [Subject(name, options) for name, options in (*((name, {}) for name in GAMES), *MORE)]
    peers = Peers(python) if python else None
    found: list[tuple[Figures, Beside]] = [(Figures(subject.name), {}) for subject in subjects]
    for number in range(rounds + 1):
        for subject, (ours, beside) in zip(subjects, found, strict=True):
            told, rivals = subject.round(), peers.round() if peers else {}
            if number:  # the first round warms the caches
                ours.add(told)
                for name, times in rivals.items():
                    beside.setdefault(name, Figures(name)).add(times)
    if peers:
        peers.close()
    return found


def goals(subject: str) -> tuple[str, ...]:
    """Give the goal of each measure for a subject, set by python-chess in the same run."""
    lists = "at least 2 times" if "2015" in subject else "at least as fast"
    return lists if subject.startswith("morelli") else "", "at most 25 µs", "at least 2 times"


def rows(python: str | None) -> Iterator[Row]:
    """Give every game, beside it the peers that play something like it, and then the peers."""
    found = measure(python)
    for ours, beside in found:
        alike = [rival for name, rival in beside.items() if ours.name.startswith(ALIKE[name])]
        ratios = [dict(zip(MEASURES, ours.against(rival), strict=True)) for rival in alike]
        for name, times, goal in zip(MEASURES, ours.rounds, goals(ours.name), strict=True):
            told = (
                f"{ratio[name]:.2f} times {rival.name}" for rival, ratio in zip(alike, ratios, strict=True)
            )
            yield Row.of(f"{ours.name}: {name}", times, "µs", goal=goal, beside=", ".join(told))
    for rival in found[0][1].values():
        for name, times in zip(MEASURES, rival.rounds, strict=True):
            yield Row.of(f"{rival.name}: {name}", times, "µs")


def main() -> None:
    """Print the table."""
    python = os.environ.get("RAYUELA_PEERS") or next(iter(sys.argv[1:]), None)
    print(printed("Games", rows(python)))


if __name__ == "__main__":
    main()
