"""Conditional moves on the website: the page where their owner lists, adds and removes them.

Lines are typed there, or played on the player's own analysis board and saved from it. Every answer goes to
the owner alone and is never cached. There are none on a shared screen, and none against the computer, which
answers at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiohttp import web

from i18n import formatting
from i18n.names import name_of
from i18n.writing import isolate
from matches import MoveRefused, Refusal, StaleBoard
from matches.conditionals import RESIGN, find_line, list_entries, play_line
from matches.people.analysis_lines import conditional_line_from, parse_typed_line, resigning_line_from
from move_builder import split_moves
from web.analysis_board.board_link import MOVE_SEPARATOR, AnalysisBoard, parse_board, play_board
from web.context import CONTEXT
from web.play.move_form import parse_number
from web.play.seat_page import error_text
from web.play.seat_sessions import require_player
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from matches.conditionals import ConditionalEntry, ConditionalMoves, Line, LineTurn
    from web.analysis_board.board_link import PlayedAnalysis
    from web.context import WebContext
    from web.play.seat_sessions import PlayerSession

    FormData = Mapping[str, str]
    Change = Callable[[web.Request, PlayerSession, FormData], Awaitable[None]]

TURN_SEPARATOR, RESIGN_MARK = ";", "!"
MAX_TYPED_LENGTH = 200
TYPED_FIELDS = ("opponent", "answer")


async def conditional_page(request: web.Request) -> web.Response:
    """Show the player's conditional moves."""
    return await _render(request, await _require_own_seat(request), notice="", typed={})


async def find_editable(context: WebContext, session: PlayerSession) -> ConditionalMoves | None:
    """Return a player's conditional moves; None if they are impossible now."""
    if not session.allows_conditional_moves:
        return None
    try:
        saved = await context.matches.conditionals.get(session.view.id, session.person)
    except Refusal:
        return None
    return saved if saved.can_edit else None


def saving_context(context: WebContext, saved: ConditionalMoves, analysis: PlayedAnalysis) -> dict[str, Any]:
    """Return the template context for saving the line in view of a player's own analysis board."""
    start, moves = analysis.board.start, analysis.moves_in_view
    line = conditional_line_from(saved, start, moves)
    return {
        "revision": saved.revision,
        "entry": _format_line(context, saved, line) if line else "",
        "is_saved": bool(line) and find_line(saved.board, saved.tree, line) is not None,
        "can_resign": bool(resigning_line_from(saved, start, moves)),
        "at": len(moves),
    }


def make_handler(change: Change) -> Callable[[web.Request], Awaitable[web.Response]]:
    """Return a handler that makes a change and redirects to the page, or shows it with the reason why not."""

    async def handle(request: web.Request) -> web.Response:
        context, session = request.app[CONTEXT], await _require_own_seat(request)
        form = await read_form(request)
        try:
            await change(request, session, form)
        except Refusal as error:
            typed = {name: form.get(name, "")[:MAX_TYPED_LENGTH] for name in TYPED_FIELDS}
            return await _render(request, session, notice=_error_text(context, error), typed=typed)
        return redirect(f"{session.path}/conditional")

    return handle


async def _require_own_seat(request: web.Request) -> PlayerSession:
    session = await require_player(request)
    if not session.allows_conditional_moves:
        raise web.HTTPNotFound
    return session


async def _render(
    request: web.Request, session: PlayerSession, *, notice: str, typed: FormData
) -> web.Response:
    context = request.app[CONTEXT]
    match, person = session.view.id, session.person
    saved = await context.matches.conditionals.get(match, person)
    opponent = session.view.opponent(person.account)
    # A hundred turns on a large board take long enough that other players would wait for them.
    entries = await context.run_in_thread(
        request, lambda: [_entry_item(context, saved, entry) for entry in list_entries(saved)]
    )
    answer = context.pages.respond(
        request,
        "conditional_moves.html",
        path=session.path,
        match=match,
        opponent="" if opponent is None else isolate(name_of(context.texts, opponent.person)),
        revision=saved.revision,
        can_edit=saved.can_edit,
        lost="" if saved.loss is None else context.texts(f"conditional.lost.{saved.loss.reason}"),
        entries=entries,
        notice=notice,
        typed={name: typed.get(name, "") for name in TYPED_FIELDS},
    )
    answer.headers["Cache-Control"] = "no-store"
    if saved.loss is not None:
        await context.matches.conditionals.mark_notified(saved.loss)
    return answer


