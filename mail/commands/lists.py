"""Boards, the list of one's matches, notes, and whether mails come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.clocks import describe_summary_time, describe_terms
from i18n.match_names import format_match_name
from i18n.match_texts import format_standing
from i18n.quoting import quote
from mail.commands.states import answer_about, split_lines
from mail.commands.values import Answer
from mail.commands.words import find_word
from matches import MatchState, Reader, Refusal

if TYPE_CHECKING:
    from mail.commands.task import Task
    from matches import Challenge, MatchSummary, Person

MAX_LISTED = 50  # matches


async def show_board(task: Task) -> Answer:
    """Show the present board, or that after a turn. Raises `turn_unknown`."""
    view = await task.load_view()
    texts = task.texts
    title = texts("mail.reply.board", match_name=format_match_name(texts, view, task.account))
    if not task.argument:
        return answer_about(task, view, title)
    number = int(task.argument)
    replay = await task.matches.replay(view.id, now=task.now)
    if number > replay.turn_count:
        raise Refusal("turn_unknown", match=view.id, last=replay.turn_count)
    ply = sum(len(turn.move_texts) for turn in replay.turns[1 : number + 1])
    past = await task.matches.view(view.id, ply=ply, now=task.now)
    lines = (
        texts("mail.reply.board_after", turn=number, last=replay.turn_count),
        format_standing(texts, past),
    )
    return Answer(title, tuple(split_lines(lines)), match=view.id, revision=past.revision)


async def list_games(task: Task) -> Answer:
    """List the matches under way, those that wait for the reader first, and challenges."""
    texts = task.texts
    active = await task.matches.views.list_active_of(task.person, None)
    reader = Reader(frozenset({task.account}))
    own = await task.matches.public_queries.list_own(reader, now=task.now)
    lines = [_format_match(task, one) for one in active[:MAX_LISTED]]
    if len(active) > MAX_LISTED:
        lines.append(texts("mail.reply.games.more", count=len(active) - MAX_LISTED))
    lines += [_format_challenge(task, one.challenge, "incoming") for one in own.incoming]
    lines += [_format_challenge(task, one.challenge, "outgoing") for one in own.outgoing]
    if active:
        lines.append(texts("mail.reply.games.how", match=active[0].id))
    else:
        lines.append(texts("mail.reply.games.none"))
    return Answer(texts("mail.reply.games.title"), tuple(split_lines(lines)))


async def write_note(task: Task) -> Answer:
    """Show the person's note about a match, replace it, or delete it. Raises NoteTooLong."""
    view = await task.load_view()
    notes, texts = task.matches.people.notes, task.texts
    before = await notes.get(view.id, task.person)
    match_name = format_match_name(texts, view, task.account)
    saved = before
    if find_word(texts, task.argument, ("list",)) is None:
        text = "" if before and find_word(texts, task.argument, ("delete",)) else task.argument
        saved = await notes.save(view.id, task.person, text, now=task.now)
    lines = [texts("mail.reply.note.text", note=_on_one_line(saved))] if saved else []
    if before and before != saved:
        lines.append(texts("mail.reply.note.before", note=_on_one_line(before)))
    key = "text_title" if saved else "deleted" if before else "none"
    lines.append(texts("mail.reply.note.how"))
    title = texts(f"mail.reply.note.{key}", match_name=match_name)
    return Answer(title, tuple(lines), match=view.id, revision=view.revision)


async def stop_mails(task: Task) -> Answer:
    """Stop mails about matches to the address."""
    await task.matches.people.mail_addresses.stop(task.account, task.request.address, now=task.now)
    return Answer(task.texts("mail.reply.stopped"), (task.texts("mail.reply.stopped_how"),))


async def start_mails(task: Task) -> Answer:
    """Send mails about matches to the address again. Raises `address_unknown`."""
    await task.matches.people.notices.start_mail_again(task.account, task.request.address)
    return Answer(task.texts("mail.reply.started_mails"), (task.texts("mail.reply.started_mails_how"),))


def _on_one_line(note: str) -> str:
    return quote(note, len(note) + 2)


def _format_match(task: Task, summary: MatchSummary) -> str:
    texts = task.texts
    is_awaited = any(person.account == task.account for person in summary.waits_for)
    key = "pick" if summary.state is MatchState.CHOOSING else "turn"
    return texts(
        f"mail.reply.games.{'own' if is_awaited else 'other'}_{key}",
        match_name=format_match_name(texts, summary, task.account),
        opponent=_opponent_of(summary, task.account),
        time=describe_summary_time(texts, summary),
    )


def _opponent_of(summary: MatchSummary, account: str) -> Person:
    return next(seat.person for seat in summary.seats if seat.person.account != account)


def _format_challenge(task: Task, challenge: Challenge, key: str) -> str:
    texts = task.texts
    to = texts("mail.reply.games.anyone") if challenge.to is None else challenge.to
    return texts(
        f"mail.reply.games.{key}",
        name=challenge.by if key == "incoming" else to,
        game=texts(f"game.{challenge.game}.name"),
        terms=describe_terms(texts, challenge.terms),
    )
