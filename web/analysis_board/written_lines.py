"""The other lines of an analysis board in the comments of a record, which has one line of moves.

Each is one row of the comment on the move that it replaces, in brackets: its moves from where it leaves the
main line, numbered, with comments in quotes and escaped as in JSON: ``(2. E5 "also good" 3. D3)``.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from web.analysis_board.board_link import MAX_OTHER_LINES, count_shared, play_board
from web.analysis_board.comments import find_comment
from web.analysis_board.variations import VariationTree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from web.analysis_board.board_link import AnalysisBoard, Line
    from web.analysis_board.comments import Comment
    from web.analysis_board.variations import Variation

STEP = re.compile(
    r'(?P<number>[1-9]\d{0,3})\. (?P<move>[^\s()"]+)(?: (?P<comment>"(?:[^"\\]|\\.)*"))?(?: |$)'
)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the comment on a turn; if it is another line, its moves as typed.

    `comments` are those on the line's own moves.
    """

    turn: int
    text: str
    line: Line = ()
    comments: tuple[str, ...] = ()


def write_comments(board: AnalysisBoard, turns: int) -> list[str]:
    """Return what a record says before the first of so many turns of the main line, and after each."""
    shown = VariationTree(board.lines).by_main_move(len(board.moves))
    rows = [
        [find_comment(board.comments, board.moves[:count])]
        + [f"({' '.join(_write_steps(board, one))})" for one in shown.get(count, ())]
        for count in range(turns + 1)
    ]
    return ["\n".join(filter(None, of_turn)) for of_turn in rows]


def read_comments(board: AnalysisBoard, texts: Sequence[str]) -> tuple[AnalysisBoard, list[Comment]]:
    """Return a board with the other lines that the comments of its main line hold, and the comments on all.

    A row whose moves are not legal, or for which the board has no room, stays in its comment.
    """
    rows = [_read_row(board.moves, turn, row) for turn, text in enumerate(texts) for row in text.split("\n")]
    typed = list(dict.fromkeys(row.line for row in rows if row.line))[:MAX_OTHER_LINES]
    played = play_board(replace(board, other_lines=tuple(typed))).board.other_lines
    legal = {
        line: moves
        for line, moves in zip(typed, played, strict=True)
        if len(moves) == len(line) and moves != board.moves[: len(moves)]
    }
    kept = list(dict.fromkeys(legal.values()))
    while not (read := replace(board, other_lines=tuple(kept))).has_room() and kept:
        kept.pop()
    of_turns, of_lines = defaultdict[int, list[str]](list), defaultdict["Line", list[str]](list)
    for row in rows:
        moves = legal.get(row.line, ())
        if moves not in kept:
            of_turns[row.turn].append(row.text)
            continue
        for count, comment in enumerate(row.comments, len(moves) - len(row.comments) + 1):
            if comment not in of_lines[moves[:count]]:
                of_lines[moves[:count]].append(comment)
    comments = {board.moves[:turn]: "\n".join(found) for turn, found in of_turns.items()}
    for moves, found in of_lines.items():
        comments[moves] = "\n".join(filter(None, (comments.get(moves), *found)))
    return read, list(comments.items())


def _write_steps(board: AnalysisBoard, variation: Variation) -> Iterator[str]:
    """Yield the moves of another line from where it leaves the main one, with the comments on its own."""
    line = board.lines[variation.line]
    for count in range(count_shared(line, board.moves) + 1, len(line) + 1):
        comment = find_comment(board.comments, line[:count]) if count > variation.shared else ""
        quoted = f" {json.dumps(comment, ensure_ascii=False)}" if comment else ""
        yield f"{count}. {line[count - 1]}{quoted}"


def _read_row(main: Line, turn: int, text: str) -> _Row:
    """Return a row of the comment on a turn of the main line. It is no line if it does not leave that one."""
    row = _Row(turn, text)
    if not text.lstrip().startswith("("):
        return row
    steps = list(STEP.finditer(text.strip()[1:-1]))
    if not steps or text.strip() != f"({''.join(step[0] for step in steps)})":
        return row
    first, moves = int(steps[0]["number"]), tuple(step["move"] for step in steps)
    numbers = [int(step["number"]) for step in steps]
    if numbers != [*range(first, first + len(steps))] or first > len(main) + 1:
        return row
    if main[first - 1 : first] == moves[:1]:
        return row
    try:
        comments = tuple(json.loads(step["comment"] or '""') for step in steps)
    except ValueError:  # an escape that there is not
        return row
    return replace(row, line=(*main[: first - 1], *moves), comments=comments)
