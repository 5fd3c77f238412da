"""The status bar: the last turn in notation, and badges that differ without colours."""

import pytest
from PIL import ImageFont

from engine import GAMES
from engine.game import Cell, Event, EventKind, Outcome, Side
from render import RenderOptions, build_scene
from render.canvas import FONT_PATH
from render.layout import BoardLayout
from render.scene import Circle, Text, to_text
from render.status_bar import StatusBar, format_notation
from render.themes import ThemeName, get_theme
from tests.games import TEXTS


def event(kind: EventKind, *cells: str) -> Event:
    return Event(kind, Side.BLACK, tuple(map(Cell, cells)))


@pytest.mark.parametrize(
    ("events", "texts"),
    [
        ([], ""),
        ([event(EventKind.MOVE, "G11", "J8")], "G11\u2013J8"),
        ([event(EventKind.PLACE, "A4")], "A4"),
        ([event(EventKind.PLACE, cell) for cell in ("A4", "B9", "C1", "D1")], "A4 B9 C1 D1"),
        ([event(EventKind.PLACE, cell) for cell in ("A4", "B9", "C1", "D1", "E1")], "A4 \u2026 E1"),
        (
            [event(EventKind.MOVE, "D1", "I6"), event(EventKind.CONVERT, "H5", "H6")],
            "D1\u2013I6  \u00d7H5 H6",
        ),
        ([event(EventKind.MOVE, "D1", "I6"), event(EventKind.CONVERT, *"ABC")], "D1\u2013I6  \u00d73"),
        ([event(EventKind.RESTORE, "C3"), event(EventKind.FLIP, "D4")], "C3  \u00d7D4"),
        ([event(EventKind.MOVE, "A1", "A4"), event(EventKind.CAPTURE, "G7")], "A1\u2013A4  \u00d7G7"),
        ([event(EventKind.MOVE, "A1", "A4"), event(EventKind.DECLINE_CAPTURE)], "A1\u2013A4"),
        ([event(EventKind.SWAP)], "swap"),
        ([event(EventKind.RESTORE, "C3"), event(EventKind.PASS)], "C3  pass"),
    ],
)
def test_turn_in_notation(events: list[Event], texts: str) -> None:
    assert format_notation(events) == texts


def shape_kinds(to_move: Side | None, outcome: Outcome | None) -> list[list[str]]:
    """Return the kinds of shapes of the two sides' badges, without their colours."""
    score = StatusBar(((Side.BLACK, "7"), (Side.WHITE, "7")), to_move, outcome, "")
    sprites = score.sprites(BoardLayout(9, 700, is_flipped=False), get_theme(ThemeName.CLEAR))
    badges = [sprite for index, sprite in enumerate(sprites) if index % 2 == 0]
    return [
        [f"{type(shape).__name__} {len(getattr(shape, 'points', ()))}" for shape in pill.sprite.shapes]
        for pill in badges
    ]


def test_side_to_move_and_winner_can_be_told_apart_without_colours() -> None:
    turn, rest = shape_kinds(Side.BLACK, None)
    won, lost = shape_kinds(None, Outcome.BLACK)
    assert rest == lost
    assert len({tuple(turn), tuple(won), tuple(rest)}) == 3
    assert shape_kinds(None, Outcome.DRAW) == [rest, rest]


@pytest.mark.parametrize("count", ["7", "88", "120", "361"])
def test_counts_do_not_touch_the_stone_or_the_edge(count: str) -> None:
    layout = BoardLayout(19, 700, is_flipped=False)
    score = StatusBar(((Side.BLACK, count), (Side.WHITE, count)), Side.BLACK, None, "")
    badge, stone, *_ = score.sprites(layout, get_theme(ThemeName.CLEAR))
    text = next(shape for shape in badge.sprite.shapes if isinstance(shape, Text))
    width = ImageFont.truetype(FONT_PATH, 100).getlength(count) * text.size / 100
    x, _, panel_width, height = layout.status_panels[0]
    stone_radius = max(shape.radius for shape in stone.sprite.shapes if isinstance(shape, Circle))
    left, right = badge.x + text.x - width / 2, badge.x + text.x + width / 2
    assert left > stone.x + stone_radius + 0.02 * height
    assert right < x + panel_width - 0.1 * height


def test_no_side_is_to_move_after_the_end() -> None:
    position = GAMES["morelli"].initial_position()
    assert "to move: black" in to_text(build_scene(position, RenderOptions(TEXTS)))
    assert "to move" not in to_text(build_scene(position, RenderOptions(TEXTS, is_over=True)))
