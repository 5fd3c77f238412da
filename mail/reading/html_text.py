"""The text of an HTML part without the quotation, in one pass over it.

This is not a parser: it knows the marks that mail programs put around quotations and signatures, and where
lines end. What it does not understand stays as text, or is left out to the end.
"""

from __future__ import annotations

import html
import re
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TAGS = 3000  # that are looked at; the text after them is left out
MAX_TAG = 2000  # characters of a tag that are looked at
SEPARATOR = "_" * 32  # a line across the page
NO_BREAK_SPACE = "\xa0"
_TAG_NAME = re.compile(r"/?[a-z][a-z0-9:]*")
_MARKS = re.compile(r"\b(?:class|id|name)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+)")
_SPACE = re.compile(r"\s+")
_HIDDEN = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("style", "script", "title")}
_LINES = frozenset({"div", "tr", "li", "ul", "ol", "table", "pre", "h1", "h2", "h3", "h4", "section", "body"})
_QUOTATIONS = ("quote", "signature", "moz-cite-prefix", "zmail_extra", "iosymail", "original-content")
_ENDS = (
    "divrplyfwdmsg",
    "appendonsend",
    "mail-editor-reference-message",
    "isforwardcontent",
    "olk_src_body_section",
)


def to_text(source: str) -> str:
    """Return the lines that a mail program shows, without quotations; nothing after the head of one."""
    writer = _Lines()
    skipped, depth = "", 0
    for tag, text in islice(_tokens(source), MAX_TAGS):
        name = found[0] if (found := _TAG_NAME.match(tag)) else ""
        if skipped:
            depth += (name == skipped) - (name == f"/{skipped}")
            if not depth:
                skipped = ""
                writer.write(text)
            continue
        marks = " ".join(_MARKS.findall(tag)) if name and not name.startswith("/") else ""
        if any(end in marks for end in _ENDS):
            break
        if name == "blockquote" or (name in {"div", "table", "p", "span"} and _is_quotation(marks)):
            writer.end_line()
            skipped, depth = name, 1
        else:
            writer.write_tag(name, is_tight="msonormal" in marks)
            writer.write(text)
    return writer.text()


def _is_quotation(marks: str) -> bool:
    return any(one in marks for one in _QUOTATIONS)


def _tokens(source: str) -> Iterator[tuple[str, str]]:
    """Yield each tag in lower case with the text after it; the first one is empty."""
    at, tag = 0, ""
    while True:
        start = source.find("<", at)
        if start < 0:
            yield tag, source[at:]
            return
        yield tag, source[at:start]
        is_comment = source.startswith("<!--", start)
        end = source.find("-->" if is_comment else ">", start + 1)
        if end < 0:
            yield "", "" if is_comment else source[start:]
            return
        at, tag = (
            end + (3 if is_comment else 1),
            "" if is_comment else source[start + 1 : end][:MAX_TAG].lower(),
        )
        name = found[0] if (found := _TAG_NAME.match(tag)) else ""
        if name in _HIDDEN:
            closing = _HIDDEN[name].search(source, at)
            if closing is None:
                return
            at = closing.start()


class _Lines:
    """The lines that are written so far."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._open: list[str] = []
        self._is_tight = False  # whether no space is shown around the open paragraph

    def write(self, text: str) -> None:
        self._open.append(text)

    def write_tag(self, name: str, *, is_tight: bool) -> None:
        plain = name.removeprefix("/")
        if name == "br":
            self.end_line(is_kept=True)
        elif name == "hr":
            self.end_line()
            self._lines += [SEPARATOR]
        elif plain in _LINES:
            self.end_line()
        elif plain == "p":
            self.end_line()
            self._is_tight = is_tight if name == plain else self._is_tight
            if not self._is_tight and self._lines and self._lines[-1]:
                self._lines.append("")
        elif plain in {"td", "th"}:
            self._open.append(" ")

    def end_line(self, *, is_kept: bool = False) -> None:
        """End the line if it has text or a space that is shown; any other one only if `is_kept`."""
        text = html.unescape("".join(self._open))
        self._open = []
        if (line := _SPACE.sub(" ", text).strip()) or is_kept or NO_BREAK_SPACE in text:
            self._lines.append(line)

    def text(self) -> str:
        self.end_line()
        return "\n".join(self._lines)
