"""One table for all figures: what was measured, its median and spread, the goal, and the peer beside it."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median, quantiles
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HEADINGS = ("what", "median", "quartiles", "goal", "beside it")


@dataclass(frozen=True, slots=True)
class Row:
    """One figure. `goal` is the most or least that it should be, in words; `beside` tells of the peer."""

    what: str
    middle: float
    unit: str
    low: float | None = None
    high: float | None = None
    goal: str = ""
    beside: str = ""

    @classmethod
    def of(cls, what: str, values: Sequence[float], unit: str, *, goal: str = "", beside: str = "") -> Self:
        """Give the median and the quartiles of `values`."""
        if len(values) == 1:
            return cls(what, values[0], unit, goal=goal, beside=beside)
        low, _, high = quantiles(values)
        return cls(what, median(values), unit, low, high, goal, beside)

    def cells(self) -> tuple[str, ...]:
        """Give the row's columns."""
        spread = "" if self.low is None or self.high is None else f"{short(self.low)} to {short(self.high)}"
        return self.what, f"{short(self.middle)} {self.unit}", spread, self.goal, self.beside


def short(value: float) -> str:
    """Give three digits, or the whole number where it has more."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def printed(title: str, rows: Iterable[Row]) -> str:
    """Give the rows as lines under their headings, columns aligned."""
    table = [HEADINGS, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in table]
    return "\n".join([title, *(f"  {line.rstrip()}" for line in lines)])
