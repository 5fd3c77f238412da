"""The form that opens a record or a position on an analysis board. Nothing of it is stored."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.game import GameError
from matches import Refusal
from matches.records.imports import read_record
from web.analysis_board.board_link import MAX_LINK_LENGTH, MAX_MOVES, AnalysisBoard
from web.analysis_board.comments import MAX_COMMENT_LENGTH, set_comment
from web.analysis_board.written_lines import read_comments
from web.context import CONTEXT
from web.errors import format_error, status_code
from web.server.forms import read_upload, redirect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aiohttp import web

    from engine.game import Game
    from web.analysis_board.comments import Comment

RECORD_BEGINNING = '[Game "'
BYTE_ORDER_MARK = "\ufeff"


async def import_form(request: web.Request) -> web.Response:
    """Show the form."""
    return _render(request)


async def import_game(request: web.Request) -> web.Response:
    """Redirect to the analysis board of what was typed or sent; or show the form with the reason why not."""
    context = request.app[CONTEXT]
    fields = await read_upload(request)
    typed = fields.get("text", b"").replace(b"\r\n", b"\n")
    data = fields.get("file") or typed
    try:
        board = await context.run_in_thread(request, lambda: read_game(data, context.games))
    except Refusal as error:
        notice = format_error(context.texts, error)
        return _render(request, typed.decode("utf-8", "replace"), notice, status_code(error))
    return redirect(board.url())


def read_game(data: bytes, games: Mapping[str, Game]) -> AnalysisBoard:
    """Return the analysis board of a record, at its end, or of a position line. Raises Refusal."""
    text = data.decode("utf-8", "replace").removeprefix(BYTE_ORDER_MARK)
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise Refusal("import_empty")
    (number, first), *rest = lines
    game = games.get(first.split()[0].lower())
    if first.startswith("["):
        board = _read_record(data, games)
    elif game is None:
        raise Refusal("import_unknown", line=number, record=RECORD_BEGINNING, games=tuple(games))
    elif rest:
        raise Refusal("import_line", line=rest[0][0])
    else:
        board = _read_position(game, first, number)
    if not board.has_room():
        raise Refusal("import_too_long")
    return board


def _read_record(data: bytes, games: Mapping[str, Game]) -> AnalysisBoard:
    try:
        record = read_record(data, games, max_turns=MAX_MOVES)
    except Refusal as error:
        if getattr(error.values.get("reason"), "key", "") == "record.too_long":
            raise Refusal("import_too_many_turns", limit=MAX_MOVES) from error
        raise
    moves = tuple(entry.move for entry in record.entries)
    texts = (record.comment, *(entry.comment for entry in record.entries))
    return _add_comments(*read_comments(AnalysisBoard(record.first_position, moves, len(moves)), texts))


def _add_comments(board: AnalysisBoard, found: Sequence[Comment]) -> AnalysisBoard:
    """Return the board with the comments of a record, from the first on as many as its link can hold."""
    comments = board.comments
    with suppress(Refusal):  # too many
        for moves, text in found:
            comments = set_comment(comments, moves, text[:MAX_COMMENT_LENGTH])
    while comments and not replace(board, comments=comments).has_room():
        comments = comments[:-1]
    return replace(board, comments=comments)


def _read_position(game: Game, line: str, number: int) -> AnalysisBoard:
    try:
        # People also write the name with a capital letter.
        return AnalysisBoard(game.load(f"{game.name}{line[len(game.name) : MAX_LINK_LENGTH]}"))
    except GameError as error:
        raise Refusal("import_position", line=number, reason=error) from error


def _first_position(game: Game) -> str:
    """Return the position line of a first game."""
    return str(game.initial_position(**game.complete_options(**game.first_options)))


def _render(request: web.Request, typed: str = "", notice: str = "", status: int = 200) -> web.Response:
    context = request.app[CONTEXT]
    answer = context.pages.respond(
        request,
        "import.html",
        status=status,
        typed=typed,
        notice=notice,
        example=min(map(_first_position, context.games.values()), key=len),
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer
