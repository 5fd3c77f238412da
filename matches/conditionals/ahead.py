"""Boards that may come: lines played through from the board as it stands, and put into trees."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from matches.conditionals.errors import LineBeyondEnd, LineTooLong, NoAnswer, TurnCutShort
from matches.conditionals.tree import RESIGN, Branch, size
from matches.errors import MoveRefused, TooManyMoves
from matches.moving import moved
from matches.reading import completes, swaps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.game import Event, Position, Side
    from matches.conditionals.tree import Line, Tree

LONGEST = 24  # turns of one line, which bounds how many can follow each other at once
MOST = 120  # turns of all lines of one person in one match


@dataclass(frozen=True, slots=True)
class Ahead:
    """A board that may come, and the side that the person who looks ahead plays on it."""

    match: int
    position: Position
    side: Side

    @property
    def own(self) -> bool:
        """Whether the person is to move on it."""
        return self.position.to_move == self.side

    def turn(self, texts: Sequence[str]) -> Step:
        """Play one whole turn from here.

        Raises MoveRefused, TurnCutShort, TooManyMoves, LineBeyondEnd, and NoAnswer for resigning in the
        other's turn.
        """
        position, mover = self.position, self.position.to_move
        if mover is None:
            raise LineBeyondEnd(match=self.match)
        if tuple(texts) == RESIGN:
            if not self.own:
                raise NoAnswer(match=self.match)
            return Step(RESIGN, mover, own=True, events=(), after=self)
        if len(texts) > position.due:
            raise TooManyMoves(match=self.match, due=position.due, given=len(texts))
        moves = moved(self.match, position, texts)
        before = moves[-2].position if len(moves) > 1 else position
        if not completes(before, moves[-1].position):
            raise TurnCutShort(match=self.match, due=position.due, given=len(texts))
        events = tuple(event for move in moves for event in move.events)
        side = self._other_side() if swaps(events) else self.side
        after = replace(self, position=moves[-1].position, side=side)
        return Step(tuple(move.text for move in moves), mover, own=self.own, events=events, after=after)

    def _other_side(self) -> Side:
        return next(side for side in self.position.game.sides if side is not self.side)


@dataclass(frozen=True, slots=True, repr=False)
class Step:
    """One turn of a line: its canonical texts, whose it is, what it does, and the board that it leads to.

    Without texts it is resigning, and `after` is the board as it was.
    """

    texts: tuple[str, ...]
    side: Side
    own: bool
    events: tuple[Event, ...]
    after: Ahead


def steps(board: Ahead, line: Line) -> Iterator[Step]:
    """Play a line through, turn by turn. Raises as :meth:`Ahead.turn` does."""
    over = False
    for texts in line:
        if over:
            raise LineBeyondEnd(match=board.match)
        step = board.turn(texts)
        yield step
        board, over = step.after, step.texts == RESIGN


def with_line(board: Ahead, tree: Tree, line: Line) -> Tree:
    """Put a line into a tree that begins at a board; another answer at the same place gives way to it.

    Raises NoAnswer, LineTooLong, and as :func:`steps` does.
    """
    found = tuple(steps(board, line))
    if not found or not found[-1].own:
        raise NoAnswer(match=board.match)
    if len(found) > LONGEST:
        raise LineTooLong(match=board.match, limit=LONGEST)
    grown = _with(board, tree, found)
    if size(grown) > MOST:
        raise LineTooLong(match=board.match, limit=MOST)
    return grown


def known_line(board: Ahead, tree: Tree, line: Line) -> Line | None:
    """Give a line as a tree spells it, None where it does not hold it. Raises as :func:`steps` does."""
    known = []
    for step in steps(board, line):
        branch = _known(board, tree, step)
        if branch is None:
            return None
        known.append(branch.texts)
        board, tree = step.after, branch.then
    return tuple(known)


def branch_to(match: int, start: Position, tree: Tree, position: Position) -> Branch | None:
    """Give the branch of a tree at `start` that leads to `position` in one turn, by whatever texts."""
    return next((branch for branch in tree if _leads(match, start, branch, position)), None)


def _leads(match: int, start: Position, branch: Branch, position: Position) -> bool:
    """Say whether a branch leads somewhere; one that is not legal any more leads nowhere."""
    if branch.texts == RESIGN:
        return False
    try:
        return moved(match, start, branch.texts)[-1].position == position
    except MoveRefused:
        return False


def _with(board: Ahead, tree: Tree, line: Sequence[Step]) -> Tree:
    if not line:
        return tree
    step = line[0]
    known = _known(board, tree, step)
    then = _with(step.after, () if known is None else known.then, line[1:])
    if step.own:
        return (Branch(step.texts, own=True, then=then),)
    fresh = Branch(step.texts if known is None else known.texts, own=False, then=then)
    if known is None:
        return (*tree, fresh)
    return tuple(fresh if branch is known else branch for branch in tree)


def _known(board: Ahead, tree: Tree, step: Step) -> Branch | None:
    if step.texts == RESIGN:
        return next((branch for branch in tree if branch.texts == RESIGN), None)
    return branch_to(board.match, board.position, tree, step.after.position)
