"""Carries out what a mail says: one command, one answer."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.game import GameError
from i18n.match_names import format_match_name
from i18n.refusals import format_refusal
from i18n.writing import Code
from mail.commands import (
    conditional_lines,
    ending,
    help_texts,
    hints,
    lists,
    mistakes,
    open_questions,
    puzzles,
    starting,
    times,
    turns,
    watching,
)
from mail.commands.states import answer_about, split_lines
from mail.commands.task import Task
from mail.commands.values import Answer
from mail.reading.values import Command, CommandName, Play, Unclear, UnclearReason
from mail.writing import texts_for
from matches import MatchState, MatchUnknown, MoveRefused, OfferKind, Refusal
from move_builder import split_moves, suggest_turns

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from datetime import datetime

    from mail.commands.values import MailRequest
    from mail.context import MailContext
    from matches import MatchView

Name = CommandName
_COMMANDS: Mapping[CommandName, Callable[[Task], Awaitable[Answer]]] = MappingProxyType(
    {
        Name.RESIGN: ending.resign,
        Name.DRAW: partial(ending.offer, kind=OfferKind.DRAW),
        Name.END: partial(ending.offer, kind=OfferKind.END),
        Name.TAKEBACK: partial(ending.offer, kind=OfferKind.TAKEBACK),
        Name.ACCEPT: open_questions.accept,
        Name.DECLINE: open_questions.decline,
        Name.WITHDRAW: open_questions.withdraw,
        Name.CLAIM: ending.claim,
        Name.ABORT: ending.abort,
        Name.REMATCH: ending.rematch,
        Name.BOARD: lists.show_board,
        Name.GAMES: lists.list_games,
        Name.IF: conditional_lines.handle,
        Name.NOTE: lists.write_note,
        Name.PAUSE: times.pause,
        Name.RESUME: times.resume,
        Name.GIVE: times.give_time,
        Name.VACATION: times.vacation,
        Name.HINT: hints.show_hint,
        Name.WATCH: watching.watch,
        Name.UNWATCH: watching.unwatch,
        Name.STOP: lists.stop_mails,
        Name.START: lists.start_mails,
        Name.HELP: help_texts.show_help,
        Name.CHALLENGE: starting.challenge,
        Name.PLAY: starting.play_computer,
        Name.MISTAKES: mistakes.begin,
        Name.PUZZLE: puzzles.begin,
    }
)
# In answer to a task: the mistakes of a match, or a puzzle.
_OF_MISTAKES: Mapping[CommandName, Callable[[Task], Awaitable[Answer]]] = MappingProxyType(
    {Name.HINT: mistakes.show_answer, Name.SOLUTION: mistakes.show_answer}
)
_OF_PUZZLES: Mapping[CommandName, Callable[[Task], Awaitable[Answer]]] = MappingProxyType(
    {
        Name.HINT: puzzles.show_hint,
        Name.SOLUTION: puzzles.show_solution,
        Name.RESIGN: puzzles.show_solution,
        Name.BOARD: puzzles.show_board,
    }
)
_ABOUT_NO_MATCH = frozenset(
    {
        Name.GAMES,
        Name.VACATION,
        Name.STOP,
        Name.START,
        Name.CHALLENGE,
        Name.PLAY,
        Name.JOIN,
        Name.WATCH,
        Name.UNWATCH,
        Name.PUZZLE,
    }
)
_UNREADABLE = frozenset({UnclearReason.ILLEGAL, UnclearReason.AMBIGUOUS})


async def carry_out(context: MailContext, request: MailRequest, *, now: datetime) -> Answer:
    """Do what a mail says and return the answer; what is refused is an answer too.

    Raises StorageUnavailable and RequestRepeated; then nothing may be answered.
    """
    preferences = await context.matches.people.preferences.get(request.person.account)
    texts = texts_for(context.texts, preferences.zone)
    words = request.words
    argument = words.argument if isinstance(words, Command) else ""
    is_sure = isinstance(words, Command) and words.is_sure
    task = Task(context, request, texts, now, " ".join(argument.split(" ")), is_sure)
    try:
        answer = await _run(task)
    except Refusal as error:
        answer = await _refuse(task, error)
    if answer.match is not None and answer.revision is not None:
        await _mark_seen(task, answer)
    return answer


async def _run(task: Task) -> Answer:
    words, request = task.request.words, task.request
    if isinstance(words, Play):
        play = turns.play if request.mistake is None else mistakes.try_turn
        return await (play if request.puzzle is None else puzzles.try_turn)(task, words.words)
    if isinstance(words, Command):
        own = {} if request.mistake is None else _OF_MISTAKES
        own = own if request.puzzle is None else _OF_PUZZLES
        run = own.get(words.name) or _COMMANDS.get(words.name)
        if run is None:
            raise Refusal("unclear_no_words", text=words.name.value)
        return await run(task)
    return await _answer_unclear(task, words)


async def _answer_unclear(task: Task, words: Unclear) -> Answer:
    """Refuse what could not be read: an old board or the turn of another comes first, then the reason."""
    if task.request.puzzle is not None:
        await puzzles.load(task)  # whatever was typed: that it was withdrawn is said first
        if words.reason in _UNREADABLE:
            return await puzzles.try_text(task, words.text)
    elif task.request.mistake is not None:
        if words.reason in _UNREADABLE:
            return await mistakes.try_text(task, words.text)
    elif task.request.match is not None:
        view = await task.load_view()
        if view.state is MatchState.OVER:
            raise Refusal("match_over", match=view.id)
        is_move = words.reason in {*_UNREADABLE, UnclearReason.SEVERAL_MOVES}
        if view.state is MatchState.CHOOSING and words.text:
            return await turns.play_text(task, words.text)
        if is_move:
            await turns.check_turn(task, view)
        if words.reason in _UNREADABLE:
            return await turns.play_text(task, words.text)
    raise Refusal(f"unclear_{words.reason.value}", text=words.text)


async def _refuse(task: Task, error: Refusal) -> Answer:
    """Return the answer that says why nothing was done and what to do, with the board if there is one."""
    texts = task.texts
    view = None if _is_about_no_match(task.request) else await _find_view(task)
    name = "" if view is None else format_match_name(texts, view, task.account)
    lines = [format_refusal(texts, error, front_end="mail", match_name=name)]
    if isinstance(error, MoveRefused) and view is not None:
        lines += await _suggest(task, view)
    title = texts("mail.reply.not_done")
    with suppress(Refusal):  # there is nothing to ask again: a puzzle was withdrawn, an analysis deleted
        if task.request.mistake is not None:
            return await mistakes.ask_again(task, title, lines)
        if task.request.puzzle is not None:
            return await puzzles.ask_again(task, title, lines)
    if view is not None:
        return answer_about(task, view, title, lines)
    challenge = task.request.challenge
    return Answer(title, tuple(split_lines(lines)), challenge=challenge)


def _is_about_no_match(request: MailRequest) -> bool:
    return isinstance(request.words, Command) and request.words.name in _ABOUT_NO_MATCH


async def _find_view(task: Task) -> MatchView | None:
    """Return the match of the request if the person plays in it."""
    if task.request.match is None:
        return None
    try:
        return await task.load_view()
    except MatchUnknown:
        return None


async def _suggest(task: Task, view: MatchView) -> list[str]:
    """Return the sentence that names legal turns near what was typed, if there are any."""
    words, position = task.request.words, view.position
    text = words.text if isinstance(words, Play | Unclear) else ""
    if position is None or not text:
        return []
    try:
        found = await asyncio.to_thread(suggest_turns, position, split_moves(text[: turns.MAX_TURN_LENGTH]))
    except GameError:
        return []
    if not found:
        return []
    moves = task.texts.join([Code(turn) for turn in found], "list.or")
    return [task.texts("mail.reply.did_you_mean", moves=moves)]


async def _mark_seen(task: Task, answer: Answer) -> None:
    """Keep notices from telling what the answer shows: it has the present board, and what is open there."""
    if answer.match is None:
        return
    view = await task.matches.view(answer.match, readers=(task.account,), now=task.now)
    if view.revision == answer.revision:
        await task.matches.people.notices.mark_seen(task.account, answer.match, now=task.now)
