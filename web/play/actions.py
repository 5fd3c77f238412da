"""POST handlers of a seat: playing, picking, offers, ending the match.

Each redirects to the page of the seat, or shows it with an error. A turn that is being entered is kept
while the board stays the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from engine.game import GameError
from matches import MatchState, OfferId, OfferKind, Refusal, StaleBoard
from move_builder import apply_answers, split_moves
from web.context import CONTEXT
from web.play import move_form
from web.play.move_form import parse_number
from web.play.seat_page import MAX_MOVE_TEXT, error_text, render_seat_page
from web.play.seat_sessions import end_seat_session, require_player
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from aiohttp import web

    from matches import MatchUpdate, MatchView, Person
    from web.context import WebContext
    from web.play.seat_sessions import PlayerSession

    FormData = Mapping[str, str]
    Action = Callable[[WebContext, PlayerSession, FormData], Awaitable[MatchUpdate]]


VIEW_FIELDS = ("part", "side", "after")  # of a URL: what of the page is shown, and how


async def rotate_key(request: web.Request) -> web.Response:
    """Rotate the seat's key, which invalidates every link to it and every session at it."""
    context, session = request.app[CONTEXT], await require_player(request)
    for account in session.accounts:
        seat = session.view.seat(account)
        if seat is not None:
            await context.matches.people.seats.rotate(session.view.id, seat.person)
    return end_seat_session(context, session)


def make_handler(action: Action) -> Callable[[web.Request], Awaitable[web.Response]]:
    """Return a handler that runs an action, announces its result and redirects to the seat."""

    async def handle(request: web.Request) -> web.Response:
        context, session = request.app[CONTEXT], await require_player(request)
        form = await read_form(request)
        try:
            update = await action(context, session, form)
        except (Refusal, GameError) as error:
            session = await require_player(request)
            kept = {} if action is play else kept_answers(form, session.view)
            return await render_seat_page(request, session, answers=kept, notice=error_text(context, error))
        if update.announcement is not None:
            await context.announce(update.announcement)
        view_query = {name: request.query[name] for name in VIEW_FIELDS if name in request.query}
        query = urlencode(view_query | kept_answers(form, update.match))
        location = f"{session.path}?{query}" if query else session.path
        return redirect(location)

    return handle


def kept_answers(form: FormData, view: MatchView) -> dict[str, str]:
    """Return the fields of the turn that was being entered, if it can still be played on this board."""
    if view.state is not MatchState.PLAYING or parse_number(form.get("board")) != view.revision:
        return {}
    answers = {name: str(form[name])[:MAX_MOVE_TEXT] for name in ("answers", "text") if form.get(name)}
    return {"board": str(view.revision), **answers} if answers else {}


def _named_person(session: PlayerSession, form: FormData) -> Person:
    """Return the player whom the form names by side, for a shared screen, where the turn may have changed."""
    named = (seat.person for seat in session.view.seats if seat.side.value == form.get("side"))
    return next((person for person in named if person in session.people), session.person)


async def play(context: WebContext, session: PlayerSession, form: FormData) -> MatchUpdate:
    """Play the moves of a confirmed preview. Raises StaleBoard if the board has changed since."""
    position, revision = session.turn_start, parse_number(form.get("board"))
    if position is not None and revision != session.view.revision:
        raise StaleBoard(match=session.view.id)
    text = str(form.get("text", ""))[:MAX_MOVE_TEXT]
    if text or position is None:
        moves = split_moves(text)
    else:
        answers = move_form.parse_answers(str(form.get("answers", "")))
        moves = [str(move) for move in apply_answers(position, answers).moves]
    return await context.matches.play(
        session.view.id, session.person, moves, seen_revision=revision, latest_only=True, now=context.now()
    )


async def pick(context: WebContext, session: PlayerSession, form: FormData) -> MatchUpdate:
    """Pick in secret for an option."""
    return await context.matches.pick(
        session.view.id, session.person, str(form.get("pick", "")), now=context.now()
    )


async def resign(context: WebContext, session: PlayerSession, form: FormData) -> MatchUpdate:
    """Resign."""
    return await context.matches.resign(session.view.id, _named_person(session, form), now=context.now())


async def offer(context: WebContext, session: PlayerSession, form: FormData) -> MatchUpdate:
    """Make an offer."""
    kind = next((kind for kind in OfferKind if kind.value == form.get("kind")), None)
    if kind is None:
        raise Refusal("offer_unknown", offer=0)
    return await context.matches.offers.make(
        session.view.id,
        session.person,
        kind,
        seen_revision=parse_number(form.get("board")),
        now=context.now(),
    )


async def answer(context: WebContext, session: PlayerSession, form: FormData) -> MatchUpdate:
    """Answer an offer, as the player who did not make it, or withdraw it, as the one who did."""
    if form.get("answer") == "withdraw":
        return await context.matches.offers.withdraw(
            OfferId(parse_number(form.get("offer"))), session.person, now=context.now()
        )
    pending_offer = session.view.pending_offer
    answerers = [person for person in session.people if pending_offer is None or person != pending_offer.by]
    return await context.matches.offers.answer(
        OfferId(parse_number(form.get("offer"))),
        (answerers or [session.person])[0],
        accept=form.get("answer") == "accept",
        now=context.now(),
    )


async def abort(context: WebContext, session: PlayerSession, _form: FormData) -> MatchUpdate:
    """End a match before both have moved."""
    return await context.matches.offers.abort(session.view.id, session.person, now=context.now())
