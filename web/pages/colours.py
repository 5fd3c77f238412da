"""Light or dark pages: by default as the visitor's system, else as chosen in the menu of every page."""

from __future__ import annotations

from urllib.parse import urlsplit

from aiohttp import web

from web.context import CONTEXT
from web.pages.view_options import COLOURS_COOKIE, PageColours, set_cookie
from web.server.forms import read_form


def routes() -> list[web.RouteDef]:
    """Return the route of the menu."""
    return [web.post("/colours", choose_colours)]


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
        found = await request.app.router.resolve(request.clone(method="GET", rel_url=path + query))
        if found.http_exception is None:
            return path + query
        path, query = path.rpartition("/")[0], ""
    return "/"
