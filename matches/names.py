"""Names of people as one line of visible text, whatever was typed on their platform."""

# ruff: noqa: RUF001 - the table has the look-alikes of Latin letters

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

MAX_NAME_LENGTH = 60  # in characters
MAX_MARKS = 3  # combining marks on one character; no script needs more
# Letters, marks and a symbol that look like nothing; other invisible signs are found by their category.
BLANKS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc\U00016fe4\U0001d159"
) | {chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))}
# Letters of other scripts, and digits, that look like a Latin letter in most typefaces.
_LOOK_ALIKES = str.maketrans(
    {
        sign: letter
        for letter, signs in {
            "a": "аαɑ", "b": "вβ8", "c": "с", "d": "ԁ", "e": "еε3", "g": "ɡ", "h": "нһ",
            "i": "іıιɩӏl1|!", "j": "ј", "k": "кκĸ", "m": "м", "n": "η", "o": "оο0", "p": "рρ", "q": "ԛ",
            "s": "ѕ5", "t": "тτ", "u": "υ", "v": "ν", "w": "ωԝ", "x": "хχ", "y": "уγ",
        }.items()
        for sign in signs
    }
)  # fmt: skip
_PAIRS = (("rn", "m"), ("vv", "w"))  # two letters that look like one
_TATWEEL = "\u0640"  # stretches an Arabic word, and is no letter of it
# Letters with strokes and hooks, and those of phonetic alphabets, that Unicode does not take apart.
_VARIANT = re.compile(r"LATIN (?:SMALL LETTER|LETTER SMALL CAPITAL) ([A-Z])(?: WITH .+)?")
_LAST_ACCENTED = "\u052f"  # up to here are Latin, Greek and Cyrillic letters, whose marks are accents


def fold_name(name: str) -> str:
    """Return a name so that two that look alike become the same: without case, accents, spaces and signs.

    It is for comparisons only, and knows the most common look-alikes of other scripts, not all. Marks stay on
    letters of scripts in which they spell other syllables, such as Japanese, Hindi and Thai.
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters: list[str] = []
    for sign in "".join(map(_simplify, plain)).translate(_LOOK_ALIKES):
        is_mark = unicodedata.category(sign).startswith("M")
        if (sign.isalnum() and sign != _TATWEEL) or (is_mark and letters and letters[-1] > _LAST_ACCENTED):
            letters.append(sign)
    folded = "".join(letters)
    for pair, letter in _PAIRS:
        folded = folded.replace(pair, letter)
    return folded or name


def spellings_of(name: str) -> set[str]:
    """Return the spellings of a name by which it is looked for where no folded form is stored."""
    return {name, name.casefold(), name.lower(), name.upper(), name.title(), fold_name(name)}


def _simplify(sign: str) -> str:
    """Return the plain Latin letter or digit of which a sign is a form; any other sign stays as it is."""
    if sign.isascii():
        return sign
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    variant = _VARIANT.fullmatch(unicodedata.name(sign, ""))
    return variant[1].lower() if variant else sign


@lru_cache(maxsize=1024)
def clean_name(text: str) -> str:
    """Return a name on one line, of visible characters only; empty if it has none.

    It is cleaned as in :func:`clean_line`, and all text beyond MAX_NAME_LENGTH is removed.
    """
    words = clean_line(text)
    return words if len(words) <= MAX_NAME_LENGTH else f"{words[: MAX_NAME_LENGTH - 1].rstrip()}…"


def clean_line(text: str) -> str:
    """Return a text on one line, of visible characters only; empty if it has none.

    Control characters, also those that change the direction of text, and invisible characters are removed.
    So are combining marks beyond MAX_MARKS on a character.
    """
    kept: list[str] = []
    marks = MAX_MARKS  # none may come first
    for sign in text:
        category = unicodedata.category(sign)
        if sign.isspace() or category in {"Zs", "Zl", "Zp", "Cc"}:
            kept.append(" ")
            marks = MAX_MARKS
        elif category in {"Mn", "Me"}:
            marks += 1
            if marks <= MAX_MARKS and sign not in BLANKS:
                kept.append(sign)
        elif not category.startswith("C") and sign not in BLANKS:
            kept.append(sign)
            marks = 0
    return " ".join("".join(kept).split())
