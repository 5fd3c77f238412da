"""Input of a move step by step: a game asks its questions in a generator, which receives the answers."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, TypeAlias

from engine.game import IllegalMove, Move, MoveChoice

if TYPE_CHECKING:
    from engine.game import Position

NO_CELL = "-"
"""The answer that declines, or that chooses none of several cells."""

Questions: TypeAlias = Generator[MoveChoice, str, Move]
"""Yields each question, is sent an answer that the question offers, and returns the legal move."""


def follow_answers(position: Position, path: tuple[str, ...], questions: Questions) -> MoveChoice | Move:
    """Return what is asked after the answers in `path`, or the finished move.

    Raise IllegalMove for an answer that is not offered, for one too many, and if the game is over.
    """
    if position.outcome:
        raise IllegalMove("move.game_over", position=position)
    answers = iter(path)
    try:
        question = next(questions)
        for answer in answers:
            if not _is_offered(question, answer):
                raise IllegalMove("move.not_offered", text=answer, position=position)
            question = questions.send(answer)
    except StopIteration as end:
        rest, move = next(answers, None), end.value
    else:
        return question
    if rest is not None:
        raise IllegalMove("move.already_complete", text=rest, position=position)
    assert isinstance(move, Move)  # noqa: S101 - what Questions return
    return move


def _is_offered(question: MoveChoice, answer: str) -> bool:
    if not question.multiple:
        return answer in question.options
    chosen = answer.split(",")
    return answer == (",".join(name for name in question.options if name in chosen) or NO_CELL)
