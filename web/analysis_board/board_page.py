"""The analysis board: moves are tried for both sides, back, forward and in branches; the link holds all.

The links on a page are relative to the path with its state, so a page whose input changes the state leads to
the path of the new one.

A player's own board, below the path of the seat, can save the line in view as conditional moves. Nothing
else is stored. An unfinished turn is on no board: each starts from a turn that everybody may see.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from aiohttp import web
from markupsafe import Markup

import render
from engine.game import GameError
from i18n import formatting as game_formatting
from i18n.match_texts import format_turns_to_draw
from i18n.refusals import format_game_error
from matches import MoveRefused, Refusal
from matches.turns import play_typed_turn
from move_builder import add_forced_answers, apply_answers, split_moves, suggest_lines
from web.addresses import match_id
from web.analysis_board.board_link import AnalysisBoard, analysis_path, parse_board, play_board
from web.context import CONTEXT
from web.errors import format_error
from web.match.access import load_match
from web.match.match_page import MatchPage
from web.match.watch import requested_view_options
from web.pages.rules_pages import PICTURE_HEADERS, book_path
from web.pages.view_options import ViewOptions
from web.play import move_form
from web.play.conditional_moves import find_editable, saving_context
from web.play.seat_sessions import require_player
from web.server.forms import redirect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Game, Position
    from web.analysis_board.board_link import PlayedAnalysis
    from web.context import WebContext
    from web.play.move_form import MoveForm
    from web.play.seat_sessions import PlayerSession

MAX_TYPED_LENGTH = 400  # characters of the moves typed at once
MAX_LISTED_MOVES = 6  # of another line
# What a request adds to the state of a board: input and view options.
ADDED_FIELDS = frozenset({"answers", "then", "ticked", "take", "text", "side", "theme", "part"})


async def analysis_page(request: web.Request) -> web.Response:
    """Show the analysis board of a link."""
    board = await _requested_board(request)
    path = analysis_path(board.start.game.name)
    if "state" not in request.match_info:
        return _redirect_to_state(request, path, board)
    return await _render(request, path, board, _requested_view_options(request, board.start.game))


def _redirect_to_state(request: web.Request, path: str, board: AnalysisBoard) -> web.Response:
    """Redirect from a link whose query holds the state, or that holds none, with what else it asks for."""
    more = [(name, value) for name, value in request.query.items() if name in ADDED_FIELDS]
    return redirect(_Links(path, urlencode(more)).to(board))


async def board_png(request: web.Request) -> web.Response:
    """Return the board of a link as PNG, for previews of the link."""
    board = await _requested_board(request)
    view_options = _requested_view_options(request, board.start.game)

    def render_png() -> bytes:
        played = play_board(board)
        is_over = played.position.to_move is None
        return render.to_png(view_options.scene(played.position, played.last_events, is_over=is_over))

    png = await request.app[CONTEXT].run_in_thread(request, render_png)
    return web.Response(body=png, content_type="image/png", headers={**PICTURE_HEADERS, "Vary": "Cookie"})


def _requested_view_options(request: web.Request, game: Game) -> ViewOptions:
    return ViewOptions.from_request(request.app[CONTEXT].texts, request, game)


async def _requested_board(request: web.Request) -> AnalysisBoard:
    game = request.app[CONTEXT].games.get(request.match_info["game"])
    if game is None:
        raise web.HTTPNotFound
    return await _parse_board(request, analysis_path(game.name), game)


async def _parse_board(
    request: web.Request, path: str, game: Game, default: Position | None = None, match: int = 0
) -> AnalysisBoard:
    """Return the board of a request to a page of a game, below `path`. Raises Refusal."""
    given = list(request.query.items())
    if "state" in request.match_info:
        # The path as it was sent: in it, as in a query, separators differ from what is escaped.
        state = request.rel_url.raw_path.split("/", path.count("/") + 1)[-1]
        given = parse_qsl(state, keep_blank_values=True) + given
    lines = [value for name, value in given if name == "line"]
    return parse_board(game, dict(given), lines, default=default, match=match)


async def analyse_match(request: web.Request) -> web.Response:
    """Redirect to the analysis board of a turn, by default the latest."""
    context = request.app[CONTEXT]
    cached = await load_match(request, match_id(request))
    view_options = requested_view_options(request, cached)
    page = MatchPage.create(context, cached, view_options, request.query.get("turn"), request.path)
    board = AnalysisBoard(cached.replay_turn(page.turn).position, match=cached.view.id)
    return redirect(_Links(analysis_path(cached.view.game), view_options.query_string()).to(board))


async def own_analysis_page(request: web.Request) -> web.Response:
    """Show a player's own analysis board of a match, by default of the latest turn."""
    context = request.app[CONTEXT]
    session = await require_player(request)
    view, cached = session.view, session.cached
    own_side = None if session.has_both_seats else session.seat.side
    game = context.games[view.game]
    view_options = ViewOptions.from_request(context.texts, request, game, own_side)
    page = MatchPage.create(context, cached, view_options, request.query.get("turn"), request.path)
    path = f"{session.path}/analysis"
    board = await _parse_board(request, path, game, cached.replay_turn(page.turn).position, view.id)
    if "state" not in request.match_info:
        return _redirect_to_state(request, path, board)
    return await _render(request, path, board, view_options, session)


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """An analysis board after the input of a request: the open question, or why nothing was played.

    `form` is None if no question is open: the game is over, or there is only one legal move, `only_move`.
    `near` are legal moves near refused ones that were `typed`. With `has_moved` the input has changed the
    board of the link.
    """

    played: PlayedAnalysis
    svg: str
    form: MoveForm | None
    only_move: str = ""
    notice: str = ""
    typed: str = ""
    near: tuple[str, ...] = ()
    has_moved: bool = False


