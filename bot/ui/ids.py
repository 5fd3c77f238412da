"""Conversion between Discord's ids and the opaque ids that `matches` stores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches import DISCORD, WEB, Person, clean_name, platform_of

if TYPE_CHECKING:
    from typing import Self

    import discord

    from matches import MatchSummary, MatchView

ID_PREFIX = f"{DISCORD}:"
DIRECT_MESSAGES_URL = "https://discord.com/channels/@me"


def user_account(user: discord.abc.User) -> str:
    """Return the stored account id of a user."""
    return f"{ID_PREFIX}{user.id}"


def to_person(user: discord.abc.User) -> Person:
    """Return the user as a player, with the display name in the current server.

    If nothing in that name is visible, the user name stands in for it, which has plain letters only.
    """
    return Person(user_account(user), clean_name(user.display_name) or user.name, user.bot)


def stored_id(number: int) -> str:
    """Return the stored id of a server, channel or thread."""
    return f"{ID_PREFIX}{number}"


def is_from_discord(text: str) -> bool:
    """Return whether a stored id is one of Discord."""
    return platform_of(text) == DISCORD


def snowflake(text: str) -> int:
    """Return the Discord id of a stored id. Raises ValueError if it is not an id from Discord."""
    if not is_from_discord(text):
        raise ValueError(f"{text} is not an id from Discord")
    return int(text.removeprefix(ID_PREFIX))


def channel_url(server_text: str, channel_text: str) -> str:
    """Return the URL of a channel or thread."""
    return f"https://discord.com/channels/{snowflake(server_text)}/{snowflake(channel_text)}"


@dataclass(frozen=True, slots=True)
class PostId:
    """The channel id and message id of a post."""

    channel: int
    message: int

    def __str__(self) -> str:
        """Return the stored form, ``CHANNEL/MESSAGE``."""
        return f"{self.channel}/{self.message}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse the stored form. Raises ValueError."""
        channel, _, message = text.partition("/")
        return cls(int(channel), int(message))

    def url(self, server: str) -> str:
        """Return the URL of the post."""
        return f"https://discord.com/channels/{snowflake(server)}/{self.channel}/{self.message}"


def find_post(stored: str | None) -> PostId | None:
    """Return a stored post; None if there is none, or if it is one of another platform."""
    return None if stored is None or stored == WEB else PostId.parse(stored)


def is_in_direct_messages(match: MatchView | MatchSummary) -> bool:
    """Return whether a match has no channel of Discord: it comes to players in direct messages."""
    return match.is_direct or not is_from_discord(match.channel)


def latest_post_url(summary: MatchSummary) -> str:
    """Return the URL of the latest post of a match, or of its place if Discord has none."""
    post = find_post(summary.post)
    return place_url(summary) if post is None else post.url(summary.server)


def place_url(match: MatchView | MatchSummary) -> str:
    """Return the URL of the channel of a match, or of the reader's direct messages."""
    return DIRECT_MESSAGES_URL if is_in_direct_messages(match) else channel_url(match.server, match.channel)
