"""From answers to moves: what has been settled, and what is asked next.

Answers run through all moves of a turn, one after the other: a placement is one answer, a slide several.
To a question with many answers, :data:`ALL` says every option, :data:`NONE` none; else they are
parted by commas.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.game import Ask, Choice, EventKind, Move

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.game import Event, Position

ALL, NONE = "*", "-"
CELL = re.compile(r"[A-Z][1-9][0-9]?")
# What a move that declines the rest would tell, though it is only being asked.
NOT_YET_DECLINED = {
    Ask.CAPTURES: frozenset({EventKind.DECLINE_CAPTURE, EventKind.DECLINE_OCCUPY}),
    Ask.OCCUPY: frozenset({EventKind.DECLINE_OCCUPY}),
    Ask.REMOVE: frozenset({EventKind.DECLINE_REMOVE}),
}


@dataclass(frozen=True, slots=True)
class Stand:
    """How far the answers lead.

    `start` is the board the person sees, `position` the one after the finished `moves`, which did
    what `events` tell. `path` are the answers to the move in the making and `choice` the question
    that is open; None once the whole turn is settled. `due` is the number of moves that the turn takes.
    """

    start: Position
    position: Position
    moves: tuple[Move, ...]
    events: tuple[Event, ...]
    path: tuple[str, ...]
    choice: Choice | None
    due: int


def follow(start: Position, answers: Iterable[str]) -> Stand:
    """Follow `answers` from `start`. Raises IllegalMove where one is not on offer."""
    stand = _fresh(start, start, (), (), start.due)
    for answer in answers:
        stand = _step(stand, answer)
    return stand


def onward(start: Position, answers: tuple[str, ...]) -> tuple[str, ...]:
    """Give `answers` and after them every answer to which there is no alternative.

    Raises IllegalMove as :func:`follow` does.
    """
    stand = follow(start, answers)
    while (choice := stand.choice) is not None and not choice.many and len(choice.options) == 1:
        answers += choice.options
        stand = _step(stand, choice.options[0])
    return answers


def backward(start: Position, answers: tuple[str, ...]) -> tuple[str, ...] | None:
    """Give `answers` as they were before the last one to which there was an alternative; None without one.

    Raises IllegalMove as :func:`follow` does.
    """
    while answers:
        answers = answers[:-1]
        choice = follow(start, answers).choice
        if choice is not None and (choice.many or len(choice.options) > 1):
            return answers
    return None


def is_cell(option: str) -> bool:
    """Tell cells from the words among the options."""
    return CELL.fullmatch(option) is not None


def compact(choice: Choice, taken: Iterable[str]) -> str:
    """Write a subset of a question's options as one answer."""
    chosen = set(taken)
    if chosen >= set(choice.options):
        return ALL
    return ",".join(option for option in choice.options if option in chosen) or NONE


def foreseen(stand: Stand, answer: str) -> Move | None:
    """Give the move that follows from `answer`, and from carrying out all that it makes possible.

    What asks for a choice of its own (which man to remove) is left out. None where more must be decided.
    """
    path = (*stand.path, _expanded(stand.choice, answer))
    return _carried(stand.position, path, ALL, "yes") or _carried(stand.position, path, NONE, "no")


def so_far(stand: Stand) -> tuple[Position, tuple[Event, ...]]:
    """Give the board as the answers have made it, and what they have done.

    Once only something that can be declined is open (captures, an occupation, a removal), the
    stone already stands where it goes.
    """
    move = _carried(stand.position, stand.path, NONE, "no") if stand.choice and stand.path else None
    if stand.choice is None or move is None:
        return stand.position, stand.events
    open_still = NOT_YET_DECLINED.get(stand.choice.ask, frozenset())
    done = tuple(event for event in stand.position.events(move) if event.kind not in open_still)
    return stand.position.play(move), stand.events + done


def _step(stand: Stand, answer: str) -> Stand:
    path = (*stand.path, _expanded(stand.choice, answer))
    found = stand.position.choice(path)
    if isinstance(found, Choice):
        return Stand(stand.start, stand.position, stand.moves, stand.events, path, found, stand.due)
    moves, events = (*stand.moves, found), stand.events + stand.position.events(found)
    return _fresh(stand.start, stand.position.play(found), moves, events, stand.due)


def _fresh(
    start: Position, position: Position, moves: tuple[Move, ...], events: tuple[Event, ...], due: int
) -> Stand:
    while len(moves) < due:
        found = position.choice(())
        if isinstance(found, Choice):
            return Stand(start, position, moves, events, (), found, due)
        moves, events, position = (*moves, found), events + position.events(found), position.play(found)
    return Stand(start, position, moves, events, (), None, due)


def _expanded(choice: Choice | None, answer: str) -> str:
    if choice is not None and choice.many and answer == ALL:
        return ",".join(choice.options) or NONE
    return answer


def _carried(position: Position, path: tuple[str, ...], many: str, word: str) -> Move | None:
    found = position.choice(path)
    while isinstance(found, Choice):
        if found.many:
            answer = _expanded(found, many)
        elif many in found.options:
            answer = many
        elif word in found.options:
            answer = word
        else:
            return None
        path = (*path, answer)
        found = position.choice(path)
    return found
