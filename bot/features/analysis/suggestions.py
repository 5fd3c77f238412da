"""Legal moves near those typed into an analysis that are not legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ui.buttons import MAX_LABEL_LENGTH
from move_builder import suggest_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.features.analysis.context import AnalysisContext
    from bot.features.analysis.state import AnalysisState


def suggest_states(context: AnalysisContext, typed: Sequence[str]) -> dict[str, AnalysisState]:
    """Return the states after legal moves near typed ones, by the moves as the label of a button."""
    labels = {" ".join(line): line for line in suggest_lines(context.position, typed)}
    return {
        label: context.state.with_moves(*line)
        for label, line in labels.items()
        if len(label) <= MAX_LABEL_LENGTH
    }
