"""What Discord makes of the text of a message: a parser for its markdown, mentions, links and emoji.

Where Discord's clients differ, or look at the characters around a sign, this parser takes the sign for
syntax. It has no tables of emoji or languages: ``:any_word:`` is an emoji, and every invitation exists.
"""

from __future__ import annotations

import re

# A piece of text as it is shown, or a construct with its contents.
Node = str | tuple[str, tuple["Node", ...]]

ESCAPE = re.compile(r"\\([^0-9A-Za-z\s])")
# Constructs whose contents are shown or used as they are, in the order in which Discord tries them.
LITERAL = {
    "code block": re.compile(r"```(?:[\w+.#-]+\n)?\n*([^\n].*?)\n*```", re.DOTALL),
    "code": re.compile(r"(`+)(.*?[^`])\1(?!`)", re.DOTALL),
    "mention": re.compile(r"<@[!&]?\d+>|<#\d+>|<id:\w+>|</[^:>]+:\d+>|@(everyone|here)\b"),
    "timestamp": re.compile(r"<t:-?\d+(:\w)?>"),
    "emoji": re.compile(r"<a?:\w+:\d+>|:[\w+-]+:"),
    "link": re.compile(r"<[a-z][a-z0-9+.-]*:/{0,2}[^ >]+>|<[^ >@]+@[^ >]+>|<\+\d[\d ]+>", re.IGNORECASE),
    "bare link": re.compile(r"(https?|steam|discord)://[^\s<]+", re.IGNORECASE),
    "invitation": re.compile(r"(www\.)?(discord\.(gg|com|io|me|li)|discordapp\.com)(/\w+)+", re.IGNORECASE),
}
NESTED = {
    "masked link": re.compile(r"\[((?:\\.|[^\\\]])+)\]\([^)\n]+\)", re.DOTALL),
    "bold": re.compile(r"\*\*((?:\\.|[^\\])+?)\*\*(?!\*)", re.DOTALL),
    "underline": re.compile(r"__((?:\\.|[^\\])+?)__(?!_)", re.DOTALL),
    "italic": re.compile(r"\*(?=\S)((?:\\.|[^\\*])+?)\*(?!\*)|_((?:\\.|[^\\_])+?)_", re.DOTALL),
    "strike": re.compile(r"~~((?:\\.|[^\\])+?)~~", re.DOTALL),
    "spoiler": re.compile(r"\|\|((?:\\.|[^\\])+?)\|\|", re.DOTALL),
}
# What is syntax at the start of a line only. The rest of the line, or of the text, belongs to it.
LINE = {
    "heading": re.compile(r" *#{1,3} +(?=\S)"),
    "small": re.compile(r" *-# +(?=\S)"),
    "block quote": re.compile(r" *>>> "),
    "quote": re.compile(r" *> "),
    "list": re.compile(r" *([-*+]|\d+[.)]) +(?=\S)"),
}


def parse(text: str) -> tuple[Node, ...]:
    """Return the text as Discord shows it, with neighbouring pieces of plain text joined."""
    return tuple(_join(_parse(text, starts_line=True)))


def _parse(text: str, *, starts_line: bool) -> list[Node]:
    nodes: list[Node] = []
    at = 0
    while at < len(text):
        node, at = (_line_construct(text, at) if starts_line else None) or _construct(text, at)
        nodes.append(node)
        starts_line = text[at - 1] == "\n"
    return nodes


def _line_construct(text: str, at: int) -> tuple[Node, int] | None:
    for kind, pattern in LINE.items():
        if found := pattern.match(text, at):
            end = len(text) if kind == "block quote" else (text.find("\n", found.end()) + 1 or len(text))
            # A list may begin inside a quote, and so on.
            return (kind, tuple(_join(_parse(text[found.end() : end], starts_line=True)))), end
    return None


def _construct(text: str, at: int) -> tuple[Node, int]:
    if found := ESCAPE.match(text, at):
        return found[1], found.end()
    for kind, pattern in LITERAL.items():
        if found := pattern.match(text, at):
            return (kind, (found[0],)), found.end()
    for kind, pattern in NESTED.items():
        if found := pattern.match(text, at):
            contents = next(one for one in found.groups() if one is not None)
            return (kind, tuple(_join(_parse(contents, starts_line=False)))), found.end()
    return text[at], at + 1


def _join(nodes: list[Node]) -> list[Node]:
    joined: list[Node] = []
    for node in nodes:
        if isinstance(node, str) and joined and isinstance(joined[-1], str):
            joined[-1] += node
        else:
            joined.append(node)
    return joined
