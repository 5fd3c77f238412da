"""A post as a value, before it is sent: text, picture, buttons, and whom it calls."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

import discord

from bot import people

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_ALT = 1024
LONGEST_TEXT = 2000


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, and the alternative text that tells the same; or another file, which needs none."""

    data: bytes
    alt: str
    name: str = "board.png"

    def file(self) -> discord.File:
        """Give a fresh file of it; one file can be sent once."""
        return discord.File(BytesIO(self.data), self.name, description=self.alt[:LONGEST_ALT] or None)


@dataclass(frozen=True, slots=True)
class Post:
    """What is to be posted. `calls` holds the accounts to be pinged; nobody else ever is.

    `enclosed` are the files that come with it besides its picture.
    """

    text: str
    picture: Picture | None = None
    buttons: Callable[[], discord.ui.View] | None = None
    calls: tuple[str, ...] = ()
    enclosed: tuple[Picture, ...] = ()

    def new(self) -> dict[str, Any]:
        """Give the arguments with which discord.py sends it as a new message."""
        content: dict[str, Any] = {"content": self.text[:LONGEST_TEXT], "allowed_mentions": self._mentions()}
        if self.picture is not None or self.enclosed:
            content["files"] = self._files()
        if self.buttons is not None:
            content["view"] = self.buttons()
        return content

    def edit(self) -> dict[str, Any]:
        """Give the arguments with which discord.py turns a message into it; nobody is called."""
        return {
            "content": self.text[:LONGEST_TEXT],
            "attachments": self._files(),
            "view": None if self.buttons is None else self.buttons(),
        }

    def _files(self) -> list[discord.File]:
        pictures = self.enclosed if self.picture is None else (self.picture, *self.enclosed)
        return [picture.file() for picture in pictures]

    def _mentions(self) -> discord.AllowedMentions:
        users = [discord.Object(people.number(one)) for one in self.calls]
        return discord.AllowedMentions(everyone=False, users=users, roles=False, replied_user=False)
