"""The text of a rule page as HTML: paragraphs, lists, emphasis, links to other pages and to moves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LIST_MARK = "- "
INLINE = re.compile(r"`(?P<code>[^`]+)`|\*\*(?P<strong>.+?)\*\*|\*(?P<em>.+?)\*")


def render_text(text: str, titles: Mapping[str, str], moves: Mapping[str, str]) -> Markup:
    """Return the Markdown of a rule page as HTML; everything else in it is escaped.

    An emphasized title of `titles`, and a move in code that is in `moves`, become links to the URLs there.
    """
    blocks = (block.splitlines() for block in text.split("\n\n"))
    return Markup("\n").join(part for block in blocks for part in _render_block(block, titles, moves))


def _render_block(
    lines: Sequence[str], titles: Mapping[str, str], moves: Mapping[str, str]
) -> Iterator[Markup]:
    items = [line.removeprefix(LIST_MARK) for line in lines if line.startswith(LIST_MARK)]
    plain = " ".join(line for line in lines if not line.startswith(LIST_MARK))
    if plain:
        yield Markup("<p>{}</p>").format(_render_inline(plain, titles, moves))
    if items:
        rendered = (Markup("<li>{}</li>").format(_render_inline(item, titles, moves)) for item in items)
        yield Markup("<ul>{}</ul>").format(Markup().join(rendered))


def _render_inline(text: str, titles: Mapping[str, str], moves: Mapping[str, str]) -> Markup:
    parts, position = [], 0
    for found in INLINE.finditer(text):
        parts += [escape(text[position : found.start()]), _render_match(found, titles, moves)]
        position = found.end()
    return Markup().join([*parts, escape(text[position:])])


def _render_match(found: re.Match[str], titles: Mapping[str, str], moves: Mapping[str, str]) -> Markup:
    code, strong, em = found["code"], found["strong"], found["em"]
    if code is not None:
        link = Markup('<a href="{}" data-move><code>{}</code></a>')
        return link.format(moves[code], code) if code in moves else Markup("<code>{}</code>").format(code)
    if strong is not None:
        return Markup("<strong>{}</strong>").format(strong)
    if em in titles:
        return Markup('<a href="{}">{}</a>').format(titles[em], em)
    return Markup("<em>{}</em>").format(em)
