"""Morelli's picture: bands, orientation, stones, traces and marks, by looking at single pixels."""

import pytest

import engine
from engine.game import Cell, Event, EventKind, Position, Side
from engine.morelli.position import MorelliPosition
from render import Mark, MarkKind, ThemeName, View, morelli
from render.themes import mix, theme
from tests.render.gallery import DENSE, turn
from tests.render.looking import Look

RAINBOW = theme(ThemeName.RAINBOW)
NAMES = ("violet", "indigo", "blue", "green", "yellow", "orange", "red")
CORNER = (0.4, 0.4)  # a spot of a cell that no stone covers


def load(rows: str, side: str = "b") -> Position:
    return engine.GAMES["morelli"].load(f"morelli nestor {rows} {side} -")


def look_at(position: Position, view: View) -> Look:
    assert isinstance(position, MorelliPosition)
    return Look(position, view, morelli.place(position, view))


def band(look: Look, cell: str) -> str:
    """Name the band whose colour, light or dark, shows in the corner of `cell`."""
    found = look.at(cell, *CORNER)
    for name, colour in zip(NAMES, RAINBOW.bands, strict=True):
        if found in {colour, mix(colour, RAINBOW.ink, 0.07)}:
            return name
    return found


@pytest.mark.parametrize(
    ("size", "bands"),
    [
        (13, ("red", "orange", "yellow", "green", "blue", "indigo", "violet")),
        (11, ("orange", "yellow", "green", "blue", "indigo", "violet")),
        (9, ("yellow", "green", "blue", "indigo", "violet")),
    ],
)
def test_bands_run_to_violet_from_the_edge_inwards(size: int, bands: tuple[str, ...]) -> None:
    look = look_at(load("/".join([str(size)] * size)), View())
    diagonal = [f"{'ABCDEFG'[step]}{step + 1}" for step in range(len(bands))]
    assert tuple(band(look, cell) for cell in diagonal) == bands


def test_neighbours_on_a_band_alternate_in_shade() -> None:
    look = look_at(load("9/9/9/9/9/9/9/9/9"), View())
    assert look.at("A1", *CORNER) != look.at("A2", *CORNER)
    assert look.at("A1", *CORNER) == look.at("A3", *CORNER)


@pytest.mark.parametrize("theme_name", ThemeName)
@pytest.mark.parametrize("seat", [None, Side.BLACK, Side.WHITE])
def test_stones_show_their_side_wherever_one_sits(theme_name: ThemeName, seat: Side | None) -> None:
    look = look_at(load("9/9/9/9/9/9/2w6/9/b8"), View(side=seat, theme=theme_name))
    assert look.at("A1") == theme(theme_name).black.face
    assert look.at("C3") == theme(theme_name).white.face


