"""The links of mails that ask whether a mail was genuine: a page that says what it asks for, and a button.

Whoever has the link needs no cookie: it went to the player's own address. The website only records the click;
the process that receives mail carries the command out, once, however often somebody clicks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches import Refusal
from web.addresses import MAIL_CONFIRM_PATH
from web.context import CONTEXT
from web.pages.pages import NO_STORE
from web.play.tokens import InvalidToken

if TYPE_CHECKING:
    from aiohttp import web

    from matches.people.mail_commands import MailCommand

PATH = MAIL_CONFIRM_PATH + "{token}"


async def confirm_page(request: web.Request) -> web.Response:
    """Show what the mail asks for: programs that look at every link must not confirm it."""
    context = request.app[CONTEXT]
    command = await context.matches.people.mail_commands.find(_verify(request))
    if command is None or (command.confirmed_at is None and command.expires_at <= context.now()):
        raise Refusal("mail_command_expired")
    return _respond(request, command)


async def confirm(request: web.Request) -> web.Response:
    """Record the click, and say that the command is carried out soon."""
    context, number = request.app[CONTEXT], _verify(request)
    return _respond(request, await context.matches.people.mail_commands.confirm(number, now=context.now()))


def _verify(request: web.Request) -> int:
    try:
        return request.app[CONTEXT].token_signer.verify_mail_command(request.match_info["token"])
    except InvalidToken as error:
        raise Refusal("mail_command_expired") from error


def _respond(request: web.Request, command: MailCommand) -> web.Response:
    answer = request.app[CONTEXT].pages.respond(
        request, "mail_confirm.html", command=command, draft=command.draft, path=request.path
    )
    answer.headers.update(NO_STORE)
    return answer
