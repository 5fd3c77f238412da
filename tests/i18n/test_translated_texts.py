"""Every translated text fits its English one and the limits of Discord."""

from __future__ import annotations

import re
import string
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest

from engine import GAMES
from i18n import Texts
from i18n.__main__ import PACKAGE, read_english
from i18n.formatting import format_turn
from i18n.translations import compare, list_languages, load_folder, read_sources
from i18n.writing import COMMAND, TAG
from lessons.content import Lessons
from rules.content import RuleBooks
from tests.text_limits import MAX_CHOICE_LENGTH, MAX_PAGE_LENGTH, MAX_TASK_TEXT_LENGTH, limit_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from i18n.translations import Template

LANGUAGES = list_languages()
MAX_NAME_LENGTH = 32  # Discord's, for names of commands and options
COMMAND_NAME = re.compile(r"command\.[\w-]+\.(\w+\.)?name|option\.\w+\.name")
# A plural form for a single number may say it in words.
OPTIONAL = {"count"}
IS_DOCUMENT = re.compile(r"(rules|lessons)\..*")
CELL = re.compile(r"(?<![A-Za-z])x?([A-S]\d{1,2})(?!\d)")
NUMBER = re.compile(r"(?<![A-Za-z\d])\d+")
CODE = re.compile(r"`([^`]+)`")
BOLD = re.compile(r"\*\*(?P<inside>.+?)\*\*")
SPACE_OR_MARK = re.compile(r"[^\w*]|$")
PAGE_TITLE = re.compile(r"rules\.(?P<book>.+)\.pages\.[\w-]+\.title")
COMMAND_OR_OPTION = re.compile(r"(?P<command>command)\.[a-z]+\.name|option\.\w+\.name")  # no subcommands
BUTTONS = ("button.pick", "button.move")


@cache
def english_texts() -> dict[str, Template]:
    return {key: text for texts in read_english().values() for key, text in texts.items()}


@cache
def texts_of(language: str) -> dict[str, Template]:
    """Return the texts of a language that readers see, by key; English is a language too."""
    if language == "en":
        return english_texts()
    folder = PACKAGE / language
    return dict(compare(english_texts(), load_folder(folder), read_sources(folder)).current)


def forms(text: Template) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def named_forms(text: Template) -> dict[str, str]:
    """Return the plural forms of a text by name; one without them is the same for every number."""
    return {"other": text} if isinstance(text, str) else dict(text)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(COMMAND.sub("", text)) if name}


def limited_texts(language: str) -> Iterator[tuple[str, str, int]]:
    for key, text in texts_of(language).items():
        if limit := limit_of(key):
            yield from ((key, form, limit) for form in forms(text))


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_translated_text_has_the_placeholders_of_the_english_one(language: str) -> None:
    wrong = {}
    for key, text in texts_of(language).items():
        optional = set() if isinstance(text, str) else OPTIONAL
        for name, form in named_forms(text).items():
            original = named_forms(english_texts()[key])
            wanted = fields(original.get(name, original["other"]))
            if not wanted - optional <= fields(form) <= wanted | optional:
                wrong[key] = form
    assert wrong == {}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_translated_text_has_the_tags_and_commands_of_the_english_one(language: str) -> None:
    wrong = {}
    for key, text in texts_of(language).items():
        wanted = forms(english_texts()[key])[-1]
        for form in forms(text):
            for pattern in (TAG, COMMAND):
                found = Counter(match[0] for match in pattern.finditer(form))
                if found != Counter(match[0] for match in pattern.finditer(wanted)):
                    wrong[key] = form
    assert wrong == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_commands_and_options_are_such_as_discord_accepts(language: str) -> None:
    names = {key: text for key, text in texts_of(language).items() if COMMAND_NAME.fullmatch(key)}
    wrong = {
        key: name
        for key, name in names.items()
        if not isinstance(name, str)
        or not re.fullmatch(rf"[-\w]{{1,{MAX_NAME_LENGTH}}}", name)
        or name != name.lower()
    }
    assert wrong == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_commands_and_of_the_options_of_one_are_unique(language: str) -> None:
    names: dict[str, list[str]] = {}
    for key, name in texts_of(language).items():
        if COMMAND_NAME.fullmatch(key):
            # The options of the games are options of the command that challenges.
            command, *option, _ = key.replace("option.", "command.challenge.").split(".")[1:]
            group = command.partition("_")[0] if "_" in command else ""  # of a subcommand
            names.setdefault(command if option else group, []).append(str(name))
    assert {of: found for of, found in names.items() if len(set(found)) < len(found)} == {}
    assert len(names["challenge"]) > len(names["move"]) > 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_descriptions_buttons_and_labels_fit_in_discord(language: str) -> None:
    limited = list(limited_texts(language))
    assert [(key, text) for key, text, limit in limited if len(text) > limit] == []
    assert language != "en" or len(limited) > 150


