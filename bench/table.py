"""The table of a benchmark: median, quartiles, goal, and a comparison; and the timer of what is measured."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median, quantiles
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

HEADINGS = ("what", "median", "quartiles", "goal", "comparison")


@dataclass(frozen=True, slots=True)
class Row:
    """One line: the median `middle` with its quartiles.

    `goal` is the limit that it should meet, and `comparison` what is measured beside it, both as text.
    """

    label: str
    middle: float
    unit: str
    quartiles: tuple[float, float] | None = None
    goal: str = ""
    comparison: str = ""

    @classmethod
    def from_values(
        cls, label: str, values: Sequence[float], unit: str, *, goal: str = "", comparison: str = ""
    ) -> Self:
        """Return a row with the median and the quartiles of `values`. Raises ValueError if there are none."""
        if not values:
            raise ValueError(f"nothing was measured: {label}")
        if len(values) == 1:
            return cls(label, values[0], unit, goal=goal, comparison=comparison)
        low, _, high = quantiles(values, method="inclusive")
        return cls(label, median(values), unit, (low, high), goal, comparison)

    def cells(self) -> tuple[str, ...]:
        """Return the row's columns."""
        spread = " to ".join(map(format_number, self.quartiles or ()))
        return self.label, f"{format_number(self.middle)} {self.unit}", spread, self.goal, self.comparison


def format_number(value: float) -> str:
    """Return a number with three significant digits, or the whole number if it has more."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def format_table(title: str, rows: Iterable[Row]) -> str:
    """Return the title, the headings and the rows as lines with aligned columns."""
    table = [HEADINGS, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in table]
    return "\n".join([title, *(f"  {line.rstrip()}" for line in lines)])


@contextmanager
def timed(milliseconds: list[float], clock: Callable[[], float] = time.perf_counter) -> Iterator[None]:
    """Add to a list how many milliseconds the block takes by a clock that counts seconds."""
    start = clock()
    yield
    milliseconds.append(1000 * (clock() - start))
