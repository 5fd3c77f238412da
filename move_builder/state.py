"""The state of a turn that is built step by step: the answers so far and the next question.

The answers of a turn are one list for all its moves: a placement is one answer, a slide several. The answer
to a question that allows several options is :data:`ALL`, :data:`NONE`, or options separated by commas.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.game import EventKind, IllegalMove, Move, MoveChoice, SelectionKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.game import Event, Position

ALL, NONE = "*", "-"
CELL_PATTERN = re.compile(r"[A-Z][1-9][0-9]?")
# Events of a move that declines the open question: they are not decided yet, so the preview omits them.
UNDECIDED_EVENTS = {
    SelectionKind.CONVERSIONS: frozenset({EventKind.DECLINE_CONVERT, EventKind.DECLINE_OCCUPY}),
    SelectionKind.OCCUPY: frozenset({EventKind.DECLINE_OCCUPY}),
    SelectionKind.CAPTURE: frozenset({EventKind.DECLINE_CAPTURE}),
}


@dataclass(frozen=True, slots=True)
class MoveBuilderState:
    """An unfinished or complete turn.

    `start` is the position that the player sees, `position` the one after the complete `moves`, and `events`
    are the events of these. `path` are the answers to the unfinished move and `choice` is the open question,
    None for a complete turn. `moves_due` is the number of moves that the turn takes.
    """

    start: Position
    position: Position
    moves: tuple[Move, ...]
    events: tuple[Event, ...]
    path: tuple[str, ...]
    choice: MoveChoice | None
    moves_due: int


def apply_answers(start: Position, answers: Iterable[str]) -> MoveBuilderState:
    """Return the state after `answers`. Raises IllegalMove for an answer that is not an option."""
    state = _start_next_move(start, start, (), (), start.moves_due)
    for answer in answers:
        state = _apply_answer(state, answer)
    return state


def add_forced_answers(start: Position, answers: tuple[str, ...]) -> tuple[str, ...]:
    """Return `answers` extended by every following answer that has no alternative.

    Raises IllegalMove as :func:`apply_answers` does.
    """
    state = apply_answers(start, answers)
    while (choice := state.choice) is not None and not choice.multiple and len(choice.options) == 1:
        answers += choice.options
        state = _apply_answer(state, choice.options[0])
    return answers


def answers_for(start: Position, move_texts: Sequence[str]) -> tuple[str, ...]:
    """Return the answers that lead to the first moves of a turn; none unless each move is a single answer."""
    answers = tuple(move_texts)
    try:
        played = apply_answers(start, answers).moves
    except IllegalMove:
        return ()
    return answers if tuple(map(str, played[: len(answers)])) == answers else ()


def undo_last_choice(start: Position, answers: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return `answers` up to the last one that had an alternative, without it; None if there is none.

    Raises IllegalMove as :func:`apply_answers` does.
    """
    while answers:
        answers = answers[:-1]
        choice = apply_answers(start, answers).choice
        if choice is not None and (choice.multiple or len(choice.options) > 1):
            return answers
    return None


def is_cell(option: str) -> bool:
    """Return whether an option is a cell, not a word."""
    return CELL_PATTERN.fullmatch(option) is not None


def encode_answer(choice: MoveChoice, selected: Iterable[str]) -> str:
    """Return a selection of a question's options as one answer."""
    selection = set(selected)
    if selection >= set(choice.options):
        return ALL
    return ",".join(option for option in choice.options if option in selection) or NONE


def find_implied_move(state: MoveBuilderState, answer: str) -> Move | None:
    """Return the move that `answer` leads to if everything optional is done.

    An optional step that needs a choice of its own (which man to remove) is declined. None if something
    else must be decided first.
    """
    path = (*state.path, _expand_all(state.choice, answer))
    return _complete_move(state.position, path, ALL, "yes") or _complete_move(
        state.position, path, NONE, "no"
    )


def preview_board(state: MoveBuilderState) -> tuple[Position, tuple[Event, ...]]:
    """Return the position and the events after the answers so far.

    Where the open question can be declined (captures, an occupation, a removal), the unfinished move is
    already played.
    """
    move = _complete_move(state.position, state.path, NONE, "no") if state.choice and state.path else None
    if state.choice is None or move is None:
        return state.position, state.events
    undecided = UNDECIDED_EVENTS.get(state.choice.kind, frozenset())
    done = tuple(event for event in state.position.events(move) if event.kind not in undecided)
    return state.position.play(move), state.events + done


def _apply_answer(state: MoveBuilderState, answer: str) -> MoveBuilderState:
    path = (*state.path, _expand_all(state.choice, answer))
    next_step = state.position.next_choice(path)
    if isinstance(next_step, MoveChoice):
        return MoveBuilderState(
            state.start, state.position, state.moves, state.events, path, next_step, state.moves_due
        )
    moves, events = (*state.moves, next_step), state.events + state.position.events(next_step)
    return _start_next_move(state.start, state.position.play(next_step), moves, events, state.moves_due)


def _start_next_move(
    start: Position, position: Position, moves: tuple[Move, ...], events: tuple[Event, ...], moves_due: int
) -> MoveBuilderState:
    while len(moves) < moves_due:
        next_step = position.next_choice(())
        if isinstance(next_step, MoveChoice):
            return MoveBuilderState(start, position, moves, events, (), next_step, moves_due)
        moves, events, position = (
            (*moves, next_step),
            events + position.events(next_step),
            position.play(next_step),
        )
    return MoveBuilderState(start, position, moves, events, (), None, moves_due)


def _expand_all(choice: MoveChoice | None, answer: str) -> str:
    if choice is not None and choice.multiple and answer == ALL:
        return ",".join(choice.options) or NONE
    return answer


def _complete_move(
    position: Position, path: tuple[str, ...], many_answer: str, word_answer: str
) -> Move | None:
    next_step = position.next_choice(path)
    while isinstance(next_step, MoveChoice):
        if next_step.multiple:
            answer = _expand_all(next_step, many_answer)
        elif many_answer in next_step.options:
            answer = many_answer
        elif word_answer in next_step.options:
            answer = word_answer
        else:
            return None
        path = (*path, answer)
        next_step = position.next_choice(path)
    return next_step


# Spaces around the signs inside a move do not separate moves; a comma is inside one only before a cell.
SPACED_SIGNS = re.compile(r" ?([-~+\u2010-\u2015\u2212]|,(?= ?[A-Za-z][0-9])) ?")


def split_moves(text: str) -> list[str]:
    """Split typed text into moves, at spaces and semicolons."""
    return SPACED_SIGNS.sub(r"\1", " ".join(text.split())).replace(";", " ").split()


def parse_turn(start: Position, text: str) -> MoveBuilderState:
    """Return the state after a typed turn: one move, or several placements of a set-up run.

    It has no open question, even where the turn takes more moves than were typed. Raises GameError for the
    first move that the game refuses.
    """
    moves: list[Move] = []
    events: list[Event] = []
    position = start
    for move_text in split_moves(text):
        move = position.parse(move_text)
        moves.append(move)
        events += position.events(move)
        position = position.play(move)
    return MoveBuilderState(start, position, tuple(moves), tuple(events), (), None, start.moves_due)
