"""Preferences of the board page, each on or off, in cookies: play at once, sound, notifications."""

from __future__ import annotations

from enum import StrEnum

from aiohttp import web

from web.context import CONTEXT
from web.pages.colours import page_before
from web.pages.view_options import set_cookie
from web.server.forms import read_form

ON = "on"


class Preference(StrEnum):
    """A preference that is off by default; the value is the name of its cookie and of its form field."""

    AT_ONCE = "at_once"
    SOUND = "sound"
    NOTIFY = "notify"


def routes() -> list[web.RouteDef]:
    """Return the route of the menu."""
    return [web.post("/preferences", save_preferences)]


def preference_items(request: web.Request, *, is_seated: bool) -> list[tuple[str, bool]]:
    """Return the preferences of a page as (name, whether it is on); spectators only have the sound."""
    offered = Preference if is_seated else (Preference.SOUND,)
    return [(one.value, request.cookies.get(one) == ON) for one in offered]


async def save_preferences(request: web.Request) -> web.Response:
    """Save the preferences that the form names, and go back to the page."""
    answer = web.Response(status=303, headers={"Location": await page_before(request)})
    form = await read_form(request)
    for preference in Preference:
        if form.get(preference) == ON:
            set_cookie(answer, preference, ON, secure=request.app[CONTEXT].is_secure)
        elif preference in form:
            answer.del_cookie(preference)
    return answer
