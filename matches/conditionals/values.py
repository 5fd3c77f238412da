"""Conditional moves and notices of their loss, as their owner sees them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matches.conditionals.future_board import FutureBoard, LineTurn
    from matches.conditionals.tree import Line, Tree
    from matches.values import MatchId


class LossReason(StrEnum):
    """Why conditional moves became invalid. The values are stored and are keys of texts."""

    DEVIATED = "deviated"  # the opponent played something else
    ILLEGAL = "illegal"  # the reply was not legal
    TAKEN_BACK = "taken_back"  # moves were taken back


@dataclass(frozen=True, slots=True)
class LossNotice:
    """A private notice to `recipient` (an account) that their conditional moves in a match became invalid.

    `revision` is the board revision at which it happened, `attempts` how often the notice was claimed for
    sending.
    """

    match: MatchId
    recipient: str
    reason: LossReason
    revision: int
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class ConditionalMoves:
    """The conditional moves of one person in one match.

    They start at `board`, the last announced board, which has that `revision`. `can_edit`: whether the
    opponent is to move there, so that lines can be saved. `loss` is a notice that the person has not received
    yet.
    """

    match: MatchId
    revision: int
    board: FutureBoard = field(repr=False)
    tree: Tree = field(repr=False)
    can_edit: bool
    loss: LossNotice | None


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
