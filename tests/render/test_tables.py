"""Tables of tournaments: what is written, what is drawn, names of any kind, sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from render import ThemeName
from render.scene import Box, Text
from render.tables import (
    MAX_CROSS_TABLE_ROWS,
    Bracket,
    CrossTable,
    CrossTableRow,
    Duel,
    Ranking,
    RankingRow,
    Result,
    draw_bracket,
    draw_cross_table,
    draw_ranking,
    format_bracket,
    format_cross_table,
    format_ranking,
    list_numbered,
)
from render.tables.bracket import build_bracket_drawing
from render.tables.cross_table import build_cross_table
from render.tables.lettering import (
    clean_name,
    count_columns,
    fit_in_width,
    measure,
    pad_columns,
    write_in_font,
)
from render.tables.ranking import build_ranking
from tests.render.golden_images import BRACKET, CROSS_TABLE, RANKING
from tests.render.pixel_probe import load_rgb

if TYPE_CHECKING:
    from render import Drawing


def drawn_texts(drawing: Drawing) -> list[str]:
    return [shape.text for shape in drawing.shapes if isinstance(shape, Text)]


def cross_table(names: list[str], *results: Result) -> CrossTable:
    """Return a table in which everybody has these results against everybody."""
    rows = tuple(
        CrossTableRow(name, 0, tuple(() if index == other else results for other in range(len(names))))
        for index, name in enumerate(names)
    )
    return CrossTable("", rows)


def test_cross_table_as_text() -> None:
    assert format_cross_table(CROSS_TABLE).splitlines() == [
        "Division 1",
        "                         1 2 3 4 5",
        " 1 Anna               2½ x 1 ½ 1 *",
        " 2 \u5c71\u7530\u592a\u90ce           2½ 0 x 1 + ½",
        " 3 Maximilian von\u2026     1 ½ 0 x . ½",
        " 4 Zo\u00eb \U0001f98a              0 0 - . x *",
        " 5 Ren\u00e9                1 * ½ ½ * x",
    ]


def test_several_games_of_a_pair_are_added_up() -> None:
    table = cross_table(["a", "b"], Result.WIN, Result.DRAW, Result.OPEN)
    assert format_cross_table(table).splitlines()[1].split() == ["1", "a", "0", "x", "1½"]
    waiting = cross_table(["a", "b"], Result.WAITING, Result.WAITING)
    assert format_cross_table(waiting).splitlines()[1].split() == ["1", "a", "0", "x", "."]


def test_ranking_as_text() -> None:
    assert format_ranking(RANKING).splitlines() == [
        "Ladder",
        " 1 Anna       7½ 7-1-0",
        " 9 \u5c71\u7530\u592a\u90ce    3",
        "10 Ren\u00e9",
    ]


def test_bracket_as_text() -> None:
    assert format_bracket(BRACKET).splitlines() == [
        "Cup",
        "",
        "> 1 Anna        :      -",
        "  4 Zo\u00eb       ½ : 1½ > 5 \u5c71\u7530\u592a\u90ce",
        "  2 Ren\u00e9        :      7 Ida",
        "> 3 Bo        2 :  1   6 Cy",
        "",
        "  1 Anna        :      5 \u5c71\u7530\u592a\u90ce",
        "  -             :    > 3 Bo",
    ]


@pytest.mark.parametrize("theme", ThemeName)
@pytest.mark.parametrize("width", [360, 720])
def test_pictures_have_their_width(theme: ThemeName, width: int) -> None:
    for picture in (
        draw_cross_table(CROSS_TABLE, theme=theme, width=width),
        draw_ranking(RANKING, theme=theme, width=width),
        draw_bracket(BRACKET, theme=theme, width=width),
    ):
        image = load_rgb(picture)
        assert image.width == width
        background = image.getpixel((1, 1))
        assert background == ((29, 30, 36) if theme is ThemeName.RAINBOW else (255, 255, 255))


def test_empty_tables_are_drawn() -> None:
    assert draw_cross_table(CrossTable("", ()))
    assert draw_ranking(Ranking("", ()))
    assert draw_bracket(Bracket("", ()))
    assert format_cross_table(CrossTable("", ())) == format_bracket(Bracket("", ())) == ""


def test_ten_players_are_legible_on_a_phone() -> None:
    drawing = build_cross_table(cross_table(["Maximilian"] * 10, Result.DRAW), width=360)
    sizes = {shape.text: shape.size for shape in drawing.shapes if isinstance(shape, Text)}
    assert sizes["Maximilian"] >= 11
    assert sizes["½"] >= 11


@pytest.mark.parametrize("rows", [1, 2, 10, MAX_CROSS_TABLE_ROWS])
def test_everything_is_inside_and_nothing_overlaps(rows: int) -> None:
    drawing = build_cross_table(cross_table(["W" * 40] * rows, Result.WIN, Result.DRAW), width=400)
    boxes = [shape.bounds for shape in drawing.shapes if isinstance(shape, Box)]
    letters = [
        (shape.x - measure(shape.text) * shape.size / 2, shape.x + measure(shape.text) * shape.size / 2)
        for shape in drawing.shapes
        if isinstance(shape, Text)
    ]
    assert all(left >= 0 and right <= drawing.width for left, right in letters)
    assert all(left >= 0 and right <= drawing.width and top >= 0 for left, top, right, _ in boxes)
    assert all(bottom <= drawing.height for *_, bottom in boxes)
    cells = [left for left, top, right, bottom in boxes if right - left < drawing.width / 2]
    names = [right for left, right in letters if right < min(cells)]
    assert len(names) >= 2 * rows  # places and names end before the cells


@pytest.mark.parametrize(
    ("name", "handle", "written"),
    [
        ("Anna", "a1", "Anna"),
        ("Zo\u00eb \U0001f98a", "", "Zo\u00eb"),
        ("\u5c71\u7530\u592a\u90ce", "taro_k", "taro_k"),
        ("\u5c71\u7530\u592a\u90ce", "", ""),
        ("\u5c71\u7530\u592a\u90ce T", "taro_k", "taro_k"),
        ("\u5c71\u7530\u592a\u90ce T", "", "T"),
        ("Jo\u3042", "jo_a", "Jo"),
        ("\U0001f525\U0001f525", "\U0001f525", ""),
        ("a" * 100_000, "", "a" * 100),
        ("Nguy\u1ec5n V\u0103n \u1ec6", "", "Nguyen V\u0103n E"),
        ("\uff21\uff22\uff23", "", "ABC"),
        ("a\u202ebc\n`d`\x00", "", "abc `d`"),
    ],
)
def test_names_lose_what_the_font_lacks(name: str, handle: str, written: str) -> None:
    assert write_in_font(name, handle) == written
    table = Ranking("", (RankingRow(7, name, handle=handle),))
    drawn = drawn_texts(build_ranking(table))
    if list_numbered(table):
        assert "#7" in drawn
        assert list_numbered(table) == ((7, clean_name(name)),)
        assert not handle or handle == "\U0001f525"
    else:
        assert any(text.rstrip("\u2026") == written[: len(text.rstrip("\u2026"))] for text in drawn)


def test_numbers_stand_for_names_that_cannot_be_written_in_every_table() -> None:
    name = "\u5c71\u7530\u592a\u90ce"
    rows = (CrossTableRow("Anna", 2, ((), (Result.WIN,))), CrossTableRow(name, 0, ((Result.LOSS,), ())))
    cross, bracket = CrossTable("", rows), Bracket("", ((Duel("Anna", name, (1, 2)),),))
    assert list_numbered(cross) == list_numbered(bracket) == ((2, name),)
    for drawing in (build_cross_table(cross), build_bracket_drawing(bracket)):
        assert "#2" in drawn_texts(drawing)


NAMES = st.text("aW\u00e9 \u5c71\U0001f98a\u0301\u200d\x00", max_size=40)


@settings(max_examples=40)
@given(NAMES, st.integers(1, 30))
def test_columns_of_any_name(name: str, columns: int) -> None:
    assert count_columns(pad_columns(name, columns)) == columns


@settings(max_examples=40)
@given(NAMES, st.floats(0, 200))
def test_names_fit_in_their_width(name: str, width: float) -> None:
    fitted = fit_in_width(write_in_font(name), 12, width)
    assert not fitted or measure(fitted) * 12 <= width


def test_first_rounds_of_a_large_bracket_are_left_out() -> None:
    duels = tuple(Duel(f"a{number}", f"b{number}") for number in range(32))
    texts = drawn_texts(build_bracket_drawing(Bracket("", (duels, duels[:16]))))
    assert "a15" in texts
    assert "a16" not in texts
    assert "a31" in format_bracket(Bracket("", (duels,)))


@pytest.mark.parametrize("sizes", [(3,), (4, 3), (2, 1, 1), (0,)])
def test_impossible_brackets_are_refused(sizes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="rounds of a bracket"):
        Bracket("", tuple((Duel("a", "b"),) * size for size in sizes))


def test_impossible_cross_tables_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 20 rows"):
        cross_table(["a"] * 21, Result.WIN)
    with pytest.raises(ValueError, match="against each row"):
        CrossTable("", (CrossTableRow("a", 0, ()),))
    with pytest.raises(ValueError, match="pixels wide"):
        draw_cross_table(CrossTable("", ()), width=100)
