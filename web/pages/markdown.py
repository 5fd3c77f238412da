"""Markdown as HTML: paragraphs, lists, emphasis, links to other pages and, in rules, to moves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LIST_MARK = "- "
INLINE = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<strong>.+?)\*\*|\*(?P<em>.+?)\*|\[(?P<label>[^]]+)\]\((?P<target>[^)#]+)(?:#[^)]*)?\)"
)


@dataclass(frozen=True, slots=True)
class MarkdownRenderer:
    """Writes Markdown as HTML; everything else in it is escaped.

    An emphasized title of `titles`, and a move in code that is in `moves`, become links to the URLs there. A
    link whose target is in `links` leads to the URL there; of any other only the text is left.
    """

    titles: Mapping[str, str] = field(default_factory=dict)
    moves: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)

    def render(self, text: str) -> Markup:
        """Return Markdown as HTML."""
        blocks = (block.splitlines() for block in text.split("\n\n"))
        return Markup("\n").join(part for block in blocks for part in self._render_block(block))

    def render_line(self, text: str) -> Markup:
        """Return the Markdown of one line as HTML."""
        parts, position = [], 0
        for found in INLINE.finditer(text):
            parts += [escape(text[position : found.start()]), self._render_match(found)]
            position = found.end()
        return Markup().join([*parts, escape(text[position:])])

    def _render_block(self, lines: Sequence[str]) -> Iterator[Markup]:
        items = [line.removeprefix(LIST_MARK) for line in lines if line.startswith(LIST_MARK)]
        plain = " ".join(line for line in lines if not line.startswith(LIST_MARK))
        if plain:
            yield Markup("<p>{}</p>").format(self.render_line(plain))
        if items:
            rendered = (Markup("<li>{}</li>").format(self.render_line(item)) for item in items)
            yield Markup("<ul>{}</ul>").format(Markup().join(rendered))

    def _render_match(self, found: re.Match[str]) -> Markup:
        if found["label"] is not None:
            href, label = self.links.get(found["target"]), found["label"]
            return escape(label) if href is None else Markup('<a href="{}">{}</a>').format(href, label)
        code, strong, em = found["code"], found["strong"], found["em"]
        if code is not None:
            shown = Markup("<code>{}</code>").format(code)
            href = self.moves.get(code)
            return shown if href is None else Markup('<a href="{}" data-move>{}</a>').format(href, shown)
        if strong is not None:
            return Markup("<strong>{}</strong>").format(strong)
        if em in self.titles:
            return Markup('<a href="{}">{}</a>').format(self.titles[em], em)
        return Markup("<em>{}</em>").format(em)
