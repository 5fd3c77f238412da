"""Lines of the text of a mail: so short that no mail program breaks them when it quotes them."""

from __future__ import annotations

import re
import unicodedata

TEXT_WIDTH = 68  # columns of a line: "> " may be put before it twice
MIN_WORDS = 4  # of the last line of a paragraph, which could be a move if it had one or two
MIN_WIDTH = 16  # columns of the last line of a paragraph without spaces
# Japanese and Chinese lines may break between any two signs, but these do not begin or end one (kinsoku).
_NOT_FIRST = frozenset(
    "、。，．,.・：；:;？！?!ー～〜…‥々ゝゞ）」』】〉》〕｝)]}％%"  # noqa: RUF001
    "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ"
)
_NOT_LAST = frozenset("（「『【〈《〔｛([{#＃@")  # noqa: RUF001
# What is typed exactly so, in brackets, stays on a line.
_UNIT = re.compile(r"\[[^\[\]]{1,40}\]|\s+|.", re.DOTALL)
_WIDE = frozenset("WF")


def wrap_text(text: str) -> str:
    """Return text in lines of at most TEXT_WIDTH columns, but for longer words."""
    return "\n".join(line for paragraph in text.splitlines() for line in _wrap_paragraph(paragraph))


def measure_width(text: str) -> int:
    """Return the columns of a text in a typewriter font: a sign of Japanese or Chinese takes two."""
    return sum(2 if unicodedata.east_asian_width(sign) in _WIDE else 1 for sign in text)


def _wrap_paragraph(paragraph: str) -> list[str]:
    if measure_width(paragraph) <= TEXT_WIDTH:
        return [paragraph]
    lines = [list[str]()]
    for unit in _split(paragraph):
        if lines[-1] and measure_width("".join((*lines[-1], unit)).rstrip()) > TEXT_WIDTH:
            lines.append([])
        if lines[-1] or not unit.isspace():
            lines[-1].append(unit)
    if len(lines) > 1:
        _lengthen_last(lines)
    return [line for units in lines if (line := "".join(units).strip())]


def _split(paragraph: str) -> list[str]:
    """Return what is not broken: words, spaces, and wide signs with the marks beside them."""
    units = list[str]()
    for unit in _UNIT.findall(paragraph):
        if units and not _can_break(units[-1], unit):
            units[-1] += unit
        else:
            units.append(unit)
    return units


def _can_break(before: str, after: str) -> bool:
    if before.isspace() or after.isspace():
        return True
    if after[0] in _NOT_FIRST or before[-1] in _NOT_LAST:
        return False
    return any(unicodedata.east_asian_width(sign) in _WIDE for sign in (before[-1], after[0]))


def _lengthen_last(lines: list[list[str]]) -> None:
    """Move units to the last line until it is long enough."""
    before, last = lines[-2], lines[-1]
    while before and not _is_long_enough(last):
        last.insert(0, before.pop())


def _is_long_enough(units: list[str]) -> bool:
    text = "".join(units).strip()
    if any(unicodedata.east_asian_width(sign) in _WIDE for sign in text):
        return measure_width(text) >= MIN_WIDTH
    return len(text.split()) >= MIN_WORDS
