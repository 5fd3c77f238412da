"""Time as sentences that may stand in a post of Discord; moments are shown in each reader's own zone."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from discord.utils import format_dt

from bot import people
from matches import Flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matches import MatchSummary, MatchTime, MatchView, Pace, SeatTime, Terms
    from words import Words

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


def length(words: Words, duration: timedelta) -> str:
    """Tell a length of time: ``3 days``, ``1 day and 12 hours``."""
    parts = (
        ("days", duration // DAY),
        ("hours", duration % DAY // HOUR),
        ("minutes", duration % HOUR // MINUTE),
    )
    told = [words(f"length.{unit}", count=count) for unit, count in parts if count]
    return words.listed(told or [words("length.minutes", count=0)])


def pace(words: Words, agreed: Pace | None) -> str:
    """Tell a pace: ``3 days per move``."""
    if agreed is None:
        return words("pace.none")
    start, increment = length(words, agreed.start), length(words, agreed.increment)
    if agreed.afresh:
        return words("pace.per_move", start=start)
    if not agreed.increment:
        return words("pace.whole", start=start)
    if agreed.cap is None:
        return words("pace.bank", start=start, increment=increment)
    return words("pace.bank_capped", start=start, increment=increment, cap=length(words, agreed.cap))


def terms(words: Words, agreed: Terms) -> str:
    """Tell what was agreed on; what goes without saying is left out."""
    told = [pace(words, agreed.pace)]
    if agreed.pace is not None:
        told.append(words("terms.claim" if agreed.flag is Flag.CLAIM else "terms.lost"))
        told += [] if agreed.vacation else [words("terms.no_vacation")]
    told += [] if agreed.takeback else [words("terms.no_takeback")]
    told.append(words("terms.rated" if agreed.rated else "terms.unrated"))
    return words.listed(told, "list.dot")


def standing(words: Words, view: MatchView) -> str:
    """Tell until when whoever is to act has time, or why none runs; empty where there is no clock."""
    if view.time is None:
        return ""
    if view.time.paused:
        return words("time.paused")
    return words.listed(list(_told(words, view.time)), "list.lines")


def listed(words: Words, one: MatchSummary) -> str:
    """Give what a line of a list adds about time; empty where none runs."""
    if one.time is None:
        return ""
    fell = min((seat.fell_at for seat in one.time.people if seat.fell_at), default=None)
    if fell is not None:
        return words("time.listed_over", when=format_dt(fell, "R"))
    if one.time.paused:
        return words("time.listed_paused")
    deadline = one.time.deadline
    return "" if deadline is None else words("time.listed", when=format_dt(deadline, "R"))


def _told(words: Words, time: MatchTime) -> Iterator[str]:
    for one, other in (time.people, time.people[::-1]):
        if one.thinks:
            yield _seat(words, one, other)


def _seat(words: Words, one: SeatTime, other: SeatTime) -> str:
    name = people.called(one.person)
    if one.fell_at is not None:
        when = format_dt(one.fell_at, "R")
        return words("time.fell", name=name, other=people.called(other.person), when=when)
    if one.deadline is None:
        return words("time.away", name=name)
    return words(
        "time.until", name=name, when=format_dt(one.deadline, "f"), left=format_dt(one.deadline, "R")
    )