def _entry_item(context: WebContext, saved: ConditionalMoves, entry: ConditionalEntry) -> dict[str, Any]:
    moves = tuple(text for move_texts in entry.line for text in move_texts)
    board = AnalysisBoard(saved.board.position, moves, len(moves))
    return {
        "depth": min(entry.depth, 4),
        "text": _format_answer(context, entry.opponent_turns, entry.own_turn),
        "line": format_line(entry.line),
        "board": "" if entry.line[-1] == RESIGN else board.state_text(),
    }


def _format_line(context: WebContext, saved: ConditionalMoves, line: Line) -> str:
    """Return a line that ends with an own turn as one sentence; only the last answer stands out."""
    turns = tuple(play_line(saved.board, line))
    return _format_answer(context, turns[:-1], turns[-1])


def _format_answer(context: WebContext, turns: Sequence[LineTurn], own_turn: LineTurn) -> str:
    texts = [
        formatting.format_conditional_turn(
            context.pages.texts, turn.board_after.position.vocabulary, turn.side, turn.events
        )
        for turn in (*turns, own_turn)
    ]
    return formatting.format_conditional_answer(context.pages.texts, texts[:-1], texts[-1])


async def add_typed(request: web.Request, session: PlayerSession, form: FormData) -> None:
    """Save what was typed: the opponent's turn and the answer, perhaps with further turns after it."""
    context, match, person = request.app[CONTEXT], session.view.id, session.person
    saved = await context.matches.conditionals.get(match, person)
    if not saved.can_edit:
        raise Refusal("is_your_turn", match=match)
    typed = [split_moves(form.get(name, "")[:MAX_TYPED_LENGTH]) for name in TYPED_FIELDS]
    line = await context.run_in_thread(request, lambda: parse_typed_line(saved.board, typed))
    await context.matches.conditionals.add_line(
        match, person, line, seen_revision=parse_number(form.get("board")), now=context.now()
    )


async def save_analysed(request: web.Request, session: PlayerSession, form: FormData) -> None:
    """Save the line in view of the player's own analysis board, perhaps with resigning as its answer."""
    context, match, person = request.app[CONTEXT], session.view.id, session.person
    saved = await context.matches.conditionals.get(match, person)
    game, default = context.games[session.view.game], saved.board.position
    played = await context.run_in_thread(
        request, lambda: play_board(parse_board(game, form, default=default))
    )
    choose = resigning_line_from if "resign" in form else conditional_line_from
    line = choose(saved, played.board.start, played.moves_in_view)
    if not line:
        raise StaleBoard(match=match)
    await context.matches.conditionals.add_line(
        match, person, line, seen_revision=parse_number(form.get("board")), now=context.now()
    )


async def remove(request: web.Request, session: PlayerSession, form: FormData) -> None:
    """Remove a line."""
    context = request.app[CONTEXT]
    await context.matches.conditionals.remove_line(
        session.view.id,
        session.person,
        parse_line(form.get("line", "")),
        seen_revision=parse_number(form.get("board")),
        now=context.now(),
    )


async def clear(request: web.Request, session: PlayerSession, _form: FormData) -> None:
    """Remove all lines."""
    context = request.app[CONTEXT]
    await context.matches.conditionals.clear(session.view.id, session.person, now=context.now())


def format_line(line: Line) -> str:
    """Return a line as the value of a field."""
    return TURN_SEPARATOR.join(MOVE_SEPARATOR.join(turn) or RESIGN_MARK for turn in line)


def parse_line(text: str) -> Line:
    """Parse the value of a field."""
    turns = filter(None, text.split(TURN_SEPARATOR))
    return tuple(RESIGN if turn == RESIGN_MARK else tuple(turn.split(MOVE_SEPARATOR)) for turn in turns)


def _error_text(context: WebContext, error: Refusal) -> str:
    """Return the reason as a sentence about conditional moves."""
    if isinstance(error, StaleBoard):
        return context.pages.texts("web.conditional.stale")
    return error_text(context, error.error if isinstance(error, MoveRefused) else error)
