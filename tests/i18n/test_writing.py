"""Texts are written in plain words, in Discord's markdown and in HTML, whatever their values contain."""

import re
import string
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.ui.markdown import DISCORD
from i18n import Texts
from i18n.translations import list_languages
from i18n.writing import PLAIN, Code, Mention, Moment, MomentStyle, Url, Writer
from matches import LEVELS, Person
from matches.computer.accounts import computer_account, computer_name
from tests.discord_markdown import parse
from web.pages.pages import HTML

TEXTS = Texts.load()
WRITERS = {"plain": PLAIN, "discord": DISCORD, "html": HTML}
FOREIGN = re.compile(r"\*\*|__|`|<[@#t]\d|<t:|</[\w-]+:|\]\(|^#+ |^-# ", re.MULTILINE)
TAG = re.compile(r"</?\w[^>]*>")
AT = datetime(2026, 11, 3, 18, 5, tzinfo=UTC)
STAMP = int(AT.timestamp())
SENTENCES = {
    "test.bold": "<b>{name}</b> *won* in {url}",
    "test.link": "See <a {url}>the <b>board</b></a>",
    "test.command": "Use {/give-time}, or <code>match</code>",
    "test.small": "<h>{name}</h>\n<small>{name}</small>",
    "test.value": "{value}",
    "test.numbered": "{number}. {value}",
}


def forms(key: str) -> list[str]:
    template = TEXTS.templates[key]
    return [template] if isinstance(template, str) else list(template.values())


def test_no_text_has_markup_of_a_front_end() -> None:
    assert [key for key in TEXTS.templates for form in forms(key) if FOREIGN.search(form)] == []


def test_tags_are_closed() -> None:
    for form in (form for key in TEXTS.templates for form in forms(key)):
        opened: list[str] = []
        for tag in TAG.findall(form):
            name = tag.strip("</>").split()[0]
            if tag.startswith("</"):
                assert opened.pop() == name, form
            else:
                opened.append(name)
        assert opened == [], form


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
def test_every_writer_writes_every_text(writer: Writer) -> None:
    texts = TEXTS.with_writer(writer)
    for key in TEXTS.templates:
        fields = [name for form in forms(key) for _, name, _, _ in string.Formatter().parse(form)]
        names = {name for name in fields if name and name[0] != "/"} - {"count"}
        for count in (1, 2):
            text = texts(key, **dict.fromkeys(names, Person("test:1", "X")), count=count)
            assert isinstance(text, writer.written), key
            assert not re.search(r"\{.*\}", text), key
            assert writer is HTML or not TAG.search(text), key


