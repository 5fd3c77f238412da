"""Shared by all games: normalization of typed text, rows of a position, names of cells."""

from __future__ import annotations

import pytest

from engine import NotationError, cells, position_text
from engine.game import Cell
from engine.notation_text import abbreviate, normalize

DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"


@pytest.mark.parametrize("dash", DASHES, ids=[f"U+{ord(dash):04X}" for dash in DASHES])
def test_every_kind_of_dash_is_normalized(dash: str) -> None:
    assert normalize(f"a1{dash}b2") == "A1-B2"


@pytest.mark.parametrize(
    "text",
    [
        "a1-b2",
        " A 1 - b 2 \n",
        "\u00a0A1\u2003-\u3000B2",
        "A1\u200b-\u200dB2\ufe0f",
        "\uff21\uff11\uff0d\uff42\uff12",
        "\ufeffA1-B2",
    ],
    ids=["case", "spaces", "wide spaces", "invisible", "full width", "mark"],
)
def test_case_spaces_and_width_do_not_matter(text: str) -> None:
    assert normalize(text) == "A1-B2"


@pytest.mark.parametrize("tilde", "~\u223c\uff5e\u02dc", ids=["plain", "operator", "full width", "small"])
def test_every_kind_of_tilde_is_normalized(tilde: str) -> None:
    assert normalize(f"A1-B2{tilde}C3") == "A1-B2~C3"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A1", "A1"),
        ("a\nb\tc\0", "a b c "),
        ("x" * 41, "x" * 39 + "…"),
        ("x" * 40, "x" * 40),
        ("\ud800", " "),
    ],
)
def test_a_refused_text_is_abbreviated_to_one_line(text: str, shown: str) -> None:
    assert abbreviate(text) == shown


@pytest.mark.parametrize(
    ("text", "widths", "read"),
    [
        ("3/b1w/2b", (3, 3, 3), ["...", "b.w", "..b"]),
        ("13/w11b", (13, 13), ["." * 13, "w" + "." * 11 + "b"]),
        ("3/6/bw", (3, 6, 2), ["...", "......", "bw"]),
    ],
)
def test_rows_are_parsed_and_formatted(text: str, widths: tuple[int, ...], read: list[str]) -> None:
    assert position_text.parse_rows(text, widths, "bw", f"game {text}") == read
    assert position_text.format_rows(read) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3/3", "A position here has 3 rows, separated by /; this one has 2."),
        ("3/4/3", "Row 2 must be 3 cells wide, not 4."),
        ("3/3/2", "Row 1 must be 3 cells wide, not 2."),
        ("3/3/", "Row 1 must be 3 cells wide, not 0."),
        ("3/x2/3", "Row 2 holds x; only b, w and numbers of empty cells may stand there."),
        ("3/03/3", "Row 2 holds 0; only b, w and numbers of empty cells may stand there."),
        ("3/\n3/3", "Row 2 holds  ; only b, w and numbers of empty cells may stand there."),
    ],
)
def test_invalid_rows_are_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        position_text.parse_rows(text, (3, 3, 3), "bw", f"game {text}")
    assert (caught.value.reason, caught.value.text) == (reason, f"game {text}")


@pytest.mark.parametrize(("file", "rank", "name"), [(0, 0, "A1"), (12, 9, "M10"), (18, 18, "S19")])
def test_cells_are_named_by_file_letter_and_rank(file: int, rank: int, name: str) -> None:
    assert cells.cell(file, rank) == name
    assert cells.coordinates(Cell(name)) == (file, rank)


def test_cells_are_ordered_by_file_then_rank() -> None:
    assert cells.sort_cells(map(Cell, ["B1", "A10", "A9", "A1"])) == ("A1", "A9", "A10", "B1")
