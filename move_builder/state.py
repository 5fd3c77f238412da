"""From answers to moves: what has been settled, and what is asked next.

Answers run through all moves of a turn, one after the other: a placement is one answer, a slide several.
To a question with many answers, :data:`ALL` says every option, :data:`NONE` none; else they are
parted by commas.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.game import EventKind, Move, MoveChoice, SelectionKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.game import Event, Position

ALL, NONE = "*", "-"
CELL_PATTERN = re.compile(r"[A-Z][1-9][0-9]?")
# What a move that declines the rest would tell, though it is only being asked.
UNDECIDED_EVENTS = {
    SelectionKind.CONVERSIONS: frozenset({EventKind.DECLINE_CONVERT, EventKind.DECLINE_OCCUPY}),
    SelectionKind.OCCUPY: frozenset({EventKind.DECLINE_OCCUPY}),
    SelectionKind.CAPTURE: frozenset({EventKind.DECLINE_CAPTURE}),
}


@dataclass(frozen=True, slots=True)
class MoveBuilderState:
    """How far the answers lead.

    `start` is the board the person sees, `position` the one after the finished `moves`, which did
    what `events` tell. `path` are the answers to the move in the making and `choice` the question
    that is open; None once the whole turn is settled. `moves_due` is the number of moves that the turn takes.
    """

    start: Position
    position: Position
    moves: tuple[Move, ...]
    events: tuple[Event, ...]
    path: tuple[str, ...]
    choice: MoveChoice | None
    moves_due: int


def apply_answers(start: Position, answers: Iterable[str]) -> MoveBuilderState:
    """Follow `answers` from `start`. Raises IllegalMove where one is not on offer."""
    state = _start_next_move(start, start, (), (), start.moves_due)
    for answer in answers:
        state = _apply_answer(state, answer)
    return state


def add_forced_answers(start: Position, answers: tuple[str, ...]) -> tuple[str, ...]:
    """Return `answers` and after them every answer to which there is no alternative.

    Raises IllegalMove as :func:`apply_answers` does.
    """
    state = apply_answers(start, answers)
    while (choice := state.choice) is not None and not choice.multiple and len(choice.options) == 1:
        answers += choice.options
        state = _apply_answer(state, choice.options[0])
    return answers


def undo_last_choice(start: Position, answers: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return `answers` as they were before the last one to which there was an alternative; None without one.

    Raises IllegalMove as :func:`apply_answers` does.
    """
    while answers:
        answers = answers[:-1]
        choice = apply_answers(start, answers).choice
        if choice is not None and (choice.multiple or len(choice.options) > 1):
            return answers
    return None


def is_cell(option: str) -> bool:
    """Tell cells from the words among the options."""
    return CELL_PATTERN.fullmatch(option) is not None


def encode_answer(choice: MoveChoice, selected: Iterable[str]) -> str:
    """Write a subset of a question's options as one answer."""
    selection = set(selected)
    if selection >= set(choice.options):
        return ALL
    return ",".join(option for option in choice.options if option in selection) or NONE


def find_implied_move(state: MoveBuilderState, answer: str) -> Move | None:
    """Return the move that follows from `answer`, and from carrying out all that it makes possible.

    What asks for a choice of its own (which man to remove) is left out. None where more must be decided.
    """
    path = (*state.path, _expand_all(state.choice, answer))
    return _complete_move(state.position, path, ALL, "yes") or _complete_move(
        state.position, path, NONE, "no"
    )


def preview_board(state: MoveBuilderState) -> tuple[Position, tuple[Event, ...]]:
    """Return the board as the answers have made it, and what they have done.

    Once only something that can be declined is open (captures, an occupation, a removal), the
    stone already stands where it goes.
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


# Spaces around the signs inside one move do not part moves.
SPACED_SIGNS = re.compile(r" ?([-~,+\u2010-\u2015\u2212]) ?")


def split_moves(text: str) -> list[str]:
    """Part what was typed into moves, at spaces and semicolons."""
    return SPACED_SIGNS.sub(r"\1", " ".join(text.split())).replace(";", " ").split()


def parse_turn(start: Position, text: str) -> MoveBuilderState:
    """Return what a typed turn leads to from `start`: one move, or several placements of one run.

    Nothing is asked any more, also where the turn takes more moves than were typed. Raises GameError for the
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
