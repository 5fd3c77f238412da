"""Where a match stands, in the lines of an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from i18n.announcements import describe_announcement
from i18n.clocks import describe_match_time
from i18n.match_texts import (
    format_corrected_result,
    format_pending_offer,
    format_standing,
    format_state,
)
from mail.commands.values import Answer
from matches.updates import DIRECT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mail.commands.task import Task
    from matches import Announcement, MatchUpdate, MatchView


def answer_about(
    task: Task, view: MatchView, title: str, lines: Iterable[str] = (), *, with_turn: bool = True
) -> Answer:
    """Return an answer about the present board of a match: some lines, then where it stands.

    `with_turn`: with the last turn, which the title may have said already.
    """
    return Answer(
        title,
        tuple(split_lines((*lines, *describe_state(task, view, with_turn=with_turn)))),
        match=view.id,
        revision=view.revision,
    )


def describe_state(task: Task, view: MatchView, *, with_turn: bool = True) -> Iterator[str]:
    """Yield the last turn and who has to act, what is offered, and the time."""
    texts = task.texts
    if with_turn or view.position is None:
        yield format_standing(texts, view)
    elif view.result is not None:
        yield format_corrected_result(texts, view, view.result)
    else:
        yield format_state(texts, view)
    if view.unfinished_moves:
        placed = texts.join([move.text for move in view.unfinished_moves])
        yield texts("turn.due", placed=placed, count=view.moves_due)
    yield from describe_open_offers(task, view)
    if view.result is None:
        yield describe_match_time(texts, view, task.now, task.account)


def describe_open_offers(task: Task, view: MatchView) -> Iterator[str]:
    """Yield the offers that are open in a match, also those of the reader."""
    if view.result is None and view.pending_offer is not None:
        yield format_pending_offer(task.texts, view, ())
    offered_by = None if view.time is None or view.time.paused else view.time.pause_offered_by
    if view.result is None and offered_by is not None:
        yield task.texts("mail.reply.pause_pending", name=offered_by)


def describe_own_copy(task: Task, announcement: Announcement, update: MatchUpdate) -> list[str]:
    """Return the sentences of an announcement as they are told to the person of a task alone."""
    own = replace(
        announcement,
        to=task.account,
        recipients=(task.account,),
        details={**announcement.details, DIRECT: 1},
    )
    return describe_announcement(task.texts, own, update.match, task.game_of(update.match))


def split_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines without line breaks, and without empty ones."""
    for line in lines:
        yield from filter(None, (part.strip() for part in str(line).splitlines()))
