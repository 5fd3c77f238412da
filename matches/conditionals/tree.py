"""Trees of turns that may come, and the lines that run through them.

From the board where the other is to move a tree branches into what they may play; behind each stands what is
answered, and behind that what they may play then. No `repr` shows a move, for none may get into a log.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Line = tuple[tuple[str, ...], ...]
"""Turns one after the other, each as its moves (several in a set-up run); :data:`RESIGN` can stand last."""

RESIGN: tuple[str, ...] = ()
"""Resigning, in place of the moves of a turn."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One turn that may come, in canonical texts, and what may come after it.

    `own`: it is the person's answer, and not the other's turn. Without texts it is resigning.
    """

    texts: tuple[str, ...] = field(repr=False)
    own: bool
    then: tuple[Branch, ...] = field(default=(), repr=False)


Tree = tuple[Branch, ...]


def size(tree: Tree) -> int:
    """Give the number of turns in a tree."""
    return sum(1 + size(branch.then) for branch in tree)


def lines(tree: Tree, before: Line = ()) -> Iterator[tuple[Line, Branch]]:
    """Give every branch of a tree with the line that leads to its end, in order of reading."""
    for branch in tree:
        line = (*before, branch.texts)
        yield line, branch
        yield from lines(branch.then, line)


def find(tree: Tree, line: Line) -> Branch | None:
    """Give the branch at the end of a line, None where the tree has no such line."""
    return next((branch for known, branch in lines(tree) if known == line), None)


def without(tree: Tree, line: Line) -> Tree:
    """Give a tree without the branch that ends a line, nor turns of the other that nothing then follows."""
    kept = []
    for branch in tree:
        if branch.texts != line[0]:
            kept.append(branch)
        elif len(line) > 1:
            then = without(branch.then, line[1:])
            if branch.own or then:
                kept.append(replace(branch, then=then))
    return tuple(kept)


def written(tree: Tree) -> str:
    """Give the stored form: nested lists of texts, whose turn it is, and branches."""
    return json.dumps(_plain(tree), separators=(",", ":"))


def read(stored: str) -> Tree:
    """Read the stored form."""
    return _branches(json.loads(stored))


def _plain(tree: Tree) -> list[list[Any]]:
    return [[list(branch.texts), int(branch.own), _plain(branch.then)] for branch in tree]


def _branches(plain: Sequence[Sequence[Any]]) -> Tree:
    return tuple(Branch(tuple(texts), bool(own), _branches(then)) for texts, own, then in plain)
