"""Lengths of time as short text: ``3d``, ``1d12h``, ``45m``; whole minutes."""

from __future__ import annotations

import re
from datetime import timedelta

UNITS = {
    "w": timedelta(weeks=1),
    "d": timedelta(days=1),
    "h": timedelta(hours=1),
    "m": timedelta(minutes=1),
}
_END = r"(?![a-z])"
_AND = r"\s*(?:,|and)?\s*"
_SPELLED = (r"w(?:eeks?)?", r"d(?:ays?)?", r"h(?:ours?)?", r"m(?:in(?:ute)?s?)?")
# A length with its units in order, written short or out: for the expressions of those who read more.
LENGTH = r"(?=\d)" + "".join(rf"(?:{_AND}\d{{1,5}}\s*{unit}{_END})?" for unit in _SPELLED)
_PART = re.compile(r"(\d+)\s*([wdhm])", re.IGNORECASE)
_WHOLE = re.compile(LENGTH, re.IGNORECASE)


def read_duration(text: str) -> timedelta | None:
    """Read ``2d``, ``1 day and 12 hours``, ``90 min``; None for any other text."""
    if not _WHOLE.fullmatch(text.strip()):
        return None
    return sum((int(number) * UNITS[unit.lower()] for number, unit in _PART.findall(text)), timedelta())


def write_duration(duration: timedelta) -> str:
    """Give the one way to write a length: days, hours and minutes, what is left out being none of them."""
    minutes = duration // UNITS["m"]
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = ((days, "d"), (hours, "h"), (minutes, "m"))
    return "".join(f"{number}{unit}" for number, unit in parts if number) or "0m"
