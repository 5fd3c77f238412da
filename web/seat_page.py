"""The page of a seat: the page of a match with move form, picks, offers and ways to end the match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiohttp import web

from engine.game import GameError
from i18n import formatting as game_formatting
from matches import (
    MatchError,
    MatchState,
    NoMoveGiven,
    StaleBoard,
    TooManyMoves,
    possible_offers,
)
from move_builder import parse_turn, split_moves
from web import local_games, move_form
from web.addresses import SEAT_PATH
from web.context import CONTEXT
from web.errors import RequestRefused, format_error
from web.match_page import MatchPage, players_context
from web.session import require_session
from web.view_options import ViewOptions

if TYPE_CHECKING:
    from engine.game import Position, Side
    from matches import MatchView
    from web.context import WebContext
    from web.move_form import MoveForm
    from web.session import PlayerSession

MAX_MOVE_TEXT = 200


def routes() -> list[web.RouteDef]:
    """Return the route of a seat's page."""
    return [web.get(SEAT_PATH, seat_page)]


async def seat_page(request: web.Request) -> web.Response:
    """Show the page of a seat, with the move form as far as the URL answers it."""
    session = await require_session(request)
    context = request.app[CONTEXT]
    for account in session.accounts:  # who opens the page has been told what could not be sent
        await context.matches.places.record_contact(account, match=session.view.id, now=context.now())
    return await render_seat_page(request, session)


async def render_seat_page(request: web.Request, session: PlayerSession, notice: str = "") -> web.Response:
    """Return the page of a seat; with ``part=seat`` only its players, board and controls."""
    context = request.app[CONTEXT]
    cached = await context.cache.get(session.view.id)
    view_options = ViewOptions.from_request(request, context.games[session.view.game], _bottom_side(session))
    page = MatchPage.create(context, cached, view_options, request.query.get("turn"), session.path)
    form, form_notice = _current_move_form(request, session, page)
    values = {
        **page.link_context(),
        **page.board_context(None if form is None else form.svg),
        **players_context(context, session.view),
        **_seat_context(context, session, page),
        "move_form": form,
        "notice": notice or form_notice,
    }
    if request.query.get("part") == "seat":
        answer = context.pages.respond(request, "seat_parts.html", **values)
    else:
        answer = context.pages.respond(request, "match.html", **values, **page.frame_context())
    answer.headers["Cache-Control"] = "no-store"
    view_options.save_theme(request, answer, secure=context.is_secure)
    return answer


def _seat_context(context: WebContext, session: PlayerSession, page: MatchPage) -> dict[str, Any]:
    """Return the template context of the seat controls, without the move form."""
    view = session.view
    is_running, pending_offer = view.state is not MatchState.OVER, view.pending_offer
    is_from_opponent = pending_offer is not None and pending_offer.by.account not in session.accounts
    can_answer = pending_offer is not None and (is_from_opponent or session.has_both_seats)
    return {
        "is_seated": True,
        "own_seat_url": "",
        "revision": view.revision,
        "own_side": session.seat.side.value,
        "is_awaited": session.is_awaited and page.is_latest,
        "acting_name": session.person.name,
        "one_screen": session.has_both_seats,
        "can_resign": is_running,
        "rematch_url": ""
        if is_running
        else local_games.rematch_url(context, view, one_screen=session.has_both_seats),
        "can_abort": view.is_abortable,
        "offers": _possible_offers(context, view),
        "answerable_offer": pending_offer if is_running and can_answer else None,
        "picks": _pick_options(context, session),
    }


def _possible_offers(context: WebContext, view: MatchView) -> list[dict[str, str]]:
    """Return the labels of the offers that are possible on this board."""
    texts, position = context.texts, view.position
    has_result = position is not None and position.agreed_outcome is not None
    result = game_formatting.format_agreed_end(texts, position) if position is not None and has_result else ""
    return [
        {
            "kind": kind.value,
            "label": texts(f"web.offer.{kind}.make"),
            "about": texts(f"web.offer.{kind}.about", result=result),
        }
        for kind in possible_offers(view)
    ]


def _pick_options(context: WebContext, session: PlayerSession) -> list[dict[str, str]]:
    """Return the picks to choose from; empty if the player has already picked or there is nothing to pick."""
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
            "picture": texts.for_game(rules.name, f"pick.{pick}.picture"),
            "name": texts.for_game(rules.name, f"pick.{pick}.name"),
            "value": game_formatting.format_option(
                texts, rules.name, rules.simultaneous_choice.option, rules.resolve_picks(pick, pick)
            ),
        }
        for pick in rules.simultaneous_choice.picks
    ]


def _current_move_form(
    request: web.Request, session: PlayerSession, page: MatchPage
) -> tuple[MoveForm | None, str]:
    """Return the move form and a notice about a refused answer; no form unless the player is to move."""
    position = session.view.position
    if position is None or not session.is_awaited or not page.is_latest:
        return None, ""
    form_context = move_form.MoveFormContext(
        texts=page.context.texts,
        side=session.seat.side,
        view_options=page.view_options,
        revision=session.view.revision,
        last_events=session.view.latest_events,
    )
    try:
        return _build_move_form(request, session, form_context), ""
    except (GameError, MatchError) as error:
        return move_form.build_form(form_context, position, ()), error_text(page.context, error)


def _build_move_form(
    request: web.Request, session: PlayerSession, form_context: move_form.MoveFormContext
) -> MoveForm:
    """Apply the answers in the URL. Raises GameError, and StaleBoard if they were given on an older board."""
    position, view = session.view.position, session.view
    query = request.query
    if position is None:
        raise NoMoveGiven(match=view.id, due=0, example="")
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
    """Preview moves given as text. Raises NoMoveGiven, TooManyMoves, GameError."""
    count = len(split_moves(text))
    if count == 0:
        raise NoMoveGiven(match=match, due=position.moves_due, example=position.example_move)
    if count > position.moves_due:
        raise TooManyMoves(match=match, due=position.moves_due, given=count)
    return move_form.build_preview(form_context, parse_turn(position, text), text)


def _bottom_side(session: PlayerSession) -> Side | None:
    """Return the player's own side; None (the default side) if both players share a screen."""
    return None if session.has_both_seats else session.seat.side


def error_text(context: WebContext, error: MatchError | GameError | RequestRefused) -> str:
    """Return the text that explains an error to the player."""
    if isinstance(error, GameError):
        return context.texts("web.refused.move", reason=error.reason)
    return format_error(context.texts, error)
