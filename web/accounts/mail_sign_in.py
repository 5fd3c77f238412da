"""Signing in by mail, and adding an address to an account: a question, its code or link, and a name.

Which question a browser has asked is in a signed cookie for these paths. Following a link changes nothing:
mail programs and scanners do it too. What a page says never depends on whether an address is known.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import structlog
from aiohttp import web

from i18n.readers import current_language
from matches import MAIL, Refusal
from matches.people.handles import MAX_LENGTH, MIN_LENGTH
from matches.people.mail_codes import (
    CONFIRMED_LIFETIME,
    MAX_ADDRESS_LENGTH,
    QUESTION_LIFETIME,
    clean_address,
    question_of,
)
from web.accounts.joining import propose_join
from web.accounts.sign_in import enter, show_ways
from web.accounts.signed_in import find_member, find_session, require_member
from web.addresses import (
    ACCOUNT_PATH,
    CODE_PATH,
    JOIN_PATH,
    NAME_PATH,
    SIGN_IN_PATH,
    code_link_path,
    return_path,
    sign_in_url,
)
from web.context import CONTEXT
from web.errors import format_error, status_code
from web.pages.pages import NO_STORE
from web.play.tokens import InvalidToken, MailQuestion
from web.server.cookies import cookie_name, delete_private_cookie, set_private_cookie
from web.server.forms import read_form, redirect
from web.server.limits import CodeLimiter, MailLimiter, TooManyRequests

if TYPE_CHECKING:
    from matches.people.mail_codes import Confirmed
    from web.context import WebContext

log = structlog.stdlib.get_logger(__name__)

COOKIE = "code"
COOKIE_LIFETIME = QUESTION_LIFETIME + CONFIRMED_LIFETIME
RESEND_AFTER = timedelta(minutes=1)
LIMITER = web.AppKey("mail_limiter", MailLimiter)
CODE_LIMITER = web.AppKey("code_limiter", CodeLimiter)


async def ask_to_sign_in(request: web.Request) -> web.Response:
    """Send a code to the address of a form, and show where to type it."""
    _require_mail(request)
    form = await read_form(request)
    path, typed = return_path(form.get("next", "/")), form.get("address", "")
    try:
        address = clean_address(typed)
    except Refusal as error:
        notice = format_error(request.app[CONTEXT].texts, error)
        shown = typed[:MAX_ADDRESS_LENGTH]
        return show_ways(request, path, notice=notice, address=shown, status=status_code(error))
    return await _ask(request, address, None, path)


async def ask_to_add(request: web.Request) -> web.Response:
    """Send a code to an address that is to be added to the account of this browser."""
    _require_mail(request)
    session = await require_member(request)
    address = clean_address((await read_form(request)).get("address", ""))
    return await _ask(request, address, session.account, ACCOUNT_PATH)


async def ask_again(request: web.Request) -> web.Response:
    """Send another code to the same address; the one before no longer counts in this browser."""
    context, question = _require_mail(request), _find_question(request)
    if question is None:
        return _show_lost(request)
    if context.now() < question.expires_at - COOKIE_LIFETIME + RESEND_AFTER:
        return _show_code(request, question, context.texts("web.mail.too_soon"), HTTPStatus.CONFLICT)
    session = await find_member(request)
    is_added = session is not None and question.return_path == ACCOUNT_PATH
    account = session.account if session is not None and is_added else None
    return await _ask(request, question.address, account, question.return_path)


async def code_page(request: web.Request) -> web.Response:
    """Show where to type the code; who has typed it goes on."""
    context, question = _require_mail(request), _find_question(request)
    if question is not None:
        confirmed = await context.matches.people.mail_codes.find_confirmed(question.secret, now=context.now())
        return _show_code(request, question, is_confirmed=confirmed is not None)
    return redirect("/") if await find_member(request) is not None else _show_lost(request)


async def answer_code(request: web.Request) -> web.Response:
    """Go on with the right code, or say that it is wrong."""
    context, question = _require_mail(request), _find_question(request)
    form = await read_form(request)
    if question is None:
        return _show_lost(request)
    if form.get("question", "") != question_of(question.secret):  # of a page from before the latest question
        notice = context.texts("web.mail.replaced")
        return _show_code(request, question, notice, HTTPStatus.CONFLICT)
    try:
        request.app[CODE_LIMITER].acquire(context.client_address(request), asyncio.get_running_loop().time())
        confirmed = await context.matches.people.mail_codes.answer(
            question.secret, form.get("code", ""), key=context.secret, now=context.now()
        )
    except TooManyRequests:
        notice = context.texts("web.mail.too_many")
        return _show_code(request, question, notice, HTTPStatus.TOO_MANY_REQUESTS)
    except Refusal as error:
        return _show_code(request, question, format_error(context.texts, error), status_code(error))
    return await _go_on(request, question, confirmed)


async def continue_confirmed(request: web.Request) -> web.Response:
    """Go on after a code was answered in this browser, but what it was for was not done."""
    context, question = _require_mail(request), _find_question(request)
    if question is None:
        return _show_lost(request)
    confirmed = await context.matches.people.mail_codes.find_confirmed(question.secret, now=context.now())
    if confirmed is None:
        return _show_lost(request)
    return await _go_on(request, question, confirmed)


async def link_page(request: web.Request) -> web.Response:
    """Show a button that goes on; without the cookie of the question say where to open the link."""
    context, question = _require_mail(request), _find_question(request)
    if question is None and await find_member(request) is not None:
        return redirect("/")
    token = request.match_info["token"]
    return _respond(
        request,
        "mail_link.html",
        HTTPStatus.OK,
        address="" if question is None else question.address,
        path=code_link_path(token),
        again=f"{context.base}{sign_in_url('/')}",
    )


async def answer_link(request: web.Request) -> web.Response:
    """Go on with a link, or say why it does not count here."""
    context, question = _require_mail(request), _find_question(request)
    confirmed = await context.matches.people.mail_codes.answer_by_link(
        None if question is None else question.secret,
        request.match_info["token"],
        key=context.secret,
        now=context.now(),
    )
    return _show_lost(request) if question is None else await _go_on(request, question, confirmed)


async def name_page(request: web.Request) -> web.Response:
    """Ask somebody with a new address for a name."""
    _require_mail(request)
    if await _find_confirmed(request) is None:
        return redirect("/") if await find_member(request) is not None else _show_lost(request)
    return _show_name(request)


async def choose_name(request: web.Request) -> web.Response:
    """Make an account with a name for the confirmed address; a guest's becomes the account."""
    context, found = _require_mail(request), await _find_confirmed(request)
    if found is None:
        return _show_lost(request)
    question, confirmed = found
    name, session = (await read_form(request)).get("name", ""), await find_session(request)
    guest = session.account if session is not None and session.is_guest else None
    try:
        person = await context.matches.people.accounts.register(
            confirmed.address, name, guest=guest, now=context.now()
        )
    except Refusal as error:
        if error.key == "account_closed":
            raise
        return _show_name(request, name, format_error(context.texts, error), status_code(error))
    return _forget_question(request, await enter(request, person, None, question.return_path))