def documents(language: str) -> Iterator[tuple[str, str, str]]:
    """Yield each text of the rule books and lessons: its key, the English one and the translated one."""
    for key, text in texts_of(language).items():
        if IS_DOCUMENT.fullmatch(key):
            yield key, str(english_texts()[key]), str(text)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_rules_and_lessons_keep_cells_numbers_and_moves(language: str) -> None:
    wrong = {}
    for key, original, text in documents(language):
        moves = [
            Counter(code for code in CODE.findall(one) if CELL.search(code) and code[0] != "/")
            for one in (original, text)
        ]
        numbers = [set(NUMBER.findall(CELL.sub("", one))) for one in (original, text)]
        if (
            set(CELL.findall(original)) != set(CELL.findall(text))
            or moves[0] != moves[1]
            # What English says in words may be said in digits.
            or not numbers[0] <= numbers[1]
        ):
            wrong[key] = text
    assert wrong == {}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_rules_keep_their_lists_and_paragraphs(language: str) -> None:
    marks = ("\n\n", "\n- ")
    assert [
        key
        for key, original, text in documents(language)
        if any(original.count(mark) != text.count(mark) for mark in marks)
    ] == []


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_bold_words_of_rules_are_bold_wherever_markdown_is_read(language: str) -> None:
    """A mark such as a bracket just inside the asterisks, and a letter just outside, prevent bold text."""
    wrong = {}
    for key, _, text in documents(language):
        for found in BOLD.finditer(text):
            inside, before, after = found["inside"], text[: found.start()][-1:], text[found.end() :][:1]
            if (SPACE_OR_MARK.match(inside) and not SPACE_OR_MARK.match(before)) or (
                SPACE_OR_MARK.match(inside[-1]) and not SPACE_OR_MARK.match(after)
            ):
                wrong[key] = found[0]
        if text.count("**") % 2:
            wrong[key] = text
    assert wrong == {}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_rules_name_pages_commands_options_and_buttons_in_their_language(language: str) -> None:
    english, texts = english_texts(), texts_of(language)
    names, titles = dict[str, str](), list[tuple[str, str, str]]()
    for key, text in texts.items():
        if title := PAGE_TITLE.fullmatch(key):
            titles.append((f"rules.{title['book']}.", f"*{english[key]}*", f"*{text}*"))
        if name := COMMAND_OR_OPTION.fullmatch(key):
            slash, ends = ("/", "` ") if name["command"] else ("", "`")
            names |= {f"`{slash}{english[key]}{end}": f"`{slash}{text}{end}" for end in ends}
    names |= {f"**{english[key]}**": f"**{texts[key]}**" for key in BUTTONS if key in texts}
    named, wrong = set[str](), {}
    for key, original, text in documents(language):
        pairs = [*names.items(), *(pair for book, *pair in titles if key.startswith(book))]
        for said, wanted in pairs:
            if key.startswith("rules.") and re.search(rf"(?<!\*){re.escape(said)}(?!\*)", original):
                named.add(said)
                if wanted not in text:
                    wrong[key] = wanted
    assert wrong == {}
    assert len(named) > 5 or not any(key.startswith("rules.") for key, *_ in documents(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_and_lessons_fit_in_discord(language: str) -> None:
    books, lessons = RuleBooks.load(language=language), Lessons.load(language=language)
    pages = [page for book in books for page in book.pages]
    tasks = [task for lesson in lessons for task in lesson.tasks]
    labels = [one.title for one in (*books, *pages, *tasks)] + [book.note for book in books]
    assert [label for label in labels if len(label) > MAX_CHOICE_LENGTH] == []
    long = [page.key for page in pages if len(page.text) + len(page.example.caption) > MAX_PAGE_LENGTH]
    texts = [text for task in tasks for text in (task.text, task.hint, task.success, task.failure)]
    texts += [mistake.text for task in tasks for mistake in task.mistakes]
    assert (long, [text for text in texts if len(text) > MAX_TASK_TEXT_LENGTH]) == ([], [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_bold_parts_of_a_verdict_do_not_touch(language: str) -> None:
    """Discord shows the signs between two bold parts without a space."""
    texts = texts_of(language)
    verdicts = [str(texts[f"mistakes.{key}"]) for key in ("good", "own_turn", "loses", "other")]
    said = [
        str(texts[f"learn.{key}"]).replace("{text}", one) for key in ("right", "wrong") for one in verdicts
    ]
    assert not [one for one in said if "</b><b>" in one]


@pytest.mark.parametrize("language", LANGUAGES)
def test_cells_of_one_event_are_joined_in_another_way_than_events(language: str) -> None:
    position = GAMES["morabaraba"].load("morabaraba 12 3/3/1ww/2w3/3/rrr/3 w 0,0 -")
    events = position.events(position.parse("C4-C5xB2"))
    assert position.to_move is not None
    texts = Texts.load(language=language)
    told = format_turn(texts, position.vocabulary, position.to_move, events)
    between = re.search(r"C5(.+?)D5(.+?)E5", told)
    assert between is not None, told
    assert texts("list.comma", before="", item="") != between[2], told


@pytest.mark.parametrize("language", LANGUAGES)
def test_cells_of_a_mill_are_not_listed_right_after_the_move(language: str) -> None:
    position = GAMES["morabaraba"].load("morabaraba 12 3/3/1ww/2w3/3/rrr/3 w 0,0 -")
    events = position.events(position.parse("C4-C5xB2"))
    assert position.to_move is not None
    told = format_turn(Texts.load(language=language), position.vocabulary, position.to_move, events)
    assert re.search(r"C4-C5\W*C5", told) is None, told
