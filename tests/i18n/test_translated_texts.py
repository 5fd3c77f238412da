"""Every translated text fits its English one and the limits of Discord."""

from __future__ import annotations

import re
import string
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest

from bot.ui.buttons import MAX_LABEL_LENGTH as MAX_BUTTON_LENGTH
from bot.ui.commands import MAX_DESCRIPTION_LENGTH
from bot.ui.modals import MAX_LABEL_LENGTH
from i18n.__main__ import PACKAGE, read_english
from i18n.translations import compare, list_languages, load_folder, read_sources
from i18n.writing import COMMAND, TAG

if TYPE_CHECKING:
    from collections.abc import Iterator

    from i18n.translations import Template

LANGUAGES = list_languages()
MAX_NAME_LENGTH = 32  # Discord's, for names of commands and options
COMMAND_NAME = re.compile(r"command\.[\w-]+\.(\w+\.)?name|option\.\w+\.name")
DESCRIPTION = re.compile(r"command\.[\w-]+\.(\w+\.)?about")
LIMITED = (
    (re.compile(r"button\.\w+"), MAX_BUTTON_LENGTH),
    (re.compile(r"offer\.\w+\.(accept|decline)"), MAX_BUTTON_LENGTH),
    (re.compile(r"\w+\.(modal_title|modal_label)|mydata\.confirm\.\w+|note\.label"), MAX_LABEL_LENGTH),
    (re.compile(r"(preferences|server)\.\w+_(title|label)"), MAX_LABEL_LENGTH),
)
# A plural form for a single number may say it in words.
OPTIONAL = {"count"}


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


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(COMMAND.sub("", text)) if name}


def limited_texts(language: str) -> Iterator[tuple[str, str, int]]:
    for key, text in texts_of(language).items():
        limits = [limit for pattern, limit in LIMITED if pattern.fullmatch(key)]
        limits += [MAX_DESCRIPTION_LENGTH] if DESCRIPTION.fullmatch(key) else []
        yield from ((key, form, limit) for form in forms(text) for limit in limits)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_translated_text_has_the_placeholders_of_the_english_one(language: str) -> None:
    wrong = {}
    for key, text in texts_of(language).items():
        original = english_texts()[key]
        wanted = set().union(*map(fields, forms(original)))
        optional = set() if isinstance(text, str) else OPTIONAL
        for form in forms(text):
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
            names.setdefault(command if option else "", []).append(str(name))
    assert {of: found for of, found in names.items() if len(set(found)) < len(found)} == {}
    assert len(names["challenge"]) > len(names["move"]) > 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_descriptions_buttons_and_labels_fit_in_discord(language: str) -> None:
    limited = list(limited_texts(language))
    assert [(key, text) for key, text, limit in limited if len(text) > limit] == []
    assert language != "en" or len(limited) > 150
