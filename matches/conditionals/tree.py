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

    `is_own`: it is the person's answer, and not the other's turn. Without texts it is resigning.
    """

    move_texts: tuple[str, ...] = field(repr=False)
    is_own: bool
    children: tuple[Branch, ...] = field(default=(), repr=False)


Tree = tuple[Branch, ...]


def count_turns(tree: Tree) -> int:
    """Return the number of turns in a tree."""
    return sum(1 + count_turns(branch.children) for branch in tree)


def iter_lines(tree: Tree, before: Line = ()) -> Iterator[tuple[Line, Branch]]:
    """Return every branch of a tree with the line that leads to its end, in order of reading."""
    for branch in tree:
        line = (*before, branch.move_texts)
        yield line, branch
        yield from iter_lines(branch.children, line)


def find_branch(tree: Tree, line: Line) -> Branch | None:
    """Return the branch at the end of a line, None where the tree has no such line."""
    return next((branch for known, branch in iter_lines(tree) if known == line), None)


def remove_line(tree: Tree, line: Line) -> Tree:
    """Return a tree without the branch that ends a line, nor turns of the other that nothing then follows."""
    remaining = []
    for branch in tree:
        if branch.move_texts != line[0]:
            remaining.append(branch)
        elif len(line) > 1:
            children = remove_line(branch.children, line[1:])
            if branch.is_own or children:
                remaining.append(replace(branch, children=children))
    return tuple(remaining)


def format_tree(tree: Tree) -> str:
    """Return the stored form: nested lists of texts, whose turn it is, and branches."""
    return json.dumps(_to_lists(tree), separators=(",", ":"))


def parse_tree(stored: str) -> Tree:
    """Read the stored form."""
    return _from_lists(json.loads(stored))


def _to_lists(tree: Tree) -> list[list[Any]]:
    return [[list(branch.move_texts), int(branch.is_own), _to_lists(branch.children)] for branch in tree]


def _from_lists(nested: Sequence[Sequence[Any]]) -> Tree:
    return tuple(Branch(tuple(texts), bool(own), _from_lists(then)) for texts, own, then in nested)
