"""Names and points as they are written in tables: in pictures, and in text of a fixed pitch."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category, combining, east_asian_width, normalize

from render.canvas import load_font
from render.layout import CAPITAL_HEIGHT
from render.scene import Colour, Text

_MEASURED_SIZE = 100  # pixels; lengths of other sizes are in proportion
_NO_CHARACTER = "\U0010ffff"  # the font draws what it lacks in the same way
_NOT_SHOWN = {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_WITHOUT_WIDTH = {"Cf", "Me", "Mn"}
_LONGEST = 100  # characters of a name
_ELLIPSIS = "\u2026"


def format_points(halves: int) -> str:
    """Return half points as a number: ``0``, ``½``, ``1½``."""
    whole, half = divmod(halves, 2)
    return f"{whole or ''}\u00bd" if half else str(whole)


def clean_name(name: str) -> str:
    """Return a name on one line, without what would change its direction or cannot be shown, not too long."""
    shown = (
        " " if one.isspace() else one
        for one in name[:_LONGEST]
        if one not in _DIRECTION_MARKS and (one.isspace() or category(one) not in _NOT_SHOWN)
    )
    return " ".join("".join(shown).split())


@lru_cache(maxsize=4096)
def _has_glyph(character: str) -> bool:
    font = load_font(_MEASURED_SIZE)
    return character == " " or bytes(font.getmask(character)) != bytes(font.getmask(_NO_CHARACTER))


def write_in_font(name: str, handle: str = "") -> str:
    """Return what the bundled font can write of a name; letters that lack only an accent lose it.

    If these are fewer than half of its letters and digits, the handle is written, as far as the font can.
    """
    return _write(name) if is_readable(name) else _write(handle) or _write(name)


def is_readable(name: str, handle: str = "") -> bool:
    """Return whether the bundled font can write at least half of a name, or something of the handle."""
    written = _write(name)
    is_most = bool(written) and 2 * _count_letters(written) >= _count_letters(_normalize(name))
    return is_most or bool(_write(handle))


def write_or_number(name: str, handle: str, number: int | None) -> str:
    """Return what a picture shows of a name: what the font can write, else a number such as ``#3``."""
    is_numbered = number is not None and not is_readable(name, handle)
    return f"#{number}" if is_numbered else write_in_font(name, handle)


def _normalize(name: str) -> str:
    return normalize("NFC", clean_name(name))


def _write(name: str) -> str:
    written = " ".join("".join(map(_write_character, _normalize(name))).split())
    return written if _count_letters(written) else ""


def _count_letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _write_character(character: str) -> str:
    if _has_glyph(character):
        return character
    parts = normalize("NFKD", character)
    return "".join(one for one in parts if not combining(one) and _has_glyph(one))


@lru_cache(maxsize=4096)
def measure(text: str) -> float:
    """Return the width of a text in the bundled font, in multiples of its size."""
    return load_font(_MEASURED_SIZE).getlength(text) / _MEASURED_SIZE


def fit_in_width(text: str, size: float, width: float) -> str:
    """Return a text, cut at its end with an ellipsis if it is wider than `width` pixels."""
    if measure(text) * size <= width:
        return text
    while text and measure(text + _ELLIPSIS) * size > width:
        text = text[:-1].rstrip()
    return text + _ELLIPSIS if text else ""


def place_left(text: str, left: float, middle: float, size: float, colour: Colour) -> Text:
    """Return a text that begins at `left`; `middle` is the height of the middle of its capitals."""
    return place_centred(text, left + measure(text) * size / 2, middle, size, colour)


def place_right(text: str, right: float, middle: float, size: float, colour: Colour) -> Text:
    """Return a text that ends at `right`."""
    return place_centred(text, right - measure(text) * size / 2, middle, size, colour)


def place_centred(text: str, centre: float, middle: float, size: float, colour: Colour) -> Text:
    """Return a text around `centre`."""
    return Text(centre, middle + CAPITAL_HEIGHT * size / 2, text, size, colour)


def count_columns(text: str) -> int:
    """Return how many columns a text takes where all letters are equally wide: East Asian ones take two."""
    return sum(
        0
        if combining(one) or category(one) in {"Cf", "Me", "Mn"}
        else 2
        if east_asian_width(one) in "WF"
        else 1
        for one in text
    )


def pad_columns(text: str, columns: int) -> str:
    """Return a text with spaces after it, or cut with an ellipsis, so that it takes so many columns."""
    if count_columns(text) > columns:
        while text and count_columns(text) >= columns:
            text = text[:-1]
        text = text.rstrip() + _ELLIPSIS
    return text + " " * (columns - count_columns(text))


def choose_name_columns(names: list[str], most: int) -> int:
    """Return how many columns the longest of the names takes, at most `most`."""
    return min(most, max(map(count_columns, names), default=0))
