"""The language of pages: what the visitor has chosen, or what their browser asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from i18n.translations import choose_language, list_languages
from web.context import CONTEXT
from web.pages.preferences import page_before
from web.pages.view_options import set_cookie
from web.server.forms import read_form

if TYPE_CHECKING:
    from collections.abc import Iterator

LANGUAGE_COOKIE = "language"
MAX_WANTED = 20  # languages of a browser that are looked at


def visitor_language(request: web.Request) -> str:
    """Return the language in which a visitor gets pages."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    return choose_language(chosen) if chosen in list_languages() else choose_language(*_wanted(request))


def _wanted(request: web.Request) -> list[str]:
    """Return the languages that the browser asks for, the best first."""
    weighted = sorted(_parse_weights(request.headers.get("Accept-Language", "")), key=lambda one: -one[1])
    return [tag for tag, weight in weighted if weight > 0]


def _parse_weights(header: str) -> Iterator[tuple[str, float]]:
    """Return each tag of the header (RFC 9110, 12.5.4) with its weight; what is malformed is left out."""
    for part in header.split(",")[:MAX_WANTED]:
        tag, _, weight = part.strip().partition(";q=")
        try:
            yield tag.strip(), float(weight or 1)
        except ValueError:
            continue


async def choose_page_language(request: web.Request) -> web.Response:
    """Save the chosen language in a cookie and go back to the page; an unknown one changes nothing."""
    location = await page_before(request)
    value = (await read_form(request)).get("language", "")
    answer = web.Response(status=303, headers={"Location": location})
    if value in list_languages():
        set_cookie(answer, LANGUAGE_COOKIE, value, secure=request.app[CONTEXT].is_secure)
    return answer
