"""User accounts, of people and bots."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.discord_server.errors import Json
    from tests.discord_server.messages import Message


@dataclass(eq=False, slots=True)
class User:
    """An account. `pings` are the messages that notified it; with `dms_closed` bots cannot message it.

    `installed`: whether the user has installed the bot for themselves, to use it anywhere.
    `locale`: the language of the user's client.
    """

    id: int
    name: str
    bot: bool = False
    dms_closed: bool = False
    installed: bool = False
    locale: str = "en-US"
    pings: list[Message] = field(default_factory=list)

    @property
    def mention(self) -> str:
        return f"<@{self.id}>"

    def json(self) -> Json:
        found: Json = {
            "id": str(self.id),
            "username": self.name.lower().replace(" ", "_"),
            "avatar": None,
            "discriminator": "0",
            "public_flags": 0,
            "flags": 0,
            "global_name": None if self.bot else self.name,
            "primary_guild": None,
        }
        return found | {"bot": True} if self.bot else found
