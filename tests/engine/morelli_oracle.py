"""A second implementation of Morelli, close to the text of the rules: slow, without the engine's tables."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

Coordinates = tuple[int, int]
"""File and rank, both from 0 at the lower left."""

STEPS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]


class MorelliOracle(NamedTuple):
    """A position: stones by place (`b`, `w`), the tower on the Centre (`""` for none), the side to move."""

    size: int
    stones: dict[Coordinates, str]
    tower: str
    turn: str
    optional: bool

    def moves(self) -> dict[str, MorelliOracle]:
        """Return every legal move as text, with the position after it."""
        found: dict[str, MorelliOracle] = {}
        for start, owner in self.stones.items():
            if owner == self.turn:
                for end in self.landings(start):
                    found.update(self.moves_between(start, end))
        return found

    def landings(self, start: Coordinates) -> Iterator[Coordinates]:
        for east, north in STEPS:
            file, rank = start[0] + east, start[1] + north
            while 0 <= file < self.size and 0 <= rank < self.size and self.is_empty((file, rank)):
                if (file, rank) != self.centre and self.band((file, rank)) > self.band(start):
                    yield file, rank
                file, rank = file + east, rank + north

    def moves_between(self, start: Coordinates, end: Coordinates) -> Iterator[tuple[str, MorelliOracle]]:
        slid = {place: owner for place, owner in self.stones.items() if place != start}
        slid[end] = self.turn
        possible = [
            (end[0] + east, end[1] + north)
            for east, north in STEPS
            if slid.get((end[0] + east, end[1] + north), self.turn) != self.turn
            and slid.get((end[0] + 2 * east, end[1] + 2 * north)) == self.turn
        ]
        for taken in (
            set(some) for count in range(len(possible) + 1) for some in combinations(possible, count)
        ):
            spared = sorted(set(possible) - taken)
            if spared and not self.optional:
                continue
            stones = slid | dict.fromkeys(taken, self.turn)
            earned = self.tower != self.turn and any(
                self.completes_frame(stones, place) for place in {end, *taken}
            )
            yield self.move_text(start, end, spared), self.with_stones(stones, occupies=earned)
            if earned and self.optional:
                yield (
                    self.move_text(start, end, sorted([*spared, self.centre])),
                    self.with_stones(stones, occupies=False),
                )

    def completes_frame(self, stones: dict[Coordinates, str], place: Coordinates) -> bool:
        file, rank = place
        last = self.size - 1
        images = [(file, rank), (rank, last - file), (last - file, last - rank), (last - rank, file)]
        return all(stones.get(image) == self.turn for image in images)

    def with_stones(self, stones: dict[Coordinates, str], *, occupies: bool) -> MorelliOracle:
        tower = self.turn if occupies else self.tower
        return self._replace(stones=stones, tower=tower, turn="w" if self.turn == "b" else "b")

    def move_text(self, start: Coordinates, end: Coordinates, declined: list[Coordinates]) -> str:
        text = f"{cell_name(start)}-{cell_name(end)}"
        return f"{text}~{','.join(map(cell_name, declined))}" if declined else text

    def is_empty(self, place: Coordinates) -> bool:
        return place not in self.stones and not (place == self.centre and self.tower)

    def band(self, place: Coordinates) -> int:
        return min(*place, self.size - 1 - place[0], self.size - 1 - place[1])

    @property
    def centre(self) -> Coordinates:
        return self.size // 2, self.size // 2

    def rotate(self) -> MorelliOracle:
        """Return the position after a quarter turn of the board, clockwise."""
        last = self.size - 1
        return self._replace(
            stones={(rank, last - file): owner for (file, rank), owner in self.stones.items()}
        )

    def mirror(self) -> MorelliOracle:
        """Return the position with left and right exchanged."""
        last = self.size - 1
        return self._replace(
            stones={(last - file, rank): owner for (file, rank), owner in self.stones.items()}
        )

    def line(self, edition: str) -> str:
        """Return the position line."""
        signs = {**self.stones, **({self.centre: self.tower.upper()} if self.tower else {})}
        rows = []
        for rank in reversed(range(self.size)):
            row, run = "", 0
            for file in range(self.size):
                if (file, rank) in signs:
                    row, run = row + (str(run) if run else "") + signs[file, rank], 0
                else:
                    run += 1
            rows.append(row + (str(run) if run else ""))
        return f"morelli {edition} {'/'.join(rows)} {self.turn} -"


def cell_name(place: Coordinates) -> str:
    return f"{'ABCDEFGHIJKLM'[place[0]]}{place[1] + 1}"
