"""Moves typed into an analysis, and legal moves near those that are not legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.analysis.state import MAX_LINE_MOVES
from bot.ui.buttons import MAX_LABEL_LENGTH
from matches import Refusal
from move_builder import resolve_line, split_moves, suggest_lines
from move_builder.typed_lines import MAX_WORDS_OF_MOVE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.features.analysis.context import AnalysisContext
    from bot.features.analysis.state import AnalysisState


def resolve_typed_line(context: AnalysisContext, typed: str) -> list[str]:
    """Return the moves of a typed line, as far as they are legal. Raises Refusal if they are too many."""
    words = split_moves(typed)[: MAX_WORDS_OF_MOVE * (MAX_LINE_MOVES + 1)]
    move_texts = resolve_line(context.position, words)
    if len(move_texts) > MAX_LINE_MOVES:
        raise Refusal("line_full", limit=MAX_LINE_MOVES)
    return move_texts


def suggest_states(context: AnalysisContext, typed: Sequence[str]) -> dict[str, AnalysisState]:
    """Return the states after legal moves near typed ones, by the moves as the label of a button."""
    labels = {" ".join(line): line for line in suggest_lines(context.position, typed)}
    return {
        label: context.state.with_moves(*line)
        for label, line in labels.items()
        if len(label) <= MAX_LABEL_LENGTH
    }
