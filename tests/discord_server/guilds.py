"""Guilds and channels: text channels, threads and direct messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from tests.discord_server.permissions import DEFAULT, NOTHING, Permission, implied

if TYPE_CHECKING:
    from tests.discord_server.errors import Json
    from tests.discord_server.messages import Message
    from tests.discord_server.users import User


_NOTHING = (
    "icon",
    "description",
    "home_header",
    "splash",
    "discovery_splash",
    "banner",
    "application_id",
    "afk_channel_id",
    "system_channel_id",
    "widget_channel_id",
    "max_presences",
    "vanity_url_code",
    "rules_channel_id",
    "safety_alerts_channel_id",
    "public_updates_channel_id",
    "incidents_data",
)
_ZERO = (
    "system_channel_flags",
    "verification_level",
    "default_message_notifications",
    "mfa_level",
    "explicit_content_filter",
    "premium_tier",
    "premium_subscription_count",
    "nsfw_level",
)


class ChannelKind(IntEnum):
    """The channel types that this server supports."""

    TEXT = 0
    DM = 1
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12


THREADS = frozenset({ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD})


@dataclass(eq=False, slots=True)
class Membership:
    """A user's membership in a guild."""

    user: User
    joined_at: str
    nick: str | None = None
    roles: list[int] = field(default_factory=list)

    def json(self) -> Json:
        return {
            "user": self.user.json(),
            "nick": self.nick,
            "avatar": None,
            "banner": None,
            "communication_disabled_until": None,
            "flags": 0,
            "joined_at": self.joined_at,
            "pending": False,
            "premium_since": None,
            "roles": [str(role) for role in self.roles],
            "mute": False,
            "deaf": False,
        }


@dataclass(eq=False, slots=True)
class GuildState:
    """Discord's state of a guild. The role @everyone has the guild's id."""

    id: int
    name: str
    owner_id: int
    created: str
    bot_role_id: int
    members: dict[int, Membership] = field(default_factory=dict)
    channels: dict[int, ChannelState] = field(default_factory=dict)
    locale: str = "en-US"

    def roles(self) -> list[Json]:
        return [_role(self.id, "@everyone", 0), _role(self.bot_role_id, "bots", 1, managed=True)]

    def json(self) -> Json:
        """Return the guild as in HTTP responses, with its counts."""
        nothing, zero = dict.fromkeys(_NOTHING), dict.fromkeys(_ZERO, 0)
        return {
            **nothing,
            **zero,
            "id": str(self.id),
            "name": self.name,
            "owner_id": str(self.owner_id),
            "features": [],
            "region": "rotterdam",
            "afk_timeout": 300,
            "widget_enabled": False,
            "roles": self.roles(),
            "emojis": [],
            "stickers": [],
            "max_members": 500000,
            "max_stage_video_channel_users": 50,
            "max_video_channel_users": 25,
            "preferred_locale": self.locale,
            "premium_progress_bar_enabled": False,
            "nsfw": False,
            "approximate_member_count": len(self.members),
            "approximate_presence_count": len(self.members),
        }

    def create_event(self, bot: User) -> Json:
        """Return the data of GUILD_CREATE.

        Without the members intent it contains only the bot's own membership. Bots receive every channel, even
        those that they cannot view, but only threads that they can view.
        """
        threads = [one for one in self.channels.values() if one.kind in THREADS and not one.archived]
        return {
            **self.json(),
            "joined_at": self.created,
            "large": False,
            "unavailable": False,
            "member_count": len(self.members),
            "members": [self.members[bot.id].json()],
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
            "channels": [one.json() for one in self.channels.values() if one.kind not in THREADS],
            "threads": [one.json() for one in threads if Permission.VIEW_CHANNEL in one.permissions(bot)],
        }


def _role(role_id: int, name: str, position: int, *, managed: bool = False) -> Json:
    return {
        "id": str(role_id),
        "name": name,
        "permissions": str(int(DEFAULT)),
        "position": position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": managed,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


@dataclass(eq=False, slots=True)
class ChannelState:
    """Discord's state of a channel; `overrides` holds the permissions of users that differ from DEFAULT."""

    id: int
    kind: ChannelKind
    name: str
    created: str
    guild: GuildState | None = None
    parent: ChannelState | None = None
    owner_id: int = 0
    recipients: tuple[User, ...] = ()
    overrides: dict[int, Permission] = field(default_factory=dict)
    thread_members: set[int] = field(default_factory=set)
    archived: bool = False
    locked: bool = False
    messages: list[Message] = field(default_factory=list)

    def permissions(self, user: User) -> Permission:
        """Return a user's effective permissions; none outside the guild, thread or direct messages."""
        return implied(self.bits(user))

    def bits(self, user: User) -> Permission:
        """Return a user's permissions before dependent bits are removed, as sent in interactions."""
        if self.kind is ChannelKind.DM:
            return DEFAULT if user in self.recipients else NOTHING
        if self.guild is None or user.id not in self.guild.members:
            return NOTHING
        if self.parent is None:
            return self.overrides.get(user.id, DEFAULT)
        if self.kind is ChannelKind.PRIVATE_THREAD and user.id not in self.thread_members:
            return NOTHING
        return _in_thread(self.parent.bits(user))

    def json(self) -> Json:
        last = str(self.messages[-1].id) if self.messages else None
        found: Json = {"id": str(self.id), "type": int(self.kind), "last_message_id": last, "flags": 0}
        if self.kind is ChannelKind.DM:
            return found | {"recipients": [one.json() for one in self.recipients if not one.bot]}
        found |= {"name": self.name, "rate_limit_per_user": 0}
        if self.guild is not None:
            found["guild_id"] = str(self.guild.id)
        return found | (self._thread_json() if self.kind in THREADS else self._text_json())

    def _text_json(self) -> Json:
        return {
            "parent_id": None,
            "position": 0,
            "topic": None,
            "nsfw": False,
            "permission_overwrites": [
                _overwrite(user, granted, self.guild.id if self.guild else 0)
                for user, granted in self.overrides.items()
            ],
        }

    def _thread_json(self) -> Json:
        return {
            "parent_id": str(self.parent.id) if self.parent else None,
            "owner_id": str(self.owner_id),
            "message_count": len(self.messages),
            "member_count": len(self.thread_members),
            "total_message_sent": len(self.messages),
            "thread_metadata": {
                "archived": self.archived,
                "archive_timestamp": self.created,
                "auto_archive_duration": 1440,
                "locked": self.locked,
                "create_timestamp": self.created,
            },
        }


def _in_thread(of_parent: Permission) -> Permission:
    if Permission.SEND_MESSAGES_IN_THREADS in of_parent:
        return of_parent | Permission.SEND_MESSAGES
    return of_parent & ~Permission.SEND_MESSAGES


def _overwrite(user_id: int, granted: Permission, guild_id: int) -> Json:
    return {
        "id": str(user_id),
        "type": 0 if user_id == guild_id else 1,
        "allow": str(int(granted)),
        "deny": str(int(DEFAULT & ~granted)),
    }
