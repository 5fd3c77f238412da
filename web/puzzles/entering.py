"""A solver's turns: those in the address followed, and the one that is being entered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.game import GameError
from matches.puzzles.solving import follow_turns
from move_builder import add_forced_answers, apply_answers, parse_turn, split_moves
from web.play import move_form

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Move, Position
    from matches import Progress, StoredPuzzle
    from web.play.move_form import MoveForm, MoveFormContext
    from web.puzzles.state import PuzzleState


def follow_state(stored: StoredPuzzle, state: PuzzleState) -> tuple[Progress, PuzzleState]:
    """Return how far the turns of an address lead; from the start if one of them is not legal."""
    try:
        progress = follow_turns(stored.puzzle, state.turns)
    except GameError:
        return follow_turns(stored.puzzle, ()), state.with_turns()
    return progress, replace(state, turns=(*progress.found, *filter(None, [progress.wrong])))


def read_turn(
    position: Position, state: PuzzleState, values: Mapping[str, str], taken: Sequence[str]
) -> tuple[PuzzleState, Move | None]:
    """Return the state after what was entered, and the turn if it is complete. Raises GameError.

    `taken` are the ticked cells where several can be chosen.
    """
    if state.text:
        texts = position.resolve_words(split_moves(state.text))
        return state, position.parse(" ".join(texts))
    answers = state.answers
    if "ticked" in values:
        answers = move_form.add_ticked_cells(position, answers, taken)
    if not answers:
        return state, None
    answers = add_forced_answers(position, answers)
    moves = apply_answers(position, answers).moves
    return replace(state, answers=answers), moves[0] if moves else None


def build_turn_form(form_context: MoveFormContext, position: Position, state: PuzzleState) -> MoveForm:
    """Return the form of the turn that is being entered. Raises GameError."""
    if state.text:
        texts = position.resolve_words(split_moves(state.text))
        return move_form.build_preview(form_context, parse_turn(position, " ".join(texts)), state.text)
    return move_form.build_form(form_context, position, state.answers, skips_forced=bool(state.answers))
