"""The state of this Discord: users, guilds, channels, messages, interactions and commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from tests.discord_server.clock import DiscordClock
from tests.discord_server.commands import CommandRegistry
from tests.discord_server.errors import (
    UNKNOWN_CHANNEL,
    UNKNOWN_GUILD,
    UNKNOWN_MESSAGE,
    UNKNOWN_USER,
    unknown_error,
)
from tests.discord_server.guilds import ChannelKind, ChannelState, GuildState, Membership
from tests.discord_server.oauth import OAuth
from tests.discord_server.users import User
from tests.discord_server.waiting import Signal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.discord_server.attachments import Attachment
    from tests.discord_server.errors import Json
    from tests.discord_server.global_limit import GlobalLimit
    from tests.discord_server.interactions import Interaction
    from tests.discord_server.messages import Message

MEBIBYTE = 1024 * 1024


@dataclass(slots=True)
class LoopbackSettings:
    """Settings that a test may change at any time.

    `interaction_seconds` is the deadline for the first response, `token_seconds` the lifetime of the
    interaction token, `nonce_seconds` that of nonces. `privileged_intents` grants those intents,
    `shards` is the recommended number of shards; fewer are refused. Sessions of one bucket (the id of the
    shard modulo `max_concurrency`) that are opened within `identify_seconds` are refused, `session_starts`
    are left today, and `session_reset_seconds` until there are more.
    `attachment_limit` is the largest file size in bytes. `limit` is that of all requests, None for none.
    """

    token: str = "MTAwMDAwMDAwMDAwMDAwMDAx.GloopB.an-honest-token-of-the-loopback-discord"  # noqa: S105
    interaction_seconds: float = 3.0
    token_seconds: float = 15 * 60
    nonce_seconds: float = 3 * 60
    heartbeat_seconds: float = 41.25
    attachment_limit: int = 10 * MEBIBYTE
    privileged_intents: bool = False
    shards: int = 1
    max_concurrency: int = 1
    identify_seconds: float = 0.0
    session_starts: int = 1000
    session_reset_seconds: float = 4 * 3600
    limit: GlobalLimit | None = None


class Dispatcher(Protocol):
    """Sends an event to the bot's gateway sessions that subscribed to it."""

    @property
    def is_reachable(self) -> bool: ...

    def dispatch(self, event: str, data: Json, intent: int = 0) -> None: ...


