"""Regular expressions that read people's text take time linear in its length, by their structure.

Python backtracks: a pattern is slow if one repetition without a bound can give characters to another, or to
itself. The tests look at the parsed patterns, because a measured time would depend on the machine.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from itertools import combinations
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

import pytest

import bot
import engine
import i18n
import mail
import matches
import move_builder
import web

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGES = (bot, engine, i18n, mail, matches, move_builder, web)
ALPHABET = "".join(map(chr, range(256))) + "\u2013\u2192\u0391"


def patterns() -> dict[str, re.Pattern[str]]:
    """Return the patterns of all modules and of the custom ids of all buttons and menus, by their names."""
    found: dict[str, re.Pattern[str]] = {}
    for package in PACKAGES:
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if info.name.endswith("__main__"):
                continue
            for name, value in vars(importlib.import_module(info.name)).items():
                template = getattr(value, "__discord_ui_compiled_template__", value)
                if isinstance(template, re.Pattern) and isinstance(template.pattern, str):
                    found[f"{info.name}.{name}"] = template
    return found


def characters(node: tuple[Any, Any], flags: int) -> frozenset[str]:
    """Return which characters of the alphabet a node of a parsed pattern can consume."""
    kind, value = node
    if kind in {codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN}:
        single = parser.SubPattern(parser.State(), [node])
        compiled = re._compiler.compile(single, flags)  # type: ignore[attr-defined]
        return frozenset(sign for sign in ALPHABET if compiled.fullmatch(sign))
    return frozenset().union(*(characters(one, flags) for part in parts(kind, value) for one in part))


def parts(kind: Any, value: Any) -> Iterator[Any]:
    """Yield the sequences inside a node."""
    if kind in {codes.MAX_REPEAT, codes.MIN_REPEAT}:
        yield value[2]
    elif kind is codes.SUBPATTERN:
        yield value[3]
    elif kind is codes.BRANCH:
        yield from value[1]


def is_unbounded(node: tuple[Any, Any]) -> bool:
    kind, value = node
    return kind in {codes.MAX_REPEAT, codes.MIN_REPEAT} and value[1] is codes.MAXREPEAT


def is_optional(node: tuple[Any, Any]) -> bool:
    kind, value = node
    if kind in {codes.MAX_REPEAT, codes.MIN_REPEAT}:
        return bool(value[0] == 0)
    return kind in {codes.AT, codes.ASSERT, codes.ASSERT_NOT} or (
        any(all(map(is_optional, part)) for part in parts(kind, value))
    )


def first_characters(node: tuple[Any, Any], flags: int) -> frozenset[str]:
    """Return which characters of the alphabet a node can begin with."""
    if not (sequences := list(parts(*node))):
        return characters(node, flags)
    found = frozenset[str]()
    for sequence in sequences:
        for one in sequence:
            found |= first_characters(one, flags)
            if not is_optional(one):
                break
    return found


def flatten(sequence: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[Any, Any], tuple[int, ...]]]:
    """Yield the nodes of a sequence, also those in groups, each with the optional groups around it."""
    for index, (kind, value) in enumerate(sequence):
        if kind is codes.SUBPATTERN:
            yield from flatten(value[3], path)
        elif kind in {codes.MAX_REPEAT, codes.MIN_REPEAT} and value[:2] == (0, 1):
            yield from flatten(value[2], (*path, index))
        else:
            yield (kind, value), path


def faults(sequence: Any, flags: int) -> Iterator[str]:
    """Yield what could make a sequence slower than linear."""
    nodes = list(flatten(sequence))
    for (kind, value), _ in nodes:
        for part in parts(kind, value):
            yield from faults(part, flags)
            if is_unbounded((kind, value)) and any(is_unbounded(one) for one, _ in flatten(part)):
                yield "a repetition inside a repetition"
    at = [index for index, (node, _) in enumerate(nodes) if is_unbounded(node)]
    for first, second in combinations(at, 2):
        own, path = nodes[first][0], nodes[second][1]
        between = [
            characters(node, flags)
            for node, around in nodes[first + 1 : second]
            if not is_optional(node) and path[: len(around)] == around
        ]
        is_shared = characters(own, flags) & characters(nodes[second][0], flags)
        if is_shared and not any(first_characters(own, flags).isdisjoint(one) for one in between):
            yield f"repetitions {first} and {second} can share characters"


@pytest.mark.parametrize(
    ("pattern", "is_linear"),
    [
        (r"\s*x\s*y", True),
        (r"\s*,?\s*y", False),
        (r"(?:\s*(?:,|and)?\s*\d+)*", False),
        (r"(a+)+", False),
        (r"[ \t]*[^ \t]+[ \t]+x", True),
        (r"(?:,[A-Z][1-9])*", True),
        (r".*a.*", False),
        (r"\w*(?:/\w+)?", True),
        (r"\w*/?\w+", False),
    ],
)
def test_slow_patterns_are_recognized(pattern: str, *, is_linear: bool) -> None:
    assert (not list(faults(parser.parse(pattern), 0))) is is_linear


def test_every_pattern_is_linear() -> None:
    found = patterns()
    assert len(found) > 50
    slow = {
        name: sorted(set(faults(parser.parse(one.pattern, one.flags & ~re.UNICODE), one.flags)))
        for name, one in found.items()
    }
    assert {name: reasons for name, reasons in slow.items() if reasons} == {}
