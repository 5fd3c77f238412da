"""The analysis of a finished match by the computer, as a section of its page.

Whoever may see the page may see and request it: a player on the page of a seat, or any visitor.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import render
from i18n.facts import format_facts
from i18n.names import name_of
from i18n.writing import Percent
from matches import AnalysisStatus, Person, can_be_analysed, find_mistakes, find_reasons, find_task_turns
from web.accounts.signed_in import find_session
from web.addresses import SEAT_COOKIE, match_id, match_path
from web.analysis_board.board_link import match_board
from web.context import CONTEXT
from web.match.access import load_match, require_visible
from web.match.match_page import MatchPage
from web.pages.view_options import ViewOptions
from web.play.seat_sessions import require_player
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aiohttp import web

    from i18n import Texts
    from matches import GameAnalysis, Replay, TurnComparison, TurningPoint
    from web.analysis_board.board_link import AnalysisBoard
    from web.context import WebContext
    from web.match.cache import CachedMatch

# The chart, in units of its viewBox.
LEFT, RIGHT, TOP, BOTTOM = 70, 710, 15, 285
LABEL_SIZE = (50, 30)
TURN_STEPS = (1, 2, 5, 10, 20, 50, 100)
MAX_TURN_LABELS = 10
NON_BREAKING_HYPHEN = "\u2011"
OPEN = (AnalysisStatus.WAITING, AnalysisStatus.REFINING)


async def analysis_section(request: web.Request) -> web.Response:
    """Return the section alone, for scripts."""
    context = request.app[CONTEXT]
    cached = await load_match(request, match_id(request))
    path = match_path(cached.view.id)
    view_options = ViewOptions.from_request(context.texts, request, context.games[cached.view.game])
    page = MatchPage.create(context, cached, view_options, None, path)
    answer = context.pages.respond(
        request,
        "game_analysis.html",
        path=path,
        turn=page.turn,
        game_analysis=await game_analysis_context(request, page),
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


async def request_as_visitor(request: web.Request) -> web.Response:
    """Request the analysis, as the person who is signed in if any, and go back to the public page."""
    session = await find_session(request)
    person = None if session is None else session.person
    await require_visible(request, match_id(request))
    return await _request_analysis(request, person, match_path(match_id(request)))


async def request_as_player(request: web.Request) -> web.Response:
    """Request the analysis, and go back to the page of the seat."""
    session = await require_player(request)
    return await _request_analysis(request, session.person, session.path)


async def _request_analysis(request: web.Request, person: Person | None, path: str) -> web.Response:
    context = request.app[CONTEXT]
    await read_form(request)
    replay = await context.matches.replay(match_id(request), now=context.now())
    await context.matches.game_analyses.request(replay, person, now=context.now())
    return redirect(f"{path}#game-analysis")


async def game_analysis_context(request: web.Request, page: MatchPage) -> dict[str, Any] | None:
    """Return the template context of the section; None unless the match is over.

    What was better at the turning points that are tasks of the reader, or may become some, is folded.
    """
    replay = page.cached.replay
    if replay is None or not can_be_analysed(replay):
        return None
    analysis = await page.context.matches.game_analyses.get(replay)
    texts = page.context.texts
    names = [name_of(texts, seat.person) for seat in replay.turns[0].seats]
    values: dict[str, Any] = {
        "names": names,
        "name": names[0],
        "curve": "",
        "status": "",
        "state": texts("web.game_analysis.about"),
        "button": texts("web.game_analysis.request"),
        "mistakes": "",
    }
    if analysis is None:
        return values
    values |= {
        "status": analysis.status.value,
        "state": texts(
            f"web.game_analysis.{analysis.status}", done=len(analysis.chances), count=len(replay.turns)
        ),
        "button": _button_text(texts, analysis.status),
    }
    if any(find_mistakes(replay, analysis, player) for player in (0, 1)):
        values["mistakes"] = f"{match_path(page.view.id)}/mistakes"
    if analysis.has_result:
        own = await find_own_player(request, page.cached)
        tasks = frozenset[int]() if own is None else find_task_turns(replay, analysis, own)
        reasons = await asyncio.to_thread(find_reasons, replay, analysis)
        points = [
            _point_item(page.context, replay, match_board(page.cached), point, reasons[point.number])
            | {"is_own_task": point.number in tasks}
            for point in analysis.main_turning_points
        ]
        values |= {**_result_context(page.context, analysis, names), "points": points}
    return values


async def find_own_player(request: web.Request, cached: CachedMatch) -> int | None:
    """Return which player the reader is, by the account or by the seat of a personal link."""
    if cached.replay is None:
        return None
    accounts = [seat.person.account for seat in cached.replay.turns[0].seats]
    session, seat_name = await find_session(request), request.cookies.get(SEAT_COOKIE, "")
    if session is not None and session.account in accounts:
        return accounts.index(session.account)
    named = dict(enumerate(sorted(accounts), 1))
    return next((accounts.index(one) for number, one in named.items() if seat_name == str(number)), None)


def _button_text(texts: Texts, status: AnalysisStatus) -> str:
    if status is AnalysisStatus.IMPOSSIBLE:
        return texts("web.game_analysis.request")
    return texts("web.game_analysis.refresh") if status in OPEN else ""


def _result_context(context: WebContext, analysis: GameAnalysis, names: Sequence[str]) -> dict[str, Any]:
    chances = analysis.chances
    further = [point.number for point in analysis.further_turning_points]
    last = len(chances) - 1
    xs = [_x(turn, last) for turn in range(last + 1)]
    curve = " ".join(f"{x},{_y(each)}" for x, each in zip(xs, chances, strict=True))
    step = next((step for step in TURN_STEPS if last / step <= MAX_TURN_LABELS), TURN_STEPS[-1])
    return {
        "curve": curve,
        "area": f"{curve} {RIGHT},{BOTTOM} {LEFT},{BOTTOM}",
        "grid": [(_y(share), context.texts.write(Percent(share))) for share in (1, 0.5, 0)],
        "turn_labels": [(xs[turn], turn) for turn in range(0, last + 1, step)],
        "marks": _marks(xs, chances, [point.number for point in analysis.main_turning_points]),
        "turns": [
            (
                turn,
                round(x - (RIGHT - LEFT) / last / 2, 1),
                round((RIGHT - LEFT) / last, 1),
                context.texts("web.game_analysis.point", turn=turn, percent=Percent(chances[turn])),
            )
            for turn, x in enumerate(xs)
        ],
        "accuracy": [
            (name, context.texts.write(Percent(percent / 100)))
            for name, percent in zip(names, analysis.accuracy, strict=True)
            if percent is not None
        ],
        "further": further,
        "further_text": context.texts("web.game_analysis.further_turning_points", count=len(further)),
    }


def _marks(
    xs: Sequence[float], chances: Sequence[float], numbers: Sequence[int]
) -> list[tuple[float, float, int, int, int]]:
    """Return the place of each turning point's dot, the middle of its label's base line, and the label."""
    curve = [(x, float(_y(each))) for x, each in zip(xs, chances, strict=True)]
    labels = render.place_labels(curve, numbers, (LEFT, 0, RIGHT, BOTTOM), LABEL_SIZE)
    return [
        (x, y, round(label_x), round(label_y + LABEL_SIZE[1] / 3), number)
        for ((x, y), (label_x, label_y)), number in zip(labels, numbers, strict=True)
    ]


def _point_item(
    context: WebContext, replay: Replay, board: AnalysisBoard, point: TurningPoint, reasons: TurnComparison
) -> dict[str, Any]:
    """Return a turning point: its sentences, and the analysis board of the better turn."""
    texts, turn = context.texts, replay.turn_at(point.number)
    moves_before = sum(len(replay.turn_at(number).move_texts) for number in range(point.number))
    better = board.at(moves_before).with_moves(*point.line).at(moves_before + len(point.better))
    line = _format_moves(point.continuation)
    gains = format_facts(texts, turn.position.vocabulary, reasons.gains)
    following = texts("web.game_analysis.continuation", line=line) if line else ""
    return {
        "number": point.number,
        "played": texts(
            "web.game_analysis.turning_point",
            number=point.number,
            name=name_of(texts, replay.seat_of(turn).person),
            played=_format_moves(turn.move_texts),
            points=round(100 * point.loss),
        ),
        "drawbacks": format_facts(texts, turn.position.vocabulary, reasons.drawbacks),
        "better": texts("web.game_analysis.better", better=_format_moves(point.better)),
        "why": texts.join(filter(None, (gains, following)), "list.space"),
        "href": better.url(),
    }


def _format_moves(moves: Sequence[str]) -> str:
    """Return moves that do not break at their hyphens; every kind of dash can be typed in a move."""
    return " ".join(moves).replace("-", NON_BREAKING_HYPHEN)


def _x(turn: int, last: int) -> float:
    return round(LEFT + turn / last * (RIGHT - LEFT), 1)


def _y(chances: float) -> int:
    return round(BOTTOM - chances * (BOTTOM - TOP))
