"""The mistakes of a player in a finished match as tasks by mail: each is asked, and answered with a turn.

The reply address says which mistake a mail is about, so nothing is stored, and nothing is ever played.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from i18n.match_names import format_match_name
from i18n.mistakes import format_answer, format_verdict
from mail.commands.states import split_lines
from mail.commands.values import Answer
from mail.mistakes import describe_mistake, list_mistakes, load_board
from matches import AnalysisStatus, MatchState, Refusal, TurnVerdict
from matches.turns import play_typed_turn
from move_builder import split_moves

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mail.commands.task import Task
    from matches import MatchView, Mistake


async def begin(task: Task) -> Answer:
    """Answer with the first mistake in a finished match, by default the person's last one.

    Raises `no_finished_match`, `mistakes_waiting`, and what
    :meth:`matches.game_analysis.service.GameAnalyses.request` raises.
    """
    view = await _find_finished(task)
    replay = await task.matches.replay(view.id, now=task.now)
    analysis = await task.matches.game_analyses.request(replay, task.person, now=task.now)
    if analysis.status is not AnalysisStatus.COMPLETE:
        raise Refusal("mistakes_waiting", match=view.id)
    mistakes = await list_mistakes(task.matches, view.id, task.account, now=task.now)
    if mistakes:
        return await _ask(task, view, mistakes[0], task.texts("mistakes.title"))
    title = task.texts("mail.mistakes.none", match_name=format_match_name(task.texts, view, task.account))
    return Answer(title, (task.texts("game_analysis.no_turning_point"),), view.id, view.revision)


async def try_turn(task: Task, words: Sequence[str]) -> Answer:
    """Judge a turn; after a good one ask the next mistake, else the same again.

    Raises `mistake_unknown`, `mistake_turn`, MoveRefused.
    """
    view, mistake, following = await _load(task)
    position = mistake.position
    played = play_typed_turn(view.id, position, position.read_turn(words))
    if len(played) < position.moves_due:
        raise Refusal("mistake_turn", match=view.id)
    tried = await asyncio.to_thread(mistake.judge, [move.text for move in played])
    said = format_verdict(task.texts, mistake, tried)
    if tried.verdict is TurnVerdict.GOOD:
        return await _go_on(task, view, following, task.texts("mail.mistakes.right"), said)
    return await _ask(task, view, mistake, task.texts("mail.mistakes.wrong"), (said,))


async def show_answer(task: Task) -> Answer:
    """Answer with the better turn of a mistake, and ask the next one. Raises `mistake_unknown`."""
    view, mistake, following = await _load(task)
    better = await asyncio.to_thread(mistake.judge, mistake.point.better)
    said = format_answer(task.texts, mistake, better)
    return await _go_on(task, view, following, task.texts("mail.mistakes.answer"), said)


async def ask_again(task: Task, title: str, lines: Iterable[str]) -> Answer:
    """Ask a mistake again, after some lines. Raises `mistake_unknown`."""
    view, mistake, _ = await _load(task)
    return await _ask(task, view, mistake, title, lines)


async def try_text(task: Task, text: str) -> Answer:
    """Try a typed line that could not be read, so that the refusal says why."""
    return await try_turn(task, split_moves(text))


async def _find_finished(task: Task) -> MatchView:
    """Return the match that is meant; without one, or if it was not named, the last with a turn."""
    if task.request.match is not None:
        view = await task.load_view()
        if view.state is MatchState.OVER or task.request.revision is not None:
            return view
    for recent in await task.matches.views.list_recent_of(task.account):
        if recent.state is MatchState.OVER and recent.ply:
            return await task.matches.view(recent.id, readers=(task.account,), now=task.now)
    raise Refusal("no_finished_match")


async def _load(task: Task) -> tuple[MatchView, Mistake, Mistake | None]:
    """Return the match, the mistake that a mail answers, and the one after it. Raises `mistake_unknown`."""
    view = await task.load_view()
    mistakes = await list_mistakes(task.matches, view.id, task.account, now=task.now)
    found = next((one for one in mistakes if one.turn == task.request.mistake), None)
    if found is None:
        raise Refusal("mistake_unknown", match=view.id)
    return view, found, next(iter(mistakes[found.index + 1 :]), None)


async def _go_on(task: Task, view: MatchView, following: Mistake | None, title: str, said: str) -> Answer:
    """Return what was said of a mistake, and ask the `following` one."""
    if following is not None:
        return await _ask(task, view, following, title, (said,))
    lines = (said, task.texts("mistakes.finished"))
    return Answer(title, tuple(split_lines(lines)), view.id, view.revision)


async def _ask(
    task: Task, view: MatchView, mistake: Mistake, title: str, lines: Iterable[str] = ()
) -> Answer:
    """Return the task of a mistake, after some lines, with its board."""
    board = await load_board(task.matches, view.id, mistake.turn, task.account, now=task.now)
    asked = describe_mistake(task.texts, mistake)
    return Answer(
        title,
        tuple(split_lines((*lines, *asked))),
        match=view.id,
        revision=board.revision,
        mistake=mistake.turn,
    )
