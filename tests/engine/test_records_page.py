"""The page that describes records, held to the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine import GAMES, records
from engine.records import LARGEST, LONGEST, RecordError, read, write
from engine.records.reading import MOST_HEADERS
from engine.records.values import FIXED

PAGE = (Path(__file__).parents[2] / "docs" / "records.md").read_text("utf-8")
EXAMPLES = re.findall(r"```record\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_is_a_record(text: str) -> None:
    assert read(write(read(text))) == read(text)


def test_the_first_examples_are_canonical() -> None:
    assert [write(read(text)) == text for text in EXAMPLES] == [True, True, False]


def test_every_game_has_an_example() -> None:
    assert {read(text).game for text in EXAMPLES} == set(GAMES)


def test_every_header_is_described() -> None:
    table = PAGE.partition("| header |")[2].partition("\n\n")[0]
    named = set(
        re.findall(r"`([A-Z][a-z]+)`", "\n".join(row.split("|")[1] for row in table.splitlines()[2:]))
    )
    sides = {side.capitalize() for game in GAMES.values() for side in game.sides}
    assert named == {*FIXED, *sides}


def test_every_error_is_named() -> None:
    errors = {
        name
        for name in records.__all__
        if isinstance(getattr(records, name), type) and issubclass(getattr(records, name), RecordError)
    }
    assert errors == set(re.findall(r"`(Record\w*Error)`", PAGE))


def test_the_limits_are_given() -> None:
    assert f"{LARGEST // 1024} KiB, {MOST_HEADERS} headers and {LONGEST:,} turns" in PAGE
