"""The terms of a match: time control, time-out rule, vacations, takebacks, rating.

Time controls are written as ``none``, ``3d per move``, ``14d + 1d per move``, ``14d + 1d per move, at most
21d`` or ``14d in all``; :func:`parse_time_control` accepts more spellings.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from functools import lru_cache

from engine.notation_text import abbreviate
from matches.errors import Refusal
from matches.times import DURATION_PATTERN, format_duration, parse_duration

MIN_TIME = timedelta(minutes=5)
MAX_TIME = timedelta(days=365)
NO_TIME_CONTROL = "none"
MAX_TIME_CONTROL_TEXT = 100
"""Characters of a time control that are read; nothing sensible is nearly as long."""

SUGGESTED_TIME_CONTROLS = (
    "none",
    "1d per move",
    "2d per move",
    "3d per move",
    "5d per move",
    "7d per move",
    "14d per move",
    "3d + 12h per move, at most 7d",
    "7d + 1d per move, at most 14d",
    "14d + 1d per move, at most 21d",
    "30d in all",
)
"""Common time controls, for people to choose from."""

_PER_MOVE_PATTERN = r"(?:[ ]?(?:per|a|each|every|pro|/)[ ]?(?:move|turn|zug))"
_EACH_MOVE_PATTERN = r"(?:[1\uff11]手(?:ごとに|に)?[ ]?)?"  # before the time, in Japanese
_TIME_CONTROL = re.compile(
    rf"""
    (?:(?P<whole_first>全体で)|{_EACH_MOVE_PATTERN})(?P<start>{DURATION_PATTERN})
    (?:
        (?P<whole>[ ]?(?:in[ ]all|in[ ]total|altogether|for[ ]the[ ]whole[ ](?:match|game)
        |insgesamt|für[ ]die[ ]ganze[ ]partie))
      | [ ]?,?[ ]?(?:[+\uff0b]|and|und|plus)[ ]?{_EACH_MOVE_PATTERN}
        (?P<increment>{DURATION_PATTERN}|0)(?:[ ]more)?{_PER_MOVE_PATTERN}?
      | {_PER_MOVE_PATTERN}?
    )
    (?:[ ]?[,、(\uff08]?[ ]?(?:at[ ]most|max(?:imum)?\.?|up[ ]to|höchstens|上限|<=)[ ]?
        (?P<cap>{DURATION_PATTERN})[)\uff09]?)?
    """,
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Thinking time: `initial` at the start, `increment` more for each turn, never above `cap`.

    If all three are equal, every turn has that time. A run of set-up placements is one turn. All are whole
    minutes. Raises `time_control_out_of_bounds`.
    """

    initial: timedelta
    increment: timedelta = timedelta()
    cap: timedelta | None = None

    def __post_init__(self) -> None:
        cap = self.initial if self.cap is None else self.cap
        is_whole_minutes = all(
            part % timedelta(minutes=1) == timedelta() for part in (self.initial, self.increment, cap)
        )
        if not (
            is_whole_minutes
            and MIN_TIME <= self.initial <= cap <= MAX_TIME
            and timedelta() <= self.increment <= cap
        ):
            raise Refusal("time_control_out_of_bounds", shortest=MIN_TIME, longest=MAX_TIME)

    @classmethod
    def per_move(cls, duration: timedelta) -> TimeControl:
        """Return the time control with `duration` for each turn. Raises `time_control_out_of_bounds`."""
        return cls(duration, duration, duration)

    @property
    def is_per_move(self) -> bool:
        """Whether every turn has the same time, whatever the turn before used."""
        return self.initial == self.increment == self.cap

    def time_after_turn(self, remaining: timedelta) -> timedelta:
        """Return the time of a player who has just made a turn with `remaining` time left."""
        more = remaining + self.increment
        return more if self.cap is None else min(more, max(self.cap, remaining))

    def __str__(self) -> str:
        """Return the canonical text."""
        initial, increment = format_duration(self.initial), format_duration(self.increment)
        if self.is_per_move:
            return f"{initial} per move"
        if not self.increment:
            return f"{initial} in all"
        cap = "" if self.cap is None else f", at most {format_duration(self.cap)}"
        return f"{initial} + {increment} per move{cap}"


