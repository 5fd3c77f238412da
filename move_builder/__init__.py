"""A turn built answer by answer, for any front end: what is asked, what it would do, and how that looks.

Nothing is played here: at the end stand moves, which whoever asked hands on to be played.
"""

from move_builder.preview import preview
from move_builder.prompts import MovePrompts
from move_builder.state import (
    ALL,
    NONE,
    MoveBuilderState,
    add_forced_answers,
    apply_answers,
    encode_answer,
    find_implied_move,
    is_cell,
    parse_turn,
    preview_board,
    split_moves,
    undo_last_choice,
)

__all__ = [
    "ALL",
    "NONE",
    "MoveBuilderState",
    "MovePrompts",
    "add_forced_answers",
    "apply_answers",
    "encode_answer",
    "find_implied_move",
    "is_cell",
    "parse_turn",
    "preview",
    "preview_board",
    "split_moves",
    "undo_last_choice",
]
