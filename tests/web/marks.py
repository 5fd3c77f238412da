"""With marked texts: what pages show is checked for texts that are not of the catalogue, or cut off."""

from __future__ import annotations

from html.parser import HTMLParser

from tests.marks import END, START, find_faults

INLINE = frozenset(
    {"a", "abbr", "b", "bdi", "code", "em", "i", "kbd", "small", "span", "strong", "time", "wbr"}
)
SILENT = frozenset({"script", "style", "textarea"})
NAMES = frozenset({"bdi", "code", "pre"})  # what they contain is a name or to be typed
VOID = frozenset({"br", "circle", "hr", "img", "input", "link", "meta", "path", "rect", "wbr"})
SHOWN = frozenset(
    {"alt", "title", "aria-label", "aria-roledescription", "placeholder", "data-text", "data-failed"}
)
KNOWN = (
    "Board",
    "Start",
    "Mutators",
    "Men",
    "Edition",
    "Rayuela",
    "Alice",
    "Bob",
    "Carol",
    "Dora",
    "UTC",
    "Firefox on Linux",
    "Ada-99",
    "Anna",
    "Ben",
    "Hello",  # notes
    "My note",
    "Ada",
    "First try",  # chapters of studies
    "Second try",
    "Endings",
    "Rayuela Open",  # tournaments
    "Spring cup",
    "Emil",
    "Fatima",
    "Wim",
    "oo9",
    "zz9",
)


class _Page(HTMLParser):
    """Collects the texts that a page shows, block by block."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._text = ""
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.texts += [value for name, value in attrs if name in SHOWN and value]
        if tag == "meta" and values.get("name") == "description":
            self.texts.append(values["content"] or "")
        self._end_part(tag)
        if tag in VOID:
            return
        if (
            self._silent
            or tag in SILENT | NAMES
            or values.get("dir") == "auto"
            or ("lang" in values and tag != "html")
        ):
            self._silent.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._silent and tag not in VOID:
            self._silent.pop()
        self._end_part(tag)

    def handle_data(self, data: str) -> None:
        if not self._silent or self._text.count(START) > self._text.count(END):
            self._text += data

    def _end_part(self, tag: str = "") -> None:
        """End a text, unless this is an element inside of a marked one."""
        if tag not in INLINE or self._text.count(START) == self._text.count(END):
            lines = self._text.splitlines()
            self.texts.append("\n".join(" ".join(line.split()) for line in lines).strip())
            self._text = ""

    def close(self) -> None:
        super().close()
        self._end_part()


def texts_of_page(html: str) -> list[str]:
    """Return the texts of a page, and those of its attributes."""
    page = _Page()
    page.feed(html)
    page.close()
    return [text for text in page.texts if text]


def find_page_faults(html: str, names: tuple[str, ...] = ()) -> list[str]:
    """Return what is wrong with the texts of a page in English, on which there are names."""
    if '<html lang="en"' not in html:
        return []
    return [fault for text in texts_of_page(html) for fault in find_faults(text, (*KNOWN, *names))]
