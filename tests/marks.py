"""The marks of a pseudo language (:mod:`tests.marked_texts`): faults of a text, and the English in it.

With the environment variable RAYUELA_MARKED_TEXTS=1 the tests of all front ends use that language.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

IS_MARKED = os.environ.get("RAYUELA_MARKED_TEXTS") == "1"

MARKS = "⟦¦⟧"
START, MIDDLE, END = tuple(MARKS)
INNERMOST = re.compile(f"{START}([^{MARKS}]*){MIDDLE}[^{MARKS}]*{END}")
ESCAPED = re.compile(r"\\u(27e6|00a6|27e7)", re.IGNORECASE)
ADDRESS = re.compile(r"https?://\S+|<[@#][^<>]*>|<t:[^<>]*>")
MOVE = re.compile(r"\b(?:x?[A-S]\d{1,2}[-~]?)+(?!\w)|\b(?:pass|swap)\b")
TIME_ZONE = re.compile(r"\b[A-Z]\w+(?:/[A-Z][\w-]*(?: (?:es )?[A-Z]\w+)*)+|\bUTC\b")
WITHOUT_ROOM = set[str]()  # texts that have almost the length that Discord allows, and no marks
SENTENCE, PHRASE = "\0", "\1"  # stand for a whole marked text
JOINED = re.compile("\1(?! · |\n)[^\n\0\1]*[\0\1]")
# A list of whole texts by the Unicode CLDR, which has no marks.
LIST = re.compile("(?:\1, )*\1,? (?:and|or) (?=\1)")
WORD = re.compile(r"[^\W\d_]{2,}")


def remove_marks(text: str) -> str:
    """Return the English text."""
    text = ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    while True:
        shorter = INNERMOST.sub(r"\1", text)
        if shorter == text:
            return text
        text = shorter


def find_faults(text: str, known: Iterable[str] = ()) -> list[str]:
    """Return what is wrong with a shown text; `known` are names and what people have typed.

    Sentences may follow each other on a line, but not parts of a sentence.
    """
    if text in WITHOUT_ROOM:
        return []
    outside, depth, middles, english = list[str](), 0, 0, ""
    for sign in text:
        depth += sign == START
        middles += sign == MIDDLE
        if depth:
            english = sign if depth == 1 and sign == START else english + sign
        else:
            outside.append(sign)
        if sign == END:
            depth -= 1
            if depth == 0:
                outside.append(SENTENCE if remove_marks(english).rstrip("*_)")[-1:] in ".!?:" else PHRASE)
    if depth or text.count(START) != middles or text.count(END) != middles:
        return [f"cut: {text}"]
    rest = TIME_ZONE.sub("", MOVE.sub("", ADDRESS.sub("", "".join(outside))))
    for name in sorted(known, key=len, reverse=True):
        rest = rest.replace(name, "")
    rest = LIST.sub("", rest)
    faults = [f"unmarked: {word!r} in {text!r}" for word in WORD.findall(rest)]
    return [*faults, *([f"joined: {text!r}"] if JOINED.search(rest) else [])]


def report_faults(where: str, found: list[str]) -> None:
    """Fail with what is wrong with shown texts."""
    if found:
        raise AssertionError("\n".join([where, *found]))
