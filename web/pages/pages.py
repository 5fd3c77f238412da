"""Rendering of the HTML templates; all values are escaped."""

from __future__ import annotations

import re
from functools import cache
from http import HTTPStatus
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar
from unicodedata import bidirectional

from aiohttp import web
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from i18n.documents import EnglishText
from i18n.formats import sentence_gap
from i18n.plurals import ENGLISH
from i18n.readers import current_language
from i18n.translations import list_languages
from i18n.writing import MomentStyle, Writer, describe_moment
from matches.moderation.values import UnreadWarning
from web.pages.view_options import PAGE_GROUNDS, cookie_theme, page_colours

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from i18n import Texts
    from i18n.contracts import Lookup
    from i18n.writing import Moment
    from web.server.assets import Assets

# Bidirectional classes of right-to-left letters and of the invisible characters that change the direction.
DIRECTIONAL = frozenset({"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"})
NO_LINKS: Mapping[str, str] = MappingProxyType({})
NO_STORE = {"Cache-Control": "no-store"}
LARGE_PAGE = 100_000  # bytes that are compressed in a thread, without the interpreter
# The number of matches that wait for this browser; missing if it has none at all.
TURN_COUNT = web.RequestKey("turn_count", int)
ACCOUNT_NAME = web.RequestKey("account_name", str)  # of somebody who is signed in
IS_MODERATOR = web.RequestKey("is_moderator", bool)
WARNING = web.RequestKey("warning", UnreadWarning)  # of moderators, to be confirmed
PASSKEY_HOST = web.RequestKey("passkey_host", str)  # set where a page is to offer a passkey
IS_GUEST = web.RequestKey("is_guest", bool)  # whether somebody plays as a guest
# For somebody who is not signed in, or is a guest; missing where nobody can sign in.
SIGN_IN_URL = web.RequestKey("sign_in_url", str)


class HtmlWriter(Writer):
    """Writes texts in HTML; a script shows times in the visitor's time zone."""

    written = Markup
    tags: ClassVar[Mapping[str, tuple[str, str]]] = {
        "b": ("<strong>", "</strong>"),
        "i": ("<em>", "</em>"),
        "code": ("<code>", "</code>"),
        "small": ("<small>", "</small>"),
        "h": ("<strong>", "</strong>"),
        "a": ('<a href="URL">', "</a>"),
    }

    def escape(self, text: str) -> str:
        """Return text with the special characters of HTML escaped."""
        return str(escape(text))

    def escape_template(self, text: str) -> str:
        """Return a part of a template with the special characters of HTML escaped."""
        return str(escape(text))

    def write_url(self, url: str) -> str:
        """Return the address of a link as the value of an attribute."""
        return str(escape(url))

    def write_code(self, code: str) -> str:
        """Return something to type."""
        return f"<code>{escape(code)}</code>"

    def write_moment(self, moment: Moment, texts: Lookup) -> str:
        """Return a time as an element that says in words what it is in UTC, and how a script may word it."""
        style = MomentStyle.FULL if moment.style is MomentStyle.RELATIVE and not moment.now else moment.style
        words = escape(describe_moment(texts, moment))
        return f'<time datetime="{moment.at.isoformat()}" data-style="{style}">{words}</time>'


HTML = HtmlWriter()


def isolate_names(text: str, names: Iterable[str], links: Mapping[str, str] = NO_LINKS) -> Markup:
    """Return a text, escaped, in which right-to-left `names` do not reorder the words around them.

    `links` are the paths to which some of the names lead.
    """
    shown = {str(escape(name)): name for name in names if name}
    pattern = "|".join(re.escape(one) for one in sorted(shown, key=len, reverse=True))

    def show(found: re.Match[str]) -> str:
        name, written = shown[found[0]], found[0]
        written = f"<bdi>{written}</bdi>" if any(map(_is_directional, name)) else written
        return f'<a href="{escape(links[name])}">{written}</a>' if name in links else written

    escaped = str(escape(text))
    return Markup(re.sub(pattern, show, escaped) if shown else escaped)  # noqa: S704 - escaped above


def capitalize(text: str) -> str:
    """Return a text with a capital first letter; Jinja's own filter lowers the others, as those of nouns."""
    return text[:1].upper() + text[1:]


def gap() -> str:
    """Return what is between two sentences: a space, nothing in languages that are written without."""
    return sentence_gap(current_language())


def language_attribute(text: str) -> Markup:
    """Return the attribute of an element whose text is in another language than the page; else nothing."""
    is_english = isinstance(text, EnglishText) and current_language() != ENGLISH
    return Markup(' lang="en"') if is_english else Markup()


def _is_directional(character: str) -> bool:
    return bidirectional(character) in DIRECTIONAL


@cache
def _environment() -> Environment:
    """Return the template environment, shared by all applications of the process."""
    environment = Environment(
        loader=PackageLoader("web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["isolate"] = isolate_names
    environment.filters["capitalize"] = capitalize
    environment.filters["lang"] = language_attribute
    environment.globals["gap"] = gap
    return environment


class PageRenderer:
    """Renders the templates; `texts` are those of pages, written in HTML. With `has_lobby` all lead there."""

    def __init__(self, texts: Texts, assets: Assets, base: str, *, has_lobby: bool = False) -> None:
        self.asset_url = assets.url
        self.texts = texts.with_writer(HTML)
        self._globals = {
            "texts": self.texts,
            "asset": assets.url,
            "scripts": assets.script_urls,
            "base": base,
            "has_lobby": has_lobby,
            "grounds": PAGE_GROUNDS,
        }

    def render(self, template: str, **values: Any) -> str:
        """Return a rendered template."""
        languages = {"language": current_language(), "languages": list_languages()}
        return _environment().get_template(template).render(self._globals | languages | values)

    def respond(
        self, request: web.Request, template: str, *, status: int = 200, **values: Any
    ) -> web.Response:
        """Return a rendered template as a compressed response, in the colours that the visitor has chosen."""
        values.setdefault("theme", cookie_theme(request))
        values["colours"] = page_colours(request)
        values["turn_count"] = request.get(TURN_COUNT)
        values["account_name"] = request.get(ACCOUNT_NAME, "")
        values["is_moderator"] = request.get(IS_MODERATOR, False)
        values["warning"] = request.get(WARNING)
        values["passkey_host"] = request.get(PASSKEY_HOST, "")
        values["sign_in_url"] = request.get(SIGN_IN_URL, "")
        values["is_guest"] = request.get(IS_GUEST, False)
        answer = web.Response(
            text=self.render(template, **values),
            status=status,
            content_type="text/html",
            zlib_executor_size=LARGE_PAGE,
        )
        answer.headers["Vary"] = "Accept-Encoding, Cookie"
        answer.headers["Content-Language"] = current_language()
        answer.enable_compression()
        return answer

    def respond_error(
        self,
        request: web.Request,
        text: str,
        status: int,
        match: str | int | None = None,
        *,
        is_hidden: bool = False,
    ) -> web.Response:
        """Return an error page with `text`, and a link to `match` if there is one to watch.

        It leads to signing in where something is forbidden, and with `is_hidden`: the visitor may not see a
        match.
        """
        can_sign_in = is_hidden or status == HTTPStatus.FORBIDDEN
        answer = self.respond(
            request,
            "error.html",
            status=status,
            text=text,
            match=match,
            can_sign_in=can_sign_in,
            is_hidden=is_hidden,
        )
        answer.headers.update(NO_STORE)
        return answer
