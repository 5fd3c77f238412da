"""POST handlers of a seat: playing, picking, offers, ending the match.

Each redirects to the page of the seat, or shows it with an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from engine.game import GameError
from matches import MatchError, OfferId, OfferKind, OfferUnknown, StaleBoard
from move_builder import apply_answers, split_moves
from web import move_form
from web.addresses import SEAT_PATH
from web.context import CONTEXT
from web.errors import RequestRefused
from web.move_form import parse_number
from web.seat_page import MAX_MOVE_TEXT, error_text, render_seat_page
from web.session import end_session, require_session

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from matches import MatchUpdate
    from web.context import WebContext
    from web.session import PlayerSession

    FormData = Mapping[str, object]
    Action = Callable[[WebContext, PlayerSession, FormData], Awaitable[MatchUpdate]]


def routes() -> list[web.RouteDef]:
    """Return the routes of the actions at a seat."""
    return [
        web.post(f"{SEAT_PATH}/play", _action_handler(_play)),
        web.post(f"{SEAT_PATH}/pick", _action_handler(_pick)),
        web.post(f"{SEAT_PATH}/resign", _action_handler(_resign)),
        web.post(f"{SEAT_PATH}/abort", _action_handler(_abort)),
        web.post(f"{SEAT_PATH}/offer", _action_handler(_offer)),
        web.post(f"{SEAT_PATH}/answer", _action_handler(_answer)),
        web.post(f"{SEAT_PATH}/lock", rotate_key),
    ]


async def rotate_key(request: web.Request) -> web.Response:
    """Rotate the seat's key, which invalidates every link to it and every session at it."""
    context, session = request.app[CONTEXT], await require_session(request)
    for account in session.accounts:
        seat = session.view.seat(account)
        if seat is not None:
            await context.matches.seat_keys.rotate(session.view.id, seat.person)
    return end_session(context, session)


def _action_handler(action: Action) -> Callable[[web.Request], Awaitable[web.Response]]:
    """Return a handler that runs an action, announces its result and redirects to the seat."""

    async def handle(request: web.Request) -> web.Response:
        context, session = request.app[CONTEXT], await require_session(request)
        form = await request.post()
        try:
            update = await action(context, session, form)
        except (MatchError, GameError, RequestRefused) as error:
            return await render_seat_page(request, await require_session(request), error_text(context, error))
        if update.announcement is not None:
            await context.announce(update.announcement)
        query = "?part=seat" if request.query.get("part") == "seat" else ""
        headers = {"Location": f"{session.path}{query}", "Cache-Control": "no-store"}
        return web.Response(status=303, headers=headers)

    return handle


async def _play(context: WebContext, session: PlayerSession, form: FormData) -> MatchUpdate:
    """Play the moves of a confirmed preview. Raises StaleBoard if the board has changed since."""
    position, revision = session.turn_start, parse_number(form.get("board"))
    if position is not None and revision != session.view.revision:
        raise StaleBoard(match=session.view.id, seen=revision, ply=session.view.ply)
    text = str(form.get("text", ""))[:MAX_MOVE_TEXT]
    if text or position is None:
        moves = split_moves(text)
    else:
        answers = move_form.parse_answers(str(form.get("answers", "")))
        moves = [str(move) for move in apply_answers(position, answers).moves]
    return await context.matches.play(
        session.view.id, session.person, moves, seen_revision=revision, latest_only=True, now=context.now()
    )


async def _pick(context: WebContext, session: PlayerSession, form: FormData) -> MatchUpdate:
    return await context.matches.pick(
        session.view.id, session.person, str(form.get("pick", "")), now=context.now()
    )


async def _resign(context: WebContext, session: PlayerSession, _form: FormData) -> MatchUpdate:
    return await context.matches.resign(session.view.id, session.person, now=context.now())


async def _offer(context: WebContext, session: PlayerSession, form: FormData) -> MatchUpdate:
    kind = next((kind for kind in OfferKind if kind.value == form.get("kind")), None)
    if kind is None:
        raise OfferUnknown(offer=0)
    return await context.matches.offers.make(
        session.view.id,
        session.person,
        kind,
        seen_revision=parse_number(form.get("board")),
        now=context.now(),
    )


async def _answer(context: WebContext, session: PlayerSession, form: FormData) -> MatchUpdate:
    """Answer an offer, as the player who did not make it."""
    pending_offer = session.view.pending_offer
    answerers = [person for person in session.people if pending_offer is None or person != pending_offer.by]
    return await context.matches.offers.answer(
        OfferId(parse_number(form.get("offer"))),
        (answerers or [session.person])[0],
        accept=form.get("answer") == "accept",
        now=context.now(),
    )


async def _abort(context: WebContext, session: PlayerSession, _form: FormData) -> MatchUpdate:
    return await context.matches.offers.abort(session.view.id, session.person, now=context.now())
