"""A tree of conditional moves as lines of text: one for each answer, those that follow it below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.analysis.wording import turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matches.conditionals import Ahead, Line, Settled, Tree
    from words import Words


@dataclass(frozen=True, slots=True, repr=False)
class Entry:
    """One answer: the `line` that leads to it, how deep it lies, and what is told of it.

    `theirs` are the other's turns since the answer before it, none where one answer follows another at once.
    """

    line: Line
    depth: int
    theirs: tuple[str, ...]
    own: str

    def told(self, words: Words) -> str:
        """Give it in words, without its number."""
        if not self.theirs:
            return words("conditional.next", own=self.own)
        return words("conditional.answer", theirs=words.listed(self.theirs), own=self.own)


def entries(words: Words, settled: Settled) -> tuple[Entry, ...]:
    """Give the lines of a tree in order of reading."""
    return tuple(_entries(words, settled.board, settled.tree, (), 0, ()))


def _entries(
    words: Words, board: Ahead, tree: Tree, before: Line, depth: int, heard: tuple[str, ...]
) -> Iterator[Entry]:
    for branch in tree:
        step, line = board.turn(branch.texts), (*before, branch.texts)
        told = turn(words, step)
        if branch.own:
            yield Entry(line, depth, heard, told)
            yield from _entries(words, step.after, branch.then, line, depth + 1, ())
        else:
            yield from _entries(words, step.after, branch.then, line, depth, (*heard, told))
