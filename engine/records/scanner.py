"""The tokens of a record, each with its offset in the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from engine.notation_text import abbreviate
from engine.records.errors import RecordError, RecordSyntaxError, TextLocation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.sentences import RefusalValue

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(r"\s*")
_HEADER = re.compile(r'\[[ \t]*(?P<name>[^\s"\[\]]+)[ \t]+"(?P<value>(?:[^"\\\n]|\\[^\n])*)"[ \t]*\]')
_COMMENT = re.compile(r"\{(?P<comment>(?:[^}\\]|\\.)*)\}", re.DOTALL)
_NUMBER = re.compile(r"([0-9]{1,9})\.")
_WORD = re.compile(r"[^\s{}\[\]]+")
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.?)", re.DOTALL)
_ESCAPED_CHARACTERS = {'"': '"', "}": "}", "\\": "\\", "n": "\n", "t": "\t"}


class Token(NamedTuple):
    """A part of the text and the offset of its first character."""

    text: str
    offset: int


class Header(NamedTuple):
    """The name and the value of a header."""

    name: Token
    value: Token


class Scanner:
    """Reads the text of a record from left to right; `offset` is the current place.

    Raise RecordSyntaxError when it is created if the text has control characters or surrogates.
    """

    def __init__(self, text: str) -> None:
        self.text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self.offset = 0
        control = _CONTROL.search(self.text)
        if control:
            raise self.error("control_character", control.start(), found=f"{ord(control[0]):04x}")
        surrogate = _SURROGATE.search(self.text)
        if surrogate:
            raise self.error("surrogate", surrogate.start(), found=ascii(surrogate[0]))

    def locate(self, offset: int) -> TextLocation:
        """Return the line and the column of `offset`."""
        return TextLocation(self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset))

    def error(
        self,
        key: str,
        offset: int,
        kind: type[RecordError] = RecordSyntaxError,
        **values: RefusalValue,
    ) -> RecordError:
        """Return an error of class `kind` for the text that begins at `offset`."""
        return kind(
            f"record.{key}",
            values,
            self.locate(offset),
            text=abbreviate(self.text[offset:].partition("\n")[0]),
        )

    def scan_headers(self) -> Iterator[Header]:
        """Yield the headers up to the first text that is not one. Raise RecordSyntaxError."""
        while self._peek() == "[":
            found = _HEADER.match(self.text, self.offset)
            if found is None:
                raise self.error("header_form", self.offset)
            self.offset = found.end()
            value = self._unescape(found["value"], found.start("value"))
            yield Header(Token(found["name"], found.start("name")), Token(value, found.start("value")))

    def scan_comment(self) -> str:
        """Return the comment at the current place, or "". Raise RecordSyntaxError.

        Comments in several pairs of braces are joined by newlines.
        """
        comments = []
        while self._peek() == "{":
            found = _COMMENT.match(self.text, self.offset)
            if found is None:
                raise self.error("open_comment", self.offset)
            self.offset = found.end()
            comments.append(self._unescape(found["comment"], found.start("comment")))
        return "\n".join(comments)

    def scan_number(self) -> Token | None:
        """Return the number of a turn at the current place, or None."""
        self._peek()
        found = _NUMBER.match(self.text, self.offset)
        if found is None:
            return None
        self.offset = found.end()
        return Token(found[1], found.start())

    def scan_word(self) -> Token | None:
        """Return the word at the current place, or None."""
        self._peek()
        found = _WORD.match(self.text, self.offset)
        if found is None:
            return None
        self.offset = found.end()
        return Token(found[0], found.start())

    def scan_rest(self) -> Token | None:
        """Return the rest of the text, or None if only spaces are left."""
        return Token(self.text[self.offset :], self.offset) if self._peek() else None

    def _peek(self) -> str:
        """Skip spaces and return the next character, or "" at the end."""
        found = _SPACES.match(self.text, self.offset)
        self.offset = found.end() if found else self.offset
        return self.text[self.offset : self.offset + 1]

    def _unescape(self, raw: str, offset: int) -> str:
        """Return `raw`, which begins at `offset`, with its escapes replaced. Raise RecordSyntaxError."""
        if "\\" not in raw:
            return raw

        def unescape(escape: re.Match[str]) -> str:
            code = escape[1]
            if len(code) == 5:
                return chr(int(code[1:], 16))
            if code not in _ESCAPED_CHARACTERS:
                raise self.error("bad_escape", offset + escape.start(), found=abbreviate(code))
            return _ESCAPED_CHARACTERS[code]

        units = _ESCAPE.sub(unescape, raw).encode("utf-16-le", "surrogatepass")
        text = units.decode("utf-16-le", "surrogatepass")
        surrogate = _SURROGATE.search(text)
        if surrogate:
            raise self.error("surrogate", offset, found=ascii(surrogate[0]))
        return text
