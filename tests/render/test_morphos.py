"""Morphos' picture: points, edges, the winning chain, and what a turn leaves behind."""

import pytest

import engine
from engine.game import Cell, Position, Side
from engine.morphos.position import MorphosPosition
from render import Mark, MarkKind, ThemeName, View, morphos, scene, text
from render.themes import theme
from tests.render.gallery import CHAIN, turn
from tests.render.looking import Look

RAINBOW = theme(ThemeName.RAINBOW)
WEAK = "morphos - 5/5/ww3/wb3/1w3 w 5 -"


def look_at(position: Position, view: View) -> Look:
    assert isinstance(position, MorphosPosition)
    return Look(position, view, morphos.place(position, view))


def load(line: str) -> Position:
    return engine.GAMES["morphos"].load(line)


@pytest.mark.parametrize("size", [5, 13, 19])
@pytest.mark.parametrize("seat", [Side.BLACK, Side.WHITE])
def test_edges_wear_their_owners_colours(size: int, seat: Side) -> None:
    look = look_at(engine.GAMES["morphos"].start(size=size), View(side=seat))
    frame, bar = look.frame, look.frame.rim / 2
    middle = frame.top + frame.board / 2
    across = [look.pixel(frame.left + frame.board / 2, frame.top + y) for y in (-bar, frame.board + bar)]
    upright = [look.pixel(frame.left + x, middle) for x in (-bar, frame.board + bar)]
    assert set(across) == {RAINBOW.black.face}
    assert set(upright) == {RAINBOW.white.face}


def test_corners_outside_belong_to_nobody() -> None:
    look = look_at(engine.GAMES["morphos"].start(), View())
    frame, bar = look.frame, look.frame.rim / 2
    far = frame.board + bar
    assert {look.pixel(frame.left + x, frame.top + y) for x in (-bar, far) for y in (-bar, far)} == {
        RAINBOW.table
    }


def test_stones_stand_on_the_points_and_lines_meet_on_empty_ones() -> None:
    look = look_at(load(WEAK), View())
    assert (look.at("A2"), look.at("B2")) == (RAINBOW.white.face, RAINBOW.black.face)
    assert look.at("E5") == RAINBOW.grid
    assert look.at("E5", 0.3, 0.3) == RAINBOW.table


def test_flipped_stone_wears_a_ring_and_its_new_colour() -> None:
    position, last = turn(WEAK, "xB2")
    look = look_at(position, View(last=last))
    assert look.at("B2") == RAINBOW.white.face
    assert look.at("B2", -0.25) == RAINBOW.white.sign


def test_weak_stone_can_be_marked() -> None:
    look = look_at(load(WEAK), View(marks=(Mark(MarkKind.OPEN, Cell("B2")),)))
    assert look.at("B2", 0.52) == RAINBOW.pick


@pytest.mark.parametrize("spot", [("F9", 0, -0.4), ("F8", 0, -0.5), ("E8", 0.5, 0), ("E2", 0, 0)])
def test_winning_chain_runs_from_edge_to_edge(spot: tuple[str, float, float]) -> None:
    position, last = turn(CHAIN, "F9")
    assert look_at(position, View(last=last)).at(*spot) == RAINBOW.gold


def test_chain_reaches_both_edges_seen_from_white() -> None:
    position, last = turn(CHAIN, "F9")
    look = look_at(position, View(side=Side.WHITE, last=last))
    assert look.at("F9", 0, 0.52) == look.at("E1", 0, -0.52) == RAINBOW.gold


def test_chain_of_white_runs_across() -> None:
    position, last = turn("morphos - 5/5/wwww1/5/5 w 7 -", "E3")
    look = look_at(position, View(last=last))
    assert look.at("A3", -0.52) == look.at("E3", 0.52) == RAINBOW.gold


def test_nothing_is_joined_before_the_end() -> None:
    assert look_at(load(CHAIN), View()).at("E2") == RAINBOW.black.face


@pytest.mark.parametrize(
    ("size", "points"),
    [
        (5, {(2, 2)}),
        (6, set()),
        (9, {(2, 2), (2, 6), (6, 2), (6, 6), (4, 4)}),
        (10, {(2, 2), (2, 7), (7, 2), (7, 7)}),
        (13, {(3, 3), (3, 9), (9, 3), (9, 9), (6, 6)}),
        (19, {(x, y) for x in (3, 9, 15) for y in (3, 9, 15)}),
    ],
)
def test_star_points(size: int, points: set[tuple[int, int]]) -> None:
    assert set(morphos.stars(size)) == points


def test_text_tells_stones_edges_and_turn() -> None:
    position, last = turn(WEAK, "xB2")
    assert text(scene(position, View(last=last))).splitlines() == [
        "5 . . . . .",
        "4 . . . . .",
        "3 w w . . .",
        "2 w w . . .",
        "1 . w . . .",
        "  A B C D E",
        "b black, joins bottom and top; w white, joins left and right",
        "black 0, white 5",
        "to move: black",
        "last turn: \u00d7B2",
    ]


def test_stone_to_be_put_back_is_counted_apart() -> None:
    position, _ = turn("morphos d 5/5/ww3/wb3/1w3 w 5 -", "xB2")
    assert "black 0+1, white 5" in text(scene(position))


def test_text_of_the_largest_board_fits_the_description_of_an_attachment() -> None:
    assert len(text(scene(engine.GAMES["morphos"].start(size=19)))) <= 1024
