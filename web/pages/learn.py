"""Lessons on the website: the list, the tasks of a game, and a task that is played on the board.

The answers given so far are in the URL, so a lesson needs no account and no script; the progress is kept by
the browser alone (``learn.js``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from aiohttp import web
from markupsafe import Markup

from i18n import formatting as game_formatting
from lessons.goals import play_turn
from matches import PuzzleChoice
from web.analysis_board.board_link import AnalysisBoard
from web.context import CONTEXT
from web.match import formatting
from web.pages.rules_pages import book_path, cover_path
from web.pages.view_options import ViewOptions
from web.play.task_form import build_task_form
from web.puzzles.state import next_path

if TYPE_CHECKING:
    from engine.game import Move, Position
    from lessons.content import Lesson, Task, Verdict
    from web.context import WebContext


async def lesson_list(request: web.Request) -> web.Response:
    """Show the lessons of all games."""
    context = request.app[CONTEXT]
    lessons = [
        _lesson_item(context, lesson) | {"picture": _picture_path(context, lesson, request)}
        for lesson in context.lessons
        if lesson.game in context.games
    ]
    has_puzzles = bool(await context.matches.puzzles.list_games())
    return context.pages.respond(request, "learn_list.html", lessons=lessons, has_puzzles=has_puzzles)


async def lesson_page(request: web.Request) -> web.Response:
    """Show the tasks of a lesson."""
    context = request.app[CONTEXT]
    lesson = _requested_lesson(request)
    return context.pages.respond(
        request,
        "learn_lesson.html",
        lesson=_lesson_item(context, lesson),
        rules=book_path(context, lesson.game),
    )


async def task_page(request: web.Request) -> web.Response:
    """Show a task, with the answers in the URL applied; with ``part=task`` only what they change."""
    context = request.app[CONTEXT]
    lesson, number = _requested_lesson(request), int(request.match_info["number"])
    if number > len(lesson.tasks):
        raise web.HTTPNotFound
    task = lesson.tasks[number - 1]
    games = await context.matches.puzzles.list_games() if number == len(lesson.tasks) else ()
    values = _task_context(context, request, lesson, number) | _play(context, request, lesson, task)
    values["puzzles_path"] = next_path(PuzzleChoice(lesson.game)) if lesson.game in games else ""
    template = "learn_parts.html" if request.query.get("part") == "task" else "learn_task.html"
    return context.pages.respond(request, template, **values)


def _requested_lesson(request: web.Request) -> Lesson:
    context = request.app[CONTEXT]
    lesson = context.lessons.find(request.match_info["game"])
    if lesson is None or lesson.game not in context.games:
        raise web.HTTPNotFound
    return lesson


def _lesson_item(context: WebContext, lesson: Lesson) -> dict[str, Any]:
    return {
        "game": lesson.game,
        "name": context.texts(f"game.{lesson.game}.name"),
        "about": lesson.about,
        "path": f"/learn/{lesson.game}",
        "count": len(lesson.tasks),
        "tasks": [(number, task.key, task.title) for number, task in enumerate(lesson.tasks, 1)],
    }


def _picture_path(context: WebContext, lesson: Lesson, request: web.Request) -> str:
    """Return the URL of a picture of the game: that of the first rule page; empty without rules."""
    book = context.rule_books.find(lesson.game)
    return "" if book is None else cover_path(request, book)


def _task_context(context: WebContext, request: web.Request, lesson: Lesson, number: int) -> dict[str, Any]:
    """Return the template context of a task without the board and the answers."""
    task = lesson.tasks[number - 1]
    book = context.rule_books.find(lesson.game)
    rule = None if book is None else book.find_page(task.rule)
    others = [_lesson_item(context, one) for one in context.lessons if one.game in context.games]
    return {
        "lesson": _lesson_item(context, lesson),
        "task": task,
        "number": number,
        "path": request.path,
        "send_path": request.path,
        "method": "get",
        "form_fields": (),
        "next_path": f"/learn/{lesson.game}/{number + 1}" if number < len(lesson.tasks) else "",
        "end": lesson.end,
        "rules": book_path(context, lesson.game),
        "rule": None if rule is None else (f"{book_path(context, lesson.game)}#{rule.key}", rule.title),
        "new_path": f"/new?{urlencode({'game': lesson.game, **lesson.options})}"
        if context.can_start_games
        else "",
        "others": [one for one in others if one["game"] != lesson.game],
    }


def _play(context: WebContext, request: web.Request, lesson: Lesson, task: Task) -> dict[str, Any]:
    """Return the template context of the board: the move form, and the verdict once the turn is complete."""
    game = context.games[lesson.game]
    start = game.load(task.position)
    if start.to_move is None:
        raise web.HTTPNotFound
    view_options = ViewOptions.from_request(context.texts, request, game)
    form, moves, notice = build_task_form(context, request, view_options, start, start.to_move)
    verdict = task.judge(start, moves) if moves else None
    return {
        "side": start.to_move.value,
        "side_name": game_formatting.format_side(context.texts, start.to_move),
        "svg": Markup(form.svg),  # noqa: S704 - made by the renderer, which escapes all texts
        "form": form,
        "notice": notice,
        "verdict": verdict,
        "refutation": "" if verdict is None else _format_refutation(context, start, moves, verdict),
        "analysis_url": AnalysisBoard(start).with_moves(*map(str, moves)).url() if moves else "",
    }


def _format_refutation(
    context: WebContext, start: Position, moves: tuple[Move, ...], verdict: Verdict
) -> str:
    """Return the reply that the turn should have prevented; empty if there is none."""
    position = play_turn(start, moves)[0]
    if verdict.refutation is None or position.to_move is None:
        return ""
    events = position.events(verdict.refutation)
    turn = formatting.describe_turn(context.texts, position.vocabulary, position.to_move, events)
    return context.texts("learn.refutation", turn=turn)
