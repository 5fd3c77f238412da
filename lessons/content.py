"""Lessons as data: ``en/GAME.toml`` holds the tasks of one game, each a position, a goal and texts."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from i18n.documents import list_texts, with_texts
from i18n.plurals import ENGLISH
from i18n.readers import ByLanguage
from i18n.translations import load_translation
from lessons.goals import Goal, play_turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from importlib.resources.abc import Traversable

    from engine.game import Move, OptionValue, Position


@dataclass(frozen=True, slots=True)
class Mistake:
    """A typical wrong turn, and the sentence that explains it."""

    goal: Goal
    text: str


@dataclass(frozen=True, slots=True)
class Task:
    """One task: a stable `key`, a text that says what to do from `position`, and the `goal`.

    The texts may contain the tags of the catalogue (see :mod:`i18n.writing`). `rule` is the page of the
    rule book that explains more. `solution` is a turn that meets the goal, `wrong` a legal one that does not;
    the tests play both.
    """

    key: str
    title: str
    text: str
    position: str
    goal: Goal
    hint: str
    success: str
    failure: str
    solution: str
    wrong: str
    rule: str
    mistakes: tuple[Mistake, ...] = ()

    def judge(self, start: Position, moves: Sequence[Move]) -> Verdict:
        """Return whether the legal turn `moves` from the task's position `start` solves the task, and why."""
        if self.goal.is_met(start, moves):
            return Verdict(is_solved=True, text=self.success)
        text = next((one.text for one in self.mistakes if one.goal.is_met(start, moves)), self.failure)
        return Verdict(
            is_solved=False, text=text, refutation=self.goal.refutation(play_turn(start, moves)[0])
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a learner is told about a turn. `refutation` is a reply that the turn should have prevented."""

    is_solved: bool
    text: str
    refutation: Move | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """The tasks of one `game`, in order.

    `about` says what the lesson teaches, `end` what comes after it; `options` suit a first match.
    """

    game: str
    about: str
    end: str
    tasks: tuple[Task, ...]
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    def find_index(self, key: str) -> int | None:
        """Return the index of the task with a key, None if there is none."""
        return next((index for index, task in enumerate(self.tasks) if task.key == key), None)


class Lessons:
    """All lessons of one language, in the order of its ``contents.toml``."""

    def __init__(self, lessons: tuple[Lesson, ...]) -> None:
        self._lessons = lessons

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """The lessons in their order."""
        return self._lessons

    @classmethod
    def load(cls, *folders: Traversable, language: str = ENGLISH) -> Lessons:
        """Read every lesson in `language`, and those of further `folders`.

        Raises TypeError or KeyError for a malformed lesson.
        """
        texts = load_translation(language, dict(list_lesson_texts()))
        found: list[Lesson] = []
        for folder in (_english_folder(), *folders):
            found += (_parse_lesson(with_texts(name, table, texts)) for name, table in _read_folder(folder))
        return cls(tuple(found))

    def __iter__(self) -> Iterator[Lesson]:
        return iter(self.lessons)

    def find(self, game: str) -> Lesson | None:
        """Return the lesson of a game, None if it has none."""
        return next((lesson for lesson in self.lessons if lesson.game == game), None)


class ReaderLessons(Lessons):
    """The lessons of this project's games in the language of the reader."""

    def __init__(self) -> None:
        super().__init__(())
        self._by_language = ByLanguage(lambda language: Lessons.load(language=language))

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """The lessons in their order."""
        return self._by_language.get().lessons


@cache
def default_lessons() -> Lessons:
    """Return the lessons of this project's games, read once in a process, in the language of each reader."""
    return ReaderLessons()


def list_lesson_texts() -> Iterator[tuple[str, str]]:
    """Return the English texts of this project's lessons, by key."""
    for name, table in _read_folder(_english_folder()):
        yield from list_texts(name, table)


def _english_folder() -> Traversable:
    return files(__package__).joinpath(ENGLISH)


def _read_folder(folder: Traversable) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the name and the tables of each lesson of a folder, in the order of its ``contents.toml``."""
    contents = tomllib.loads(folder.joinpath("contents.toml").read_text(encoding="utf-8"))
    for name in contents["lessons"]:
        yield f"lessons.{name}", tomllib.loads(folder.joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def _parse_lesson(table: Mapping[str, Any]) -> Lesson:
    return Lesson(**{**table, "tasks": tuple(map(_parse_task, table["tasks"]))})


def _parse_task(table: Mapping[str, Any]) -> Task:
    mistakes = tuple(Mistake(Goal(**one["goal"]), one["text"]) for one in table.get("mistakes", ()))
    return Task(**{**table, "goal": Goal(**table["goal"]), "mistakes": mistakes})
