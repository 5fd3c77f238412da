"""Cleaning of what people type: case, spaces and the kind of dash do not matter."""

from __future__ import annotations

import unicodedata

LONGEST_MOVE = 200
"""Characters of a move text that are looked at; nothing legal is nearly as long."""

LONGEST_LINE = 4000
"""Characters of a position line or a protocol line that are looked at."""

SHOWN = 40
"""Characters of a refused text that are quoted back."""

_DASHES = dict.fromkeys(
    map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2796\u2e3a\u2e3b\u30fc\ufe58\ufe63\uff0d"),
    "-",
)
_TILDES = dict.fromkeys(map(ord, "\u02dc\u223c\u301c\uff5e"), "~")
_SAME = _DASHES | _TILDES


def clean(text: str) -> str:
    """Give `text` in capitals, without spaces and invisible characters, every dash as ``-``.

    Full-width and other compatibility forms become plain ones. Whoever calls has cut hostile
    lengths first (see :data:`LONGEST_MOVE`).
    """
    if text.isascii():
        return "".join(text.split()).upper()
    plain = unicodedata.normalize("NFKC", text.translate(_SAME)).translate(_SAME)
    return "".join(sign for sign in plain if not _unseen(sign)).upper()


def quoted(text: str) -> str:
    """Give `text` fit to be quoted in a one-line sentence: printable, at most :data:`SHOWN` long."""
    shown = "".join(sign if sign.isprintable() else " " for sign in text[: SHOWN + 1])
    return shown if len(shown) <= SHOWN else shown[: SHOWN - 1] + "…"


def _unseen(sign: str) -> bool:
    return sign.isspace() or unicodedata.category(sign) in {"Cf", "Cc", "Mn"}
