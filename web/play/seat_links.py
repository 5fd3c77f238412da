"""The page with the personal links of a local game, for the browser that started it and no other."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from i18n import formatting as game_formatting
from i18n.names import name_of
from i18n.writing import Moment, isolate
from matches import MatchState, Refusal
from web.addresses import match_id, match_path
from web.context import CONTEXT
from web.match import formatting
from web.match.access import require_visible
from web.play.seat_sessions import seat_link
from web.play.tokens import COOKIE_LIFETIME, InvalidToken, SeatToken, TokenPurpose
from web.server.cookies import cookie_name, set_private_cookie
from web.server.forms import redirect

if TYPE_CHECKING:
    from aiohttp import web

    from matches import MatchView, Seat
    from web.context import WebContext

COOKIE = "starter"
LINK_LIFETIME = timedelta(days=1)
FLAG_COOKIE = "started"  # tells the pages of the match that this browser has the links; gives no access


def links_path(match: int) -> str:
    """Return the path of the page with the links of a match."""
    return f"/m/{match}/links"


def links_url(request: web.Request, view: MatchView) -> str:
    """Return the URL of the links if this browser started the match and it is not over; else nothing."""
    has_links = FLAG_COOKIE in request.cookies and view.state is not MatchState.OVER
    return links_path(view.id) if has_links else ""


async def redirect_to_links(context: WebContext, view: MatchView) -> web.Response:
    """Return a redirect to the links, and let this browser see them again while its cookie is valid."""
    state = await context.matches.people.seats.load(view.id)
    token = SeatToken(view.id, tuple(state.generations.items()), context.now() + COOKIE_LIFETIME)
    path = links_path(view.id)
    answer = redirect(path)
    for name, value, cookie_path in (
        (cookie_name(context, COOKIE), context.token_signer.sign(token, TokenPurpose.STARTER), path),
        (FLAG_COOKIE, "1", match_path(view.id)),
    ):
        set_private_cookie(context, answer, name, value, cookie_path, COOKIE_LIFETIME)
    return answer


async def links_page(request: web.Request) -> web.Response:
    """Show a link for each seat, except those whose player has signed out everywhere.

    Raises Refusal for any browser but the one that started the match.
    """
    context, match = request.app[CONTEXT], match_id(request)
    cookie = request.cookies.get(cookie_name(context, COOKIE), "")
    try:
        token = context.token_signer.verify(cookie, TokenPurpose.STARTER, context.now())
    except InvalidToken:
        token = None
    if token is None or token.match != match:
        await require_visible(request, match)
        raise Refusal("no_personal_links", match=int(match))
    view = await context.matches.view(match, now=context.now())
    known = dict(token.generations)
    generations = (await context.matches.people.seats.load(match)).generations
    seats = [
        seat for seat in view.seats if known.get(seat.person.account) == generations[seat.person.account]
    ]
    if not seats:
        raise Refusal("no_personal_links", match=int(match))
    answer = context.pages.respond(
        request,
        "seat_links.html",
        match=match,
        # The player who moves first is the one who has started the match; the friend's link is sent first.
        seats=[await _link_item(context, view, seat) for seat in reversed(seats)],
        invitation=context.texts("web.seats.invitation", game=context.texts(f"game.{view.game}.name")),
        until=Moment(context.now() + LINK_LIFETIME),
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


async def _link_item(context: WebContext, view: MatchView, seat: Seat) -> dict[str, Any]:
    side = game_formatting.format_side(context.texts, seat.side)
    link = await seat_link(context, view, seat.person, lifetime=LINK_LIFETIME)
    return {
        "name": formatting.player_name(context.texts, isolate(name_of(context.texts, seat.person)), side),
        "side": seat.side.value,
        "is_own": seat == view.seats[0],
        "link": link,
        "path": link.removeprefix(context.base),  # cookies belong to the host by which this browser came
    }
