"""Moves as people type them: with a number, a side, another sign between two cells, or none."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING

from engine.notation_text import MAX_MOVE_LENGTH, normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SIDES = frozenset({"BLACK", "WHITE", "RED"})
_VERBS = frozenset({"MOVE", "MOVES", "PLAY", "PLAYS", "PLACE", "PLACES", "FROM"})
_NUMBER = re.compile(r"[0-9]{1,4}\.{1,3}")
_TWO_CELLS = re.compile(r"([A-Z][1-9][0-9]?)(?:TO|[-=]?>|[-X,:\u2192\u21d2\u2794\u279c])?([A-Z][1-9][0-9]?)")
MAX_OTHER_WORDS = 7
"""How many words besides the moves are looked at: a number, a side, a verb, cells apart."""

_JOINTS = ("{}-{}", "{},{}")


class Readability(IntEnum):
    """What a position makes of a text: it is no move, or not a legal one, or a legal or ambiguous one."""

    UNREADABLE = 0
    ILLEGAL = 1
    LEGAL = 2


def resolve_words(words: Sequence[str], moves_due: int, rate: Callable[[str], Readability]) -> list[str]:
    """Return the moves that typed `words` mean.

    Words that are moves stay as they are. A number, the name of a side or a verb before a move and marks
    such as ``!`` after it are dropped, as are commas between the moves of a turn; if a turn is one move, two
    cells in any dress are that move, such as ``a4f4``, ``move A4 to F4`` or ``A4xF4``.
    """
    if len(words) > moves_due + MAX_OTHER_WORDS:
        return list(words)
    if len(words) <= moves_due and not any(rate(word) is Readability.UNREADABLE for word in words):
        return list(words)
    cleaned = [text for text in map(_strip_marks, _drop_preamble(words)) if text]
    listed = [text for word in cleaned for text in word.split(",") if text]
    if len(cleaned) < len(listed) <= moves_due and all(rate(one) is Readability.LEGAL for one in listed):
        return listed
    are_moves = all(rate(word) is Readability.LEGAL for word in cleaned)
    if not cleaned or (are_moves and len(cleaned) <= moves_due):
        return cleaned or list(words)
    joined = normalize("".join(cleaned)[:MAX_MOVE_LENGTH])
    cells = _TWO_CELLS.fullmatch(joined) if moves_due == 1 else None
    candidates = [] if cells is None else [joint.format(*cells.groups()) for joint in _JOINTS]
    needed = Readability.LEGAL if are_moves else Readability.ILLEGAL
    readable = [text for text in candidates if rate(text) >= needed]
    return [max(readable, key=rate)] if readable else cleaned


def _drop_preamble(words: Sequence[str]) -> list[str]:
    """Return the words without numbers, and without the name of a side and verbs before a move."""
    plain = [_NUMBER.sub("", word, count=1) if _NUMBER.match(word) else word for word in words]
    kept = [word for word in plain if word]
    if len(kept) > 1 and kept[0].rstrip(":").upper() in _SIDES:
        kept = kept[1:]
    while len(kept) > 1 and kept[0].upper() in _VERBS:
        kept = kept[1:]
    return kept


def _strip_marks(word: str) -> str:
    return word.rstrip("!?.,") or word
