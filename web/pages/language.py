"""The language of pages: what the visitor has chosen, or what their browser asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from i18n.plurals import ENGLISH
from i18n.readers import current_language
from i18n.translations import choose_language, list_languages
from matches import Person
from web.accounts.signed_in import find_member
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
    """Keep the chosen language in this browser, and go back to the page; an unknown one changes nothing.

    Somebody who is signed in is told in that language from then on.
    """
    location = await page_before(request)
    value = (await read_form(request)).get("language", "")
    answer = web.Response(status=303, headers={"Location": location})
    if value in list_languages():
        keep_language(request, answer, value)
        session = await find_member(request)
        if session is not None:
            context = request.app[CONTEXT]
            person = Person(session.account, session.name)
            await context.matches.people.preferences.change(person, language=value, now=context.now())
    return answer


def keep_language(request: web.Request, answer: web.Response, language: str) -> None:
    """Have a browser keep the language of its pages."""
    set_cookie(answer, LANGUAGE_COOKIE, language, secure=request.app[CONTEXT].is_secure)


async def share_language(request: web.Request, answer: web.Response, person: Person) -> None:
    """Show pages in the language that somebody who signs in has chosen, or take over that of the pages."""
    context = request.app[CONTEXT]
    language = (await context.matches.people.preferences.get(person.account)).language
    if language in list_languages():
        keep_language(request, answer, language)
    elif current_language() != ENGLISH:
        await context.matches.people.preferences.change(
            person, language=current_language(), now=context.now()
        )
