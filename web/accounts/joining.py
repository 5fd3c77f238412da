"""Joining two accounts of one person, who has just shown that both are theirs.

What shows it is in a signed cookie for the page that asks: the account that is signed in to, and the other.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from matches.people.accounts import order_join
from web.accounts.signed_in import find_member, require_member, set_session_cookie
from web.addresses import ACCOUNT_PATH, JOIN_PATH, sign_in_url
from web.context import CONTEXT
from web.pages.pages import NO_STORE
from web.play.tokens import InvalidToken, JoinAttempt
from web.server.cookies import cookie_name, delete_private_cookie, set_private_cookie
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from aiohttp import web

    from matches import Session

COOKIE = "join"
ATTEMPT_LIFETIME = timedelta(minutes=15)


def propose_join(request: web.Request, answer: web.Response, current: str, other: str) -> None:
    """Let a browser ask its user whether two accounts are to be joined."""
    context = request.app[CONTEXT]
    text = context.token_signer.sign_attempt(JoinAttempt(current, other, context.now() + ATTEMPT_LIFETIME))
    set_private_cookie(context, answer, cookie_name(context, COOKIE), text, JOIN_PATH, ATTEMPT_LIFETIME)


async def join_page(request: web.Request) -> web.Response:
    """Show both accounts, and ask whether to join them."""
    context, session = request.app[CONTEXT], await find_member(request)
    if session is None:
        return redirect(sign_in_url(ACCOUNT_PATH))
    attempt = _find_attempt(request, session)
    if attempt is None:
        return redirect(ACCOUNT_PATH)
    account, into = order_join(attempt.current, attempt.other)
    sides = [await context.matches.people.accounts.describe(one) for one in (into, account)]
    if None in sides:
        return redirect(ACCOUNT_PATH)
    answer = context.pages.respond(request, "join_accounts.html", sides=sides, path=JOIN_PATH)
    answer.headers.update(NO_STORE)
    return answer


async def join_accounts(request: web.Request) -> web.Response:
    """Join two accounts, or keep both. This browser stays signed in, to the account that remains."""
    context, session = request.app[CONTEXT], await require_member(request)
    attempt, form = _find_attempt(request, session), await read_form(request)
    answer, people = redirect(ACCOUNT_PATH), context.matches.people
    delete_private_cookie(context, answer, cookie_name(context, COOKIE), JOIN_PATH)
    if attempt is None or form.get("choice") != "join":
        return answer
    other = await people.accounts.get(attempt.other)
    if other is None:  # the form was sent twice
        return answer
    if await people.accounts.join(attempt.current, attempt.other, now=context.now()) == other.account:
        secret = await people.sessions.start(other, None, device=session.device, now=context.now())
        set_session_cookie(context, answer, secret)
    return answer


def _find_attempt(request: web.Request, session: Session) -> JoinAttempt | None:
    """Return what this browser may join with the account that it is signed in to."""
    context = request.app[CONTEXT]
    cookie = request.cookies.get(cookie_name(context, COOKIE), "")
    try:
        attempt = context.token_signer.verify_attempt(JoinAttempt, cookie, context.now())
    except InvalidToken:
        return None
    return attempt if attempt.current == session.account else None
