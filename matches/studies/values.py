"""Values of studies."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from datetime import datetime

    from matches.values import MatchId, Person

StudyKey = NewType("StudyKey", str)
"""The random key of a study, by which everybody finds it who has its link."""

KEY_LENGTH = 16  # hexadecimal digits
MAX_STUDIES = 50  # of one account
MAX_CHAPTERS = 40  # of one study
MAX_NAME_LENGTH = 80  # characters, of a study or a chapter


class StudyAudience(StrEnum):
    """Who sees a study besides its owner; the value is stored."""

    PRIVATE = "private"  # nobody
    LINK = "link"  # everybody who has its link
    PUBLIC = "public"  # everybody; it is on the page of its owner


@dataclass(frozen=True, slots=True)
class ChapterBoard:
    """What a chapter holds: the state in the link of an analysis board, which the website reads and writes.

    With `match` it is that of a finished match, whose game is not copied: whoever may not see that match does
    not see the chapter.
    """

    game: str
    state: str
    match: MatchId | None = None


@dataclass(frozen=True, slots=True)
class ChapterOutline:
    """A chapter without its board; its number stays the same when others are moved or deleted."""

    number: int
    name: str
    game: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter. Its `revision` changes with its board, so that a board that is out of date is not saved."""

    number: int
    name: str
    board: ChapterBoard
    revision: int


@dataclass(frozen=True, slots=True)
class StudyOutline:
    """A study in a list, with the number of its chapters; `hidden_at`: when moderators hid it from others."""

    key: StudyKey
    name: str
    audience: StudyAudience
    hidden_at: datetime | None
    chapters: int
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class Study:
    """A study as a reader sees it.

    `owner` has the name that everybody sees on public pages: their own or, with `has_alias`, none.
    """

    outline: StudyOutline
    owner: Person
    has_alias: bool
    is_own: bool
    chapters: tuple[ChapterOutline, ...]

    @property
    def is_shared(self) -> bool:
        """Whether others than the owner and moderators see it."""
        return self.outline.audience is not StudyAudience.PRIVATE and self.outline.hidden_at is None

    @property
    def key(self) -> StudyKey:
        """The key."""
        return self.outline.key
