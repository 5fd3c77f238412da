"""Conditional moves: replies saved in advance, visible only to their owner."""

from matches.conditionals.future_board import (
    MAX_LINE_TURNS,
    MAX_TREE_TURNS,
    FutureBoard,
    LineTurn,
    find_line,
    play_line,
)
from matches.conditionals.tree import RESIGN, Branch, Line, Tree, iter_lines
from matches.conditionals.values import (
    ConditionalEntry,
    ConditionalMoves,
    LossNotice,
    LossReason,
    list_entries,
)
