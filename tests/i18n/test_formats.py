"""Dates, lengths of time, lists and numbers in several languages, and names that are not players' own."""

# ruff: noqa: E501, RUF001 - tables of other languages

from __future__ import annotations

import ast
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from i18n import formats
from i18n.catalogue import Texts
from i18n.names import name_of
from matches import Person

ROOT = Path(__file__).parents[2]
AT = datetime(2026, 11, 23, 18, 5, tzinfo=UTC)
# The only texts with times in one form for all languages: what people type, and what operators read.
SAME_EVERYWHERE = {"matches/preferences/quiet_hours.py", "bot/health.py", "render/rating_chart.py"}


@pytest.mark.parametrize(
    ("language", "day", "moment", "zone", "items", "either", "percent"),
    [
        ("en", "23 November 2026", "23 November 2026, 18:05", "Japan Time", "A, B and C", "A, B or C", "53%"),
        ("de", "23. November 2026", "23. November 2026, 18:05", "Japanische Zeit", "A, B und C", "A, B oder C",
         "53\N{NO-BREAK SPACE}%"),
        ("ja", "2026年11月23日", "2026年11月23日 18:05", "日本時間", "A、B、C", "A、B、またはC", "53%"),
        ("pl", "23 listopada 2026", "23 listopada 2026, 18:05", "czas Japonia", "A, B i C", "A, B lub C", "53%"),
    ],
)  # fmt: skip
def test_each_language_has_its_forms(
    language: str, day: str, moment: str, zone: str, items: str, either: str, percent: str
) -> None:
    assert formats.format_date(language, date(2026, 11, 23)) == day
    assert formats.format_date_and_time(language, AT) == moment
    assert formats.format_zone(language, ZoneInfo("Asia/Tokyo")) == zone
    assert formats.format_list(language, "ABC") == items
    assert formats.format_list(language, "ABC", "or") == either
    assert formats.format_percent(language, 0.53) == percent


@pytest.mark.parametrize(
    ("language", "length", "told"),
    [
        ("en", timedelta(days=1, hours=12), "1 day and 12 hours"),
        ("de", timedelta(days=2, hours=1, minutes=21), "2 Tage, 1 Stunde und 21 Minuten"),
        ("ja", timedelta(days=1, hours=12), "1日12時間"),
        ("pl", timedelta(days=5, hours=2), "5 dni i 2 godziny"),
        ("ru", timedelta(days=21), "21 день"),
        ("ar", timedelta(hours=2), "ساعتان"),
        ("en", timedelta(0), "0 minutes"),
    ],
)
def test_a_length_is_told(language: str, length: timedelta, told: str) -> None:
    assert formats.format_length(language, length) == told


@pytest.mark.parametrize(
    ("language", "length", "told"),
    [
        ("en", timedelta(days=2, hours=23), "in 2 days"),
        ("en", timedelta(hours=36), "in 36 hours"),
        ("en", timedelta(days=20), "in 20 days"),
        ("en", -timedelta(hours=1, seconds=5), "1 hour ago"),
        ("en", timedelta(0), "in 1 minute"),
        ("de", -timedelta(days=3), "vor 3 Tagen"),
        ("de", timedelta(minutes=90), "in 90 Minuten"),
        ("ja", timedelta(days=2), "2日後"),
        ("ja", -timedelta(hours=5), "5時間前"),
    ],
)
def test_a_distance_is_told_and_never_rounded_up(language: str, length: timedelta, told: str) -> None:
    assert formats.format_distance(language, length) == told


@pytest.mark.parametrize(
    ("language", "account", "stored", "shown"),
    [
        ("de", "computer:club", "Rayuela (club)", "Rayuela (Verein)"),
        ("ja", "computer:club", "Rayuela (club)", "Rayuela（中級）"),
        ("de", "deleted:1", "Deleted player", "Gelöschter Spieler"),
        ("ja", "discord:1", "Anonymous", "匿名"),
        ("de", "web:1:1", "White", "Weiß"),
        ("de", "web:1", "Guest", "Gast"),
        ("de", "discord:1", "Guest", "Guest"),
        ("en", "computer:club", "Rayuela (club)", "Rayuela (club)"),
    ],
)
def test_readers_read_their_names(language: str, account: str, stored: str, shown: str) -> None:
    assert name_of(Texts.load(language=language), Person(account, stored)) == shown


@pytest.mark.long
def test_no_text_has_a_time_in_the_form_of_one_language() -> None:
    found = set()
    for package in ("i18n", "web", "mail", "push", "bot", "render", "move_builder", "matches"):
        for file in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                is_call = isinstance(node, ast.Attribute) and node.attr == "strftime"
                spec = node.format_spec if isinstance(node, ast.FormattedValue) else None
                if is_call or (spec is not None and "%" in ast.unparse(spec).replace(".0%", "")):
                    found.add(str(file.relative_to(ROOT)))
    assert found == SAME_EVERYWHERE
