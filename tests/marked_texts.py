"""A pseudo language: English texts in brackets, twice as long, with accents in what is added.

A text such as ``Your turn, {name}`` becomes ``⟦Your turn, {name}¦Ŷöûŕ ťûŕñ,⟧``. What is shown outside of
brackets is not from the catalogue, a bracket without its other half was cut off, and two texts on one line
were joined by code. :mod:`tests.marks` finds that, and restores the English, so that tests of it can go on.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from i18n.catalogue import Texts, load_engine_sentences
from i18n.plurals import ENGLISH
from i18n.readers import ByLanguage, ReaderTexts
from i18n.writing import COMMAND, TAG
from lessons.content import Lesson, Lessons, Task, default_lessons
from rules.content import RuleBook, RuleBooks, RulePage
from tests.marks import END, MARKS, MIDDLE, START, WITHOUT_ROOM
from tests.text_limits import MAX_CHOICE_LENGTH, MAX_PAGE_LENGTH, MAX_TASK_TEXT_LENGTH, limit_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from i18n.translations import Template


ACCENTS = str.maketrans("acdeghijklnorstuwyzACDEGHIJKLNORSTUWYZ", "äćďéĝĥîĵķļñöŕšťûŵŷžÄĆĎÉĜĤÎĴĶĻÑÖŔŠŤÛŴŶŽ")
# What people type, or Discord reads as a name; it has no room for marks.
PLAIN_KEYS = re.compile(
    r"(mail_command|mail_word|answer_word)\..+|menu\.(challenge|profile|board)|language\.\w+"
    r"|(command|option)\.(.+\.)?name"
    r"|(vocabulary\.\w+\.)?(pick\.\w+\.picture|choice\.hidden)|mydata\.confirm\.\w*word"
)
VALUE_ROOM = 24  # characters that a value adds to a text with a limit
LIST_NUMBER = re.compile(r"(?:\{indent\})?\{number\}\. ")  # Discord reads it at the begin of a line
FIELD = re.compile(r"\{[^{}]*\}")
MARKDOWN = re.compile(r"\*+|`|<[^<>]*>")
LIST_ITEM = re.compile(r"((?:- |\d+\. )?)(.*)", re.DOTALL)
BLOCK_END = re.compile(r"(\n\n+|\n(?=- |\d+\. ))")


def mark(key: str, template: Template) -> Template:
    """Return a text with its marks, and of twice the length as far as the limit of Discord allows."""
    if PLAIN_KEYS.fullmatch(key):
        return template
    if not isinstance(template, str):
        return {form: _mark(text, limit_of(key)) for form, text in template.items()}
    return _mark(template, limit_of(key))


def mark_markdown(text: str, limit: int) -> str:
    """Return a text of several paragraphs and lists with marks around each of them."""
    parts = BLOCK_END.split(text)
    room = limit - len(text)
    for number in range(0, len(parts), 2):
        found = LIST_ITEM.fullmatch(parts[number])
        if found is not None and found[2].strip():
            marked = _mark(found[2], len(found[2]) + max(room, len(MARKS)))
            room -= len(marked) - len(found[2])
            parts[number] = f"{found[1]}{marked}"
    return "".join(parts)


def _mark(text: str, limit: int) -> str:
    added = MARKDOWN.sub("", FIELD.sub("", TAG.sub("", COMMAND.sub("", text)))).translate(ACCENTS)
    added = " ".join(added.split())
    if limit:
        room = limit - len(text) - len(MARKS) - VALUE_ROOM * text.count("{")
        if room < 0 and "{" not in text:
            WITHOUT_ROOM.add(text)
            return text
        added = added[: max(0, room)]
    number = LIST_NUMBER.match(text)
    begin = number[0] if number is not None else ""
    return f"{begin}{START}{text.removeprefix(begin)}{MIDDLE}{added}{END}"


def load(*folders: Traversable) -> ReaderTexts:
    """Return the texts of all languages, with marks in English."""

    def load_language(language: str) -> Texts:
        loaded = Texts.load(*folders, language=language)
        if language != ENGLISH:
            return loaded
        english = {**loaded.templates, **load_engine_sentences()}
        return Texts({key: mark(key, template) for key, template in english.items()})

    return ReaderTexts(ByLanguage(load_language))


def load_rule_books(*folders: Traversable) -> RuleBooks:
    """Return the English rule books with marks."""
    return RuleBooks(tuple(map(_mark_book, RuleBooks.load(*folders))))


def _mark_book(book: RuleBook) -> RuleBook:
    pages = tuple(map(_mark_page, book.pages))
    return replace(book, title=_mark(book.title, 0), note=_mark(book.note, MAX_CHOICE_LENGTH), pages=pages)


def _mark_page(page: RulePage) -> RulePage:
    caption = _mark(page.example.caption, 0)
    text = mark_markdown(page.text, MAX_PAGE_LENGTH - len(caption))
    return replace(
        page,
        title=_mark(page.title, MAX_CHOICE_LENGTH),
        text=text,
        example=replace(page.example, caption=caption),
    )


def load_lessons() -> Lessons:
    """Return the English lessons with marks."""
    return Lessons(tuple(map(_mark_lesson, Lessons.load())))


def _mark_lesson(lesson: Lesson) -> Lesson:
    tasks = tuple(map(_mark_task, lesson.tasks))
    return replace(
        lesson, about=_mark(lesson.about, MAX_CHOICE_LENGTH), end=_mark(lesson.end, 0), tasks=tasks
    )


def _mark_task(task: Task) -> Task:
    texts: dict[str, Any] = {
        name: _mark(getattr(task, name), MAX_TASK_TEXT_LENGTH)
        for name in ("text", "hint", "success", "failure")
    }
    mistakes = tuple(replace(one, text=_mark(one.text, MAX_TASK_TEXT_LENGTH)) for one in task.mistakes)
    return replace(task, title=_mark(task.title, MAX_CHOICE_LENGTH), mistakes=mistakes, **texts)


def replace_lessons() -> None:
    """Let the English lessons of this process have marks; no front end takes others."""
    lessons = default_lessons()
    lessons._by_language = ByLanguage(  # type: ignore[attr-defined]
        lambda language: load_lessons() if language == ENGLISH else Lessons.load(language=language)
    )