async def _render(
    request: web.Request,
    path: str,
    board: AnalysisBoard,
    view_options: ViewOptions,
    session: PlayerSession | None = None,
) -> web.Response:
    """Return the page below `path`; with ``part=board`` only what a move changes."""
    context = request.app[CONTEXT]
    is_part = request.query.get("part") == "board"
    taken = request.query.getall("take", [])

    saved = None if session is None else await find_editable(context, session)

    def build() -> web.Response:
        view = _build_view(context, view_options, board, request.query, taken)
        if view.has_moved and not is_part:
            return redirect(_Links(path, view_options.query_string()).to(view.played.board))
        values = _page_context(context, path, view, view_options)
        values["saving"] = None if saved is None else saving_context(context, saved, view.played)
        values["seat_path"] = "" if session is None else session.path
        template = "analysis_parts.html" if is_part else "analysis.html"
        return context.pages.respond(request, template, theme=view_options.theme, **values)

    # On a large board this takes long enough that other players would wait for it in the event loop.
    answer = await context.run_in_thread(request, build)
    answer.headers["Cache-Control"] = "no-store"
    view_options.save_theme(request, answer, secure=context.is_secure)
    return answer


def _build_view(
    context: WebContext,
    view_options: ViewOptions,
    board: AnalysisBoard,
    query: Mapping[str, str],
    taken: Sequence[str],
) -> AnalysisView:
    """Play the line of a board and what the request adds to it, and draw the result."""
    played = play_board(board)
    try:
        advanced, answers = _apply_input(played, query, taken)
    except (GameError, Refusal) as error:
        return _refused_view(context, view_options, played, query, error)
    if advanced != played.board:
        return replace(_show(context, view_options, play_board(advanced), ()), has_moved=True)
    return _show(context, view_options, played, answers, notice=_link_notice(context, played))


def _apply_input(
    played: PlayedAnalysis, query: Mapping[str, str], taken: Sequence[str]
) -> tuple[AnalysisBoard, tuple[str, ...]]:
    """Return the board after typed moves, or after answers that complete a move; else the answers so far.

    Raises GameError, MoveRefused, and Refusal for a line that is too long.
    """
    board, position = played.board, played.position
    text = query.get("text", "")[:MAX_TYPED_LENGTH]
    if text.strip():
        played_moves = play_typed_turn(0, position, position.read_turn(split_moves(text)))
        return board.with_moves(*(move.text for move in played_moves)), ()
    answers = move_form.parse_answers(query.get("answers", ""))
    if "then" in query:
        answers = (*answers, *move_form.parse_answers(query["then"]))
    if "ticked" in query:
        answers = move_form.add_ticked_cells(position, answers, taken)
    if not answers:
        return board, ()
    answers = add_forced_answers(position, answers)
    moves = apply_answers(position, answers).moves
    return (board.with_moves(*map(str, moves)), ()) if moves else (board, answers)


def _refused_view(
    context: WebContext,
    view_options: ViewOptions,
    played: PlayedAnalysis,
    query: Mapping[str, str],
    error: GameError | Refusal,
) -> AnalysisView:
    """Return the board as it was, with the reason and legal moves near those typed."""
    view = _show(context, view_options, played, ())
    if isinstance(error, MoveRefused):
        error = error.error
    if isinstance(error, Refusal):
        return replace(view, notice=format_error(context.texts, error))
    typed = query.get("text", "")[:MAX_TYPED_LENGTH]
    words = played.position.resolve_words(split_moves(typed))
    near = tuple(" ".join(line) for line in suggest_lines(played.position, words))
    notice = format_game_error(context.texts, error)
    return replace(view, notice=notice, typed=typed, near=tuple(dict.fromkeys(near)))


def _link_notice(context: WebContext, played: PlayedAnalysis) -> str:
    """Return why a part of the link was left out; empty if all of it could be played."""
    if played.is_cut:
        return context.texts("web.analysis.too_many_moves")
    if played.error is None:
        return ""
    return context.texts("web.analysis.cut", reason=format_game_error(context.texts, played.error.error))


