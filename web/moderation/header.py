"""What the top of every page says about moderation: a warning to confirm, and the way to the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from web.accounts.signed_in import find_session, require_session
from web.context import CONTEXT
from web.pages.pages import IS_MODERATOR, WARNING
from web.pages.preferences import page_before
from web.play.move_form import parse_number
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from aiohttp import web

CONFIRM_PATH = "/account/warning"


async def load_moderation(request: web.Request) -> None:
    """Find what the page that answers a request has to show. Raises StorageUnavailable."""
    moderation, session = request.app[CONTEXT].matches.moderation, await find_session(request)
    if session is None:
        return
    request[IS_MODERATOR] = await moderation.is_moderator(session.account)
    if session.is_warned:
        warning = await moderation.find_unread_warning(session.account)
        if warning is not None:
            request[WARNING] = warning


async def confirm_warning(request: web.Request) -> web.Response:
    """Note that the person has read a warning, and go back to the page."""
    context, session = request.app[CONTEXT], await require_session(request)
    form = await read_form(request)
    warning = parse_number(form.get("warning"))
    await context.matches.moderation.confirm_warning(session.account, warning, now=context.now())
    return redirect(await page_before(request))
