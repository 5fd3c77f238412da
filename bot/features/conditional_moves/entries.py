"""A tree of conditional moves as lines of text: one for each answer, those that follow it below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.features.analysis.formatting import format_line_turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from i18n import Texts
    from matches.conditionals import ConditionalMoves, FutureBoard, Line, Tree


@dataclass(frozen=True, slots=True, repr=False)
class ConditionalEntry:
    """One answer: the `line` that leads to it, how deep it lies, and what is told of it.

    `opponent_turns` are the other's turns since the answer before it, none where one answer follows another
    at once.
    """

    line: Line
    depth: int
    opponent_turns: tuple[str, ...]
    own_turn: str

    def format(self, texts: Texts) -> str:
        """Return it in words, without its number."""
        if not self.opponent_turns:
            return texts("conditional.next", own_turn=self.own_turn)
        return texts(
            "conditional.answer", opponent_turns=texts.join(self.opponent_turns), own_turn=self.own_turn
        )


def list_entries(texts: Texts, saved: ConditionalMoves) -> tuple[ConditionalEntry, ...]:
    """Return the lines of a tree in order of reading."""
    return tuple(_walk_tree(texts, saved.board, saved.tree, (), 0, ()))


def _walk_tree(
    texts: Texts, board: FutureBoard, tree: Tree, prefix: Line, depth: int, opponent_turns: tuple[str, ...]
) -> Iterator[ConditionalEntry]:
    for branch in tree:
        line_turn, line = board.play_turn(branch.move_texts), (*prefix, branch.move_texts)
        text = format_line_turn(texts, line_turn)
        if branch.is_own:
            yield ConditionalEntry(line, depth, opponent_turns, text)
            yield from _walk_tree(texts, line_turn.board_after, branch.children, line, depth + 1, ())
        else:
            yield from _walk_tree(
                texts, line_turn.board_after, branch.children, line, depth, (*opponent_turns, text)
            )
