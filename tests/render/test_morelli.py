"""The Morelli board: bands, orientation, stones, highlights and marks, by single pixels."""

import pytest

import engine
from engine.game import Cell, Event, EventKind, Position, Side
from engine.morelli import MorelliPosition
from render import Mark, MarkKind, RenderOptions, ThemeName, morelli
from render.themes import get_theme, mix
from tests.games import TEXTS
from tests.render.golden_images import CROWDED, play_turn
from tests.render.pixel_probe import PixelProbe

RAINBOW = get_theme(ThemeName.RAINBOW)
NAMES = ("violet", "indigo", "blue", "green", "yellow", "orange", "red")
CORNER = (0.4, 0.4)  # a spot of a cell that no stone covers


def load_position(rows: str, side: str = "b") -> Position:
    return engine.GAMES["morelli"].load(f"morelli nestor {rows} {side} -")


def render_probe(position: Position, options: RenderOptions) -> PixelProbe:
    assert isinstance(position, MorelliPosition)
    return PixelProbe(position, options, morelli.build_layout(position, options))


def band(probe: PixelProbe, cell: str) -> str:
    """Name the band whose colour, light or dark, shows in the corner of `cell`."""
    found = probe.colour_at(cell, *CORNER)
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
    probe = render_probe(load_position("/".join([str(size)] * size)), RenderOptions(TEXTS))
    diagonal = [f"{'ABCDEFG'[step]}{step + 1}" for step in range(len(bands))]
    assert tuple(band(probe, cell) for cell in diagonal) == bands


def test_neighbours_on_a_band_alternate_in_shade() -> None:
    probe = render_probe(load_position("9/9/9/9/9/9/9/9/9"), RenderOptions(TEXTS))
    assert probe.colour_at("A1", *CORNER) != probe.colour_at("A2", *CORNER)
    assert probe.colour_at("A1", *CORNER) == probe.colour_at("A3", *CORNER)


@pytest.mark.parametrize("theme_name", ThemeName)
@pytest.mark.parametrize("bottom_side", [None, Side.BLACK, Side.WHITE])
def test_stones_have_their_colours_in_both_orientations(
    theme_name: ThemeName, bottom_side: Side | None
) -> None:
    probe = render_probe(
        load_position("9/9/9/9/9/9/2w6/9/b8"), RenderOptions(TEXTS, bottom_side=bottom_side, theme=theme_name)
    )
    assert probe.colour_at("A1") == get_theme(theme_name).black.face
    assert probe.colour_at("C3") == get_theme(theme_name).white.face


