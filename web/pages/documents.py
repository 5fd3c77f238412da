"""The privacy policy and the terms of use: the Markdown of the documentation as pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from runtime.documents import PRIVACY_POLICY, TERMS, load_document
from web.context import CONTEXT
from web.pages.markdown import MarkdownRenderer
from web.pages.pages import language_attribute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aiohttp import web

PRIVACY_PATH, TERMS_PATH = "/privacy", "/terms"
# Where links of the documents lead on the website; what others link to is not part of it.
LINKS = {"privacy.md": PRIVACY_PATH, "terms.md": TERMS_PATH}
MARKDOWN = MarkdownRenderer(links=LINKS)
HEADING = "## "


async def privacy_policy(request: web.Request) -> web.Response:
    """Show the privacy policy."""
    return _respond(request, PRIVACY_POLICY)


async def terms(request: web.Request) -> web.Response:
    """Show the terms of use."""
    return _respond(request, TERMS)


def _respond(request: web.Request, name: str) -> web.Response:
    document = load_document(name)
    title, _, text = document.removeprefix("# ").partition("\n\n")
    return request.app[CONTEXT].pages.respond(
        request,
        "document.html",
        title=title,
        text=render_document(text),
        path=LINKS[name],
        lang=language_attribute(document),
    )


def render_document(text: str) -> Markup:
    """Return Markdown with headings, tables, lists and paragraphs as HTML; everything else is escaped."""
    return Markup("\n").join(_render_block(block) for block in text.strip().split("\n\n"))


def _render_block(block: str) -> Markup:
    if block.startswith(HEADING):
        return Markup("<h2>{}</h2>").format(block.removeprefix(HEADING))
    if block.startswith("|"):
        head, _, *rows = block.splitlines()
        table = Markup("<table><thead>{}</thead><tbody>{}</tbody></table>").format(
            _render_row(head, "th"), Markup().join(_render_row(row, "td") for row in rows)
        )
        return Markup('<div class="wide" tabindex="0">{}</div>').format(table)
    return MARKDOWN.render(block.replace("\n  ", " "))  # an item of a list becomes one line


def _render_row(line: str, tag: str) -> Markup:
    cells: Sequence[str] = line.strip("|").split("|")
    opening, closing = Markup(f"<{tag}>"), Markup(f"</{tag}>")  # noqa: S704 - th or td
    parts = (opening + MARKDOWN.render_line(cell.strip()) + closing for cell in cells)
    return Markup("<tr>{}</tr>").format(Markup().join(parts))
