"""What a browser keeps in cookies: light or dark pages, and preferences of the board page, each on or off.

Pages are by default as the visitor's system; a choice in the menu of every page changes that.
"""

from __future__ import annotations

from enum import StrEnum
from types import SimpleNamespace
from typing import cast
from urllib.parse import urlsplit

from aiohttp import web

from web.context import CONTEXT
from web.pages.view_options import COLOURS_COOKIE, PageColours, set_cookie
from web.server.forms import read_form

ON = "on"


class Preference(StrEnum):
    """A preference that is off by default; the value is the name of its cookie and of its form field."""

    AT_ONCE = "at_once"
    SOUND = "sound"
    NOTIFY = "notify"


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


async def choose_colours(request: web.Request) -> web.Response:
    """Save the choice in a cookie and go back to the page; anything but light and dark follows the system."""
    location = await page_before(request)
    value = (await read_form(request)).get("colours", "")
    answer = web.Response(status=303, headers={"Location": location})
    if value in set(PageColours):
        set_cookie(answer, COLOURS_COOKIE, value, secure=request.app[CONTEXT].is_secure)
    else:
        answer.del_cookie(COLOURS_COOKIE)
    return answer


async def page_before(request: web.Request) -> str:
    """Return the path of the page that has sent the form, or of the nearest page above it.

    The answer to another form is such a page: its own address cannot be opened again.
    """
    try:
        url = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return "/"
    path, query = f"/{url.path.strip('/')}", f"?{url.query}" if url.query else ""
    while path != "/" and path:
        # The router looks at method and address alone, and a request whose form was read cannot be cloned.
        address = cast(
            "web.Request",
            SimpleNamespace(method="GET", rel_url=request.rel_url.with_path(path, encoded=True)),
        )
        found = await request.app.router.resolve(address)
        if found.http_exception is None:
            return path + query
        path, query = path.rpartition("/")[0], ""
    return "/"
