"""Discord's accounts, servers, channels and messages as the opaque texts that `matches` keeps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from discord.utils import escape_markdown

from matches import Person

if TYPE_CHECKING:
    from typing import Self

    import discord

PREFIX = "discord:"
ESCAPED = re.compile(r"\\([^\w\s]|_)")


def account(user: discord.abc.User) -> str:
    """Give the account text of a user."""
    return f"{PREFIX}{user.id}"


def person(user: discord.abc.User) -> Person:
    """Give the user as somebody who plays, by the name shown on this server."""
    return Person(account(user), user.display_name, user.bot)


def place(number: int) -> str:
    """Give the text of a server, channel or thread."""
    return f"{PREFIX}{number}"


def number(text: str) -> int:
    """Give Discord's number of an account, server or place. Raises ValueError for a foreign text."""
    if not text.startswith(PREFIX):
        raise ValueError(f"{text} is not of Discord")
    return int(text.removeprefix(PREFIX))


def called(who: Person) -> str:
    """Give the name of a person, safe inside a post."""
    return escape_markdown(who.name)


def foreign(text: str, longest: int) -> str:
    """Give a text that anybody may have written into a file, safe inside a post and on one line.

    No sign that is not seen, no markup, mention or link of it is left to work; more than `longest` signs
    are cut off.
    """
    seen = "".join(sign if sign.isprintable() else " " for sign in text[: longest + 1])
    cut = seen if len(text) <= longest else f"{seen[: longest - 1]}…"
    return escape_markdown(" ".join(cut.split())).replace("<", "\\<").replace("://", ":\\//")


def unescaped(text: str) -> str:
    r"""Give a text without the backslashes of :func:`called`, for where no markup is read."""
    return ESCAPED.sub(r"\1", text)


def plain(text: str) -> str:
    """Give a text without backslashes and emphasis, for where no markup is read."""
    return unescaped(text.replace("**", ""))


def mention(account_text: str) -> str:
    """Give the mention that calls a person."""
    return f"<@{number(account_text)}>"


def channel_mention(place_text: str) -> str:
    """Give the mention that leads to a channel or thread."""
    return f"<#{number(place_text)}>"


def place_url(server_text: str, place_text: str) -> str:
    """Give the link to a channel or thread."""
    return f"https://discord.com/channels/{number(server_text)}/{number(place_text)}"


@dataclass(frozen=True, slots=True)
class PostId:
    """Where a post stands: channel and message."""

    channel: int
    message: int

    def __str__(self) -> str:
        """Give the reference that is stored."""
        return f"{self.channel}/{self.message}"

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a stored reference. Raises ValueError."""
        channel, _, message = text.partition("/")
        return cls(int(channel), int(message))

    def url(self, server: str) -> str:
        """Give the link to the post."""
        return f"https://discord.com/channels/{number(server)}/{self.channel}/{self.message}"
