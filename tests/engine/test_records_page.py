"""docs/records.md agrees with the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine import GAMES, records
from engine.records import MAX_RECORD_BYTES, MAX_RECORD_TURNS, RecordError, format_record, parse_record
from engine.records.parsing import MAX_HEADERS
from engine.records.record import KNOWN_HEADERS

PAGE = (Path(__file__).parents[2] / "docs" / "records.md").read_text("utf-8")
EXAMPLES = re.findall(r"```record\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_is_a_record(text: str) -> None:
    assert parse_record(format_record(parse_record(text))) == parse_record(text)


def test_the_first_examples_are_canonical() -> None:
    assert [format_record(parse_record(text)) == text for text in EXAMPLES] == [True, True, False]


def test_every_game_has_an_example() -> None:
    assert {parse_record(text).game for text in EXAMPLES} == set(GAMES)


def test_every_header_is_documented() -> None:
    table = PAGE.partition("| header |")[2].partition("\n\n")[0]
    named = set(re.findall(r"`([A-Z][A-Za-z]+)`", table))
    sides = {side.capitalize() for game in GAMES.values() for side in game.sides}
    assert named == {*KNOWN_HEADERS, *sides}


def test_every_error_is_documented() -> None:
    errors = {
        name
        for name in records.__all__
        if isinstance(getattr(records, name), type) and issubclass(getattr(records, name), RecordError)
    }
    assert errors == set(re.findall(r"`(Record\w*Error)`", PAGE))


def test_the_limits_are_documented() -> None:
    assert f"{MAX_RECORD_BYTES // 1024} KiB, {MAX_HEADERS} headers and {MAX_RECORD_TURNS:,} turns" in PAGE
