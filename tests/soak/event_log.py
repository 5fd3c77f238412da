"""A log of what has happened; its end is printed when something is wrong."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from matches import MatchId

MAX_LINES = 5000
LAST_LINES = 40
MATCH_LINES = 80


class SimulationFailure(AssertionError):  # noqa: N818 - it reports a failure of the simulation, not an error in it
    """Something is wrong. The text names the seed and the events that led to it."""


@dataclass(slots=True)
class EventLog:
    """The latest events, each with its time and its match."""

    seed: int
    lines: deque[tuple[datetime, MatchId | None, str]] = field(
        default_factory=lambda: deque(maxlen=MAX_LINES)
    )

    def record(self, now: datetime, what: str, match: MatchId | None = None) -> None:
        self.lines.append((now, match, what))

    def failure(self, what: str, match: MatchId | None = None) -> SimulationFailure:
        """Return the exception to raise, with the last events in general and those of the match."""
        own = [line for line in self.lines if match is not None and line[1] == match][-MATCH_LINES:]
        last = [line for line in list(self.lines)[-LAST_LINES:] if line not in own]
        lines = [
            f"{now:%m-%d %H:%M:%S} {'' if about is None else f'match {about}: '}{text}"
            for now, about, text in sorted((*own, *last), key=lambda line: line[0])
        ]
        return SimulationFailure("\n".join([f"seed {self.seed}: {what}", *lines]))
