"""Messages: Discord's state of a message, its JSON, and what a person reads in it.

A `Message` is live: an edit by the bot changes the object that a test holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntFlag
from typing import TYPE_CHECKING, Any

from tests.discord_server import components
from tests.discord_server.components import Button, ComponentType, Select

if TYPE_CHECKING:
    from tests.discord_server.attachments import Attachment
    from tests.discord_server.errors import Json
    from tests.discord_server.guilds import ChannelState
    from tests.discord_server.users import User


class MessageFlag(IntFlag):
    """Message flags."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = components.V2_FLAG


NO_FLAGS = MessageFlag(0)


@dataclass(eq=False, slots=True)
class Message:
    """A message. `pinged` are the users whom it notified; only `addressee` sees an ephemeral message.

    `embeds` and `components` have the form of Discord's responses; `files` are all files, including those
    shown in embeds.
    """

    id: int
    channel: ChannelState
    author: User
    timestamp: str
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    files: list[Attachment] = field(default_factory=list)
    flags: MessageFlag = NO_FLAGS
    type: int = 0
    mentioned: tuple[User, ...] = ()
    mention_roles: tuple[int, ...] = ()
    mention_everyone: bool = False
    pinged: tuple[User, ...] = ()
    reference: Message | None = None
    nonce: Any = None
    addressee: User | None = None
    metadata: Json | None = None
    application_id: int | None = None
    edited: str | None = None
    revision: int = 0
    deleted: bool = False
    thread: ChannelState | None = None

    @property
    def attachments(self) -> list[Attachment]:
        """The files of the message, in order, including those shown in embeds."""
        return list(self.files)

    @property
    def ephemeral(self) -> bool:
        return MessageFlag.EPHEMERAL in self.flags

    @property
    def loading(self) -> bool:
        """Whether the message still shows that the bot is thinking."""
        return MessageFlag.LOADING in self.flags

    @property
    def buttons(self) -> list[Button]:
        return [components.button(part) for _, part in self.parts() if part["type"] == ComponentType.BUTTON]

    @property
    def selects(self) -> list[Select]:
        return [components.select(part) for _, part in self.parts() if part["type"] in components.SELECTS]

    def parts(self) -> list[tuple[str, Json]]:
        """Return all components with their paths, including nested ones."""
        return list(components.walk(self.components))

    @property
    def text(self) -> str:
        """All text: content, then embeds, then text displays, each on lines of its own."""
        lines = [
            self.content,
            *(line for embed in self.embeds for line in _embed_lines(embed)),
            *self.displays(),
        ]
        return "\n".join(line for line in lines if line)

    def displays(self) -> list[str]:
        return [part["content"] for _, part in self.parts() if part["type"] == ComponentType.TEXT]

    def json(self) -> Json:
        shown = {url for embed in self.embeds for url in embed_urls(embed)}
        found: Json = {
            "id": str(self.id),
            "channel_id": str(self.channel.id),
            "author": self.author.json(),
            "type": self.type,
            "content": self.content,
            "timestamp": self.timestamp,
            "edited_timestamp": self.edited,
            "tts": False,
            "mention_everyone": self.mention_everyone,
            "mentions": [user.json() for user in self.mentioned],
            "mention_roles": [str(role) for role in self.mention_roles],
            "attachments": [file.json() for file in self.files if file.url not in shown],
            "embeds": self.embeds,
            "components": self.components,
            "flags": int(self.flags),
            "pinned": False,
        }
        return found | self._optional()

    def _optional(self) -> Json:
        found: Json = {}
        if self.nonce is not None:
            found["nonce"] = self.nonce
        if self.application_id is not None:
            found |= {"application_id": str(self.application_id), "webhook_id": str(self.application_id)}
        if self.metadata is not None:
            found["interaction_metadata"] = self.metadata
        if self.thread is not None:
            found["thread"] = self.thread.json()
        return found | (self._reference() if self.reference is not None else {})

    def _reference(self) -> Json:
        target = self.reference
        if target is None:
            return {}
        reference: Json = {"type": 0, "channel_id": str(target.channel.id), "message_id": str(target.id)}
        if target.channel.guild is not None:
            reference["guild_id"] = str(target.channel.guild.id)
        whole = None if target.deleted else target.json()
        if whole is not None:
            whole.pop("referenced_message", None)
        return {"message_reference": reference, "referenced_message": whole}


def embed_urls(embed: Json) -> list[str]:
    """Return the picture URLs of an embed."""
    pictures = [embed.get("image"), embed.get("thumbnail")]
    found = [picture["url"] for picture in pictures if picture]
    icons = [embed.get("author"), embed.get("footer")]
    return found + [icon["icon_url"] for icon in icons if icon and "icon_url" in icon]


def _embed_lines(embed: Json) -> list[str]:
    lines = [(embed.get("author") or {}).get("name"), embed.get("title"), embed.get("description")]
    for one in embed.get("fields", ()):
        lines += [one["name"], one["value"]]
    return [line for line in [*lines, (embed.get("footer") or {}).get("text")] if line]