def test_white_sees_a1_at_the_upper_right() -> None:
    position = load("9/9/9/9/9/9/9/9/b8")
    shown = look_at(position, View(side=Side.WHITE))
    size, left = 66, 53
    assert shown.pixel(left + 8 * size + size // 2, left + size // 2) == RAINBOW.black.face


@pytest.mark.parametrize(("sign", "coat"), [("B", RAINBOW.black), ("W", RAINBOW.white)])
def test_tower_reaches_out_of_its_cell_and_a_stone_does_not(sign: str, coat: object) -> None:
    above = (-0.3, 0.35)  # low in the cell above the Centre, where a crown's merlon stands
    look = look_at(load(f"9/9/9/9/4{sign}4/9/9/9/b8"), View())
    assert look.at("E6", *above) in {getattr(coat, "face"), getattr(coat, "shine")}  # noqa: B009
    plain = look_at(load("9/9/9/9/3b5/9/9/9/b8"), View())
    assert plain.at("D6", *above) in {RAINBOW.bands[1], mix(RAINBOW.bands[1], RAINBOW.ink, 0.07)}


def test_occupied_centre_is_lit() -> None:
    empty = look_at(load("9/9/9/9/9/9/9/9/b8"), View())
    held = look_at(load("9/9/9/9/4W4/9/9/9/b8"), View())
    assert band(empty, "E5") == "violet"
    assert held.at("E5", -0.48, 0) == RAINBOW.gold


def test_last_move_leaves_a_trail_from_origin_to_target() -> None:
    position, last = turn("morelli nestor 9/9/9/9/9/9/9/9/b8 b -", "A1-D4")
    look = look_at(position, View(last=last))
    assert [look.at(cell) for cell in ("A1", "B2", "C3")] == [RAINBOW.light] * 3
    assert look.at("D4") == RAINBOW.black.face


@pytest.mark.parametrize(("move", "ring"), [("G3-G5", ("F5", "F6")), ("G3-G5~F6,G7", ("F5",))])
def test_captured_stones_wear_a_ring_in_the_other_colour(move: str, ring: tuple[str, ...]) -> None:
    position, last = turn(DENSE, move)
    look = look_at(position, View(last=last))
    assert {look.at(cell, -0.21) for cell in ring} == {RAINBOW.black.sign}


def test_spared_stone_wears_a_broken_ring() -> None:
    position, last = turn(DENSE, "G3-G5~F6,G7")
    look = look_at(position, View(last=last))
    assert look.at("F6", 0.15, 0.15) == RAINBOW.white.sign
    assert look.at("F6", -0.21) == RAINBOW.white.face


def test_occupation_joins_its_four_stones() -> None:
    position, last = turn(DENSE, "G3-G5")
    look = look_at(position, View(last=last))
    assert look.at("F5", 0.5, -0.5) == RAINBOW.gold


def test_placed_stones_wear_a_dot() -> None:
    position, last = turn("morelli nestor 9/9/9/9/9/9/9/9/9 b free", "A4", "I5", "B9")
    look = look_at(position, View(last=last))
    assert look.at("A4") == RAINBOW.black.sign
    assert look.at("I5") == look.at("B9") == RAINBOW.white.sign


def test_stone_placed_before_the_last_turn_wears_none() -> None:
    position, last = turn("morelli nestor 9/9/9/9/9/9/9/9/9 b free", "A4", "I5", "B9")
    look = look_at(position, View(last=last[1:]))
    assert look.at("A4") == RAINBOW.black.face


@pytest.mark.parametrize(
    ("kind", "cell", "spot", "colour"),
    [
        (MarkKind.CHOSEN, "A1", (0.45, 0.45), RAINBOW.pick),
        (MarkKind.OPEN, "C3", (0, 0.02), RAINBOW.pick),
        (MarkKind.OPEN, "A1", (0.43, 0), RAINBOW.pick),
        (MarkKind.RINGED, "A1", (0.21, 0), RAINBOW.black.sign),
        (MarkKind.SPARED, "A1", (0.15, 0.15), RAINBOW.black.sign),
    ],
)
def test_marks(kind: MarkKind, cell: str, spot: tuple[float, float], colour: str) -> None:
    look = look_at(load("9/9/9/9/9/9/9/9/b8"), View(marks=(Mark(kind, Cell(cell)),)))
    assert look.at(cell, *spot) == colour


def test_numbered_mark_is_larger_than_a_dot() -> None:
    cell = Cell("C3")
    dot = look_at(load("9/9/9/9/9/9/9/9/b8"), View(marks=(Mark(MarkKind.OPEN, cell),)))
    number = look_at(load("9/9/9/9/9/9/9/9/b8"), View(marks=(Mark(MarkKind.OPEN, cell, "7"),)))
    assert dot.at("C3", 0.22) != RAINBOW.pick
    assert number.at("C3", 0.22) == RAINBOW.pick


@pytest.mark.parametrize(("side", "lit", "dark"), [("b", 0, 1), ("w", 1, 0)])
def test_score_lights_the_side_to_move(side: str, lit: int, dark: int) -> None:
    look = look_at(load("9/9/9/9/9/9/9/9/b7w", side), View())
    pills = [look.pixel(x, 703) for x in (105, 595)]
    assert (pills[lit], pills[dark]) == (RAINBOW.light, RAINBOW.panel)


def test_score_gilds_the_winner() -> None:
    won = look_at(load("9/9/9/3bbb3/3bWb3/3bbb3/9/9/9"), View())
    pills = [won.pixel(x, 703) for x in (105, 595)]
    assert pills == [RAINBOW.panel, RAINBOW.gold]


def test_events_of_another_kind_leave_the_picture_alone() -> None:
    position = load("9/9/9/9/9/9/9/9/b8")
    passed = View(last=(Event(EventKind.MILL, Side.BLACK, (Cell("A1"),)),))
    assert look_at(position, passed).at("A1") == RAINBOW.black.face