def test_white_sees_a1_at_the_upper_right() -> None:
    position = load_position("9/9/9/9/9/9/9/9/b8")
    shown = render_probe(position, RenderOptions(TEXTS, bottom_side=Side.WHITE))
    size, left = 66, 53
    assert shown.colour_of_pixel(left + 8 * size + size // 2, left + size // 2) == RAINBOW.black.face


@pytest.mark.parametrize(("sign", "coat"), [("B", RAINBOW.black), ("W", RAINBOW.white)])
def test_tower_reaches_out_of_its_cell_and_a_stone_does_not(sign: str, coat: object) -> None:
    above = (-0.3, 0.35)  # low in the cell above the Centre, where the tower has a merlon
    probe = render_probe(load_position(f"9/9/9/9/4{sign}4/9/9/9/b8"), RenderOptions(TEXTS))
    assert probe.colour_at("E6", *above) in {getattr(coat, "face"), getattr(coat, "highlight")}  # noqa: B009
    plain = render_probe(load_position("9/9/9/9/3b5/9/9/9/b8"), RenderOptions(TEXTS))
    assert plain.colour_at("D6", *above) in {RAINBOW.bands[1], mix(RAINBOW.bands[1], RAINBOW.ink, 0.07)}


def test_occupied_centre_is_highlighted() -> None:
    empty = render_probe(load_position("9/9/9/9/9/9/9/9/b8"), RenderOptions(TEXTS))
    held = render_probe(load_position("9/9/9/9/4W4/9/9/9/b8"), RenderOptions(TEXTS))
    assert band(empty, "E5") == "violet"
    assert held.colour_at("E5", -0.48, 0) == RAINBOW.gold


def test_last_move_leaves_a_trail_from_origin_to_target() -> None:
    position, last = play_turn("morelli nestor 9/9/9/9/9/9/9/9/b8 b -", "A1-D4")
    probe = render_probe(position, RenderOptions(TEXTS, last_turn=last))
    assert [probe.colour_at(cell) for cell in ("A1", "B2", "C3")] == [RAINBOW.light] * 3
    assert probe.colour_at("D4") == RAINBOW.black.face


@pytest.mark.parametrize(("move", "ring"), [("G3-G5", ("F5", "F6")), ("G3-G5~F6,G7", ("F5",))])
def test_converted_stones_have_a_ring(move: str, ring: tuple[str, ...]) -> None:
    position, last = play_turn(CROWDED, move)
    probe = render_probe(position, RenderOptions(TEXTS, last_turn=last))
    assert {probe.colour_at(cell, -0.21) for cell in ring} == {RAINBOW.black.symbol}


def test_declined_stone_has_a_broken_ring() -> None:
    position, last = play_turn(CROWDED, "G3-G5~F6,G7")
    probe = render_probe(position, RenderOptions(TEXTS, last_turn=last))
    assert probe.colour_at("F6", 0.15, 0.15) == RAINBOW.white.symbol
    assert probe.colour_at("F6", -0.21) == RAINBOW.white.face


def test_occupation_joins_its_four_stones() -> None:
    position, last = play_turn(CROWDED, "G3-G5")
    probe = render_probe(position, RenderOptions(TEXTS, last_turn=last))
    assert probe.colour_at("F5", 0.5, -0.5) == RAINBOW.gold


def test_placed_stones_have_a_dot() -> None:
    position, last = play_turn("morelli nestor 9/9/9/9/9/9/9/9/9 b free", "A4", "I5", "B9")
    probe = render_probe(position, RenderOptions(TEXTS, last_turn=last))
    assert probe.colour_at("A4") == RAINBOW.black.symbol
    assert probe.colour_at("I5") == probe.colour_at("B9") == RAINBOW.white.symbol


def test_stone_placed_before_the_last_turn_has_no_dot() -> None:
    position, last = play_turn("morelli nestor 9/9/9/9/9/9/9/9/9 b free", "A4", "I5", "B9")
    probe = render_probe(position, RenderOptions(TEXTS, last_turn=last[1:]))
    assert probe.colour_at("A4") == RAINBOW.black.face


@pytest.mark.parametrize(
    ("kind", "cell", "spot", "colour"),
    [
        (MarkKind.SELECTED, "A1", (0.45, 0.45), RAINBOW.selection),
        (MarkKind.SELECTABLE, "C3", (0, 0.02), RAINBOW.selection),
        (MarkKind.SELECTABLE, "A1", (0.43, 0), RAINBOW.selection),
        (MarkKind.TO_CAPTURE, "A1", (0.21, 0), RAINBOW.black.symbol),
        (MarkKind.DECLINED, "A1", (0.15, 0.15), RAINBOW.black.symbol),
    ],
)
def test_marks(kind: MarkKind, cell: str, spot: tuple[float, float], colour: str) -> None:
    probe = render_probe(
        load_position("9/9/9/9/9/9/9/9/b8"), RenderOptions(TEXTS, marks=(Mark(kind, Cell(cell)),))
    )
    assert probe.colour_at(cell, *spot) == colour


def test_numbered_mark_is_larger_than_a_dot() -> None:
    cell = Cell("C3")
    dot = render_probe(
        load_position("9/9/9/9/9/9/9/9/b8"), RenderOptions(TEXTS, marks=(Mark(MarkKind.SELECTABLE, cell),))
    )
    number = render_probe(
        load_position("9/9/9/9/9/9/9/9/b8"),
        RenderOptions(TEXTS, marks=(Mark(MarkKind.SELECTABLE, cell, "7"),)),
    )
    assert dot.colour_at("C3", 0.22) != RAINBOW.selection
    assert number.colour_at("C3", 0.22) == RAINBOW.selection


@pytest.mark.parametrize(("side", "lit", "dark"), [("b", 0, 1), ("w", 1, 0)])
def test_badge_of_the_side_to_move_is_bright(side: str, lit: int, dark: int) -> None:
    probe = render_probe(load_position("9/9/9/9/9/9/9/9/b7w", side), RenderOptions(TEXTS))
    pills = [probe.colour_of_pixel(x, 703) for x in (105, 595)]
    assert (pills[lit], pills[dark]) == (RAINBOW.light, RAINBOW.panel)


def test_badge_of_the_winner_is_gold() -> None:
    won = render_probe(load_position("9/9/9/3bbb3/3bWb3/3bbb3/9/9/9"), RenderOptions(TEXTS))
    pills = [won.colour_of_pixel(x, 703) for x in (105, 595)]
    assert pills == [RAINBOW.panel, RAINBOW.gold]


def test_other_events_change_nothing() -> None:
    position = load_position("9/9/9/9/9/9/9/9/b8")
    passed = RenderOptions(TEXTS, last_turn=(Event(EventKind.MILL, Side.BLACK, (Cell("A1"),)),))
    assert render_probe(position, passed).colour_at("A1") == RAINBOW.black.face
