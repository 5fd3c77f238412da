"""Times as whole milliseconds since 1970-01-01 UTC, and durations as text."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def to_millis(now: datetime) -> int:
    """Return an aware time in milliseconds since 1970 UTC. Raises ValueError without a time zone."""
    if now.tzinfo is None:
        raise ValueError("A time must say its zone.")
    return (now - _EPOCH) // _MILLISECOND


def from_millis(stored: int) -> datetime:
    """Return the time, in UTC, of milliseconds since 1970 UTC."""
    return _EPOCH + stored * _MILLISECOND


UNITS = {
    **dict.fromkeys("w週", timedelta(weeks=1)),
    **dict.fromkeys("dt日", timedelta(days=1)),
    **dict.fromkeys("hs時", timedelta(hours=1)),
    **dict.fromkeys("m分", timedelta(minutes=1)),
}
MAX_DURATION_TEXT = 100  # characters that are read
_UNIT_END = r"(?![a-z])"
_SEPARATOR = r"[ ]?(?:,|and|und)?[ ]?"
_UNIT_PATTERNS = (
    r"(?:w(?:eeks?|ochen?)?|週間?)",
    r"(?:d(?:ays?)?|t(?:ag(?:en?)?)?|日間?)",
    r"(?:h(?:ours?)?|st(?:d|unden?)|時間)",
    r"(?:m(?:in(?:ute[ns]?|s)?)?|分間?)",
)
# A duration with its units in order, abbreviated or in full; also used in larger patterns. All of them read
# text whose spaces are collapsed, so that they contain no repetition without a bound.
DURATION_PATTERN = r"(?=\d)" + "".join(
    rf"(?:{_SEPARATOR}\d{{1,5}}[ ]?{unit}{_UNIT_END})?" for unit in _UNIT_PATTERNS
)
_PART = re.compile(r"(\d{1,5})[ ]?([wdthsm週日時分])", re.IGNORECASE)
_DURATION = re.compile(DURATION_PATTERN, re.IGNORECASE)


def parse_duration(text: str) -> timedelta:
    """Parse ``2d``, ``1 day and 12 hours``, ``1日12時間``. Raises ValueError for any other text."""
    collapsed = " ".join(text[: MAX_DURATION_TEXT + 1].split())
    if len(text) > MAX_DURATION_TEXT or not _DURATION.fullmatch(collapsed):
        raise ValueError("not a duration such as 6h or 1d")
    return sum(
        (int(number) * UNITS[unit.casefold()] for number, unit in _PART.findall(collapsed)), timedelta()
    )


def format_duration(duration: timedelta) -> str:
    """Return the canonical text of a duration, such as ``1d12h``; ``0m`` for less than a minute."""
    minutes = duration // UNITS["m"]
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = ((days, "d"), (hours, "h"), (minutes, "m"))
    return "".join(f"{number}{unit}" for number, unit in parts if number) or "0m"
