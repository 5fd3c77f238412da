"""Another language: its plural forms, what it lacks, what is stale, and PO files for translators."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from i18n.__main__ import main, read_english, read_translation, write_translation
from i18n.catalogue import Texts
from i18n.documents import list_texts, with_texts
from i18n.plurals import PLURAL_FORMS, plural_forms, plural_rule
from i18n.po import PoUnreadable, export_po, import_po
from i18n.translations import SOURCES, choose_language, compare, digest, list_languages, load_folder
from lessons.content import list_lesson_texts
from rules.content import list_rule_texts

if TYPE_CHECKING:
    from pathlib import Path

    from i18n.translations import Template

NUMBERS = (0, 1, 2, 5, 21)
FORMS = {
    "en": ("other", "one", "other", "other", "other"),
    "de": ("other", "one", "other", "other", "other"),
    "ja": ("other",) * 5,
    "pl": ("many", "one", "few", "many", "many"),
    "ru": ("many", "one", "few", "many", "one"),
    "ar": ("zero", "one", "two", "few", "many"),
}
ENGLISH: dict[str, Template] = {
    "turn.yours": "It is your turn, {name}.",
    "turn.left": {"one": "{count} turn left", "other": "{count} turns left"},
    "button.move": "Move",
}
POLISH: dict[str, Template] = {
    "turn.yours": "{name}, twój ruch.",
    "turn.left": {
        "one": "one {count}",
        "few": "few {count}",
        "many": "many {count}",
        "other": "many {count}",
    },
}
SOURCES_OF_POLISH = {key: digest(ENGLISH[key]) for key in POLISH}


def make_texts(english: dict[str, Template]) -> Texts:
    current = compare(english, POLISH, SOURCES_OF_POLISH).current
    return Texts(current, plural_rule("pl"), language="pl", english=Texts(english))


@pytest.mark.parametrize("language", FORMS)
def test_plural_forms_of_numbers(language: str) -> None:
    assert tuple(map(plural_rule(language), NUMBERS)) == FORMS[language]
    assert set(FORMS[language]) <= set(plural_forms(language)) <= set(PLURAL_FORMS)


def test_a_language_that_nobody_has_is_refused() -> None:
    with pytest.raises(KeyError):
        plural_rule("xx")


def test_numbers_choose_the_form_of_the_language() -> None:
    texts = make_texts(ENGLISH)
    assert [texts("turn.left", count=count) for count in NUMBERS] == [
        "many 0",
        "one 1",
        "few 2",
        "many 5",
        "many 21",
    ]


def test_what_is_not_translated_is_english_with_the_plurals_of_english() -> None:
    english = {**ENGLISH, "turn.right": {"one": "{count} turn right", "other": "{count} turns right"}}
    texts = make_texts(english)
    assert texts("button.move") == "Move"
    assert [texts("turn.right", count=count) for count in (1, 2)] == ["1 turn right", "2 turns right"]
    assert texts.has("button.move")
    assert not texts.has("button.jump")


def test_a_text_is_english_again_once_its_english_changes() -> None:
    texts = make_texts({**ENGLISH, "turn.yours": "Your turn, {name}!"})
    assert texts("turn.yours", name="Ann") == "Your turn, Ann!"
    assert make_texts(ENGLISH)("turn.yours", name="Ann") == "Ann, twój ruch."


def test_a_text_of_the_game_in_english_is_preferred_to_a_common_translated_one() -> None:
    english = {**ENGLISH, "vocabulary.morelli.throne.turn.yours": "To move: {name}."}
    assert make_texts(english).for_game("morelli.throne", "turn.yours", name="Ann") == "To move: Ann."


def test_the_first_language_that_exists_is_chosen() -> None:
    assert choose_language("xx", "en-GB") == "en"
    assert choose_language() == "en"
    assert list_languages()[0] == "en"
    assert all(choose_language(f"{one}_XX") == one for one in list_languages())


def test_translations_survive_export_and_import(tmp_path: Path) -> None:
    write_translation(tmp_path / "pl", {"match.toml": ENGLISH}, POLISH)
    exported = export_po("pl", ENGLISH, read_translation(ENGLISH, tmp_path / "pl"))
    assert import_po("pl", ENGLISH, exported) == POLISH
    before = {file.name: file.read_bytes() for file in (tmp_path / "pl").iterdir()}
    write_translation(tmp_path / "pl", {"match.toml": ENGLISH}, import_po("pl", ENGLISH, exported))
    assert {file.name: file.read_bytes() for file in (tmp_path / "pl").iterdir()} == before


def test_a_key_with_a_sign_is_quoted_in_the_file(tmp_path: Path) -> None:
    english = {"level.club+.name": "club+"}
    write_translation(tmp_path / "pl", {"match.toml": english}, {"level.club+.name": "klub+"})
    assert read_translation(english, tmp_path / "pl").current == {"level.club+.name": "klub+"}


def test_a_stale_text_is_marked_in_the_file_and_not_read_until_the_mark_is_gone(tmp_path: Path) -> None:
    write_translation(tmp_path / "pl", {"match.toml": ENGLISH}, POLISH)
    changed = {**ENGLISH, "turn.yours": "Your turn, {name}!"}
    found = read_translation(changed, tmp_path / "pl")
    assert list(found.stale) == ["turn.yours"]
    exported = export_po("pl", changed, found)
    assert '#, fuzzy, python-brace-format\nmsgctxt "turn.yours"' in exported
    assert list(import_po("pl", changed, exported)) == ["turn.left"]
    looked_at = exported.replace("#, fuzzy,", "#,")
    write_translation(tmp_path / "pl", {"match.toml": changed}, import_po("pl", changed, looked_at))
    assert list(read_translation(changed, tmp_path / "pl").stale) == []


def test_a_file_made_before_the_english_text_changed_does_not_bring_it_back() -> None:
    exported = export_po("pl", ENGLISH, compare(ENGLISH, POLISH, SOURCES_OF_POLISH))
    changed = {**ENGLISH, "turn.yours": "Your turn, {name}!"}
    assert list(import_po("pl", changed, exported)) == ["turn.left"]


def test_a_translated_text_without_english_one_is_left_out() -> None:
    only = {"button.move": ENGLISH["button.move"]}
    found = compare(only, POLISH, SOURCES_OF_POLISH)
    assert not found.current
    assert not found.stale


def test_a_file_that_is_no_po_file_is_refused() -> None:
    with pytest.raises(PoUnreadable):
        import_po("pl", ENGLISH, 'msgid "a\nmsgstr')


@pytest.mark.long
def test_every_english_text_is_exported_with_its_key(capsys: pytest.CaptureFixture[str]) -> None:
    english = [key for texts in read_english().values() for key in texts]
    assert main(["export", "ja"]) == 0
    exported = capsys.readouterr().out
    assert exported.count("\nmsgctxt ") == len(english)
    assert all(f'"{key}"' in exported for key in english)


@pytest.mark.parametrize("language", list_languages()[1:])
def test_a_language_has_exactly_the_plural_forms_that_its_numbers_need(language: str) -> None:
    folder = files("i18n").joinpath(language)
    forms = {key: set(text) for key, text in load_folder(folder).items() if not isinstance(text, str)}
    wanted = set(plural_forms(language)) | {"other"}
    assert {key: found for key, found in forms.items() if found != wanted} == {}
    assert folder.joinpath(SOURCES).is_file()


def test_rule_books_and_lessons_are_read_with_the_texts_of_a_language() -> None:
    page = {"key": "aim", "text": "Join.", "example": {"show": "A1"}}
    book = {"title": "Morphos", "size": 7, "pages": [page]}
    keys = [key for key, _ in list_texts("rules.morphos", book)]
    assert keys == ["rules.morphos.title", "rules.morphos.pages.aim.text"]
    changed = with_texts("rules.morphos", book, {keys[1]: "Verbinde."})
    assert changed == {**book, "pages": [{**page, "text": "Verbinde."}]}


def test_keys_of_documents_are_unique() -> None:
    texts = [*list_rule_texts(), *list_lesson_texts()]
    assert len(dict(texts)) == len(texts)
