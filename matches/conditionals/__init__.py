"""What people settle beforehand: if the other plays this, I answer that, known to nobody but themselves."""

from matches.conditionals.future_board import (
    MAX_LINE_TURNS,
    MAX_TREE_TURNS,
    FutureBoard,
    LineTurn,
    find_line,
    play_line,
)
from matches.conditionals.tree import RESIGN, Branch, Line, Tree, iter_lines
from matches.conditionals.values import ConditionalMoves, LossNotice, LossReason

__all__ = [
    "MAX_LINE_TURNS",
    "MAX_TREE_TURNS",
    "RESIGN",
    "Branch",
    "ConditionalMoves",
    "FutureBoard",
    "Line",
    "LineTurn",
    "LossNotice",
    "LossReason",
    "Tree",
    "find_line",
    "iter_lines",
    "play_line",
]
