"""Dates, times, lengths of time, lists and numbers as each language writes them, by the Unicode CLDR.

Babel knows how. What it has about a language is read when the first reader needs it, and kept. Functions take
the code of a language, such as ``ja``.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from i18n.plurals import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, time, tzinfo

    from babel.core import Locale

BRITISH = "en_GB"  # as the English texts are
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
UNITS: tuple[tuple[Literal["day", "hour", "minute"], timedelta], ...] = (
    ("day", DAY),
    ("hour", HOUR),
    ("minute", MINUTE),
)
ListStyle = Literal["standard", "or", "cells"]
TWO_UNITS = 2  # 36 hours are not told as a day, and 90 minutes not as an hour

# Languages written without spaces. The CLDR has one before a unit, which people there do not write.
UNSPACED = frozenset({"ja", "zh"})
SPACE_BEFORE_UNIT = re.compile(r"(?<=\d)\s(?=[^\W\da-zA-Z])")

# Where the CLDR has the same sign between all items of a list, an inner list needs another one.
CELL_SEPARATORS: Mapping[str, str] = MappingProxyType({"ja": "・"})


def format_date(language: str, day: date) -> str:
    """Return a day: ``23 November 2026``."""
    from babel import dates  # noqa: PLC0415 - loaded with the first language, for its memory

    return dates.format_date(day, "long", locale=_locale(language))


def format_time(language: str, at: datetime | time) -> str:
    """Return a time of day: ``18:20``."""
    from babel import dates  # noqa: PLC0415 - see above

    shown = at.replace(tzinfo=None)  # Babel would show a time with a zone in UTC
    return dates.format_time(shown, "short", locale=_locale(language))


def format_date_and_time(language: str, at: datetime) -> str:
    """Return a day and a time of day: ``23 November 2026, 18:20``."""
    from babel import dates  # noqa: PLC0415 - see above

    pattern = dates.get_datetime_format("medium", locale=_locale(language))
    return str(pattern).replace("{1}", format_date(language, at)).replace("{0}", format_time(language, at))


@lru_cache(maxsize=256)
def format_zone(language: str, zone: tzinfo) -> str:
    """Return the name of the time of a place: ``Central European Time``."""
    from babel import dates  # noqa: PLC0415 - see above

    return dates.get_timezone_name(zone, "long", locale=_locale(language), zone_variant="generic")


def format_length(language: str, length: timedelta) -> str:
    """Return a length of time in days, hours and minutes: ``3 days``, ``1 day and 12 hours``."""
    counts = (("day", length // DAY), ("hour", length % DAY // HOUR), ("minute", length % HOUR // MINUTE))
    parts = [_format_unit(language, unit, count) for unit, count in counts if count]
    parts = parts or [_format_unit(language, "minute", 0)]
    return "".join(parts) if language in UNSPACED else format_list(language, parts)


@lru_cache(maxsize=1024)
def format_distance(language: str, length: timedelta) -> str:
    """Return when something is or was, from now: ``in 2 days``, ``36 hours ago``.

    It is in one unit and not rounded up: nobody is promised more time than there is.
    """
    from babel import dates  # noqa: PLC0415 - see above

    told_length = max(MINUTE, abs(length) - abs(length) % MINUTE)
    unit, size = next(
        (unit, size) for unit, size in UNITS if told_length >= TWO_UNITS * size or told_length == size
    )
    whole = told_length - told_length % size
    told = dates.format_timedelta(
        whole if length >= timedelta(0) else -whole,
        granularity=unit,
        threshold=float("inf"),  # no larger unit
        add_direction=True,
        locale=_locale(language),
    )
    return _close_up(language, told)


def format_list(language: str, items: Sequence[str], style: ListStyle = "standard") -> str:
    """Return items as one text: ``A, B and C``, or with the style ``or`` ``A, B or C``.

    The style ``cells`` is for lists that are parts of another list, as the cells of a turn's events are.
    """
    from babel.lists import format_list as format_items  # noqa: PLC0415 - see above

    if style == "cells":
        if language in CELL_SEPARATORS:
            return CELL_SEPARATORS[language].join(items)
        style = "standard"
    return format_items(items, style, _locale(language))


def format_percent(language: str, share: float) -> str:
    """Return a share of 1 in whole percent: ``53%``."""
    from babel.numbers import format_percent as format_share  # noqa: PLC0415 - see above

    return format_share(share, locale=_locale(language))


def format_megabytes(language: str, count: int) -> str:
    """Return a size in megabytes: ``8 MB``."""
    from babel.units import format_unit  # noqa: PLC0415 - see above

    return format_unit(count, "digital-megabyte", "short", locale=_locale(language))


@lru_cache(maxsize=1024)
def _format_unit(language: str, unit: str, count: int) -> str:
    from babel.units import format_unit  # noqa: PLC0415 - see above

    return _close_up(language, format_unit(count, f"duration-{unit}", "long", locale=_locale(language)))


def _close_up(language: str, text: str) -> str:
    return SPACE_BEFORE_UNIT.sub("", text) if language in UNSPACED else text


def sentence_gap(language: str) -> str:
    """Return what is between two sentences on a line."""
    return "" if language in UNSPACED else " "


def load_formats(language: str) -> None:
    """Read what Babel has about a language, so that the first reader does not wait for it."""
    format_date_and_time(language, datetime.min.replace(tzinfo=UTC))
    format_length(language, timedelta(0))


@cache
def _locale(language: str) -> Locale:
    from babel.core import Locale  # noqa: PLC0415 - see above

    return Locale.parse(BRITISH if language == ENGLISH else language)
