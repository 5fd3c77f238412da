"""A Discord message as a value: text, picture, buttons and mentions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import discord

from bot.ui import ids
from bot.ui.markdown import MAX_TEXT_LENGTH, cut_text
from i18n.readers import current_language, reading_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from i18n import Texts
    from matches import Announcement

MAX_ALT_LENGTH = 1024


@dataclass(frozen=True, slots=True)
class Picture:
    """A file to attach; a picture has alternative text, other files need none."""

    data: bytes
    alt: str
    name: str = "board.png"

    def to_file(self) -> discord.File:
        """Return a new discord.File; each can be sent only once."""
        return discord.File(BytesIO(self.data), self.name, description=self.alt[:MAX_ALT_LENGTH] or None)


@dataclass(frozen=True, slots=True)
class Post:
    """A message to send. `mentions` are the accounts that are notified; nobody else ever is.

    `text` is shortened if it is too long. `buttons` creates the view; it is called once for each request.
    `attachments` are files besides the picture. `language` is that of the text, and so of the buttons.
    """

    text: str
    picture: Picture | None = None
    buttons: Callable[[], discord.ui.View] | None = None
    mentions: tuple[str, ...] = ()
    attachments: tuple[Picture, ...] = ()
    language: str = field(default_factory=current_language)

    def __post_init__(self) -> None:
        """Shorten the text."""
        object.__setattr__(self, "text", cut_text(self.text))

    def notifying(self, announcement: Announcement) -> Post:
        """Return the post of an announcement; it notifies only those who want that."""
        notified = announcement.notified
        return replace(self, mentions=tuple(one for one in self.mentions if one in notified))

    def send_arguments(self) -> dict[str, Any]:
        """Return the arguments of discord.py's send methods."""
        content: dict[str, Any] = {
            "content": self.text,
            "allowed_mentions": self._allowed_mentions(),
        }
        if self.picture is not None or self.attachments:
            content["files"] = self._files()
        if self.buttons is not None:
            content["view"] = self._view()
        return content

    def edit_arguments(self) -> dict[str, Any]:
        """Return the arguments of discord.py's edit methods; an edit notifies nobody."""
        return {
            "content": self.text,
            "attachments": self._files(),
            "view": self._view(),
        }

    def _view(self) -> discord.ui.View | None:
        with reading_in(self.language):
            return None if self.buttons is None else self.buttons()

    def _files(self) -> list[discord.File]:
        pictures = self.attachments if self.picture is None else (self.picture, *self.attachments)
        return [picture.to_file() for picture in pictures]

    def _allowed_mentions(self) -> discord.AllowedMentions:
        users = [discord.Object(ids.snowflake(one)) for one in self.mentions if ids.is_from_discord(one)]
        return discord.AllowedMentions(everyone=False, users=users, roles=False, replied_user=False)


Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Page(Generic[Entry]):
    """The entries of one page of a list; pages count from 0."""

    shown: Sequence[Entry]
    number: int
    last: int

    @classmethod
    def cut(cls, found: Sequence[Entry], number: int, size: int) -> Self:
        """Return a page of at most `size` entries, the last one if there is none with this number."""
        last = max(0, len(found) - 1) // size
        number = min(number, last)
        return cls(found[number * size : (number + 1) * size], number, last)

    def format_number(self, texts: Texts) -> list[str]:
        """Return the line that says which page this is; none if it is the only one."""
        return [texts("list.page", page=self.number + 1, pages=self.last + 1)] if self.last else []

    def steps(self) -> Iterator[tuple[str, int]]:
        """Yield the keys of the labels of the page buttons, and the pages to which they lead."""
        if self.number:
            yield "button.back", self.number - 1
        if self.number < self.last:
            yield "button.next", self.number + 1


MAX_BODY_LENGTH = MAX_TEXT_LENGTH - 100  # of the heading and the lines


def fit_lines(texts: Texts, heading: str, lines: Sequence[str], more_key: str) -> str:
    """Return a heading and as many lines as fit into one message.

    If lines are left out, a last line with the text `more_key` counts them.
    """
    lengths = accumulate((len(line) + 1 for line in lines), initial=len(heading))
    shown = [line for line, length in zip(lines, list(lengths)[1:], strict=True) if length <= MAX_BODY_LENGTH]
    if len(lines) > len(shown):
        shown.append(texts(more_key, count=len(lines) - len(shown)))
    return texts.join([heading, *shown], "list.lines")
