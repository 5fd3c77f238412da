"""The turning points of a finished match as tasks, for whoever may see the match.

The answers given so far are in the URL, as in lessons, so nothing is stored. Players get their own mistakes,
others those of the player that they choose, and all see the boards from the side of that player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

import render
from engine.game import Event
from i18n.mistakes import format_answer, format_count, format_task, format_verdict
from i18n.names import name_of
from i18n.writing import isolate
from matches import Mistake, PuzzleChoice, TurnVerdict, find_mistakes
from web.addresses import match_id, match_path
from web.analysis_board.board_link import AnalysisBoard
from web.context import CONTEXT
from web.match.access import load_match
from web.match.game_analysis import NON_BREAKING_HYPHEN, find_own_player
from web.pages.rules_pages import book_path
from web.pages.view_options import ViewOptions
from web.play.task_form import build_task_form
from web.puzzles.state import next_path
from web.server.forms import redirect

if TYPE_CHECKING:
    from aiohttp import web

    from matches import Replay
    from web.context import WebContext
    from web.match.cache import CachedMatch

Mistakes = tuple[tuple[Mistake, ...], tuple[Mistake, ...]]
"""Those of both players."""


async def first_mistake(request: web.Request) -> web.Response:
    """Redirect to the first mistake of the reader; of another player where the reader has none.

    Before there is any, that is the analysis on the page of the match.
    """
    cached = await load_match(request, match_id(request))
    mistakes = await _load_mistakes(request.app[CONTEXT], cached.replay)
    own = await find_own_player(request, cached)
    ordered = mistakes if own != 1 else mistakes[::-1]
    first = next((one[0] for one in ordered if one), None)
    return redirect(_analysis_path(cached) if first is None else _mistake_path(cached, first))


async def mistake_page(request: web.Request) -> web.Response:
    """Show a mistake, with the answers in the URL applied; with ``part=task`` only what they change."""
    context, turn = request.app[CONTEXT], int(request.match_info["turn"])
    cached = await load_match(request, match_id(request))
    mistakes = await _load_mistakes(context, cached.replay)
    mistake = next((one for each in mistakes for one in each if one.turn == turn), None)
    if mistake is None:
        return redirect(_analysis_path(cached))
    own, game = await find_own_player(request, cached), cached.view.game
    has_puzzles = game in await context.matches.puzzles.list_games()
    values = _frame_context(context, cached, mistakes, mistake, own)
    values["puzzles_path"] = next_path(PuzzleChoice(game)) if has_puzzles else ""
    # On a large board this takes long enough that other players would wait for it in the event loop.
    values |= await context.run_in_thread(request, lambda: _play(context, request, cached, mistake))
    template = "mistake_parts.html" if request.query.get("part") == "task" else "mistake.html"
    answer = context.pages.respond(request, template, **values)
    answer.headers["Cache-Control"] = "no-store"
    return answer


async def _load_mistakes(context: WebContext, replay: Replay | None) -> Mistakes:
    if replay is None:
        return (), ()
    analysis = await context.matches.game_analyses.get(replay)
    return find_mistakes(replay, analysis, 0), find_mistakes(replay, analysis, 1)


def _analysis_path(cached: CachedMatch) -> str:
    return f"{match_path(cached.view.id)}#game-analysis"


def _mistake_path(cached: CachedMatch, mistake: Mistake) -> str:
    return f"{match_path(cached.view.id)}/mistakes/{mistake.turn}"


def _frame_context(
    context: WebContext, cached: CachedMatch, mistakes: Mistakes, mistake: Mistake, own: int | None
) -> dict[str, Any]:
    """Return the template context of everything that the answers do not change."""
    texts, game = context.pages.texts, cached.view.game
    player = int(mistake in mistakes[1])
    shown, others = mistakes[player], mistakes[1 - player]
    name = "" if player == own else isolate(name_of(texts, mistake.seat.person))
    following = next(iter(shown[mistake.index + 1 :]), None)
    lesson = context.lessons.find(game)
    return {
        "match": cached.view.id,
        "match_path": match_path(cached.view.id),
        "path": _mistake_path(cached, mistake),
        "send_path": _mistake_path(cached, mistake),
        "method": "get",
        "form_fields": (),
        "count": format_count(texts, mistake, name),
        "text": _keep_moves_whole(format_task(texts, mistake, name)),
        "tasks": [(one.turn, _mistake_path(cached, one), one is mistake) for one in shown],
        "next_path": "" if following is None else _mistake_path(cached, following),
        "other": (_mistake_path(cached, others[0]), isolate(name_of(texts, others[0].seat.person)))
        if others
        else None,
        "rules": book_path(context, game),
        "lesson": None if lesson is None else (f"/learn/{game}", texts(f"game.{game}.name")),
    }


def _play(context: WebContext, request: web.Request, cached: CachedMatch, mistake: Mistake) -> dict[str, Any]:
    """Return the template context of the board: the open question, the verdict, or the answer."""
    texts, start, side = context.pages.texts, mistake.position, mistake.seat.side
    view_options = ViewOptions.from_request(context.texts, request, start.game, side)
    board = AnalysisBoard(start, match=cached.view.id)
    values: dict[str, Any] = {
        "side": side.value,
        "notice": "",
        "form": None,
        "verdict": "",
        "analysis_url": "",
    }
    if "show" in request.query:
        line = board.with_moves(*mistake.point.line).at(len(mistake.point.better))
        return values | {
            "state": "shown",
            "svg": _draw_answer(view_options, mistake),
            "verdict": _keep_moves_whole(format_answer(texts, mistake, mistake.judge(mistake.point.better))),
            "analysis_url": line.url(),
        }
    form, moves, notice = build_task_form(context, request, view_options, start, side, mistake.start.events)
    values |= {"state": "open", "svg": _as_markup(form.svg), "form": form, "notice": notice}
    if not moves:
        return values
    tried = mistake.judge(map(str, moves))
    return values | {
        "state": "solved" if tried.verdict is TurnVerdict.GOOD else "failed",
        "verdict": _keep_moves_whole(format_verdict(texts, mistake, tried)),
        "analysis_url": board.with_moves(*tried.moves).url(),
    }


def _draw_answer(view_options: ViewOptions, mistake: Mistake) -> Markup:
    """Return the board after the better turn."""
    position, events = mistake.position, tuple[Event, ...]()
    for text in mistake.point.better:
        move = position.parse(text)
        events += position.events(move)
        position = position.play(move)
    return _as_markup(render.to_svg(view_options.scene(position, events)))


def _as_markup(svg: str) -> Markup:
    return Markup(svg)  # noqa: S704 - made by the renderer, which escapes all texts


def _keep_moves_whole(text: str) -> str:
    """Return a text, written for the page, in which moves do not break at their hyphens."""
    return text.replace("-", NON_BREAKING_HYPHEN)
