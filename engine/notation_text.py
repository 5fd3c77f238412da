"""Normalization of typed text: case, spaces and the kind of dash do not matter."""

from __future__ import annotations

import unicodedata

MAX_MOVE_LENGTH = 200
"""The maximum length of a move text, in characters; legal moves are much shorter."""

MAX_LINE_LENGTH = 4000
"""The maximum length of a position line or a protocol line, in characters."""

MAX_QUOTED = 40
"""The maximum length of a refused text that is quoted in a message, in characters."""

_DASHES = dict.fromkeys(
    map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2796\u2e3a\u2e3b\u30fc\ufe58\ufe63\uff0d"),
    "-",
)
_TILDES = dict.fromkeys(map(ord, "\u02dc\u223c\u301c\uff5e"), "~")
_ASCII_EQUIVALENTS = _DASHES | _TILDES


def normalize(text: str) -> str:
    """Return `text` in capitals, without spaces and invisible characters, with every dash as ``-``.

    Full-width and other compatibility characters become plain ones. The length is not checked: the caller
    cuts long texts first (see :data:`MAX_MOVE_LENGTH`).
    """
    if text.isascii():
        return "".join(text.split()).upper()
    plain = unicodedata.normalize("NFKC", text.translate(_ASCII_EQUIVALENTS)).translate(_ASCII_EQUIVALENTS)
    return "".join(character for character in plain if not _is_invisible(character)).upper()


def abbreviate(text: str) -> str:
    """Return `text` for quoting in a message: printable, on one line, at most :data:`MAX_QUOTED` long."""
    shown = "".join(character if character.isprintable() else " " for character in text[: MAX_QUOTED + 1])
    return shown if len(shown) <= MAX_QUOTED else shown[: MAX_QUOTED - 1] + "…"


def _is_invisible(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) in {"Cf", "Cc", "Mn"}
