"""Morphos: position lines, and the errors for invalid ones."""

from __future__ import annotations

import pytest

from engine import NotationError
from engine.morphos import MORPHOS

GOOD = "morphos bd 5/2bw1/5/5/wb3 b 12 xD4,owed"

LINES = [
    GOOD,
    "morphos - 5/5/5/5/5 b 0 -",
    "morphos abcde 5/2bw1/5/5/wb3 b 13 swapped,xD4,owed",
    "morphos - 5/2bw1/5/5/wb3 w 7 swapped,passed",
    "morphos c " + "/".join(["19"] * 19) + " b 0 -",
    "morphos d 5/2bw1/5/5/wb3 b 12 owed",
    "morphos - bbbbb/wwwww/bbbbb/wwwww/bbbbb b 123456789012345678 -",
]
BIG = "/".join(["20"] * 20)
FULL = "bbbbb/wwwww/bbbbb/wwwww/bbbbb"
STONE: dict[str, object] = {"enemy": "side.white", "mover": "side.black"}
BROKEN: list[tuple[str, str, dict[str, object]]] = [
    ("morphos ba 5/5/5/5/5 b 0 -", "morphos.line_mutators", {"found": "ba"}),
    ("morphos f 5/5/5/5/5 b 0 -", "morphos.line_mutators", {"found": "f"}),
    ("morphos - 4/4/4/4 b 0 -", "morphos.line_size", {"found": 4, "smallest": 5, "largest": 19}),
    (f"morphos - {BIG} b 0 -", "morphos.line_size", {"found": 20, "smallest": 5, "largest": 19}),
    ("morphos - 5/5/5/5/5 r 0 -", "line.invalid_side", {"first": "b", "second": "w", "found": "r"}),
    ("morphos - 5/5/5/5/5 b 00 -", "morphos.line_turn", {"found": "00"}),
    ("morphos - 5/5/5/5/5 b -1 -", "morphos.line_turn", {"found": "-1"}),
    (f"morphos - 5/5/5/5/5 b {10**18} -", "morphos.line_turn", {"found": str(10**18)}),
    (GOOD.replace("xD4,owed", "owed,xD4"), "morphos.line_extra", {"found": "owed,xD4"}),
    (GOOD.replace("xD4,owed", "xF4"), "morphos.line_extra", {"found": "xF4"}),
    (GOOD.replace("xD4,owed", "owed,owed"), "morphos.line_extra", {"found": "owed,owed"}),
    (GOOD.replace("xD4,owed", "-,owed"), "morphos.line_extra", {"found": "-,owed"}),
    (GOOD.replace(" 12 ", " 0 "), "morphos.line_early", {"turns": 0, "found": "xD4,owed"}),
    (GOOD.replace("12 xD4,owed", "1 swapped"), "morphos.line_early", {"turns": 1, "found": "swapped"}),
    (GOOD.replace(" bd ", " d "), "morphos.line_flip_mutator", {"found": "xD4"}),
    (GOOD.replace("xD4", "xC4"), "morphos.line_flip_stone", STONE | {"found": "xC4", "cell": "C4"}),
    (GOOD.replace("xD4", "xA5"), "morphos.line_flip_stone", STONE | {"found": "xA5", "cell": "A5"}),
    (GOOD.replace(" bd ", " b "), "morphos.line_owed_mutator", {}),
    (f"morphos d {FULL} b 9 owed", "morphos.line_owed_full", {}),
    (GOOD.replace("xD4,owed", "owed,passed"), "morphos.line_passed", {}),
    (GOOD.replace("xD4,owed", "xD4,passed"), "morphos.line_passed", {}),
]
ROWS = [
    ("5/5/5/5/4", "Row 1 must be 5 cells wide, not 4."),
    ("5/5/5/4B/5", "Row 2 holds B; only b, w and numbers of empty cells may stand there."),
]


@pytest.mark.parametrize("line", LINES)
def test_a_loaded_line_is_written_unchanged(line: str) -> None:
    position = MORPHOS.load(line)
    assert str(position) == line
    assert position == MORPHOS.load(line)


@pytest.mark.parametrize(("line", "key", "values"), BROKEN)
def test_an_invalid_line_is_refused_with_the_reason(line: str, key: str, values: dict[str, object]) -> None:
    with pytest.raises(NotationError) as caught:
        MORPHOS.load(line)
    error = caught.value
    assert (error.key, error.values, error.text) == (key, values, line)


@pytest.mark.parametrize(("ranks", "reason"), ROWS)
def test_invalid_rows_are_refused_with_the_reason(ranks: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        MORPHOS.load(f"morphos - {ranks} b 0 -")
    assert (caught.value.reason, caught.value.text) == (reason, f"morphos - {ranks} b 0 -")


def test_extra_spaces_are_ignored() -> None:
    assert MORPHOS.load(f"  {GOOD.replace(' ', '   ')} ") == MORPHOS.load(GOOD)


@pytest.mark.parametrize("field", ["w 12 xD4,owed", "b 13 xD4,owed", "b 12 xD4", "b 12 owed", "b 12 -"])
def test_positions_that_differ_in_one_field_differ(field: str) -> None:
    other = "morphos bd 5/2bw1/5/5/wb3 " + field.replace("w 12 xD4", "w 12 xC4")
    assert MORPHOS.load(other) != MORPHOS.load(GOOD)
