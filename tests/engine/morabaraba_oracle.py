"""A second implementation of Morabaraba, close to the text of the rules: names and sets, no bits."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

SQUARES = [
    ["A7", "D7", "G7", "G4", "G1", "D1", "A1", "A4"],
    ["B6", "D6", "F6", "F4", "F2", "D2", "B2", "B4"],
    ["C5", "D5", "E5", "E4", "E3", "D3", "C3", "C4"],
]
"""The points of each of the three squares, in order around it from a corner."""

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
OPPONENT = {"w": "r", "r": "w"}
NAMES = {"w": "white", "r": "red"}


@dataclass(frozen=True)
class MorabarabaOracle:
    """A position: men by point, the side to move (``w`` or ``r``), men in hand, forbidden steps by side."""

    men_per_side: int
    men: dict[str, str] = field(default_factory=dict)
    side: str = "w"
    hands: dict[str, int] = field(default_factory=dict)
    forbidden_steps: dict[str, str] = field(default_factory=dict)
    no_capture_count: int = 0
    rules: int = 2

    @staticmethod
    def start(men: int, rules: int = 2) -> MorabarabaOracle:
        return MorabarabaOracle(men, hands={"w": men, "r": men}, rules=rules)

    def points_of(self, side: str) -> set[str]:
        return {point for point, owner in self.men.items() if owner == side}

    def men_left(self, side: str) -> int:
        return len(self.points_of(side)) + self.hands[side]

    @property
    def three_each(self) -> bool:
        return self.men_left("w") == self.men_left("r") == 3

    @property
    def most_quiet_turns(self) -> int:
        """The count that is a draw; 0 if no turns are counted."""
        if self.three_each:
            return 20
        return 100 if self.rules == 2 else 0

    def mills(self, point: str, side: str) -> list[list[str]]:
        """Return the lines through `point` on which `side` has three men."""
        return [line for line in LINES if point in line and all(self.men.get(each) == side for each in line)]

    def outcome(self) -> str | None:
        for side in (self.side, OPPONENT[self.side]):
            if self.men_left(side) <= 2:
                return NAMES[OPPONENT[side]]
        if len(self.men) == 24 or (self.no_capture_count and self.no_capture_count == self.most_quiet_turns):
            return "draw"
        return None if self.steps_or_placements() else NAMES[OPPONENT[self.side]]

    def steps_or_placements(self) -> list[str]:
        """Return the legal placements or steps, without removals."""
        empty = [point for point in POINTS if point not in self.men]
        if self.hands[self.side]:
            return empty
        flies = self.men_left(self.side) == 3
        steps = [
            f"{start}-{end}"
            for start in self.points_of(self.side)
            for end in empty
            if flies or end in NEXT[start]
        ]
        return [step for step in steps if step != self.forbidden_steps.get(self.side)]

    def removable(self) -> list[str]:
        enemies = self.points_of(OPPONENT[self.side])
        outside = [point for point in enemies if not self.mills(point, OPPONENT[self.side])]
        return sorted(outside or enemies)

    def moves(self) -> list[str]:
        if self.outcome():
            return []
        found = []
        for step in self.steps_or_placements():
            men = self.removable() if self.with_step(step).mills(step[-2:], self.side) else []
            found += [f"{step}x{man}" for man in men] + [f"{step}~"] if men else [step]
        return sorted(found)

    def with_step(self, step: str) -> MorabarabaOracle:
        """Return the board after a placement or step, before anything else changes."""
        men = {point: owner for point, owner in self.men.items() if point != step[:-2].strip("-")}
        return replace(self, men=men | {step[-2:]: self.side})

    def play(self, text: str) -> MorabarabaOracle:
        step, _, removed = text.strip("~").partition("x")
        start, _, end = step.rpartition("-")
        after = self.with_step(step)
        hands = dict(self.hands)
        forbidden = {side: step for side, step in self.forbidden_steps.items() if side != self.side}
        if not start:
            hands[self.side] -= 1
        elif self.mills(start, self.side) and after.mills(end, self.side):
            forbidden[self.side] = f"{end}-{start}"
        men = {point: owner for point, owner in after.men.items() if point != removed}
        position = MorabarabaOracle(
            self.men_per_side, men, OPPONENT[self.side], hands, forbidden, rules=self.rules
        )
        is_quiet = not removed and (start != "" if self.rules == 2 else position.three_each)
        return replace(position, no_capture_count=self.no_capture_count + 1 if is_quiet else 0)

    def line(self) -> str:
        ranks = []
        for rank in "7654321":
            row = "".join(self.men.get(point, ".") for point in POINTS if point[1] == rank)
            for run in range(6, 0, -1):
                row = row.replace("." * run, str(run))
            ranks.append(row)
        extra = [f"{side}:{self.forbidden_steps[side]}" for side in "wr" if side in self.forbidden_steps]
        extra += [f"quiet={self.no_capture_count}"] if self.no_capture_count else []
        hands = f"{self.hands['w']},{self.hands['r']}"
        return (
            f"morabaraba {self.men_per_side} {'/'.join(ranks)} {self.side} {hands} {','.join(extra) or '-'}"
        )
