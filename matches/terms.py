"""What two people agree on beside the game: the pace, what happens at the flag, and more.

A pace is written as ``none``, ``3d per move``, ``14d + 1d per move``, ``14d + 1d per move, at most 21d`` or
``14d in all``; it is read in more ways than that (:func:`read_pace`).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from functools import lru_cache

from matches.clocks.errors import PaceOutOfBounds, PaceUnreadable
from matches.durations import LENGTH, read_duration, write_duration

SHORTEST = timedelta(minutes=5)
LONGEST = timedelta(days=365)
NO_PACE = "none"

_PER_MOVE = r"(?:\s*(?:per|a|each|every|/)\s*(?:move|turn))"
_PACE = re.compile(
    rf"""
    (?P<start>{LENGTH})
    (?:
        (?P<whole>\s*(?:in\s+all|in\s+total|altogether|for\s+the\s+whole\s+(?:match|game)))
      | \s*,?\s*(?:\+|and|plus)\s*(?P<increment>{LENGTH}|0)(?:\s+more)?{_PER_MOVE}?
      | {_PER_MOVE}?
    )
    (?:\s*,?\s*(?:at\s+most|max(?:imum)?\.?|up\s+to|<=)\s*(?P<cap>{LENGTH}))?
    """,
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Pace:
    """How long people may think: `start` at first, `increment` more for each turn made, never above `cap`.

    With all three equal everybody has that long for each turn. A run of set-up placements is one turn.
    Whole minutes. Raises PaceOutOfBounds.
    """

    start: timedelta
    increment: timedelta = timedelta()
    cap: timedelta | None = None

    def __post_init__(self) -> None:
        cap = self.start if self.cap is None else self.cap
        whole = all(part % timedelta(minutes=1) == timedelta() for part in (self.start, self.increment, cap))
        if not (whole and SHORTEST <= self.start <= cap <= LONGEST and timedelta() <= self.increment <= cap):
            raise PaceOutOfBounds(shortest=write_duration(SHORTEST), longest=write_duration(LONGEST))

    @classmethod
    def per_move(cls, duration: timedelta) -> Pace:
        """Give the pace at which everybody has `duration` for each turn. Raises PaceOutOfBounds."""
        return cls(duration, duration, duration)

    @property
    def afresh(self) -> bool:
        """Whether each turn has the same time, whatever the one before took."""
        return self.start == self.increment == self.cap

    def after(self, left: timedelta) -> timedelta:
        """Give the time that somebody has who made a turn with `left` to spare."""
        more = left + self.increment
        return more if self.cap is None else min(more, max(self.cap, left))

    def __str__(self) -> str:
        """Give the one way to write it."""
        start, increment = write_duration(self.start), write_duration(self.increment)
        if self.afresh:
            return f"{start} per move"
        if not self.increment:
            return f"{start} in all"
        cap = "" if self.cap is None else f", at most {write_duration(self.cap)}"
        return f"{start} + {increment} per move{cap}"


def read_pace(text: str) -> Pace | None:
    """Read a pace; None where there is to be none (``none``).

    A single length is meant for each move; words may be written out (``3 days``,
    ``14 days + 1 day a move, max 21 days``). Raises PaceUnreadable, PaceOutOfBounds.
    """
    if text.strip().lower() == NO_PACE:
        return None
    found = _PACE.fullmatch(text.strip())
    if found is None:
        raise PaceUnreadable(text=text)
    start = read_duration(found["start"]) or timedelta()
    if found["whole"] is None and found["increment"] is None:
        if found["cap"] is not None:
            raise PaceUnreadable(text=text)
        return Pace.per_move(start)
    increment = read_duration(found["increment"] or "") or timedelta()
    cap = None if found["cap"] is None else read_duration(found["cap"])
    return Pace(start, increment, cap if increment else None)


def write_pace(pace: Pace | None) -> str:
    """Give the one way to write a pace."""
    return NO_PACE if pace is None else str(pace)


class Flag(StrEnum):
    """What happens when somebody's time is over."""

    CLAIM = "claim"  # the opponent may claim the match, or give more time
    LOST = "lost"  # the match is lost at once


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed in the challenge and holds for the match, and for a rematch.

    `pace` is None where no clock runs. `vacation`: whether somebody's vacation stops their clock here.
    `takeback`: whether moves may be taken back if both agree. `rated`: whether the result counts.
    """

    pace: Pace | None = None
    flag: Flag = Flag.CLAIM
    vacation: bool = True
    takeback: bool = True
    rated: bool = True


USUAL = Terms()
# What was agreed silently while nothing could be agreed on; what a stored text leaves out is read so.
UNSAID = Terms(rated=False)


def write_terms(terms: Terms) -> str:
    """Give the stored form."""
    return json.dumps(
        {
            "pace": write_pace(terms.pace),
            "flag": terms.flag.value,
            "vacation": terms.vacation,
            "takeback": terms.takeback,
            "rated": terms.rated,
        }
    )


@lru_cache(maxsize=256)
def read_terms(stored: str) -> Terms:
    """Read the stored form."""
    said = json.loads(stored)
    return Terms(
        pace=read_pace(said.get("pace", NO_PACE)),
        flag=Flag(said.get("flag", UNSAID.flag)),
        vacation=said.get("vacation", UNSAID.vacation),
        takeback=said.get("takeback", UNSAID.takeback),
        rated=said.get("rated", UNSAID.rated),
    )
