"""The lines of a mail as mail programs may quote them: its text and its HTML, also broken anew."""

from __future__ import annotations

import textwrap
from html.parser import HTMLParser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import EmailMessage

LINE_WIDTHS = (70, 72, 74, 76, 78, 80)  # characters, at which mail programs break lines that they quote
FILL_WIDTHS = (40, 50, 60, 65, 66, 67, *LINE_WIDTHS, 100)  # at which paragraphs are filled anew
BLOCKS = frozenset({"p", "div", "h1", "pre", "br", "title"})
SILENT = frozenset({"style", "title"})


class _TextOfHtml(HTMLParser):
    """Collects the text of HTML, a block a paragraph; a picture is its alternative text."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._silent = 0
        self._is_preformatted = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in SILENT
        self._is_preformatted |= tag == "pre"
        if tag in BLOCKS:
            self.text += "\n\n"
        if tag == "img":
            self.text += f"\n{dict(attrs)['alt']}\n"

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in SILENT
        self._is_preformatted &= tag != "pre"
        if tag in BLOCKS:
            self.text += "\n\n"

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.text += data if self._is_preformatted or data.isspace() else " ".join(data.split("\n"))


def texts_of(mail: EmailMessage) -> Iterator[str]:
    """Yield the plain text of a mail, and the text that its HTML shows."""
    plain, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert plain is not None
    assert html is not None
    yield plain.get_content().replace("\r\n", "\n")
    parser = _TextOfHtml()
    parser.feed(html.get_content())
    yield parser.text


def lines_of(text: str) -> set[str]:
    """Return the lines of a text as it is, with long lines broken, and with paragraphs filled anew."""
    lines = text.splitlines()
    paragraphs = [" ".join(block.split()) for block in text.split("\n\n")]
    broken = [line for one in lines for width in LINE_WIDTHS for line in textwrap.wrap(one, width)]
    filled = [line for one in paragraphs for width in FILL_WIDTHS for line in textwrap.wrap(one, width)]
    return {line.strip() for line in (*lines, *broken, *filled) if line.strip()}
