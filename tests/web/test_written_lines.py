"""The other lines of an analysis board in the comments of a record: written and read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.records.from_board import format_commented, record_from_moves
from tests.games import GAMES
from web.analysis_board.board_link import MAX_OTHER_LINES, AnalysisBoard, play_board
from web.analysis_board.import_page import read_game
from web.analysis_board.written_lines import write_comments

if TYPE_CHECKING:
    from web.analysis_board.comments import Line

BOARD = AnalysisBoard(GAMES["morabaraba"].initial_position(men=12)).with_moves("A1", "G7", "D3")
COMMENTS = st.text(st.sampled_from('ab1.() "\\{}[]\n\u2028ü手'), max_size=12)


def write(board: AnalysisBoard) -> str:
    """Return the record of a board."""
    record = record_from_moves(board.start, board.moves, None)
    return format_commented(record, write_comments(board, len(board.moves)), ())


def read(text: str) -> AnalysisBoard:
    """Return the board that the form opens."""
    return read_game(text.encode(), GAMES)


def tree_of(board: AnalysisBoard) -> set[Line]:
    """Return the moves up to each position of a board."""
    return {line[:count] for line in board.lines for count in range(len(line) + 1)}


@st.composite
def boards(draw: st.DrawFn, name: str) -> AnalysisBoard:
    """Return a board whose lines branch anywhere, also from another line and at the end of the main one."""
    game = GAMES[name]
    board = AnalysisBoard(game.initial_position(**game.complete_options(**game.first_options)))
    for _ in range(draw(st.integers(1, MAX_OTHER_LINES))):
        line = draw(st.integers(0, len(board.lines) - 1))
        board = board.in_line(line, draw(st.integers(0, len(board.lines[line]))))
        for _ in range(draw(st.integers(1, 3))):
            moves = play_board(board).position.legal_moves()
            board = board.with_moves(str(moves[draw(st.integers(0, min(2, len(moves) - 1)))]))
            board = board.with_comment(draw(COMMENTS))
    return board


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_record_keeps_the_tree_of_a_board(game: str, data: st.DataObject) -> None:
    board = data.draw(boards(game))
    opened = read(write(board))
    assert (opened.start, opened.moves, tree_of(opened)) == (board.start, board.moves, tree_of(board))
    assert dict(opened.comments) == dict(board.comments)


@pytest.mark.parametrize(
    ("row", "lines"),
    [
        ("(2. F4)", ["A1 F4"]),
        ("(2. f4 3. g7)", ["A1 F4 G7"]),  # typed by hand
        ("(1. F4)", ["F4"]),
        ("(4. D5 5. D6)", ["A1 G7 D3 D5 D6"]),
        ("(2. F4) and (2. D5)", []),
        ("so (2. F4)", []),
        ("(2. F4 4. D5)", []),
        ("(5. F4)", []),
        ("(2. G7 3. F4)", []),  # begins with a move of the main line
        ("(2. g7 3. F4)", ["A1 G7 F4"]),  # in another spelling
        ("(2. g7)", []),  # does not leave the main line
        ("(2. A1)", []),  # not legal
        ("(2. F4 good)", []),
        (r'(2. F4 "\x")', []),
        ("()", []),
    ],
)
def test_row_of_a_comment_is_another_line_or_stays(row: str, lines: list[str]) -> None:
    text = write(BOARD).replace("2. G7", f"2. G7 {{before\n{row.replace(chr(92), chr(92) * 2)}\nafter}}")
    opened = read(text)
    assert [" ".join(line) for line in opened.other_lines] == lines
    assert [comment for _, comment in opened.comments] == [
        "\n".join(["before", *([] if lines else [row]), "after"])
    ]


def test_line_that_is_repeated_is_one_with_all_its_comments() -> None:
    rows = ['(2. F4 "a")', '(2. f4 "b")', *["(2. F4)"] * MAX_OTHER_LINES, "(2. D5)"]
    opened = read(write(BOARD).replace("2. G7", "2. G7 {" + "\n".join(rows) + "}"))
    assert opened.other_lines == (("A1", "F4"), ("A1", "D5"))
    assert opened.comments == ((("A1", "F4"), "a\nb"),)


def test_lines_beyond_the_limit_stay_in_the_comment() -> None:
    moves = [str(move) for move in BOARD.start.legal_moves() if str(move) not in BOARD.moves]
    rows = [f"(2. {move})" for move in moves[: MAX_OTHER_LINES + 2]]
    opened = read(write(BOARD).replace("2. G7", "2. G7 {" + "\n".join(rows) + "}"))
    assert len(opened.other_lines) == MAX_OTHER_LINES
    assert [comment for _, comment in opened.comments] == ["\n".join(rows[MAX_OTHER_LINES:])]
