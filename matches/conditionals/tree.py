"""Trees of turns that may come, and the lines in them.

From a board on which the opponent is to move, a tree branches into their possible turns; each is followed by
the person's reply, and that by the opponent's next turns. No `repr` shows a move, so that none gets into a
log.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Line = tuple[tuple[str, ...], ...]
"""Consecutive turns, each as its moves (several in a set-up run); the last can be :data:`RESIGN`."""

RESIGN: tuple[str, ...] = ()
"""Resigning, in place of the moves of a turn."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One turn in canonical notation, and the turns that may follow it.

    `is_own`: it is the person's reply, not the opponent's turn. Without `move_texts` it is resigning.
    """

    move_texts: tuple[str, ...] = field(repr=False)
    is_own: bool
    children: tuple[Branch, ...] = field(default=(), repr=False)


Tree = tuple[Branch, ...]


def iter_lines(tree: Tree, before: Line = ()) -> Iterator[tuple[Line, Branch]]:
    """Yield every branch of a tree with the line that ends with it, in depth-first order."""
    for branch in tree:
        line = (*before, branch.move_texts)
        yield line, branch
        yield from iter_lines(branch.children, line)


def remove_line(tree: Tree, line: Line) -> Tree:
    """Return a tree without the branch at the end of a line.

    Opponent turns that are left without a reply are removed too.
    """
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
    """Return the stored form: nested JSON lists of moves, own turn (0 or 1), and branches."""
    return json.dumps(_to_lists(tree), separators=(",", ":"))


def parse_tree(stored: str) -> Tree:
    """Parse the stored form."""
    return _from_lists(json.loads(stored))


def _to_lists(tree: Tree) -> list[list[Any]]:
    return [[list(branch.move_texts), int(branch.is_own), _to_lists(branch.children)] for branch in tree]


def _from_lists(nested: Sequence[Sequence[Any]]) -> Tree:
    return tuple(Branch(tuple(texts), bool(own), _from_lists(then)) for texts, own, then in nested)
