"""Conditional moves by mail: ``if MOVE then MOVE``, the list of them, and removing lines."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from i18n import formatting
from i18n.match_names import format_match_name
from mail.commands.states import answer_about
from matches import MoveRefused, Refusal
from matches.conditionals import RESIGN, list_entries
from matches.people.analysis_lines import parse_typed_line
from move_builder import split_moves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from i18n import Texts
    from mail.commands.task import Task
    from mail.commands.values import Answer
    from matches import MatchView
    from matches.conditionals import ConditionalEntry, ConditionalMoves, FutureBoard, Line, LineTurn

CLEAR, REMOVE, RESIGN_WORD = "clear", "remove ", "resign"  # as the argument has them
THEN = " then "  # between the turns of a line
MAX_LINES = 20


async def handle(task: Task) -> Answer:
    """List the person's conditional moves, add lines, or remove one or all.

    Raises `match_over`, `choice_pending`, `conditional_illegal`, `is_your_turn`, StaleBoard,
    `conditional_too_many`, `line_number_unknown`, and what saving a line raises.
    """
    view = await task.load_view()
    if task.argument == CLEAR:
        await task.matches.conditionals.clear(view.id, task.person, now=task.now)
        return answer_about(task, view, task.texts("conditional.cleared"))
    if not task.argument:
        return await _list(task, view, task.texts("mail.reply.conditional.title"))
    if task.argument.startswith(REMOVE):
        await _remove(task, view, int(task.argument.removeprefix(REMOVE)))
        return await _list(task, view, task.texts("mail.reply.conditional.removed"))
    return await _add(task, view)


async def _add(task: Task, view: MatchView) -> Answer:
    typed = [line.split(THEN) for line in task.argument.splitlines()]
    if len(typed) > MAX_LINES:
        raise Refusal("conditional_too_many", match=view.id, limit=MAX_LINES)
    saved = await task.matches.conditionals.get(view.id, task.person)
    if not saved.can_edit:
        raise Refusal("is_your_turn", match=view.id)
    seen = saved.revision if task.request.revision is None else task.request.revision
    try:
        lines = await asyncio.to_thread(lambda: [_parse_line(saved.board, turns) for turns in typed])
    except MoveRefused as error:
        raise Refusal("conditional_illegal", reason=error.error) from error
    await task.matches.conditionals.add_lines(view.id, task.person, lines, seen_revision=seen, now=task.now)
    return await _list(task, view, task.texts("mail.reply.conditional.saved", count=len(typed)))


def _parse_line(board: FutureBoard, turns: Sequence[str]) -> Line:
    """Return the line of typed turns. Raises MoveRefused, `incomplete_turn`."""
    resigns = turns[-1] == RESIGN_WORD
    played = parse_typed_line(board, [split_moves(turn) for turn in (turns[:-1] if resigns else turns)])
    return (*played, RESIGN) if resigns else played


async def _remove(task: Task, view: MatchView, number: int) -> None:
    saved = await task.matches.conditionals.get(view.id, task.person)
    entries = await asyncio.to_thread(list_entries, saved)
    if not 0 < number <= len(entries):
        raise Refusal("line_number_unknown", match=view.id, last=len(entries))
    await task.matches.conditionals.remove_line(
        view.id,
        task.person,
        entries[number - 1].line,
        seen_revision=saved.revision,
        now=task.now,
    )


async def _list(task: Task, view: MatchView, title: str) -> Answer:
    """Return the list of all lines; whoever sees it has seen why earlier ones were lost."""
    texts, saved = task.texts, await task.matches.conditionals.get(view.id, task.person)
    entries = await asyncio.to_thread(list_entries, saved)
    lines = [] if saved.loss is None else [texts(f"conditional.lost.{saved.loss.reason}")]
    for number, entry in enumerate(entries, start=1):
        lines.append(texts("conditional.entry", indent="", number=number, line=_format_entry(texts, entry)))
    if not entries:
        lines.append(texts("conditional.none" if saved.can_edit else "conditional.own_turn"))
    if saved.can_edit:
        lines.append(texts("mail.reply.conditional.how", example=_example(saved)))
    lines.append(texts("conditional.privacy"))
    if saved.loss is not None:
        await task.matches.conditionals.mark_notified(saved.loss)
    match_name = format_match_name(texts, view, task.account)
    headed = texts("mail.reply.conditional.about", title=title, match_name=match_name)
    return answer_about(task, view, headed, lines)


def _example(saved: ConditionalMoves) -> str:
    """Return a move of the opponent, as one types it."""
    return saved.board.position.example_move


def _format_entry(texts: Texts, entry: ConditionalEntry) -> str:
    return formatting.format_conditional_answer(
        texts,
        [_format_turn(texts, turn) for turn in entry.opponent_turns],
        _format_turn(texts, entry.own_turn),
    )


def _format_turn(texts: Texts, turn: LineTurn) -> str:
    vocabulary = turn.board_after.position.vocabulary
    return formatting.format_conditional_turn(texts, vocabulary, turn.side, turn.events)
