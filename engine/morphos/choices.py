"""Input of a turn step by step: the point of the captured stone, the kind of turn, its points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Cell, IllegalMove, MoveChoice, SelectionKind
from engine.morphos.flips import flippable_stones
from engine.morphos.legality import can_swap
from engine.morphos.moves import PASS, SWAP, TurnKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.morphos.moves import MorphosTurn
    from engine.morphos.state import MorphosState
    from engine.morphos.stones import Stones

NONE_OPTION = "-"
"""The answer that declines a second placement."""


def next_choice(position: MorphosState, path: tuple[str, ...]) -> MoveChoice | MorphosTurn:
    """Return the question after the answers in `path`, or the finished turn.

    Raise IllegalMove for an answer that is not offered. A compulsory pass is finished without a question.
    """
    if position.outcome:
        raise IllegalMove("move.game_over", position=position)
    builder = ChoiceBuilder(position, position.board_stones, iter(path))
    open_question = builder.restore_choice() if position.must_restore else builder.regular_choice()
    if isinstance(open_question, MoveChoice):
        return open_question
    builder.check_end()
    return open_question


class ChoiceBuilder:
    """Builds a turn from the answers of one path; `stones` is the board after the answers so far."""

    def __init__(self, position: MorphosState, stones: Stones, answers: Iterator[str]) -> None:
        self.position = position
        self.stones = stones
        self.board = stones.board
        self.turns = position.rules.turn_table
        self.answers = answers

    def restore_choice(self) -> MoveChoice | MorphosTurn:
        """Return the question where the captured stone goes (mutator d), or what follows its answer."""
        question = MoveChoice(SelectionKind.RESTORE, self.board.to_cells(self.stones.empty))
        answer = self._next_answer(question)
        if answer is None:
            return question
        point = self.board.point_of[Cell(answer)]
        self.stones = self.stones.after_placement(self.position.mover, point)
        turn = self.regular_choice()
        return turn if isinstance(turn, MoveChoice) else self.turns.with_restore(point, turn)

    def regular_choice(self) -> MoveChoice | MorphosTurn:
        """Return the question for the kind of turn, if there are several, or for its points, or the turn."""
        kinds = self._turn_kinds()
        if len(kinds) > 1:
            question = MoveChoice(SelectionKind.ACTION, tuple(kind.value for kind in kinds))
            answer = self._next_answer(question)
            if answer is None:
                return question
            kinds = [TurnKind(answer)]
        if not kinds:
            return PASS
        if kinds == [TurnKind.SWAP]:
            return SWAP
        return self._flip_choice() if kinds == [TurnKind.FLIP] else self._placement_choice()

    def check_end(self) -> None:
        """Raise IllegalMove if there are answers after the end of the turn."""
        rest = next(self.answers, None)
        if rest is not None:
            raise IllegalMove("move.already_complete", text=rest, position=self.position)

    def _turn_kinds(self) -> list[TurnKind]:
        kinds = [TurnKind.PLACE] if self.stones.empty else []
        if self._flippable_stones():
            kinds.append(TurnKind.FLIP)
        if can_swap(self.position):
            kinds.append(TurnKind.SWAP)
        return kinds

    def _flippable_stones(self) -> int:
        return flippable_stones(
            self.position.rules, self.stones, self.position.mover, self.position.flipped_point
        )

    def _flip_choice(self) -> MoveChoice | MorphosTurn:
        question = MoveChoice(SelectionKind.FLIP, self.board.to_cells(self._flippable_stones()))
        answer = self._next_answer(question)
        return question if answer is None else self.turns.flips[self.board.point_of[Cell(answer)]]

    def _placement_choice(self) -> MoveChoice | MorphosTurn:
        question = MoveChoice(SelectionKind.PLACE, self.board.to_cells(self.stones.empty))
        first = self._next_answer(question)
        if first is None:
            return question
        picked = [Cell(first)]
        others = tuple(name for name in question.options if name != first)
        if self.position.rules.allows_two_placements and others:
            question = MoveChoice(SelectionKind.SECOND, (NONE_OPTION, *others))
            second = self._next_answer(question)
            if second is None:
                return question
            picked += [Cell(second)] if second != NONE_OPTION else []
        return self.turns.placement(self.board.point_of[name] for name in picked)

    def _next_answer(self, question: MoveChoice) -> str | None:
        answer = next(self.answers, None)
        if answer is not None and answer not in question.options:
            raise IllegalMove("move.not_offered", text=answer, position=self.position)
        return answer
