"""The parts of a record's text, each with its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from engine.records.errors import Place, RecordError, RecordSyntaxError
from engine.records.reasons import Reason
from engine.texts import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_HALF = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"\s*")
_HEADER = re.compile(r'\[[ \t]*(?P<name>[^\s"\[\]]+)[ \t]+"(?P<value>(?:[^"\\\n]|\\[^\n])*)"[ \t]*\]')
_COMMENT = re.compile(r"\{(?P<comment>(?:[^}\\]|\\.)*)\}", re.DOTALL)
_NUMBER = re.compile(r"([0-9]{1,9})\.")
_WORD = re.compile(r"[^\s{}\[\]]+")
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.?)", re.DOTALL)
_MEANT = {'"': '"', "}": "}", "\\": "\\", "n": "\n", "t": "\t"}


class Part(NamedTuple):
    """A piece of the text and the index where it begins."""

    text: str
    at: int


class Header(NamedTuple):
    """A header's name and value."""

    name: Part
    value: Part


class Scanner:
    """The text of a record, read from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self.text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self.at = 0
        control = _CONTROL.search(self.text)
        if control:
            raise self.error(Reason.CONTROL, control.start(), found=f"{ord(control[0]):04x}")
        half = _HALF.search(self.text)
        if half:
            raise self.error(Reason.NOT_TEXT, half.start(), found=ascii(half[0]))

    def place(self, at: int) -> Place:
        """Give the line and column of an index."""
        return Place(self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at))

    def error(
        self, reason: Reason, at: int, kind: type[RecordError] = RecordSyntaxError, **values: object
    ) -> RecordError:
        """Give the refusal of what begins at the index `at`."""
        return kind(reason.say(**values), self.place(at), text=quoted(self.text[at:].partition("\n")[0]))

    def headers(self) -> Iterator[Header]:
        """Give the headers, as long as there are any. Raises RecordSyntaxError."""
        while self._next() == "[":
            found = _HEADER.match(self.text, self.at)
            if found is None:
                raise self.error(Reason.HEADER_FORM, self.at)
            self.at = found.end()
            value = self._meant(found["value"], found.start("value"))
            yield Header(Part(found["name"], found.start("name")), Part(value, found.start("value")))

    def comment(self) -> str:
        """Give the comment that stands here, of several braces a line each. Raises RecordSyntaxError."""
        said = []
        while self._next() == "{":
            found = _COMMENT.match(self.text, self.at)
            if found is None:
                raise self.error(Reason.OPEN_COMMENT, self.at)
            self.at = found.end()
            said.append(self._meant(found["comment"], found.start("comment")))
        return "\n".join(said)

    def number(self) -> Part | None:
        """Give the number of a turn, if one stands here."""
        self._next()
        found = _NUMBER.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return Part(found[1], found.start())

    def word(self) -> Part | None:
        """Give the word that stands here, if one does."""
        self._next()
        found = _WORD.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return Part(found[0], found.start())

    def rest(self) -> Part | None:
        """Give what is left, or None where only spaces are."""
        return Part(self.text[self.at :], self.at) if self._next() else None

    def _next(self) -> str:
        """Pass over spaces and give the next character, or nothing at the end."""
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def _meant(self, written: str, begin: int) -> str:
        """Give what is meant by a text with escapes that begins at the index `begin`."""
        if "\\" not in written:
            return written

        def meant(escape: re.Match[str]) -> str:
            said = escape[1]
            if len(said) == 5:
                return chr(int(said[1:], 16))
            if said not in _MEANT:
                raise self.error(Reason.NOT_AN_ESCAPE, begin + escape.start(), found=quoted(said))
            return _MEANT[said]

        units = _ESCAPE.sub(meant, written).encode("utf-16-le", "surrogatepass")
        text = units.decode("utf-16-le", "surrogatepass")
        half = _HALF.search(text)
        if half:
            raise self.error(Reason.NOT_TEXT, begin, found=ascii(half[0]))
        return text
