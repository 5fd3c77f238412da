"""Morabaraba's picture: lines, men, hands beside the board, mills."""

import pytest

import engine
from engine.game import Position, Side
from render import ThemeName, View, morabaraba, scene, text
from render.themes import theme
from tests.render.gallery import MEN, turn
from tests.render.looking import Look

RAINBOW = theme(ThemeName.RAINBOW)
START = "morabaraba 12 3/3/3/6/3/3/3 w 12,12 -"


def look_at(position: Position, view: View) -> Look:
    return Look(position, view, morabaraba.place(view))


def load(line: str) -> Position:
    return engine.GAMES["morabaraba"].load(line)


@pytest.mark.parametrize(
    ("cell", "right", "down"),
    [("A1", 0.5, 0), ("A1", 0, -0.5), ("A1", 0.5, -0.5), ("G7", -0.5, 0.5), ("C5", 0.5, 0), ("D6", 0, 0.5)],
)
def test_lines_join_the_points(cell: str, right: float, down: float) -> None:
    assert look_at(load(START), View()).at(cell, right, down) == RAINBOW.grid


@pytest.mark.parametrize(("cell", "right", "down"), [("D4", 0, 0), ("C4", 0.5, 0), ("B3", 0.3, 0.3)])
def test_nothing_is_drawn_where_no_line_runs(cell: str, right: float, down: float) -> None:
    assert look_at(load(START), View()).at(cell, right, down) == RAINBOW.table


@pytest.mark.parametrize("seat", [None, Side.WHITE, Side.RED])
@pytest.mark.parametrize("name", ThemeName)
def test_men_wear_their_colours(seat: Side | None, name: ThemeName) -> None:
    look = look_at(load(MEN), View(side=seat, theme=name))
    assert (look.at("F6"), look.at("B2")) == (theme(name).white.face, theme(name).red.face)


def test_hands_lie_beside_the_board_as_many_as_there_are() -> None:
    look = look_at(load("morabaraba 12 3/3/1w1/2w2r/3/3/3 w 10,11 -"), View())
    frame, inset = look.frame, 0.6 * look.frame.aisle
    for x, coat, men in ((inset, RAINBOW.white, 10), (frame.width - inset, RAINBOW.red, 11)):
        column = [look.pixel(x, y) for y in range(frame.top, frame.top + frame.board)]
        runs = sum(here == coat.face != before for before, here in zip(["", *column], column, strict=False))
        assert runs == men


def test_no_pile_where_the_hand_is_empty() -> None:
    look = look_at(load(MEN), View())
    frame, inset = look.frame, 0.6 * look.frame.aisle
    assert {look.pixel(inset, y) for y in range(frame.top, frame.top + frame.board)} == {RAINBOW.backdrop}


def test_mill_is_joined() -> None:
    position, last = turn(MEN, "D5-E5xA1")
    look = look_at(position, View(last=last))
    assert look.at("E5", 0.5, -0.5) == look.at("F6", 0.5, -0.5) == RAINBOW.gold
    assert look_at(load(MEN), View()).at("E5", 0.5, -0.5) == RAINBOW.grid


def test_man_that_moved_leaves_a_trail_and_the_one_removed_a_cross() -> None:
    position, last = turn(MEN, "D5-E5xA1")
    look = look_at(position, View(last=last))
    assert look.at("D5") == RAINBOW.light
    assert look.at("A1", 0.1, 0.1) == look.at("A1", -0.1, 0.1) == RAINBOW.light


def test_text_leaves_out_what_is_no_point() -> None:
    position, last = turn(MEN, "D5-E5xA1")
    assert text(scene(position, View(last=last))).splitlines() == [
        "7 .     .     w",
        "6   r   .   w",
        "5     . . w",
        "4 r . .   . w w",
        "3     . . w",
        "2   r   .   .",
        "1 .     .     r",
        "  A B C D E F G",
        "w white, r red, . an empty point",
        "in hand: white 0, red 0",
        "white 6, red 4",
        "to move: red",
        "last turn: D5\u2013E5  \u00d7A1",
    ]


def test_text_turns_with_the_board() -> None:
    assert text(scene(load(MEN), View(side=Side.RED))).splitlines()[0] == "1 r     .     r"