def _show(
    context: WebContext,
    view_options: ViewOptions,
    played: PlayedAnalysis,
    answers: tuple[str, ...],
    notice: str = "",
) -> AnalysisView:
    """Return the board with the question after `answers`."""
    position = played.position
    side = position.to_move
    choice = None if side is None else apply_answers(position, ()).choice
    if side is None or choice is None:
        svg = render.to_svg(view_options.scene(position, played.last_events, is_over=side is None))
        return AnalysisView(played, svg, None, position.example_move if side else "", notice)
    form_context = move_form.MoveFormContext(
        texts=context.pages.texts,
        side=side,
        view_options=view_options,
        revision=0,
        last_events=played.last_events,
        parameters=f"at={played.board.cursor}",
    )
    # Without answers nothing is played, also where only one move is possible.
    form = move_form.build_form(form_context, position, answers, skips_forced=bool(answers))
    return AnalysisView(played, form.svg, form, notice=notice)


def _page_context(
    context: WebContext, path: str, view: AnalysisView, view_options: ViewOptions
) -> dict[str, Any]:
    """Return the template context of an analysis board."""
    board, position = view.played.board, view.played.position
    side = position.to_move
    options = view_options.query_string()
    links, public_links = _Links(path, options), _Links(analysis_path(position.game.name), options)
    flipped = view_options.flip(position.game).query_string()
    return {
        "path": f"{path}/{board.state_text()}",
        "turn": board.cursor,
        "last": len(board.moves),
        "svg": Markup(view.svg),  # noqa: S704 - made by the renderer, which escapes all texts
        "view_options": view_options,
        "now": context.now().isoformat(),
        "game": context.texts(f"game.{position.game.name}.name"),
        "rules_url": book_path(context, position.vocabulary),
        "match": board.match,
        "url": links.to(board),
        "picture_url": f"{context.base}{analysis_path(position.game.name)}/board.png?{board.query()}",
        "share_url": f"{context.base}{public_links.to(board)}",
        "hrefs": {
            "here": links.at(board.cursor),
            "first": links.at(0),
            "back": links.at(max(0, board.cursor - 1)),
            "forward": links.at(min(board.cursor + 1, len(board.moves))),
            "latest": links.at(len(board.moves)),
            "flip": _Links(path, flipped).at(board.cursor),
            "restart": links.to(AnalysisBoard(board.start, match=board.match)),
        },
        "themes": [
            (theme.value, f"{links.at(board.cursor)}&theme={theme}")
            for theme in render.ThemeName
            if theme is not view_options.theme
        ],
        "one_screen": True,  # the question names the side to move
        "own_side": "" if side is None else side.value,
        "acting_name": "" if side is None else game_formatting.format_side(context.texts, side),
        "result": _format_result(context, position),
        "turns_to_draw": format_turns_to_draw(context.texts, position),
        "moves": _move_items(context, view.played, links),
        "other_lines": _other_line_items(board, links),
        "move_form": view.form,
        "only_move": view.only_move,
        "form_fields": [("at", str(board.cursor)), *parse_qsl(options)],
        "line_fields": [(name, value) for name, value in board.parameters() if name not in {"at", "line"}],
        "notice": view.notice,
        "typed": view.typed,
        "near_turns": view.near,
    }


@dataclass(frozen=True, slots=True)
class _Links:
    """Links to analysis boards on a page; `options` are the view options as a query string."""

    path: str
    options: str

    def to(self, board: AnalysisBoard) -> str:
        """Return the link to a board, relative to the website."""
        url = board.url(self.path)
        return f"{url}{'&' if '?' in url else '?'}{self.options}" if self.options else url

    def at(self, cursor: int) -> str:
        """Return the link to so many moves of the line in view, relative to the page."""
        return f"?at={cursor}&{self.options}" if self.options else f"?at={cursor}"


def _move_items(
    context: WebContext, played: PlayedAnalysis, links: _Links
) -> list[tuple[int, str, str, str]]:
    """Return number, side, text and link of each move of the line."""
    items = []
    for number, move in enumerate(played.moves, 1):
        side = played.position_before(number - 1).to_move
        if side is not None:
            text = game_formatting.format_events(context.texts, move.position.vocabulary, side, move.events)
            items.append((number, side.value, text, links.at(number)))
    return items


def _other_line_items(board: AnalysisBoard, links: _Links) -> list[tuple[str, str, str]]:
    """Return the text, the link and the link that removes it, of each other line."""
    items = []
    for index in range(len(board.other_lines)):
        shown = board.with_line(index)
        moves = " ".join(shown.moves[shown.cursor - 1 :][:MAX_LISTED_MOVES])
        items.append((f"{shown.cursor}. {moves}", links.to(shown), links.to(board.without_line(index))))
    return items


def _format_result(context: WebContext, position: Position) -> str:
    """Return who has won on this board; empty while the game is in progress."""
    if position.outcome is None:
        return ""
    winner = position.outcome.winner
    if winner is None:
        return context.texts("analysis.drawn")
    return context.texts("analysis.won", side=game_formatting.format_side(context.texts, winner))
