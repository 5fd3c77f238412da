"""Conditional moves by mail: ``if MOVE then MOVE``, the list of them, and removing lines."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from i18n import formatting
from i18n.match_names import format_match_name
from mail.commands.states import answer_about
from matches import Refusal
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

LIST, REMOVE, CLEAR, QUIT = "list", "remove", "clear", "quit"  # words that can follow the command
MAX_LENGTH = 2000  # characters that are read
MAX_LINES = 20
MAX_NUMBER_DIGITS = 4


async def handle(task: Task) -> Answer:
    """List the person's conditional moves, add lines, or remove one or all.

    Raises `match_over`, `choice_pending`, `is_your_turn`, StaleBoard, `conditional_unreadable`,
    `line_number_unknown`, and what saving a line raises.
    """
    view = await task.load_view()
    word, _, rest = task.argument.partition(" ")
    if task.find_word((CLEAR,)) == CLEAR:
        await task.matches.conditionals.clear(view.id, task.person, now=task.now)
        title = task.texts("conditional.cleared")
        return answer_about(task, view, title)
    if not task.argument or task.find_word((LIST,)) == LIST:
        return await _list(task, view, task.texts("mail.reply.conditional.title"))
    if word.casefold() in task.texts(f"typed_word.{REMOVE}").split("; "):
        await _remove(task, view, rest)
        return await _list(task, view, task.texts("conditional.removed"))
    return await _add(task, view)


def split_typed(texts: Texts, argument: str) -> list[list[str]]:
    """Return the turns of each line that is typed after the command.

    ``A then B; if C then D`` are two lines, ``A then B then C then D`` is one of four turns. A further line
    of text is a line of its own.
    """
    words_if, words_then = (
        "|".join(map(re.escape, texts(f"typed_word.{name}").split("; "))) for name in ("if", "then")
    )
    starts = re.compile(rf"(?:^|[;,.\n]|\band\b)[ ]?(?:{words_if})(?![a-z])[ ]?|\n", re.IGNORECASE)
    separators = re.compile(rf"[ ]?,?[ ]?(?<![a-z])(?:{words_then})(?![a-z])[ ]?,?[ ]?", re.IGNORECASE)
    text = "\n".join(" ".join(line.split()) for line in argument[:MAX_LENGTH].splitlines())
    lines = [line.strip(" ;,.") for line in starts.split(text)]
    return [[turn.strip(" ;,.") for turn in separators.split(line)] for line in lines if line]


async def _add(task: Task, view: MatchView) -> Answer:
    typed = split_typed(task.texts, task.argument)
    if not typed or len(typed) > MAX_LINES or any(len(line) < 2 or not all(line) for line in typed):
        raise Refusal("conditional_unreadable", match=view.id)
    saved = await task.matches.conditionals.get(view.id, task.person)
    if not saved.can_edit:
        raise Refusal("is_your_turn", match=view.id)
    seen = saved.revision if task.request.revision is None else task.request.revision
    lines = await asyncio.to_thread(lambda: [_parse_line(task.texts, saved.board, turns) for turns in typed])
    await task.matches.conditionals.add_lines(view.id, task.person, lines, seen_revision=seen, now=task.now)
    return await _list(task, view, task.texts("mail.reply.conditional.saved", count=len(typed)))


def _parse_line(texts: Texts, board: FutureBoard, turns: Sequence[str]) -> Line:
    """Return the line of typed turns. Raises MoveRefused, `incomplete_turn`."""
    resigns = turns[-1].casefold() in texts(f"typed_word.{QUIT}").split("; ")
    played = parse_typed_line(board, [split_moves(turn) for turn in (turns[:-1] if resigns else turns)])
    return (*played, RESIGN) if resigns else played


async def _remove(task: Task, view: MatchView, number: str) -> None:
    saved = await task.matches.conditionals.get(view.id, task.person)
    entries = await asyncio.to_thread(list_entries, saved)
    digits = number.strip().lstrip("#")
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= MAX_NUMBER_DIGITS
    if not is_number or not 0 < int(digits) <= len(entries):
        raise Refusal("line_number_unknown", match=view.id, last=len(entries))
    await task.matches.conditionals.remove_line(
        view.id,
        task.person,
        entries[int(digits) - 1].line,
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
