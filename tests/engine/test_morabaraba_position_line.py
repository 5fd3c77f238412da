"""Morabaraba: position lines, and the errors for invalid ones."""

from __future__ import annotations

import pytest

from engine import NotationError
from engine.morabaraba import MORABARABA, MORABARABA_VERSIONS

GOOD = "morabaraba 12 w1r/3/r2/w5/3/1r1/w2 r 0,0 w:A4-A1,r:D2-D1,quiet=7"
LINES = [
    GOOD,
    "morabaraba 12 3/3/3/6/3/3/3 w 12,12 -",
    "morabaraba 11 3/3/3/6/3/3/3 w 11,11 -",
    "morabaraba 12 www/www/www/www3/3/rrr/rrr r 0,6 -",
    "morabaraba 12 w1r/3/r2/w5/3/1r1/w2 r 0,0 w:A4-A1",
    "morabaraba 12 w1r/3/r2/w5/3/1r1/w2 r 0,0 r:D2-D1",
    "morabaraba 12 w1r/3/r2/w5/3/1r1/w2 w 0,0 quiet=20",
    "morabaraba 12 3/3/3/6/3/3/3 w 0,0 -",
]
MOVING = GOOD.replace("w1r", "w1w").replace("quiet=7", "quiet=57")
"""Four men against two: such turns are counted only from version 2 of the rules on."""

QUIET_LINES = [
    MOVING,
    "morabaraba 12 www/www/3/6/3/rrr/rrr r 0,0 quiet=1",
    "morabaraba 12 www/www/3/6/3/rrr/rrr r 0,0 quiet=100",
    "morabaraba 12 www/www/3/6/3/rrr/rrr r 0,2 quiet=1",
]
BROKEN: list[tuple[str, str, dict[str, object]]] = [
    (GOOD.replace(" 12 ", " 9 "), "morabaraba.line_men", {"found": "9"}),
    (GOOD.replace(" r ", " b "), "line.invalid_side", {"first": "w", "second": "r", "found": "b"}),
    (GOOD.replace("0,0", "0"), "morabaraba.line_hands", {"found": "0"}),
    (GOOD.replace("0,0", "00,0"), "morabaraba.line_hands", {"found": "00,0"}),
    (GOOD.replace("0,0", "-1,0"), "morabaraba.line_hands", {"found": "-1,0"}),
    (
        GOOD.replace("0,0", "10,0"),
        "morabaraba.line_too_many",
        {"side": "side.white", "board": 3, "hand": 10, "men": 12},
    ),
    (
        GOOD.replace("0,0", "0,9").replace(" 12 ", " 11 "),
        "morabaraba.line_too_many",
        {"side": "side.red", "board": 3, "hand": 9, "men": 11},
    ),
    (GOOD.replace("0,0", "1,0"), "morabaraba.line_quiet", {"side": "side.white"}),
    (
        GOOD.replace("=7", "=21"),
        "morabaraba.line_extra",
        {"found": "w:A4-A1,r:D2-D1,quiet=21", "most": 20},
    ),
]
BROKEN_VERSION_1: list[tuple[str, str, dict[str, object]]] = [
    (GOOD.replace("w1r", "w1w"), "morabaraba.line_quiet_before_three", {}),
    (GOOD.replace("0,0", "0,1"), "morabaraba.line_quiet_before_three", {}),
    (MOVING, "morabaraba.line_extra", {"found": "w:A4-A1,r:D2-D1,quiet=57", "most": 20}),
]
EXTRAS = [
    *("r:D2-D1,w:A4-A1", "w:A4-A1,w:A4-A7", "quiet=0", "quiet=101", "quiet=7,quiet=7", "quiet=", "-,-"),
    *("quiet=1000", "w:A4-B1", "w:D4-A1", "w:A4-A4", "r:D2-D2", "b:A4-A1", "w:a4-a1", "quiet=7,w:A4-A1"),
]
ROWS = [
    ("3/3/3/6/3/3", "A position here has 7 rows, separated by /; this one has 6."),
    ("3/3/3/5/3/3/3", "Row 4 must be 6 cells wide, not 5."),
    ("3/3/3/6/3/3/2b", "Row 1 holds b; only w, r and numbers of empty cells may stand there."),
]


@pytest.mark.parametrize(
    ("line", "version"),
    [(line, version) for line in LINES for version in MORABARABA_VERSIONS]
    + [(line, 2) for line in QUIET_LINES],
)
def test_a_loaded_line_is_written_unchanged(line: str, version: int) -> None:
    game = MORABARABA_VERSIONS[version]
    position = game.load(line)
    assert str(position) == line
    assert position == game.load(line)
    assert position.game is game


@pytest.mark.parametrize(
    ("version", "line", "key", "values"),
    [(2, *broken) for broken in BROKEN] + [(1, *broken) for broken in BROKEN_VERSION_1],
)
def test_an_invalid_line_is_refused_with_the_reason(
    version: int, line: str, key: str, values: dict[str, object]
) -> None:
    with pytest.raises(NotationError) as caught:
        MORABARABA_VERSIONS[version].load(line)
    error = caught.value
    assert (error.key, error.values, error.text) == (key, values, line)


@pytest.mark.parametrize(("ranks", "reason"), ROWS)
def test_invalid_rows_are_refused_with_the_reason(ranks: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        MORABARABA.load(f"morabaraba 12 {ranks} w 6,6 -")
    assert caught.value.reason == reason


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_invalid_last_field_is_refused_with_the_reason(extra: str) -> None:
    line = GOOD.replace("w:A4-A1,r:D2-D1,quiet=7", extra)
    with pytest.raises(NotationError) as caught:
        MORABARABA.load(line)
    assert (caught.value.key, caught.value.values) == ("morabaraba.line_extra", {"found": extra, "most": 100})


@pytest.mark.parametrize(
    "change", [(" r ", " w "), (" 12 ", " 11 "), ("w:A4-A1,", ""), ("D2-D1", "D2-D3"), ("=7", "=8")]
)
def test_positions_that_differ_in_one_field_differ(change: tuple[str, str]) -> None:
    assert MORABARABA.load(GOOD.replace(*change)) != MORABARABA.load(GOOD)
