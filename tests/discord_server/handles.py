"""Guilds and channels as tests use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tests.discord_server.errors import ActionNotPossible
from tests.discord_server.guilds import ChannelKind, ChannelState, GuildState
from tests.discord_server.members import Member
from tests.discord_server.permissions import DEFAULT, Permission
from tests.discord_server.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.discord_server.errors import Json
    from tests.discord_server.messages import Message
    from tests.discord_server.world import World

T = TypeVar("T")

GUILDS = 1 << 0
GUILD_MEMBERS = 1 << 1


class Channel:
    """A text channel or thread."""

    def __init__(self, world: World, state: ChannelState) -> None:
        self._world = world
        self.state = state

    def __repr__(self) -> str:
        return f"<#{self.state.name}>"

    @property
    def id(self) -> int:
        return self.state.id

    @property
    def name(self) -> str:
        return self.state.name

    @property
    def messages(self) -> list[Message]:
        """The messages that everyone here can read, oldest first: neither ephemeral nor deleted ones."""
        return [one for one in self.state.messages if not one.deleted and not one.ephemeral]

    @property
    def threads(self) -> list[Channel]:
        return [
            Channel(self._world, one) for one in self._world.channels.values() if one.parent is self.state
        ]

    def permit(self, who: Member, permissions: Permission) -> None:
        """Set the exact permissions of a member (or the bot: `guild.bot_member`) in this channel."""
        self.state.overrides[who.id] = permissions
        self._world.dispatch("CHANNEL_UPDATE", self.state.json(), GUILDS)

    def deny(self, who: Member, permissions: Permission) -> None:
        self.permit(who, self.state.bits(who.user) & ~permissions)

    def allow(self, who: Member, permissions: Permission) -> None:
        self.permit(who, self.state.bits(who.user) | permissions)

    def hide_from(self, *people: Member) -> None:
        for person in people:
            self.deny(person, Permission.VIEW_CHANNEL)

    def set_public(self, *, is_public: bool) -> None:
        """Let the role @everyone see this channel or not; members keep what they have."""
        guild = self.state.guild
        assert guild is not None
        self.state.overrides[guild.id] = DEFAULT if is_public else DEFAULT & ~Permission.VIEW_CHANNEL
        self._world.dispatch("CHANNEL_UPDATE", self.state.json(), GUILDS)

    def thread(self, name: str, owner: Member) -> Channel:
        """Open a public thread here as a member."""
        thread = self._world.new_thread(
            self.state, name, owner.user, ChannelKind.PUBLIC_THREAD, self._world.clock.snowflake()
        )
        self._world.dispatch("THREAD_CREATE", thread.json() | {"newly_created": True}, GUILDS)
        return Channel(self._world, thread)

    def delete(self) -> None:
        """Delete this channel with its threads, or this thread, with all messages."""
        guild, parent = self.state.guild, self.state.parent
        if guild is None:
            raise ActionNotPossible(f"{self.name} is no channel of a guild")
        for thread in self.threads:
            del self._world.channels[thread.id], guild.channels[thread.id]
        del self._world.channels[self.id], guild.channels[self.id]
        if parent is None:
            self._world.dispatch("CHANNEL_DELETE", self.state.json(), GUILDS)
            return
        event = {"id": str(self.id), "guild_id": str(guild.id), "parent_id": str(parent.id)}
        self._world.dispatch("THREAD_DELETE", event | {"type": int(self.state.kind)}, GUILDS)

    async def wait_for(self, predicate: Callable[[Message], object], *, seconds: float = PATIENCE) -> Message:
        """Return the first message here, present or future, that satisfies the predicate."""

        def found() -> Message | None:
            return next((one for one in self.messages if predicate(one)), None)

        message = await self._world.changed.until(found, seconds, f"a message in #{self.name}")
        if message is None:
            raise AssertionError("until gives true values only")
        return message


class Guild:
    """A guild."""

    def __init__(self, world: World, state: GuildState) -> None:
        self._world = world
        self.state = state

    def __repr__(self) -> str:
        return f"<{self.state.name}>"

    @property
    def id(self) -> int:
        return self.state.id

    @property
    def name(self) -> str:
        return self.state.name

    @property
    def bot_member(self) -> Member:
        """The bot itself."""
        return Member(self._world, self._world.bot)

    @property
    def commands(self) -> list[Json]:
        """The commands that the bot has registered for this guild only."""
        return self._world.commands.commands_of(self.id)

    def channel(self, name: str, *, permissions: Permission | None = None) -> Channel:
        """Create a text channel; `permissions` are the bot's exact permissions there."""
        state = self._world.new_channel(self.state, name)
        if permissions is not None:
            state.overrides[self._world.bot.id] = permissions
        self._dispatch("CHANNEL_CREATE", state.json(), GUILDS)
        return Channel(self._world, state)

    def member(self, name: str, *, bot: bool = False) -> Member:
        """Add a new person, or another bot."""
        return self.join(Member(self._world, self._world.new_user(name, bot=bot)))

    def join(self, person: Member) -> Member:
        """Add a member of another guild."""
        membership = self._world.join(self.state, person.user)
        event = membership.json() | {"guild_id": str(self.id)}
        self._dispatch("GUILD_MEMBER_ADD", event, GUILD_MEMBERS)
        return person

    def remove_bot(self) -> None:
        """Remove the bot from the guild."""
        del self.state.members[self._world.bot.id]
        self._world.dispatch("GUILD_DELETE", {"id": str(self.id)}, GUILDS)

    def invite_bot(self) -> None:
        """Add the bot again. A guild that the bot joins is announced without `unavailable`."""
        bot = self._world.bot
        self._world.join(self.state, bot).roles.append(self.state.bot_role_id)
        event = self.state.create_event(bot)
        del event["unavailable"]
        self._world.dispatch("GUILD_CREATE", event, GUILDS)

    def _dispatch(self, event: str, data: Json, intent: int) -> None:
        """Send an event of this guild to the bot, if it is a member."""
        if self._world.bot.id in self.state.members:
            self._world.dispatch(event, data, intent)
