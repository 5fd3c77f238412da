"""Morabaraba written down a second time, by the text's sentences: names and sets, no bits, no tables."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

SQUARES = [
    ["A7", "D7", "G7", "G4", "G1", "D1", "A1", "A4"],
    ["B6", "D6", "F6", "F4", "F2", "D2", "B2", "B4"],
    ["C5", "D5", "E5", "E4", "E3", "D3", "C3", "C4"],
]
"""The three squares, each from a corner once around."""

LINES = [
    *([square[at], square[at + 1], square[(at + 2) % 8]] for square in SQUARES for at in (0, 2, 4, 6)),
    *([square[at] for square in SQUARES] for at in range(8)),
]
POINTS = sorted(point for square in SQUARES for point in square)
NEXT = {
    point: {other for line in LINES for pair in (line[:2], line[1:]) if point in pair for other in pair}
    - {point}
    for point in POINTS
}
OTHER = {"w": "r", "r": "w"}
NAMES = {"w": "white", "r": "red"}


@dataclass(frozen=True)
class Oracle:
    """A position: men by point, the side to move as ``w`` or ``r``, men in hand, barred moves by side."""

    most: int
    men: dict[str, str] = field(default_factory=dict)
    side: str = "w"
    hands: dict[str, int] = field(default_factory=dict)
    barred: dict[str, str] = field(default_factory=dict)
    quiet: int = 0

    @staticmethod
    def start(most: int) -> Oracle:
        return Oracle(most, hands={"w": most, "r": most})

    def of(self, side: str) -> set[str]:
        return {point for point, owner in self.men.items() if owner == side}

    def left(self, side: str) -> int:
        return len(self.of(side)) + self.hands[side]

    def mills(self, point: str, side: str) -> list[list[str]]:
        """Give the lines through `point` on which all three men are `side`'s."""
        return [line for line in LINES if point in line and all(self.men.get(each) == side for each in line)]

    def outcome(self) -> str | None:
        for side in (self.side, OTHER[self.side]):
            if self.left(side) <= 2:
                return NAMES[OTHER[side]]
        if len(self.men) == 24 or self.quiet == 20:
            return "draw"
        return None if self.bare() else NAMES[OTHER[self.side]]

    def bare(self) -> list[str]:
        """Give the placements or steps that can be made, without what they remove."""
        empty = [point for point in POINTS if point not in self.men]
        if self.hands[self.side]:
            return empty
        flies = self.left(self.side) == 3
        steps = [
            f"{start}-{end}" for start in self.of(self.side) for end in empty if flies or end in NEXT[start]
        ]
        return [step for step in steps if step != self.barred.get(self.side)]

    def removable(self) -> list[str]:
        enemies = self.of(OTHER[self.side])
        outside = [point for point in enemies if not self.mills(point, OTHER[self.side])]
        return sorted(outside or enemies)

    def moves(self) -> list[str]:
        if self.outcome():
            return []
        found = []
        for step in self.bare():
            men = self.removable() if self.moved(step).mills(step[-2:], self.side) else []
            found += [f"{step}x{man}" for man in men] + [f"{step}~"] if men else [step]
        return sorted(found)

    def moved(self, step: str) -> Oracle:
        """Give the board after a placement or step, before anything else changes."""
        men = {point: owner for point, owner in self.men.items() if point != step[:-2].strip("-")}
        return replace(self, men=men | {step[-2:]: self.side})

    def play(self, text: str) -> Oracle:
        step, _, removed = text.strip("~").partition("x")
        start, _, end = step.rpartition("-")
        after = self.moved(step)
        hands, barred = (
            dict(self.hands),
            {side: way for side, way in self.barred.items() if side != self.side},
        )
        if not start:
            hands[self.side] -= 1
        elif self.mills(start, self.side) and after.mills(end, self.side):
            barred[self.side] = f"{end}-{start}"
        men = {point: owner for point, owner in after.men.items() if point != removed}
        done = Oracle(self.most, men, OTHER[self.side], hands, barred)
        threes = done.left("w") == done.left("r") == 3
        return replace(done, quiet=self.quiet + 1 if threes and not removed else 0)

    def line(self) -> str:
        ranks = []
        for rank in "7654321":
            row = "".join(self.men.get(point, ".") for point in POINTS if point[1] == rank)
            for run in range(6, 0, -1):
                row = row.replace("." * run, str(run))
            ranks.append(row)
        extra = [f"{side}:{self.barred[side]}" for side in "wr" if side in self.barred]
        extra += [f"quiet={self.quiet}"] if self.quiet else []
        hands = f"{self.hands['w']},{self.hands['r']}"
        return f"morabaraba {self.most} {'/'.join(ranks)} {self.side} {hands} {','.join(extra) or '-'}"
