"""Durations as text."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from i18n.catalogue import Texts

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


def describe_duration(texts: Texts, duration: timedelta) -> str:
    """Return a duration as text: ``3 days``, ``1 day and 12 hours``."""
    units = (
        ("days", duration // DAY),
        ("hours", duration % DAY // HOUR),
        ("minutes", duration % HOUR // MINUTE),
    )
    parts = [texts(f"length.{unit}", count=count) for unit, count in units if count]
    return texts.join(parts or [texts("length.minutes", count=0)])
