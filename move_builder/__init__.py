"""The move builder: a turn composed step by step, for every front end, with its questions and its preview.

It plays nothing: the result is a list of moves, which the front end passes to `matches`.
"""

from move_builder.near_moves import is_legal_turn, suggest_lines, suggest_turns
from move_builder.preview import preview
from move_builder.prompts import MovePrompts
from move_builder.state import (
    ALL,
    NONE,
    MoveBuilderState,
    add_forced_answers,
    answers_for,
    apply_answers,
    encode_answer,
    find_implied_move,
    is_cell,
    parse_turn,
    preview_board,
    split_moves,
    undo_last_choice,
)
from move_builder.typed_lines import resolve_line