def parse_time_control(text: str) -> TimeControl | None:
    """Parse a time control; return None for ``none``.

    A single duration is per move; words may be written out (``3 days``, ``14 days + 1 day a move, max 21
    days``). Raises `time_control_unreadable`, `time_control_out_of_bounds`.
    """
    if len(text) > MAX_TIME_CONTROL_TEXT:
        raise Refusal("time_control_unreadable", text=abbreviate(text))
    if text.strip().lower() == NO_TIME_CONTROL:
        return None
    parsed = _TIME_CONTROL.fullmatch(" ".join(text.split()))
    if parsed is None:
        raise Refusal("time_control_unreadable", text=abbreviate(text))
    initial = parse_duration(parsed["start"])
    is_whole = parsed["whole"] is not None or parsed["whole_first"] is not None
    if not is_whole and parsed["increment"] is None:
        if parsed["cap"] is not None:
            raise Refusal("time_control_unreadable", text=abbreviate(text))
        return TimeControl.per_move(initial)
    increment = parse_duration(parsed["increment"]) if parsed["increment"] not in {None, "0"} else timedelta()
    cap = None if parsed["cap"] is None else parse_duration(parsed["cap"])
    return TimeControl(initial, increment, cap if increment else None)


def format_time_control(time_control: TimeControl | None) -> str:
    """Return the canonical text of a time control."""
    return NO_TIME_CONTROL if time_control is None else str(time_control)


class TimeoutRule(StrEnum):
    """What happens when a player runs out of time."""

    CLAIM = "claim"  # the opponent may claim the win or give more time
    LOST = "lost"  # the match is lost at once


@dataclass(frozen=True, slots=True)
class Terms:
    """What a challenge fixes for the match and its rematches.

    `time_control` is None for no clock. `vacation_stops_clock`: whether a player's vacation stops their
    clock. `takebacks_allowed`: whether moves may be taken back if both agree. `rated`: whether the result
    counts for the ratings. `strength` is how strong an adaptive computer plays in the match: a number of
    levels above the lowest, such as 1.25; None in every other match.
    """

    time_control: TimeControl | None = None
    timeout_rule: TimeoutRule = TimeoutRule.CLAIM
    vacation_stops_clock: bool = True
    takebacks_allowed: bool = True
    rated: bool = True
    strength: float | None = None


DEFAULT_TERMS = Terms()
# Of matches from before there were terms; also the defaults for keys that a stored text lacks.
LEGACY_TERMS = Terms(rated=False)


def format_terms(terms: Terms) -> str:
    """Return the stored form, a JSON object."""
    return json.dumps(
        {
            "time_control": format_time_control(terms.time_control),
            "timeout_rule": terms.timeout_rule.value,
            "vacation": terms.vacation_stops_clock,
            "takeback": terms.takebacks_allowed,
            "rated": terms.rated,
        }
        | ({} if terms.strength is None else {"strength": terms.strength})
    )


@lru_cache(maxsize=256)
def parse_terms(stored: str) -> Terms:
    """Parse the stored form."""
    values = json.loads(stored)
    return Terms(
        time_control=parse_time_control(values.get("time_control", NO_TIME_CONTROL)),
        timeout_rule=TimeoutRule(values.get("timeout_rule", LEGACY_TERMS.timeout_rule)),
        vacation_stops_clock=values.get("vacation", LEGACY_TERMS.vacation_stops_clock),
        takebacks_allowed=values.get("takeback", LEGACY_TERMS.takebacks_allowed),
        rated=values.get("rated", LEGACY_TERMS.rated),
        strength=values.get("strength"),
    )
