"""The offer of a passkey: at the top of the first page after signing in another way, once in a browser."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from web.context import CONTEXT
from web.pages.pages import ACCOUNT_NAME, PASSKEY_HOST
from web.server.cookies import cookie_name, set_private_cookie

if TYPE_CHECKING:
    from aiohttp import web

COOKIE = "passkey-offer"
DUE, MADE = "due", "made"  # what the cookie says
LIFETIME = timedelta(days=365)


async def offer_next(request: web.Request, answer: web.Response, account: str) -> None:
    """Let the next page offer a passkey to somebody who has signed in to an account without one."""
    context = request.app[CONTEXT]
    if context.passkey_site is None or _cookie(request):
        return
    if not await context.matches.people.passkeys.list_for(account):
        _remember(request, answer, DUE)


def load_offer(request: web.Request) -> None:
    """Let the page that answers a request make the offer that is due; the session was looked up."""
    site = request.app[CONTEXT].passkey_site
    if site is not None and _cookie(request) == DUE and ACCOUNT_NAME in request:
        request[PASSKEY_HOST] = site.host


def end_offer(request: web.Request, answer: web.StreamResponse) -> None:
    """Make no more offers to a browser that gets one with this page."""
    if PASSKEY_HOST in request:
        _remember(request, answer, MADE)


def _cookie(request: web.Request) -> str:
    return request.cookies.get(cookie_name(request.app[CONTEXT], COOKIE), "")


def _remember(request: web.Request, answer: web.StreamResponse, text: str) -> None:
    context = request.app[CONTEXT]
    set_private_cookie(context, answer, cookie_name(context, COOKIE), text, "/", LIFETIME)
