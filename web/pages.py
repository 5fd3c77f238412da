"""Pages and their parts: templates into which every text goes escaped."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from aiohttp import web
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from web.look import kept_theme

if TYPE_CHECKING:
    from web.assets import Assets
    from words import Words

EMPHASIS = re.compile(r"\*\*(.+?)\*\*")
NOT_KEPT = {"Cache-Control": "no-store"}


def emphasised(text: str) -> Markup:
    """Give a text of the catalogue with its ``**emphasis**`` as markup, and everything else escaped."""
    return Markup(EMPHASIS.sub(r"<strong>\1</strong>", str(escape(text))))  # noqa: S704 - escaped right here


@cache
def _templates() -> Environment:
    """Give the templates: compiled once in a process, however many tables it serves."""
    environment = Environment(
        loader=PackageLoader("web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["emphasised"] = emphasised
    return environment


class Pages:
    """Renders the templates."""

    def __init__(self, words: Words, assets: Assets, base: str) -> None:
        self._words = words
        self._always = {"words": words, "asset": assets.path, "scripts": assets.scripts, "base": base}

    def part(self, template: str, **values: Any) -> str:
        """Give a template as text."""
        return _templates().get_template(template).render(self._always | values)

    def page(self, request: web.Request, template: str, *, status: int = 200, **values: Any) -> web.Response:
        """Answer with a template, in the visitor's colours, pressed on the way."""
        values.setdefault("theme", kept_theme(request))
        answer = web.Response(text=self.part(template, **values), status=status, content_type="text/html")
        answer.headers["Vary"] = "Accept-Encoding, Cookie"
        answer.enable_compression()
        return answer

    def refusal(
        self, request: web.Request, text: str, status: int, match: str | int | None = None
    ) -> web.Response:
        """Answer that something is not to be had, and why; of a `match` that can be watched, where."""
        answer = self.page(request, "refusal.html", status=status, text=text, match=match)
        answer.headers.update(NOT_KEPT)
        return answer
