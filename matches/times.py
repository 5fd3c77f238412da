"""Moments as the store keeps them: whole milliseconds since 1970-01-01 UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def millis(now: datetime) -> int:
    """Give the stored form of an aware time. Raises ValueError for one without a zone."""
    if now.tzinfo is None:
        raise ValueError("A time must say its zone.")
    return (now - _EPOCH) // _MILLISECOND


def moment(stored: int) -> datetime:
    """Give the time, in UTC, of its stored form."""
    return _EPOCH + stored * _MILLISECOND
