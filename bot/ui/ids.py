"""Discord's accounts, servers, channels and messages as the opaque texts that `matches` keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches import Person

if TYPE_CHECKING:
    from typing import Self

    import discord

ID_PREFIX = "discord:"


def user_account(user: discord.abc.User) -> str:
    """Return the account text of a user."""
    return f"{ID_PREFIX}{user.id}"


def to_person(user: discord.abc.User) -> Person:
    """Return the user as somebody who plays, by the name shown on this server."""
    return Person(user_account(user), user.display_name, user.bot)


def stored_id(number: int) -> str:
    """Return the text of a server, channel or thread."""
    return f"{ID_PREFIX}{number}"


def snowflake(text: str) -> int:
    """Return Discord's number of an account, server or place. Raises ValueError for a foreign text."""
    if not text.startswith(ID_PREFIX):
        raise ValueError(f"{text} is not of Discord")
    return int(text.removeprefix(ID_PREFIX))


def user_mention(account_text: str) -> str:
    """Return the mention that calls a person."""
    return f"<@{snowflake(account_text)}>"


def channel_mention(channel_text: str) -> str:
    """Return the mention that leads to a channel or thread."""
    return f"<#{snowflake(channel_text)}>"


def channel_url(server_text: str, channel_text: str) -> str:
    """Return the link to a channel or thread."""
    return f"https://discord.com/channels/{snowflake(server_text)}/{snowflake(channel_text)}"


@dataclass(frozen=True, slots=True)
class PostId:
    """Where a post stands: channel and message."""

    channel: int
    message: int

    def __str__(self) -> str:
        """Return the reference that is stored."""
        return f"{self.channel}/{self.message}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a stored reference. Raises ValueError."""
        channel, _, message = text.partition("/")
        return cls(int(channel), int(message))

    def url(self, server: str) -> str:
        """Return the link to the post."""
        return f"https://discord.com/channels/{snowflake(server)}/{self.channel}/{self.message}"
