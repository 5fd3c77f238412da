"""Clocks, deadlines and terms in words, for every front end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.writing import Moment, MomentStyle, describe_duration
from matches.computer.accounts import is_computer
from matches.terms import TimeoutRule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from i18n import Texts
    from matches.clocks.values import MatchTime, SeatTime
    from matches.match_view import MatchSummary, MatchView
    from matches.terms import Terms, TimeControl
    from matches.values import Person


def describe_time_control(texts: Texts, time_control: TimeControl | None) -> str:
    """Return a time control as text: ``3 days per move``."""
    if time_control is None:
        return texts("time_control.none")
    start, increment = (
        describe_duration(texts, time_control.initial),
        describe_duration(texts, time_control.increment),
    )
    if time_control.is_per_move:
        return texts("time_control.per_move", start=start)
    if not time_control.increment:
        return texts("time_control.whole", start=start)
    if time_control.cap is None:
        return texts("time_control.bank", start=start, increment=increment)
    return texts(
        "time_control.bank_capped",
        start=start,
        increment=increment,
        cap=describe_duration(texts, time_control.cap),
    )


def describe_terms(texts: Texts, terms: Terms) -> str:
    """Return the terms of a match as text; usual terms are left out."""
    parts = [describe_time_control(texts, terms.time_control)]
    if terms.time_control is not None:
        parts.append(texts("terms.claim" if terms.timeout_rule is TimeoutRule.CLAIM else "terms.lost"))
        parts += [] if terms.vacation_stops_clock else [texts("terms.no_vacation")]
    parts += [] if terms.takebacks_allowed else [texts("terms.no_takeback")]
    parts.append(texts("terms.rated" if terms.rated else "terms.unrated"))
    return texts.join(parts, "list.dot")


def describe_vacations(texts: Texts, away: Iterable[tuple[Person, datetime]]) -> list[str]:
    """Return a line for each person who is on vacation, with its latest end."""
    return [
        texts("vacation.until", name=person, until=Moment(until, MomentStyle.DATE)) for person, until in away
    ]


def describe_match_time(texts: Texts, view: MatchView, now: datetime | None = None, reader: str = "") -> str:
    """Return the deadlines of the players to act, or why no clock runs; empty without a clock.

    From `now` on, front ends count that do not count by themselves. The account `reader` is told by this.
    """
    if view.time is None:
        return ""
    if view.time.paused:
        return texts("time.paused")
    if view.time.unreached:
        names = [person for person in view.time.unreached if person.account != reader]
        return texts("time.unreached", names=texts.join(names)) if names else texts("time.told")
    return texts.join(list(_describe_seats(texts, view.time, now)), "list.lines")


def describe_summary_time(texts: Texts, summary: MatchSummary) -> str:
    """Return the deadline of a match for a line of a list; empty if no clock runs."""
    if summary.time is None:
        return ""
    flagged_at = min((seat.flagged_at for seat in summary.time.seats if seat.flagged_at), default=None)
    if flagged_at is not None:
        return texts("time.listed_over", when=Moment(flagged_at, MomentStyle.RELATIVE))
    if summary.time.paused:
        return texts("time.listed_paused")
    if summary.time.unreached:
        return texts("time.listed_unreached")
    deadline = summary.time.deadline
    return "" if deadline is None else texts("time.listed", when=Moment(deadline, MomentStyle.RELATIVE))


def _describe_seats(texts: Texts, time: MatchTime, now: datetime | None) -> Iterator[str]:
    for seat, opponent in (time.seats, time.seats[::-1]):
        if seat.must_act:
            yield _describe_seat(texts, seat, opponent, now)


def _describe_seat(texts: Texts, seat: SeatTime, opponent: SeatTime, now: datetime | None) -> str:
    name = seat.person
    if seat.flagged_at is not None:
        when = Moment(seat.flagged_at, MomentStyle.RELATIVE, now)
        key = "time.expired_to_computer" if is_computer(opponent.person.account) else "time.expired"
        return texts(key, name=name, opponent=opponent.person, when=when)
    if seat.deadline is None:
        return texts("time.on_vacation", name=name)
    return texts(
        "time.until",
        name=name,
        when=Moment(seat.deadline, MomentStyle.FULL),
        left=Moment(seat.deadline, MomentStyle.RELATIVE, now),
    )
