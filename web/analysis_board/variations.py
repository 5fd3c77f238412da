"""The other lines of an analysis board as variations: each below the line that it leaves, as a tree."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from web.analysis_board.board_link import count_shared

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from web.analysis_board.board_link import Line


@dataclass(frozen=True, slots=True)
class Variation:
    """A line from where it leaves another one, its `parent`.

    `line` and `parent` are numbers of lines, 0 for the main one. `shared` is the number of moves that both
    begin with, and `depth` how many lines are left on the way from the main one.
    """

    line: int
    parent: int
    shared: int
    depth: int


class VariationTree:
    """The variations of some lines, the main one first.

    A line leaves the earlier one that it shares most moves with; one without a move of its own is none.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self._found: dict[int, Variation] = {}
        for index in range(1, len(lines)):
            candidates = (0, *self._found)
            shared = [count_shared(lines[index], lines[other]) for other in candidates]
            most = max(shared)
            parent = candidates[shared.index(most)]
            if most < len(lines[index]):
                depth = self._found[parent].depth + 1 if parent else 1
                self._found[index] = Variation(index, parent, most, depth)

    def owner(self, line: int, cursor: int) -> int:
        """Return the line below which the move number `cursor` of a line is shown."""
        while line in self._found and cursor <= self._found[line].shared:
            line = self._found[line].parent
        return line

    def by_main_move(self, count: int) -> dict[int, list[Variation]]:
        """Return the variations by the number of the main line's move that they follow in the list.

        That is the one that they replace, or the last of `count`. A variation comes after its parent.
        """
        shown: dict[int, list[Variation]] = defaultdict(list)
        for one in self._children(0):
            shown[min(one.shared + 1, count)] += [one, *self._descendants(one.line)]
        return shown

    def _children(self, parent: int) -> Iterator[Variation]:
        return (one for one in self._found.values() if one.parent == parent)

    def _descendants(self, line: int) -> Iterator[Variation]:
        for one in self._children(line):
            yield one
            yield from self._descendants(one.line)
