"""The links of mails that stop them: a page with one button, and what mail programs post by themselves.

Whoever has the link needs no cookie: it is signed, and does nothing else (RFC 8058).
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from matches import NotFollowed, Refusal
from matches.platforms import MAIL
from web.addresses import INVITATION_STOP_PATH, MAIL_STOP_PATH, UNWATCH_PATH
from web.context import CONTEXT
from web.pages.pages import NO_STORE
from web.play.tokens import InvalidToken

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp import web

    from matches import MatchId

PATH = MAIL_STOP_PATH + "{token}"
INVITATIONS_PATH = INVITATION_STOP_PATH + "{token}"
UNWATCH = UNWATCH_PATH + "{token}"


async def stop_page(request: web.Request) -> web.Response:
    """Ask whether to stop the mails: programs that look at every link must not stop them."""
    _verify(request)
    return _respond(request, "web.mail_stop", is_stopped=False)


async def stop_mails(request: web.Request) -> web.Response:
    """Stop the mails to the address of the link. Answers alike if they have stopped, or nobody has it now."""
    context, (named, is_meant) = request.app[CONTEXT], _verify(request)
    people = context.matches.people
    account = await people.identities.find_present(named)
    for one in await people.identities.list(account):
        if one.platform == MAIL and is_meant(one.address):
            await people.mail_addresses.stop(account, one.address, now=context.now())
    return _respond(request, "web.mail_stop", is_stopped=True)


async def refuse_page(request: web.Request) -> web.Response:
    """Ask whether to refuse all further invitations by mail."""
    _verify_address(request)
    return _respond(request, "web.invitation_stop", is_stopped=False)


async def refuse_invitations(request: web.Request) -> web.Response:
    """Refuse all further invitations to the address of the link; twice does no more."""
    context = request.app[CONTEXT]
    await context.matches.invitations.refuse(_verify_address(request), now=context.now())
    return _respond(request, "web.invitation_stop", is_stopped=True)


def _verify_address(request: web.Request) -> str:
    try:
        return request.app[CONTEXT].token_signer.verify_invitation_stop(request.match_info["token"])
    except InvalidToken as error:
        raise Refusal("mail_link_broken") from error


async def unwatch_page(request: web.Request) -> web.Response:
    """Ask whether to stop watching a match, or all."""
    _, match = _verify_unwatch(request)
    return _respond(request, "web.unwatch_all" if match is None else "web.unwatch", is_stopped=False)


async def unwatch(request: web.Request) -> web.Response:
    """Stop watching the match of the link, or all. Answers alike if nobody watches it."""
    context, (named, match) = request.app[CONTEXT], _verify_unwatch(request)
    following = context.matches.people.following
    account = await context.matches.people.identities.find_present(named)
    for one in await following.list_followed(account):
        if match in {None, one.match.id}:
            with suppress(NotFollowed):
                await following.unfollow(one.match.id, account, now=context.now())
    return _respond(request, "web.unwatch_all" if match is None else "web.unwatch", is_stopped=True)


def _verify(request: web.Request) -> tuple[str, Callable[[str], bool]]:
    try:
        return request.app[CONTEXT].token_signer.verify_mail_stop(request.match_info["token"])
    except InvalidToken as error:
        raise Refusal("mail_link_broken") from error


def _verify_unwatch(request: web.Request) -> tuple[str, MatchId | None]:
    try:
        return request.app[CONTEXT].token_signer.verify_unwatch(request.match_info["token"])
    except InvalidToken as error:
        raise Refusal("mail_link_broken") from error


def _respond(request: web.Request, key: str, *, is_stopped: bool) -> web.Response:
    """Return the page with the texts below a key."""
    answer = request.app[CONTEXT].pages.respond(
        request, "mail_stop.html", key=key, is_stopped=is_stopped, path=request.path
    )
    answer.headers.update(NO_STORE)
    return answer
