"""A post as a value, before it is sent: text, picture, buttons, and whom it calls."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import discord

from bot.ui import ids

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from i18n import Texts

MAX_ALT_LENGTH = 1024
MAX_TEXT_LENGTH = 2000


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, and the alternative text that tells the same; or another file, which needs none."""

    data: bytes
    alt: str
    name: str = "board.png"

    def to_file(self) -> discord.File:
        """Return a fresh file of it; one file can be sent once."""
        return discord.File(BytesIO(self.data), self.name, description=self.alt[:MAX_ALT_LENGTH] or None)


@dataclass(frozen=True, slots=True)
class Post:
    """What is to be posted. `mentions` holds the accounts to be pinged; nobody else ever is.

    `attachments` are the files that come with it besides its picture.
    """

    text: str
    picture: Picture | None = None
    buttons: Callable[[], discord.ui.View] | None = None
    mentions: tuple[str, ...] = ()
    attachments: tuple[Picture, ...] = ()

    def send_arguments(self) -> dict[str, Any]:
        """Return the arguments with which discord.py sends it as a new message."""
        content: dict[str, Any] = {
            "content": self.text[:MAX_TEXT_LENGTH],
            "allowed_mentions": self._allowed_mentions(),
        }
        if self.picture is not None or self.attachments:
            content["files"] = self._files()
        if self.buttons is not None:
            content["view"] = self.buttons()
        return content

    def edit_arguments(self) -> dict[str, Any]:
        """Return the arguments with which discord.py turns a message into it; nobody is called."""
        return {
            "content": self.text[:MAX_TEXT_LENGTH],
            "attachments": self._files(),
            "view": None if self.buttons is None else self.buttons(),
        }

    def _files(self) -> list[discord.File]:
        pictures = self.attachments if self.picture is None else (self.picture, *self.attachments)
        return [picture.to_file() for picture in pictures]

    def _allowed_mentions(self) -> discord.AllowedMentions:
        users = [discord.Object(ids.snowflake(one)) for one in self.mentions]
        return discord.AllowedMentions(everyone=False, users=users, roles=False, replied_user=False)


MAX_BODY_LENGTH = MAX_TEXT_LENGTH - 100  # characters for the lines, heading and all


def fit_lines(texts: Texts, heading: str, lines: Sequence[str], more_key: str) -> str:
    """Return a heading and the lines that one message holds.

    `more_key` is the key of what counts the rest.
    """
    lengths = accumulate((len(line) + 1 for line in lines), initial=len(heading))
    shown = [line for line, length in zip(lines, list(lengths)[1:], strict=True) if length <= MAX_BODY_LENGTH]
    if len(lines) > len(shown):
        shown.append(texts(more_key, count=len(lines) - len(shown)))
    return texts.join([heading, *shown], "list.lines")