class World:
    """All objects by id. Failed lookups raise Discord's own error."""

    def __init__(self, settings: LoopbackSettings, bot_name: str, clock: DiscordClock | None = None) -> None:
        self.settings = settings
        self.clock = clock or DiscordClock()
        self.changed = Signal()
        self.users: dict[int, User] = {}
        self.guilds: dict[int, GuildState] = {}
        self.channels: dict[int, ChannelState] = {}
        self._conversations: dict[int, ChannelState] = {}
        self.attachments: dict[int, Attachment] = {}
        self.interactions: dict[str, Interaction] = {}
        self.nonces: dict[tuple[int, str], tuple[float, Message]] = {}
        self.developer = self.new_user("Developer")
        self.bot = self.new_user(bot_name, bot=True)
        self.commands = CommandRegistry(self.clock, self.bot.id)
        self.gateway: Dispatcher | None = None
        self.oauth = OAuth(self)

    @property
    def application_id(self) -> int:
        return self.bot.id

    def known_words(self) -> set[str]:
        """Return the names of people and places, and what people have typed."""
        typed = {text for one in self.interactions.values() for text in _typed_texts(one.data)}
        names = [one.name for one in self.users.values()]
        names += [one.name for one in self.guilds.values()]
        names += [one.name for one in self.channels.values()]
        return {one for one in (*names, *typed) if one}

    def dispatch(self, event: str, data: Json, intent: int = 0) -> None:
        if self.gateway is not None:
            self.gateway.dispatch(event, data, intent)
        self.changed.notify()

    def new_user(self, name: str, *, bot: bool = False) -> User:
        user = User(self.clock.snowflake(), name, bot)
        self.users[user.id] = user
        return user

    def guilds_of(self, user: User) -> list[GuildState]:
        """Return the guilds of a user."""
        return [guild for guild in self.guilds.values() if user.id in guild.members]

    def new_guild(self, name: str, *, bot: bool = True) -> GuildState:
        owner = self.new_user(f"Owner of {name}")
        guild = GuildState(
            self.clock.snowflake(), name, owner.id, self.clock.timestamp(), bot_role_id=self.clock.snowflake()
        )
        self.guilds[guild.id] = guild
        self.join(guild, owner)
        if bot:
            self.join(guild, self.bot).roles.append(guild.bot_role_id)
        return guild

    def join(self, guild: GuildState, user: User) -> Membership:
        membership = Membership(user, self.clock.timestamp())
        guild.members[user.id] = membership
        return membership

    def new_channel(self, guild: GuildState, name: str) -> ChannelState:
        channel = ChannelState(self.clock.snowflake(), ChannelKind.TEXT, name, self.clock.timestamp(), guild)
        self.channels[channel.id] = guild.channels[channel.id] = channel
        return channel

    def new_thread(
        self, parent: ChannelState, name: str, owner: User, kind: ChannelKind, thread_id: int
    ) -> ChannelState:
        thread = ChannelState(thread_id, kind, name, self.clock.timestamp(), parent.guild, parent, owner.id)
        thread.thread_members.add(owner.id)
        self.channels[thread.id] = thread
        if parent.guild is not None:
            parent.guild.channels[thread.id] = thread
        return thread

    def dm(self, user: User) -> ChannelState:
        """Return the direct message channel of this user and the bot; it is created if necessary."""
        channel = self._conversations.get(user.id)
        if channel is None:
            channel = ChannelState(
                self.clock.snowflake(),
                ChannelKind.DM,
                "",
                self.clock.timestamp(),
                recipients=(user, self.bot),
            )
            self.channels[channel.id] = self._conversations[user.id] = channel
        return channel

    def user(self, user_id: int) -> User:
        if user_id not in self.users:
            raise unknown_error("User", UNKNOWN_USER)
        return self.users[user_id]

    def guild(self, guild_id: int) -> GuildState:
        guild = self.guilds.get(guild_id)
        if guild is None or self.bot.id not in guild.members:
            raise unknown_error("Guild", UNKNOWN_GUILD)
        return guild

    def channel(self, channel_id: int) -> ChannelState:
        if channel_id not in self.channels:
            raise unknown_error("Channel", UNKNOWN_CHANNEL)
        return self.channels[channel_id]

    def message(self, channel: ChannelState, message_id: int) -> Message:
        """Return a public message of the channel; ephemeral and deleted ones are unknown here."""
        for message in reversed(channel.messages):
            if message.id == message_id and not message.deleted and not message.ephemeral:
                return message
        raise unknown_error("Message", UNKNOWN_MESSAGE)

    def visible_to_bot(self, message: Message) -> Json:
        """Return a message as the bot may read it.

        The content of others' messages requires the intent, a DM or a mention of the bot.
        """
        found = message.json()
        if (
            message.author is self.bot
            or self.settings.privileged_intents
            or message.channel.kind is ChannelKind.DM
            or self.bot in message.mentioned
        ):
            return found
        return found | {"content": "", "embeds": [], "attachments": [], "components": []}


def _typed_texts(data: Any) -> Iterator[str]:
    """Yield the values of the options and fields of an interaction."""
    if isinstance(data, list):
        for one in data:
            yield from _typed_texts(one)
    elif isinstance(data, dict):
        for key, value in data.items():
            if key == "value" and isinstance(value, str):
                yield value
            elif key == "values":
                yield from value
            elif key != "resolved":
                yield from _typed_texts(value)
