"""A second implementation of Morphos, close to the text of the rules: slow, without bits and caches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import NamedTuple

Coordinates = tuple[int, int]
"""File and rank from 0."""

SHORT = [(0, 1), (-1, 1), (-1, 0), (0, -1)]
LONG = [(-1, 2), (-1, 1), (-1, 0), (0, -1), (1, -1)]
OPPONENT = {"b": "w", "w": "b"}


class Orientation(NamedTuple):
    """One of the eight orientations: mirrored or not along each axis, axes swapped or not."""

    east: int
    north: int
    swapped: bool

    def apply(self, step: Coordinates) -> Coordinates:
        file, rank = self.east * step[0], self.north * step[1]
        return (rank, file) if self.swapped else (file, rank)


ORIENTATIONS = [Orientation(*each) for each in product((1, -1), (1, -1), (False, True))]


def patterns(mutators: str) -> list[list[Coordinates]]:
    """Return both patterns around a stone in every orientation; mutator a removes the corner stone."""
    short, long = SHORT, LONG
    if "a" in mutators:
        short, long = [each for each in SHORT if each != (-1, 1)], [each for each in LONG if each != (-1, 2)]
    return [
        [orientation.apply(step) for step in pattern]
        for pattern in (short, long)
        for orientation in ORIENTATIONS
    ]


PATTERNS = {"": patterns(""), "a": patterns("a")}


def cell_name(place: Coordinates) -> str:
    return f"{'ABCDEFGHIJKLMNOPQRS'[place[0]]}{place[1] + 1}"


def parse_cell(text: str) -> Coordinates:
    return ord(text[0]) - ord("A"), int(text[1:]) - 1


@dataclass(frozen=True)
class MorphosOracle:
    """A position: stones by coordinates, the side to move (``b`` or ``w``), effects of the last turn."""

    size: int
    mutators: str
    stones: dict[Coordinates, str]
    side: str = "b"
    turns: int = 0
    swapped: bool = False
    flipped: Coordinates | None = None
    owed: bool = False
    passed: bool = False
    rules: int = 2

    @staticmethod
    def start(size: int, mutators: str, rules: int = 2) -> MorphosOracle:
        stones = {}
        if "e" in mutators:
            stones = {(file, rank): "bw"[(file + rank) % 2] for file, rank in product(range(size), repeat=2)}
        return MorphosOracle(size, mutators, stones, rules=rules)

    @property
    def empty(self) -> list[Coordinates]:
        return [place for place in product(range(self.size), range(self.size)) if place not in self.stones]

    def owner(self, place: Coordinates) -> str:
        """Return the owner of the stone or edge at `place`, or "" if there is none."""
        outside = [not 0 <= along < self.size for along in place]
        if all(outside):
            return ""
        if any(outside):
            return "w" if outside[0] else "b"
        return self.stones.get(place, "")

    def vulnerable(self, place: Coordinates, side: str, counted: Coordinates | None) -> bool:
        """Return whether the stone on `place` is vulnerable to `side`, which also owns `counted`."""
        for pattern in PATTERNS["a" if "a" in self.mutators else ""]:
            around = [(place[0] + file, place[1] + rank) for file, rank in pattern]
            if all(each == counted or self.owner(each) == side for each in around):
                return True
        return False

    def joins_edges(self, side: str) -> bool:
        """Return whether a chain joins the edges of `side`: bottom and top, or left and right for White."""
        axis = 1 if side == "b" else 0
        reached = {place for place, owner in self.stones.items() if owner == side and place[axis] == 0}
        front = list(reached)
        for file, rank in front:
            for place in ((file + 1, rank), (file - 1, rank), (file, rank + 1), (file, rank - 1)):
                if self.stones.get(place) == side and place not in reached:
                    reached.add(place)
                    front.append(place)
        return any(place[axis] == self.size - 1 for place in reached)

    def outcome(self) -> str | None:
        decided = self.side if "b" in self.mutators else OPPONENT[self.side]
        if self.joins_edges(decided):
            return {"b": "black", "w": "white"}[decided]
        waiting = "b" in self.mutators and self.joins_edges(OPPONENT[self.side])
        return "draw" if self.passed and not waiting and not self.regular_moves() else None

    def flips(self) -> list[str]:
        enemy = OPPONENT[self.side]
        found = []
        for place, owner in self.stones.items():
            if owner == enemy and self.vulnerable(place, self.side, self.flipped):
                after = replace(self, stones=self.stones | {place: self.side})
                if "b" not in self.mutators or not after.may_be_flipped_back(place):
                    found.append(f"x{cell_name(place)}")
        return found

    def may_be_flipped_back(self, place: Coordinates) -> bool:
        """Return whether the enemy, in its next turn, could flip the stone just flipped on `place`.

        Under b and d from rules version 2 on, that turn begins with an enemy stone on any empty place.
        """
        enemy = OPPONENT[self.side]
        if self.vulnerable(place, enemy, None):
            return True
        if "d" not in self.mutators or self.rules < 2:
            return False
        return any(
            replace(self, stones=self.stones | {restored: enemy}).vulnerable(place, enemy, None)
            for restored in self.empty
        )

    def regular_moves(self) -> list[str]:
        found = [cell_name(place) for place in self.empty]
        if "c" in self.mutators:
            found += [
                f"{cell_name(first)},{cell_name(second)}" for first, second in combinations(self.empty, 2)
            ]
        if self.turns == 1 and self.side == "w" and not self.swapped and not self.owed:
            found.append("swap")
        return found + self.flips()

    def moves(self) -> list[str]:
        if self.outcome():
            return []
        if not self.owed:
            return sorted(self.regular_moves()) or ["pass"]
        found = []
        for place in self.empty:
            restored = replace(self, stones=self.stones | {place: self.side})
            found += [f"{cell_name(place)}+{text}" for text in restored.regular_moves() or ["pass"]]
        return sorted(found)

    def play(self, text: str) -> MorphosOracle:
        if text == "swap":
            return replace(self, turns=self.turns + 1, swapped=True)
        restored, _, regular = text.rpartition("+")
        stones = dict(self.stones) | ({parse_cell(restored): self.side} if restored else {})
        flipped = parse_cell(regular[1:]) if regular.startswith("x") else None
        if flipped:
            stones[flipped] = self.side
        elif regular != "pass":
            stones |= dict.fromkeys(map(parse_cell, regular.split(",")), self.side)
        return MorphosOracle(
            self.size,
            self.mutators,
            stones,
            OPPONENT[self.side],
            self.turns + 1,
            self.swapped,
            flipped if "b" in self.mutators else None,
            bool(flipped) and "d" in self.mutators and len(stones) < self.size**2,
            regular == "pass",
            self.rules,
        )

    def line(self) -> str:
        ranks = []
        for rank in reversed(range(self.size)):
            row = "".join(self.stones.get((file, rank), ".") for file in range(self.size))
            for run in range(self.size, 0, -1):
                row = row.replace("." * run, str(run))
            ranks.append(row)
        extra = [
            *(["swapped"] if self.swapped else []),
            *([f"x{cell_name(self.flipped)}"] if self.flipped else []),
            *(["owed"] if self.owed else []),
            *(["passed"] if self.passed else []),
        ]
        mutators = self.mutators or "-"
        return f"morphos {mutators} {'/'.join(ranks)} {self.side} {self.turns} {','.join(extra) or '-'}"
