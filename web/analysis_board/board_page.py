"""The analysis board: moves are tried for both sides, back, forward and in branches; the link holds all.

The links on a page are relative to the path with its state, so a page whose input changes the state leads to
the path of the new one. A finished match has its whole game as the main line; a match in progress only the
board of a turn.

A player's own board, below the path of the seat, can save the line in view as conditional moves. A comment is
posted, because it is long, and then in the link too. Nothing else is stored here; a board can be saved in a
study (:mod:`web.studies`). An unfinished turn is on no board: each starts from a turn that everybody may see.
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
from matches import MatchState, MoveRefused, Refusal
from matches.explorer.lines import MAX_MOVES as MAX_EXPLORED_MOVES
from matches.turns import play_typed_turn
from move_builder import add_forced_answers, apply_answers, split_moves, suggest_lines
from web.addresses import explorer_path, match_id
from web.analysis_board.board_link import (
    AnalysisBoard,
    analysis_path,
    match_analysis_path,
    parse_board,
    parse_match_board,
    play_board,
)
from web.analysis_board.comments import MAX_COMMENT_LENGTH, find_comment
from web.analysis_board.links import REMOVED_LINE, Links, place_of
from web.analysis_board.move_list import list_moves
from web.context import CONTEXT
from web.errors import format_error
from web.match.access import load_match
from web.match.match_page import MatchPage
from web.match.watch import requested_view_options
from web.pages.rules_pages import PICTURE_HEADERS, book_path
from web.pages.view_options import ViewOptions
from web.play import move_form
from web.play.conditional_moves import find_editable, saving_context
from web.play.move_form import parse_number
from web.play.seat_sessions import require_player
from web.server.forms import read_form, redirect
from web.studies.saving import saved_chapter, study_context

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Game, Position
    from web.analysis_board.board_link import PlayedAnalysis
    from web.context import WebContext
    from web.match.cache import CachedMatch
    from web.play.move_form import MoveForm
    from web.play.seat_sessions import PlayerSession
    from web.studies.saving import SavedChapter

MAX_TYPED_LENGTH = 400  # characters of the moves typed at once
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
    return redirect(Links(path, urlencode(more)).to(board))


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


async def _requested_board(request: web.Request, prefix: str = "") -> AnalysisBoard:
    game = request.app[CONTEXT].games.get(request.match_info["game"])
    if game is None:
        raise web.HTTPNotFound
    return await _parse_board(request, f"{prefix}{analysis_path(game.name)}", game)


async def requested_board(request: web.Request, prefix: str) -> AnalysisBoard:
    """Return the board of a link to that of a game or a finished match, whose path is below `prefix`.

    Its moves are not played yet. Raises Refusal, and HTTPNotFound if the match is not over.
    """
    if "match" not in request.match_info:
        return await _requested_board(request, prefix)
    cached = await load_match(request, match_id(request))
    if cached.view.state is not MatchState.OVER:
        raise web.HTTPNotFound
    return _parse_match_board(request, f"{prefix}{match_analysis_path(cached.view.id)}", cached)


async def _parse_board(
    request: web.Request, path: str, game: Game, default: Position | None = None, match: int = 0
) -> AnalysisBoard:
    """Return the board of a request to a page of a game, below `path`. Raises Refusal."""
    given = list_given(request, path)
    lines = [value for name, value in given if name == "line"]
    return parse_board(game, dict(given), lines, default=default, match=match)


def list_given(request: web.Request, path: str) -> list[tuple[str, str]]:
    """Return the names and values of the state of a board below `path`, and those of the query after them."""
    given = list(request.query.items())
    if "state" in request.match_info:
        # The path as it was sent: in it, as in a query, separators differ from what is escaped.
        state = request.rel_url.raw_path.split("/", path.count("/") + 1)[-1]
        given = parse_qsl(state, keep_blank_values=True) + given
    return given


async def analyse_match(request: web.Request) -> web.Response:
    """Show the game of a finished match; of another one redirect to the analysis board of a turn.

    The turn in view is that of the link, by default the latest.
    """
    context = request.app[CONTEXT]
    cached = await load_match(request, match_id(request))
    view_options = requested_view_options(request, cached)
    path = match_analysis_path(cached.view.id)
    if cached.view.state is MatchState.OVER:
        return await _render(request, path, _parse_match_board(request, path, cached), view_options)
    page = MatchPage.create(context, cached, view_options, request.query.get("turn"), path)
    board = AnalysisBoard(cached.replay_turn(page.turn).position, match=cached.view.id)
    return redirect(Links(analysis_path(cached.view.game), view_options.query_string()).to(board))


def _parse_match_board(request: web.Request, path: str, cached: CachedMatch) -> AnalysisBoard:
    """Return the board of a request to the page of a finished match, below `path`. Raises Refusal."""
    given = list_given(request, path)
    board = parse_match_board(cached, dict(given), [value for name, value in given if name == "line"])
    turn = parse_number(request.query.get("turn"))
    return board if turn < 0 else board.at(sum(move.turn <= turn for move in cached.moves))


async def own_analysis_page(request: web.Request) -> web.Response:
    """Show a player's own analysis board of a match, by default of the latest turn.

    A link from before the match was over, which holds a position, keeps its own lines.
    """
    context = request.app[CONTEXT]
    session = await require_player(request)
    view, cached = session.view, session.cached
    own_side = None if session.has_both_seats else session.seat.side
    game = context.games[view.game]
    view_options = ViewOptions.from_request(context.texts, request, game, own_side)
    path = f"{session.path}/analysis"
    if view.state is MatchState.OVER and "position" not in dict(list_given(request, path)):
        return await _render(request, path, _parse_match_board(request, path, cached), view_options, session)
    page = MatchPage.create(context, cached, view_options, request.query.get("turn"), request.path)
    board = await _parse_board(request, path, game, cached.replay_turn(page.turn).position, view.id)
    if "state" not in request.match_info:
        return _redirect_to_state(request, path, board)
    return await _render(request, path, board, view_options, session)


@dataclass(frozen=True, slots=True)
class StoredBoard:
    """The page of a stored board: its path and template, the chapter if it is the visitor's, and more values.

    What changes the board leads to the analysis board, where nothing is stored. The link to share is that of
    the page if others see it too (`is_shared`), and otherwise that of the analysis board.
    """

    path: str
    template: str
    chapter: SavedChapter | None
    is_shared: bool
    values: Mapping[str, Any]


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


async def render_stored(
    request: web.Request, board: AnalysisBoard, view_options: ViewOptions, stored: StoredBoard
) -> web.Response:
    """Return the page of a stored board."""
    return await _render(request, "", board, view_options, stored=stored)


async def _render(
    request: web.Request,
    path: str,
    board: AnalysisBoard,
    view_options: ViewOptions,
    session: PlayerSession | None = None,
    stored: StoredBoard | None = None,
) -> web.Response:
    """Return the page below `path`, or that of a stored board; with ``part=board`` what a move changes."""
    context = request.app[CONTEXT]
    is_part, is_form = request.query.get("part") == "board", request.method == "POST"
    taken = request.query.getall("take", [])
    fields = await read_form(request) if is_form else request.query

    saved = None if session is None else await find_editable(context, session)
    chapter = await saved_chapter(request, board) if stored is None else stored.chapter

    def build() -> web.Response:
        view = _build_view(context, view_options, board, fields, taken)
        is_done = view.has_moved or (is_form and not view.notice)
        if is_done and not is_part:
            return redirect(Links(path, view_options.query_string()).to(view.played.board))
        values = _page_context(context, path, view, view_options)
        values |= study_context(context, view.played.board, chapter)
        values["comment"] = find_comment(view.played.board.comments, view.played.board.moves_in_view)
        values["is_stored"] = stored is not None
        values["typed_comment"] = fields.get("comment", "") or values["comment"]
        if stored is not None:
            values |= stored.values
            if not view.has_moved:
                url = f"{stored.path}{values['hrefs']['here']}"
                values["url"] = url
                if stored.is_shared:
                    values["share_url"] = f"{context.base}{url}"
        values["saving"] = None if saved is None else saving_context(context, saved, view.played)
        values["seat_path"] = "" if session is None else session.path
        page = "analysis.html" if stored is None else stored.template
        template = "analysis_parts.html" if is_part else page
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
    if "comment" in query:
        return board.with_comment(query["comment"]), ()
    removed = parse_number(query.get(REMOVED_LINE))
    if 0 < removed < len(board.lines):
        return board.without_line(removed), ()
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
        parameters=urlencode(place_of(played.board)),
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
    links, public_board = Links(path, options), replace(board, chapter="")
    flipped = view_options.flip(position.game).query_string()
    line = AnalysisBoard(board.start, board.moves_in_view[:MAX_EXPLORED_MOVES]).at(MAX_EXPLORED_MOVES)
    own_line = AnalysisBoard(board.start, board.line, board.cursor, match=board.match)
    url = links.to(board)
    return {
        "path": url.partition("?")[0],
        "turn": board.cursor,
        "last": len(board.line),
        "svg": Markup(view.svg),  # noqa: S704 - made by the renderer, which escapes all texts
        "view_options": view_options,
        "now": context.now().isoformat(),
        "game": context.texts(f"game.{position.game.name}.name"),
        "rules_url": book_path(context, position.vocabulary),
        "match": board.match,
        "url": url,
        "picture_url": f"{context.base}{analysis_path(position.game.name)}/board.png?{_picture_query(view)}",
        "share_url": f"{context.base}{Links('', options).to(public_board)}",
        "change_url": url,
        "comment_limit": MAX_COMMENT_LENGTH,
        "explorer_url": Links(explorer_path(position.game.name), options).to(line),
        "hrefs": {
            "here": links.within(board),
            "first": links.within(board.at(0)),
            "back": links.within(board.at(board.cursor - 1)),
            "forward": links.within(board.at(board.cursor + 1)),
            "latest": links.within(board.at(len(board.line))),
            "flip": Links(path, flipped).within(board),
            "restart": ""
            if board.game is not None
            else links.to(AnalysisBoard(board.start, match=board.match, chapter=board.chapter)),
            "main_line": _main_line_href(board, links),
        },
        "themes": [
            (theme.value, f"{links.within(board)}&theme={theme}")
            for theme in render.ThemeName
            if theme is not view_options.theme
        ],
        "one_screen": True,  # the question names the side to move
        "own_side": "" if side is None else side.value,
        "acting_name": "" if side is None else game_formatting.format_side(context.texts, side),
        "result": format_outcome(context, position),
        "turns_to_draw": format_turns_to_draw(context.texts, position),
        "is_game": board.game is not None,
        "moves": list_moves(context.texts, view.played, links),
        "move_form": view.form,
        "only_move": view.only_move,
        "form_fields": [*place_of(board), *parse_qsl(options)],
        "line_fields": [one for one in own_line.parameters() if one[0] != "at"],
        "notice": view.notice,
        "typed": view.typed,
        "near_turns": view.near,
    }


def _main_line_href(board: AnalysisBoard, links: Links) -> str:
    """Return the link back to the main line; empty where it is in view."""
    main = board.in_main_line()
    return links.within(main) if main.moves_in_view != board.moves_in_view else ""


def _picture_query(view: AnalysisView) -> str:
    """Return the parameters of the picture of the board in view, with its last move."""
    played, cursor = view.played, view.played.board.cursor
    start = played.position_before(played.moves, max(0, cursor - 1))
    return AnalysisBoard(start, played.board.moves_in_view[-1:]).at(1).query()


def format_outcome(context: WebContext, position: Position) -> str:
    """Return who has won on this board; empty while the game is in progress."""
    if position.outcome is None:
        return ""
    winner = position.outcome.winner
    if winner is None:
        return context.texts("analysis.drawn")
    return context.texts("analysis.won", side=game_formatting.format_side(context.texts, winner))