async def _ask(request: web.Request, address: str, account: str | None, path: str) -> web.Response:
    context = request.app[CONTEXT]
    request.app[LIMITER].acquire(context.client_address(request), asyncio.get_running_loop().time())
    secret = await context.matches.people.mail_codes.ask(
        address, account=account, language=current_language(), now=context.now()
    )
    question = MailQuestion(secret, address, path, context.now() + COOKIE_LIFETIME)
    answer, text = redirect(CODE_PATH), context.token_signer.sign_attempt(question)
    set_private_cookie(context, answer, cookie_name(context, COOKIE), text, SIGN_IN_PATH, COOKIE_LIFETIME)
    return answer


async def _go_on(request: web.Request, question: MailQuestion, confirmed: Confirmed) -> web.Response:
    """Do what an address was confirmed for."""
    if confirmed.account is not None:
        return _forget_question(request, await _add_address(request, confirmed.address, confirmed.account))
    known = await request.app[CONTEXT].matches.people.accounts.find_by_mail(confirmed.address)
    if known is None:
        return redirect(NAME_PATH)
    people = request.app[CONTEXT].matches.people
    if await people.mail_addresses.record_proof(confirmed.address):
        await _record_contact(request, known.account)
    log.info("sign_in.done")
    return _forget_question(request, await enter(request, known, None, question.return_path))


