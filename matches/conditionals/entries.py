"""Conditional moves as a list: one entry for each of the owner's answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matches.conditionals.future_board import FutureBoard, LineTurn
    from matches.conditionals.tree import Line, Tree
    from matches.conditionals.values import ConditionalMoves


@dataclass(frozen=True, slots=True, repr=False)
class ConditionalEntry:
    """One answer: the `line` up to and including it, and its depth in the tree.

    `opponent_turns` are the opponent's turns since the previous answer; empty if two answers are consecutive.
    """

    line: Line
    depth: int
    opponent_turns: tuple[LineTurn, ...]
    own_turn: LineTurn


def list_entries(saved: ConditionalMoves) -> tuple[ConditionalEntry, ...]:
    """Return the entries of a tree, depth first."""
    return tuple(_walk_tree(saved.board, saved.tree, (), 0, ()))


def _walk_tree(
    board: FutureBoard, tree: Tree, prefix: Line, depth: int, opponent_turns: tuple[LineTurn, ...]
) -> Iterator[ConditionalEntry]:
    for branch in tree:
        turn, line = board.play_turn(branch.move_texts), (*prefix, branch.move_texts)
        if branch.is_own:
            yield ConditionalEntry(line, depth, opponent_turns, turn)
            yield from _walk_tree(turn.board_after, branch.children, line, depth + 1, ())
        else:
            yield from _walk_tree(turn.board_after, branch.children, line, depth, (*opponent_turns, turn))