@pytest.mark.parametrize(
    ("key", "values", "plain", "discord", "html"),
    [
        (
            "bold",
            {"name": Person("test:1", "*A_b*"), "url": Url("https://a.test/_b_?c&d")},
            "*A_b* *won* in https://a.test/_b_?c&d",
            r"**\*A\_b\*** \*won\* in https://a.test/_b_?c&d",
            "<strong>*A_b*</strong> *won* in https://a.test/_b_?c&amp;d",
        ),
        (
            "link",
            {"url": Url("https://a.test")},
            "See the board",
            "See [the **board**](https://a.test)",
            'See <a href="https://a.test">the <strong>board</strong></a>',
        ),
        (
            "command",
            {},
            "Use /give-time, or “match”",
            "Use /give-time, or `match`",
            "Use /give-time, or <code>match</code>",
        ),
        (
            "small",
            {"name": "a<b"},
            "a<b\na<b",
            "## a\\<b\n-# a\\<b",
            "<strong>a&lt;b</strong>\n<small>a&lt;b</small>",
        ),
        ("value", {"value": Mention("discord:7", "Ann")}, "Ann", "<@7>", "Ann"),
        ("value", {"value": Mention("mail:7", "<i>_")}, "<i>_", r"\<i\>\_", "&lt;i&gt;_"),
        (
            "value",
            {"value": Moment(AT)},
            "3 November 2026, 18:05 UTC",
            f"<t:{STAMP}:f>",
            '<time datetime="2026-11-03T18:05:00+00:00" data-style="full">3 November 2026, 18:05 UTC</time>',
        ),
        (
            "value",
            {"value": Moment(AT, MomentStyle.DATE)},
            "3 November 2026",
            f"<t:{STAMP}:D>",
            '<time datetime="2026-11-03T18:05:00+00:00" data-style="date">3 November 2026</time>',
        ),
        (
            "value",
            {"value": Moment(AT, MomentStyle.RELATIVE, AT - timedelta(days=2, hours=3, minutes=4))},
            "in 2 days",
            f"<t:{STAMP}:R>",
            '<time datetime="2026-11-03T18:05:00+00:00" data-style="relative">in 2 days</time>',
        ),
        (
            "value",
            {"value": Moment(AT, MomentStyle.RELATIVE, AT + timedelta(hours=1, seconds=5))},
            "1 hour ago",
            f"<t:{STAMP}:R>",
            '<time datetime="2026-11-03T18:05:00+00:00" data-style="relative">1 hour ago</time>',
        ),
        (
            "value",
            {"value": Moment(AT, MomentStyle.RELATIVE, AT)},
            "in 1 minute",
            f"<t:{STAMP}:R>",
            '<time datetime="2026-11-03T18:05:00+00:00" data-style="relative">in 1 minute</time>',
        ),
        (
            "value",
            {"value": Moment(AT, MomentStyle.RELATIVE)},
            "3 November 2026, 18:05 UTC",
            f"<t:{STAMP}:R>",
            '<time datetime="2026-11-03T18:05:00+00:00" data-style="full">3 November 2026, 18:05 UTC</time>',
        ),
        ("value", {"value": Code("a`*<b")}, "a`*<b", "`a'*<b`", "<code>a`*&lt;b</code>"),
        ("value", {"value": "</move:1> <@1>"}, "</move:1> <@1>", None, "&lt;/move:1&gt; &lt;@1&gt;"),
        ("numbered", {"number": 1, "value": 2}, "1. 2", r"1\. 2", "1. 2"),
    ],
)
def test_values_are_written_in_each_dialect(
    key: str, values: dict[str, Any], plain: str, discord: str | None, html: str
) -> None:
    texts = Texts(dict(TEXTS.templates) | SENTENCES)
    key = f"test.{key}"
    assert texts(key, **values) == plain
    assert texts.with_writer(HTML)(key, **values) == html
    written = texts.with_writer(DISCORD)(key, **values)
    if discord is None:  # nothing but text
        assert parse(written) == (plain,)
    else:
        assert written == discord


def test_what_is_written_is_not_escaped_again() -> None:
    for writer in WRITERS.values():
        texts = Texts(SENTENCES, writer=writer)
        once = texts("test.value", value="<b>*_&")
        assert texts("test.value", value=once) == once == texts.join([once])


def test_text_of_another_front_end_is_escaped() -> None:
    discord, html = Texts(SENTENCES, writer=DISCORD), Texts(SENTENCES, writer=HTML)
    assert html("test.value", value=discord("test.value", value="<b>")) == r"\&lt;b\&gt;"
    assert discord("test.value", value=html("test.value", value="_")) == r"\_"


def test_names_from_right_to_left_are_isolated() -> None:
    for writer in WRITERS.values():
        assert Texts(SENTENCES, writer=writer)("test.value", value=Person("a", "אב")) == "\u2068אב\u2069"


def test_markup_of_lessons_names_commands_and_keeps_braces() -> None:
    shown = TEXTS.with_writer(DISCORD).write_markup("Play with {/move}, <b>not</b> {so}.")
    assert shown == "Play with /move, **not** {so}."


@pytest.mark.parametrize(
    ("language", "shown"),
    [("en", "Rayuela (club)"), ("de", "Rayuela (Verein)"), ("ja", "Rayuela\uff08中級\uff09")],
)
def test_computer_is_shown_with_its_level_in_the_language_of_the_reader(language: str, shown: str) -> None:
    texts = Texts.load(language=language)
    assert texts.write(Person(computer_account("club"), computer_name("club"))) == shown
    assert texts.write(Person("discord:7", computer_name("club"))) == "Rayuela (club)"


@pytest.mark.parametrize("language", list_languages())
def test_level_between_two_others_is_named_after_the_lower_one(language: str) -> None:
    texts = Texts.load(language=language)
    for level in LEVELS[:-1]:
        name, whole = texts(f"level.{level}.name"), texts(f"level.{level.removesuffix('+')}.name")
        assert name == whole + level.removeprefix(level.removesuffix("+"))
