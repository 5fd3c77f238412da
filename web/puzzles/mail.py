"""Puzzles by mail on the website: the setting among the notices, and the link that ends them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from i18n.writing import Moment
from matches import Refusal, parse_time_of_day
from web.accounts.signed_in import require_member
from web.addresses import NOTICES_PATH, PUZZLE_STOP_PATH
from web.context import CONTEXT
from web.pages.pages import NO_STORE
from web.play.tokens import InvalidToken
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from aiohttp import web

    from web.context import WebContext

SETTING_PATH = f"{NOTICES_PATH}/puzzle"
STOP = PUZZLE_STOP_PATH + "{token}"


async def describe_setting(context: WebContext, account: str) -> dict[str, Any] | None:
    """Return the template context of the setting; None where no mail is sent."""
    if not context.sends_mail:
        return None
    mails = await context.matches.puzzle_mails.find(account)
    return {
        "is_on": mails.next_at is not None,
        "time": mails.at.isoformat("minutes"),
        "next": None if mails.next_at is None else Moment(mails.next_at),
    }


async def save_setting(request: web.Request) -> web.Response:
    """Have a puzzle sent every day at the time of the form, or with ``stop`` no more."""
    context, session = request.app[CONTEXT], await require_member(request)
    form, mails = await read_form(request), context.matches.puzzle_mails
    if "stop" in form:
        await mails.switch_off(session.account)
    else:
        at = parse_time_of_day(form.get("time", ""))
        try:
            await mails.switch_on(session.person, at, now=context.now())
        except Refusal as error:
            if error.key != "puzzle_mail_no_address":
                raise
            return redirect(f"{NOTICES_PATH}#puzzle")  # which says what to do
    return redirect(f"{NOTICES_PATH}?saved=puzzle#puzzle")


async def stop_page(request: web.Request) -> web.Response:
    """Ask whether to stop the puzzles: programs that look at every link must not stop them."""
    _verify(request)
    return _respond(request, is_stopped=False)


async def stop(request: web.Request) -> web.Response:
    """Stop the puzzles of the link. Answers alike if there are none."""
    matches = request.app[CONTEXT].matches
    account = await matches.people.identities.find_present(_verify(request))
    await matches.puzzle_mails.switch_off(account)
    return _respond(request, is_stopped=True)


def _verify(request: web.Request) -> str:
    try:
        return request.app[CONTEXT].token_signer.verify_puzzle_stop(request.match_info["token"])
    except InvalidToken as error:
        raise Refusal("mail_link_broken") from error


def _respond(request: web.Request, *, is_stopped: bool) -> web.Response:
    answer = request.app[CONTEXT].pages.respond(
        request, "mail_stop.html", key="web.puzzle_stop", is_stopped=is_stopped, path=request.path
    )
    answer.headers.update(NO_STORE)
    return answer
