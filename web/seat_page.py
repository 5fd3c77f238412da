"""The page of a match with the controls of a seat: the turn in the making, fists, offers, ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiohttp import web
from markupsafe import Markup

from engine.game import GameError
from i18n import formatting as words_of
from matches import (
    MatchError,
    MatchState,
    NoMoveGiven,
    StaleBoard,
    TooManyMoves,
    possible_offers,
)
from move_builder import parse_turn, split_moves
from web import formatting, local_games, move_form
from web.context import CONTEXT
from web.errors import RequestRefused, format_error
from web.match_page import MatchPage, players_context
from web.session import SEAT_PATH, require_session
from web.view_options import ViewOptions

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from engine.game import Position
    from matches import MatchUpdate, MatchView
    from web.context import WebContext
    from web.move_form import MoveForm
    from web.session import PlayerSession

    Deed = Callable[[WebContext, PlayerSession, Any], Awaitable[MatchUpdate]]

MAX_MOVE_TEXT = 200


def routes() -> list[web.RouteDef]:
    """Return the address of a seat's page."""
    return [web.get(SEAT_PATH, seat_page)]


async def seat_page(request: web.Request) -> web.Response:
    """Show a match to whoever sits there; with answers in the address, the turn in the making."""
    return await render_seat_page(request, await require_session(request))


async def render_seat_page(request: web.Request, session: PlayerSession, notice: str = "") -> web.Response:
    """Answer with the page of a seat, or the parts of it that change."""
    context = request.app[CONTEXT]
    cached = await context.cache.get(session.view.id)
    view_options = ViewOptions.from_request(request, context.games[session.view.game], _bottom_side(session))
    page = MatchPage.create(context, cached, view_options, request.query.get("turn"), session.path)
    values = {
        **page.template_context(),
        **players_context(context, session.view),
        **_seat_context(context, session, page),
    }
    if page.is_latest:
        values |= _move_context(request, session, page)
    values["notice"] = notice or values["notice"]
    part = request.query.get("part")
    answer = context.pages.respond(request, "seat.html" if part == "seat" else "match.html", **values)
    answer.headers["Cache-Control"] = "no-store"
    view_options.save_theme(request, answer, secure=context.is_secure)
    return answer


def _seat_context(context: WebContext, session: PlayerSession, page: MatchPage) -> dict[str, Any]:
    """Return what the templates need for everything but the turn itself."""
    view = session.view
    is_running, pending_offer = view.state is not MatchState.OVER, view.pending_offer
    is_from_opponent = pending_offer is not None and pending_offer.by.account not in session.accounts
    can_answer = pending_offer is not None and (is_from_opponent or len(session.accounts) > 1)
    return {
        "seated": True,
        "own_seat": "",
        "notice": "",
        "board": view.revision,
        "own_side": session.seat.side.value,
        "is_awaited": session.is_awaited and page.is_latest,
        "acts_for": session.person.name,
        "shared": len(session.accounts) > 1,
        "may_resign": is_running,
        "again": ""
        if is_running
        else local_games.rematch_url(context, view, one_screen=len(session.accounts) > 1),
        "may_abort": view.is_abortable,
        "offers": _possible_offers(context, view),
        "answerable": pending_offer if is_running and can_answer else None,
        "fists": _pick_options(context, session),
    }


def _possible_offers(context: WebContext, view: MatchView) -> list[dict[str, str]]:
    """Return the labels of the offers that are possible on this board."""
    texts, position = context.texts, view.position
    has_result = position is not None and position.agreed_outcome is not None
    result = words_of.format_agreed_end(texts, position) if position is not None and has_result else ""
    return [
        {
            "kind": kind.value,
            "label": texts(f"web.offer.{kind}.make"),
            "about": texts(f"web.offer.{kind}.about", result=result),
        }
        for kind in possible_offers(view)
    ]


def _pick_options(context: WebContext, session: PlayerSession) -> list[dict[str, str]]:
    """Return the picks on offer to somebody whose fists are still open."""
    rules, texts = context.games[session.view.game], context.texts
    if (
        session.view.state is not MatchState.CHOOSING
        or rules.simultaneous_choice is None
        or not session.is_awaited
    ):
        return []
    return [
        {
            "pick": pick,
            "left": "●" * pick.count("L"),
            "right": "●" * pick.count("R"),
            "hands": texts(f"fists.hands.{pick}"),
            "mode": words_of.format_option(
                texts, rules.name, rules.simultaneous_choice.option, rules.resolve_picks(pick, pick)
            ),
        }
        for pick in rules.simultaneous_choice.picks
    ]


def _move_context(request: web.Request, session: PlayerSession, page: MatchPage) -> dict[str, Any]:
    """Return the board and the question of a turn in the making.

    The bare board where it is another's turn.
    """
    position, texts = session.view.position, page.context.texts
    if position is None or not session.is_awaited:
        return {}
    form_context = move_form.MoveFormContext(
        texts, session.seat.side, page.view_options, session.view.revision, session.view.latest_events
    )
    try:
        form, notice = _build_move_form(request, session, form_context), ""
    except (GameError, MatchError) as error:
        form, notice = move_form.build_form(form_context, position, ()), error_text(page.context, error)
    caption = formatting.format_turn(texts, page.cached.replay_turn(page.turn))
    return {
        "asked": form,
        "svg": Markup(form.svg),  # noqa: S704 - painted by the renderer
        "caption": caption,
        "notice": notice,
    }


def _build_move_form(
    request: web.Request, session: PlayerSession, form_context: move_form.MoveFormContext
) -> MoveForm:
    """Follow what the address says. Raises GameError, and MatchError for another board than the one seen."""
    position, view = session.view.position, session.view
    query = request.query
    if position is None:
        raise NoMoveGiven(match=view.id, due=0)
    text = query.get("text", "")[:MAX_MOVE_TEXT]
    answers = move_form.parse_answers(query.get("answers", ""))
    if (answers or text) and "board" in query and move_form.parse_number(query["board"]) != view.revision:
        raise StaleBoard(match=view.id, seen=move_form.parse_number(query["board"]), ply=view.ply)
    if "text" in query:
        return _preview_typed_moves(view.id, form_context, position, text)
    if "then" in query:
        answers = (*answers, query["then"])
    if "ticked" in query:
        answers = move_form.add_ticked_cells(position, answers, query.getall("take", []))
    return move_form.build_form(form_context, position, answers)


def _preview_typed_moves(
    match: int, form_context: move_form.MoveFormContext, position: Position, text: str
) -> MoveForm:
    count = len(split_moves(text))
    if count == 0:
        raise NoMoveGiven(match=match, due=position.moves_due)
    if count > position.moves_due:
        raise TooManyMoves(match=match, due=position.moves_due, given=count)
    return move_form.build_preview(form_context, parse_turn(position, text), text)


def _bottom_side(session: PlayerSession) -> Any:
    """Return the side at the bottom: one's own, or, on a screen for both, always the same."""
    return None if len(session.accounts) > 1 else session.seat.side


def error_text(context: WebContext, error: MatchError | GameError | RequestRefused) -> str:
    """Return the sentence of whatever was refused at a seat."""
    if isinstance(error, GameError):
        return context.texts("web.refused.move", reason=error.reason)
    return format_error(context.texts, error)
