"""Markdown as HTML: paragraphs, lists, emphasis, links to other pages and, in rules, to moves."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LIST_MARK = "- "
INLINE = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<strong>.+?)\*\*|\*(?P<em>.+?)\*|\[(?P<label>[^]]+)\]\((?P<target>[^)#]+)(?:#[^)]*)?\)"
)
NO_LINKS: Mapping[str, str] = MappingProxyType({})


def render_text(
    text: str, titles: Mapping[str, str], moves: Mapping[str, str], links: Mapping[str, str] = NO_LINKS
) -> Markup:
    """Return Markdown as HTML; everything else in it is escaped.

    An emphasized title of `titles`, and a move in code that is in `moves`, become links to the URLs there. A
    link whose target is in `links` leads to the URL there; of any other only the text is left.
    """
    blocks = (block.splitlines() for block in text.split("\n\n"))
    return Markup("\n").join(part for block in blocks for part in _render_block(block, titles, moves, links))


def _render_block(
    lines: Sequence[str], titles: Mapping[str, str], moves: Mapping[str, str], links: Mapping[str, str]
) -> Iterator[Markup]:
    items = [line.removeprefix(LIST_MARK) for line in lines if line.startswith(LIST_MARK)]
    plain = " ".join(line for line in lines if not line.startswith(LIST_MARK))
    if plain:
        yield Markup("<p>{}</p>").format(render_inline(plain, titles, moves, links))
    if items:
        rendered = (Markup("<li>{}</li>").format(render_inline(item, titles, moves, links)) for item in items)
        yield Markup("<ul>{}</ul>").format(Markup().join(rendered))


def render_inline(
    text: str, titles: Mapping[str, str], moves: Mapping[str, str], links: Mapping[str, str] = NO_LINKS
) -> Markup:
    """Return the Markdown of one line as HTML; see :func:`render_text`."""
    parts, position = [], 0
    for found in INLINE.finditer(text):
        parts += [escape(text[position : found.start()]), _render_match(found, titles, moves, links)]
        position = found.end()
    return Markup().join([*parts, escape(text[position:])])


def _render_match(
    found: re.Match[str], titles: Mapping[str, str], moves: Mapping[str, str], links: Mapping[str, str]
) -> Markup:
    if found["label"] is not None:
        href, label = links.get(found["target"]), found["label"]
        return escape(label) if href is None else Markup('<a href="{}">{}</a>').format(href, label)
    code, strong, em = found["code"], found["strong"], found["em"]
    if code is not None:
        link = Markup('<a href="{}" data-move><code>{}</code></a>')
        return link.format(moves[code], code) if code in moves else Markup("<code>{}</code>").format(code)
    if strong is not None:
        return Markup("<strong>{}</strong>").format(strong)
    if em in titles:
        return Markup('<a href="{}">{}</a>').format(titles[em], em)
    return Markup("<em>{}</em>").format(em)
