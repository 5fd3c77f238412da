"""Pauses, extra time and vacations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.match_names import format_match_name
from i18n.typed_values import parse_length
from i18n.writing import Moment, MomentStyle, describe_duration
from mail.commands.states import answer_about
from mail.commands.values import Answer
from matches import OfferPending
from matches.updates import AnnouncementKind

if TYPE_CHECKING:
    from mail.commands.task import Task

BEGIN, END = "begin", "end"  # what can follow the command for vacations besides a length


async def pause(task: Task) -> Answer:
    """Offer a pause, or accept that of the opponent. Raises what `Pauses.offer` raises."""
    view = await task.load_view()
    texts, opponent = task.texts, view.opponent(task.account)
    match_name = format_match_name(texts, view, task.account)
    try:
        update = await task.matches.clocks.pauses.offer(view.id, task.person, now=task.now)
    except OfferPending:
        title = texts("mail.reply.offer_open", match_name=match_name)
        return answer_about(task, view, title, (texts("mail.reply.wait"),))
    if update.announcement is not None and update.announcement.kind is AnnouncementKind.PAUSED:
        return answer_about(task, update.match, texts("mail.reply.paused", match_name=match_name))
    name = "" if opponent is None else opponent.person
    return answer_about(task, update.match, texts("mail.reply.pause_offered", name=name))


async def resume(task: Task) -> Answer:
    """Restart a paused clock. Raises `no_clock`, `not_paused`."""
    view = await task.load_view()
    update = await task.matches.clocks.pauses.resume(view.id, task.person, now=task.now)
    name = format_match_name(task.texts, view, task.account)
    return answer_about(task, update.match, task.texts("mail.reply.resumed", match_name=name))


async def give_time(task: Task) -> Answer:
    """Give the opponent more time.

    Raises `duration_unreadable`, and what `matches.clocks.timeouts.Timeouts.give_time` raises.
    """
    view = await task.load_view()
    amount = parse_length(task.argument)
    update = await task.matches.clocks.timeouts.give_time(view.id, task.person, amount, now=task.now)
    opponent = view.opponent(task.account)
    title = task.texts(
        "mail.reply.time_given",
        name="" if opponent is None else opponent.person,
        time=describe_duration(task.texts, amount),
    )
    return answer_about(task, update.match, title)


async def vacation(task: Task) -> Answer:
    """Say how many days are left, begin a vacation, with or without a length, or end it.

    Raises `already_on_vacation`, `not_on_vacation`, `no_vacation_days_left`, `vacation_out_of_range`,
    `duration_unreadable`.
    """
    if not task.argument:
        return await _describe_budget(task)
    vacations, texts = task.matches.clocks.vacations, task.texts
    if task.argument == END:
        ended = await vacations.end(task.person, now=task.now)
        key = "vacation.over" if ended.match_count else "vacation.over_idle"
        return Answer(texts("mail.reply.vacation"), (texts(key, count=ended.match_count),))
    length = None if task.argument == BEGIN else parse_length(task.argument)
    begun = await vacations.begin(task.person, length=length, now=task.now)
    until = Moment(begun.ends_at, MomentStyle.DATE)
    key = "vacation.begun" if begun.match_count else "vacation.begun_idle"
    lines = (texts(key, count=begun.match_count, until=until), *await _warn_of_late_matches(task))
    return Answer(texts("mail.reply.vacation"), lines)


async def _describe_budget(task: Task) -> Answer:
    texts = task.texts
    budget = await task.matches.clocks.vacations.budget(task.person, now=task.now)
    current = budget.current_vacation
    if current is not None:
        since, until = (Moment(at, MomentStyle.DATE) for at in (current.began_at, current.ends_at))
        lines = [texts("vacation.under_way", since=since, until=until), texts("mail.reply.vacation_end_how")]
    else:
        lines = [
            texts("vacation.left", count=budget.days_left, year=budget.year),
            texts("mail.reply.vacation_how"),
            *await _warn_of_late_matches(task),
        ]
    return Answer(texts("mail.reply.vacation"), tuple(lines))


async def _warn_of_late_matches(task: Task) -> list[str]:
    """Return the sentence about matches where the time is over, in which a vacation stops nothing."""
    late = 0
    for summary in await task.matches.views.list_awaiting(task.person):
        time = None if summary.time is None else summary.time.for_account(task.account)
        late += time is not None and time.is_out_of_time(task.now)
    return [task.texts("vacation.out_of_time", count=late)] if late else []