async def _add_address(request: web.Request, address: str, account: str) -> web.Response:
    """Add an address to the account of this browser; one of another account leads to joining both."""
    context, session = request.app[CONTEXT], await require_member(request)
    if session.account != account:
        raise Refusal("signed_out")
    known = await context.matches.people.accounts.find_by_mail(address)
    if known is not None and known.account != account:
        answer = redirect(JOIN_PATH)
        propose_join(request, answer, account, known.account)
        return answer
    await context.matches.people.identities.add(
        session.person, MAIL, address, is_confirmed=True, now=context.now()
    )
    await _record_contact(request, account)
    return redirect(f"{ACCOUNT_PATH}#addresses")


async def _record_contact(request: web.Request, account: str) -> None:
    """Have time run again for somebody who can be told by mail again."""
    context = request.app[CONTEXT]
    await context.matches.posting.places.record_contact(account, now=context.now())


async def _find_confirmed(request: web.Request) -> tuple[MailQuestion, Confirmed] | None:
    """Return the question of this browser if it was answered, to sign in."""
    context, question = request.app[CONTEXT], _find_question(request)
    if question is None:
        return None
    confirmed = await context.matches.people.mail_codes.find_confirmed(question.secret, now=context.now())
    return None if confirmed is None or confirmed.account is not None else (question, confirmed)


def _find_question(request: web.Request) -> MailQuestion | None:
    context = request.app[CONTEXT]
    cookie = request.cookies.get(cookie_name(context, COOKIE), "")
    try:
        return context.token_signer.verify_attempt(MailQuestion, cookie, context.now())
    except InvalidToken:
        return None


def _forget_question(request: web.Request, answer: web.Response) -> web.Response:
    context = request.app[CONTEXT]
    delete_private_cookie(context, answer, cookie_name(context, COOKIE), SIGN_IN_PATH)
    return answer


def _show_code(
    request: web.Request,
    question: MailQuestion,
    notice: str = "",
    status: int = HTTPStatus.OK,
    *,
    is_confirmed: bool = False,
) -> web.Response:
    return _respond(
        request,
        "mail_code.html",
        status,
        address=question.address,
        question=question_of(question.secret),
        notice=notice,
        is_confirmed=is_confirmed,
        again=ACCOUNT_PATH if question.return_path == ACCOUNT_PATH else sign_in_url(question.return_path),
    )


def _show_name(
    request: web.Request, name: str = "", notice: str = "", status: int = HTTPStatus.OK
) -> web.Response:
    return _respond(
        request,
        "choose_name.html",
        status,
        name=name[:MAX_LENGTH],
        notice=notice,
        limits={"least": MIN_LENGTH, "most": MAX_LENGTH},
    )


def _show_lost(request: web.Request) -> web.Response:
    """Say that this browser has no question that is open, and lead to asking again."""
    context = request.app[CONTEXT]
    return _respond(
        request,
        "sign_in_refused.html",
        HTTPStatus.BAD_REQUEST,
        text=context.texts("web.mail.lost"),
        again=f"{context.base}{sign_in_url('/')}",
        back="/",
    )


def _respond(request: web.Request, template: str, status: int, **values: Any) -> web.Response:
    answer = request.app[CONTEXT].pages.respond(request, template, status=status, **values)
    answer.headers.update(NO_STORE)
    return answer


def _require_mail(request: web.Request) -> WebContext:
    context = request.app[CONTEXT]
    if not context.has_mail:
        raise web.HTTPNotFound
    return context
