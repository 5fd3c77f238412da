"""Analysis lines: storing those that are too long for a button, and turning them into conditional moves.

An analysis is never stored with a match.
"""

from __future__ import annotations

import hashlib
from itertools import takewhile
from typing import TYPE_CHECKING, NewType

from matches.conditionals.future_board import play_line
from matches.conditionals.tree import RESIGN
from matches.errors import Refusal
from matches.times import to_millis
from matches.turns import play_typed_turn
from matches.view_builder import completes_turn
from storage.people import analysis_lines, people

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from engine.game import Position
    from matches.conditionals.future_board import FutureBoard, LineTurn
    from matches.conditionals.tree import Line
    from matches.conditionals.values import ConditionalMoves
    from matches.match_view import PlayedMove
    from matches.values import Person
    from storage import Database

AnalysisLineId = NewType("AnalysisLineId", int)
MAX_STORED_LINES = 200  # per person; older ones are deleted


class AnalysisLines:
    """The stored analysis lines of a database, visible only to their author. Equal lines are stored once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, text: str, person: Person, *, now: datetime) -> AnalysisLineId:
        """Store a line and return its id."""
        digest = hashlib.sha256(text.encode()).hexdigest()
        async with self._database.read() as connection:
            existing = await analysis_lines.find_by_digest(connection, person.account, digest)
        if existing is not None:
            return AnalysisLineId(existing)
        async with self._database.transaction() as connection:
            await people.save(connection, person.account, person.name, to_millis(now))
            line = await analysis_lines.add(connection, person.account, digest, text, to_millis(now))
            await analysis_lines.delete_old(connection, person.account, MAX_STORED_LINES)
        return AnalysisLineId(line)

    async def get(self, line: AnalysisLineId, person: Person) -> str | None:
        """Return a line that a person has stored, or None if it no longer exists."""
        async with self._database.read() as connection:
            return await analysis_lines.get(connection, line, person.account)


def split_complete_turns(start: Position, moves: Sequence[PlayedMove]) -> tuple[Line, tuple[str, ...]]:
    """Split moves played from `start` into complete turns and the moves of an incomplete one."""
    turns, unfinished, position = [], list[str](), start
    for move in moves:
        unfinished.append(move.text)
        if completes_turn(position, move.position):
            turns.append(tuple(unfinished))
            unfinished = []
        position = move.position
    return tuple(turns), tuple(unfinished)


def parse_typed_line(board: FutureBoard, typed: Sequence[Sequence[str]]) -> Line:
    """Return the line that is typed turn by turn, each as its words.

    The words of several turns may stand together. Raises MoveRefused, `incomplete_turn`.
    """
    position = board.position
    moves: list[PlayedMove] = []
    for words in typed:
        moves += play_typed_turn(board.match, position, position.read_turn(words))
        position = moves[-1].position if moves else position
    line, unfinished = split_complete_turns(board.position, moves)
    if unfinished:
        due = position.moves_due + len(unfinished)
        raise Refusal("incomplete_turn", match=board.match, due=due, given=len(unfinished))
    return line


def conditional_line_from(saved: ConditionalMoves, start: Position, moves: Sequence[PlayedMove]) -> Line:
    """Return the part of an analysis that can be saved as conditional moves; empty if none.

    It starts at the last occurrence of the current board in the analysis and ends with the person's own last
    turn.
    """
    turns, _ = _turns_from_current_board(saved, start, moves)
    opponent_turns = len(list(takewhile(lambda turn: not turn.is_own, reversed(turns))))
    return tuple(turn.move_texts for turn in turns[: len(turns) - opponent_turns])


def resigning_line_from(saved: ConditionalMoves, start: Position, moves: Sequence[PlayedMove]) -> Line:
    """Return the line that answers the last turn of an analysis by resigning; empty if that is no answer."""
    turns, unfinished = _turns_from_current_board(saved, start, moves)
    if not turns or unfinished or not turns[-1].board_after.is_own_turn:
        return ()
    return (*(turn.move_texts for turn in turns), RESIGN)


def _turns_from_current_board(
    saved: ConditionalMoves, start: Position, moves: Sequence[PlayedMove]
) -> tuple[tuple[LineTurn, ...], tuple[str, ...]]:
    """Return the complete turns after the last occurrence of the current board, and the moves after them."""
    boards = [start, *(move.position for move in moves)]
    start_index = next((n for n in range(len(boards) - 1, -1, -1) if boards[n] == saved.board.position), None)
    if start_index is None or not saved.can_edit:
        return (), ()
    line, unfinished = split_complete_turns(boards[start_index], moves[start_index:])
    return tuple(play_line(saved.board, line)), unfinished
