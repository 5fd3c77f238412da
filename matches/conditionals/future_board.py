"""Boards that may arise: playing lines from the current board and inserting them into trees."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from matches.conditionals.tree import RESIGN, Branch, iter_lines
from matches.errors import MoveRefused, Refusal, TooManyMoves
from matches.turns import play_moves
from matches.view_builder import completes_turn, swaps_sides

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.game import Event, Position, Side
    from matches.conditionals.tree import Line, Tree

MAX_LINE_TURNS = 24  # also limits how many replies can be played at once
MAX_TREE_TURNS = 120  # of one person in one match


@dataclass(frozen=True, slots=True)
class FutureBoard:
    """A position that may arise, and the side of the person who saves conditional moves."""

    match: int
    position: Position
    side: Side

    @property
    def is_own_turn(self) -> bool:
        """Whether the person is to move."""
        return self.position.to_move == self.side

    def play_turn(self, move_texts: Sequence[str]) -> LineTurn:
        """Play one whole turn.

        Raises MoveRefused, `incomplete_turn`, TooManyMoves, `line_after_game_end`, and `line_without_answer`
        for resigning in the opponent's turn.
        """
        position, mover = self.position, self.position.to_move
        if mover is None:
            raise Refusal("line_after_game_end", match=self.match)
        if tuple(move_texts) == RESIGN:
            if not self.is_own_turn:
                raise Refusal("line_without_answer", match=self.match)
            return LineTurn(RESIGN, mover, is_own=True, events=(), board_after=self)
        if len(move_texts) > position.moves_due:
            raise TooManyMoves(match=self.match, due=position.moves_due, given=len(move_texts))
        moves = play_moves(self.match, position, move_texts)
        before = moves[-2].position if len(moves) > 1 else position
        if not completes_turn(before, moves[-1].position):
            raise Refusal("incomplete_turn", match=self.match, due=position.moves_due, given=len(move_texts))
        events = tuple(event for move in moves for event in move.events)
        other_side = next(side for side in position.game.sides if side is not self.side)
        side = other_side if swaps_sides(events) else self.side
        after = replace(self, position=moves[-1].position, side=side)
        return LineTurn(
            tuple(move.text for move in moves),
            mover,
            is_own=self.is_own_turn,
            events=events,
            board_after=after,
        )


@dataclass(frozen=True, slots=True, repr=False)
class LineTurn:
    """One turn of a line: canonical moves, whether it is the person's own, events, the board after it.

    Without moves it is resigning, and `board_after` is the board before.
    """

    move_texts: tuple[str, ...]
    side: Side
    is_own: bool
    events: tuple[Event, ...]
    board_after: FutureBoard


def play_line(board: FutureBoard, line: Line) -> Iterator[LineTurn]:
    """Play a line turn by turn. Raises as :meth:`FutureBoard.play_turn` does."""
    has_ended = False
    for move_texts in line:
        if has_ended:
            raise Refusal("line_after_game_end", match=board.match)
        turn = board.play_turn(move_texts)
        yield turn
        board, has_ended = turn.board_after, turn.move_texts == RESIGN


def insert_line(board: FutureBoard, tree: Tree, line: Line) -> Tree:
    """Return a tree with a line inserted; it replaces another own reply at the same place.

    Raises `line_without_answer`, `line_too_long`, and as :func:`play_line` does.
    """
    turns = tuple(play_line(board, line))
    if not turns or not turns[-1].is_own:
        raise Refusal("line_without_answer", match=board.match)
    if len(turns) > MAX_LINE_TURNS:
        raise Refusal("line_too_long", match=board.match, limit=MAX_LINE_TURNS)
    new_tree = _insert_turns(board, tree, turns)
    if len(list(iter_lines(new_tree))) > MAX_TREE_TURNS:
        raise Refusal("line_too_long", match=board.match, limit=MAX_TREE_TURNS)
    return new_tree


def find_line(board: FutureBoard, tree: Tree, line: Line) -> Line | None:
    """Return a line in the spelling of the tree, or None if it is not in the tree.

    Raises as :func:`play_line` does.
    """
    stored_line = []
    for turn in play_line(board, line):
        branch = _matching_branch(board, tree, turn)
        if branch is None:
            return None
        stored_line.append(branch.move_texts)
        board, tree = turn.board_after, branch.children
    return tuple(stored_line)


def find_branch_to(match: int, start: Position, tree: Tree, position: Position) -> Branch | None:
    """Return the branch of a tree at `start` whose turn leads to `position`, whatever its spelling."""
    return next((branch for branch in tree if _leads_to(match, start, branch, position)), None)


def _leads_to(match: int, start: Position, branch: Branch, position: Position) -> bool:
    """Return whether a branch leads to a position; one that is no longer legal does not."""
    if branch.move_texts == RESIGN:
        return False
    try:
        return play_moves(match, start, branch.move_texts)[-1].position == position
    except MoveRefused:
        return False


def _insert_turns(board: FutureBoard, tree: Tree, turns: Sequence[LineTurn]) -> Tree:
    if not turns:
        return tree
    turn = turns[0]
    existing = _matching_branch(board, tree, turn)
    children = _insert_turns(turn.board_after, () if existing is None else existing.children, turns[1:])
    if turn.is_own:
        return (Branch(turn.move_texts, is_own=True, children=children),)
    new_branch = Branch(
        turn.move_texts if existing is None else existing.move_texts, is_own=False, children=children
    )
    if existing is None:
        return (*tree, new_branch)
    return tuple(new_branch if branch is existing else branch for branch in tree)


def _matching_branch(board: FutureBoard, tree: Tree, turn: LineTurn) -> Branch | None:
    if turn.move_texts == RESIGN:
        return next((branch for branch in tree if branch.move_texts == RESIGN), None)
    return find_branch_to(board.match, board.position, tree, turn.board_after.position)
