"""Building a turn by picking: the captured stone's point, the kind of turn, its points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Ask, Cell, Choice
from engine.morphos.flips import flippable
from engine.morphos.judging import illegal, may_swap
from engine.morphos.moves import PASS, SWAP, Kind
from engine.morphos.reasons import Reason
from engine.texts import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.morphos.moves import Turn
    from engine.morphos.position import MorphosPosition
    from engine.morphos.stones import Stones

NOTHING = "-"
"""The answer that leaves out the second placement."""


def choice(position: MorphosPosition, path: tuple[str, ...]) -> Choice | Turn:
    """Give the question after the answers in `path`, or the finished turn. Raises IllegalMove.

    A compulsory pass is finished at once.
    """
    if position.outcome:
        raise illegal(position, Reason.OVER, "")
    picked = Picked(position, position.standing, iter(path))
    open_question = picked.restored() if position.owed else picked.regular()
    if isinstance(open_question, Choice):
        return open_question
    picked.check_end()
    return open_question


class Picked:
    """The answers of one path, taken one by one."""

    def __init__(self, position: MorphosPosition, stones: Stones, answers: Iterator[str]) -> None:
        self.position = position
        self.stones = stones
        self.board = stones.board
        self.turns = position.rules.turns
        self.answers = answers

    def restored(self) -> Choice | Turn:
        """Ask where the captured stone goes back (mutator d), then for the regular turn."""
        question = Choice(Ask.RESTORE, self.board.names(self.stones.empty))
        answer = self._answer(question)
        if answer is None:
            return question
        at = self.board.at[Cell(answer)]
        self.stones = self.stones.placed(self.position.mover, at)
        turn = self.regular()
        return turn if isinstance(turn, Choice) else self.turns.restoring(at, turn)

    def regular(self) -> Choice | Turn:
        """Ask for the kind of turn where there is more than one, then for its points."""
        kinds = self._kinds()
        if len(kinds) > 1:
            question = Choice(Ask.ACTION, tuple(kind.value for kind in kinds))
            answer = self._answer(question)
            if answer is None:
                return question
            kinds = [Kind(answer)]
        if not kinds:
            return PASS
        if kinds == [Kind.SWAP]:
            return SWAP
        return self._flip() if kinds == [Kind.FLIP] else self._place()

    def check_end(self) -> None:
        """Raise IllegalMove if answers are left after the turn is finished."""
        rest = next(self.answers, None)
        if rest is not None:
            raise illegal(self.position, Reason.PATH_TOO_LONG, rest, answer=quoted(rest))

    def _kinds(self) -> list[Kind]:
        kinds = [Kind.PLACE] if self.stones.empty else []
        if self._flippable():
            kinds.append(Kind.FLIP)
        if may_swap(self.position):
            kinds.append(Kind.SWAP)
        return kinds

    def _flippable(self) -> int:
        return flippable(self.position.rules, self.stones, self.position.mover, self.position.flipped)

    def _flip(self) -> Choice | Turn:
        question = Choice(Ask.FLIP, self.board.names(self._flippable()))
        answer = self._answer(question)
        return question if answer is None else self.turns.flips[self.board.at[Cell(answer)]]

    def _place(self) -> Choice | Turn:
        question = Choice(Ask.PLACE, self.board.names(self.stones.empty))
        first = self._answer(question)
        if first is None:
            return question
        chosen = [Cell(first)]
        others = tuple(name for name in question.options if name != first)
        if self.position.rules.doubling and others:
            question = Choice(Ask.SECOND, (NOTHING, *others))
            second = self._answer(question)
            if second is None:
                return question
            chosen += [Cell(second)] if second != NOTHING else []
        return self.turns.placement(self.board.at[name] for name in chosen)

    def _answer(self, question: Choice) -> str | None:
        answer = next(self.answers, None)
        if answer is not None and answer not in question.options:
            raise illegal(self.position, Reason.NOT_OFFERED, answer, answer=quoted(answer))
        return answer
