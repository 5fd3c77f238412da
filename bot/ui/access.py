"""Who may see a match: its players always, others as long as they can see the channel where it is played."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import discord

from bot.ui import ids
from bot.ui.permissions import current_server
from matches import MatchSummary, MatchUnknown, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bot.context import BotClient, Interaction
    from matches import Challenge, MatchView

Channel: TypeAlias = discord.abc.GuildChannel
Listed = TypeVar("Listed", "Challenge", "MatchSummary")


class AccessUnknownError(ConnectionError):
    """Discord has not told the bot yet what is in a server; the bot asks again later."""


class MemberLookup:
    """Members of servers as Discord knows them now, each requested once until :meth:`forget`."""

    def __init__(self, client: BotClient) -> None:
        self._client = client
        self._found: dict[tuple[str, str], discord.Member | None] = {}
        self._channels: dict[int, Mapping[int, Channel]] = {}

    def forget(self) -> None:
        """Forget all members: their roles may have changed."""
        self._found.clear()
        self._channels.clear()

    async def find(self, server: str, account: str) -> discord.Member | None:
        """Return a member of a server; None for anybody else, and without the bot in the server.

        Raises discord.HTTPException, and AccessUnknownError while the server is unavailable.
        """
        key = (server, account)
        if key in self._found:
            return self._found[key]
        found = self._found[key] = await _fetch_member(self._client, server, account)
        return found

    async def can_see(self, account: str, match: MatchView | MatchSummary) -> bool:
        """Return whether an account may see a match. Raises as :meth:`find` does."""
        return _is_player(account, match) or await self.sees(account, match.server, match.channel)

    async def sees(self, account: str, server: str, channel: str) -> bool:
        """Return whether an account can see a channel or thread of a server. Raises as :meth:`find` does."""
        member = await self.find(server, account)
        if member is None:
            return False
        parents = await _load_parents(self._client, member.guild, [channel])
        return sees_channel(member, channel, parents, await self._fetch_channels(member.guild))

    async def _fetch_channels(self, guild: discord.Guild) -> Mapping[int, Channel]:
        """Return the channels of a server that belongs to a shard of another process; none of others."""
        if self._client.get_guild(guild.id) is not None:
            return {}
        if guild.id not in self._channels:
            self._channels[guild.id] = {one.id: one for one in await guild.fetch_channels()}
        return self._channels[guild.id]


def sees_channel(
    member: discord.Member | discord.Role,
    channel: str,
    parents: Mapping[str, str],
    fetched: Mapping[int, Channel] = MappingProxyType({}),
) -> bool:
    """Return whether a member, or everybody with a role, can see a channel or thread.

    `parents` are the channels of archived threads, which discord.py does not keep, `fetched` those of a
    server that this process does not know.
    """
    guild = member.guild
    found = guild.get_channel_or_thread(ids.snowflake(channel)) or fetched.get(ids.snowflake(channel))
    if isinstance(found, discord.Thread):
        found = None if found.is_private() else found.parent
    elif found is None and channel in parents:
        parent = ids.snowflake(parents[channel])
        found = guild.get_channel(parent) or fetched.get(parent)
    return found is not None and found.permissions_for(member).view_channel


async def visible(interaction: Interaction, found: Sequence[Listed]) -> list[Listed]:
    """Return those of the matches or challenges that the user may see, as far as they belong here.

    Those of other servers are left out, except the user's own matches.
    """
    account, server = ids.user_account(interaction.user), current_server(interaction)
    here, member = ids.stored_id(interaction.channel_id or 0), interaction.user
    parents: Mapping[str, str] = {}
    if isinstance(member, discord.Member):
        parents = await _load_parents(interaction.client, member.guild, (one.channel for one in found))
    return [
        one
        for one in found
        if _is_own(account, one)
        or (server is not None and one.server == server and one.channel == here)
        or (
            isinstance(member, discord.Member)
            and one.server == server
            and sees_channel(member, one.channel, parents)
        )
    ]


async def require_visible(interaction: Interaction, match: MatchView) -> None:
    """Raise MatchUnknown unless the user may see a match, and it belongs here.

    In a server only its own matches do, besides those of the user; in private messages all do.
    """
    account, server = ids.user_account(interaction.user), current_server(interaction)
    if _is_player(account, match):
        return
    client, member = interaction.client, interaction.user
    if server is None:
        is_visible = await MemberLookup(client).can_see(account, match)
    elif server != match.server or not isinstance(member, discord.Member):
        is_visible = False
    elif match.channel == ids.stored_id(interaction.channel_id or 0):
        is_visible = True
    else:
        parents = await _load_parents(client, member.guild, [match.channel])
        is_visible = sees_channel(member, match.channel, parents)
    if not is_visible:
        raise MatchUnknown(match=match.id)


async def require_public(interaction: Interaction, match: MatchView) -> None:
    """Raise `private_channel` unless a match may be shown to everybody here.

    Its players may do so anywhere, others in its own channel, or if everybody in the server sees that.
    """
    here, guild = ids.stored_id(interaction.channel_id or 0), interaction.guild
    if _is_player(ids.user_account(interaction.user), match) or match.channel == here:
        return
    parents = {} if guild is None else await _load_parents(interaction.client, guild, [match.channel])
    if guild is None or not sees_channel(guild.default_role, match.channel, parents):
        raise Refusal("private_channel", match=match.id)


async def visible_channels(interaction: Interaction, channels: Sequence[str]) -> frozenset[str]:
    """Return those channels and threads of this server that the user can see."""
    member, here = interaction.user, ids.stored_id(interaction.channel_id or 0)
    if not isinstance(member, discord.Member):
        return frozenset()
    parents = await _load_parents(interaction.client, member.guild, channels)
    return frozenset(one for one in channels if one == here or sees_channel(member, one, parents))


def _is_own(account: str, one: Challenge | MatchSummary) -> bool:
    return isinstance(one, MatchSummary) and _is_player(account, one)


def _is_player(account: str, match: MatchView | MatchSummary) -> bool:
    return any(seat.person.account == account for seat in match.seats)


async def _load_parents(
    client: BotClient, guild: discord.Guild, channels: Iterable[str]
) -> Mapping[str, str]:
    """Return the channels of those threads of matches that discord.py does not know."""
    unknown = {one for one in channels if guild.get_channel_or_thread(ids.snowflake(one)) is None}
    return await client.matches.posting.threads.list_parents(unknown) if unknown else {}


async def _fetch_member(client: BotClient, server: str, account: str) -> discord.Member | None:
    if not (ids.is_from_discord(server) and ids.is_from_discord(account)):
        return None
    guild = client.get_guild(ids.snowflake(server))
    if guild is None:  # it may belong to a shard of another process
        try:
            guild = await client.fetch_guild(ids.snowflake(server), with_counts=False)
        except (discord.NotFound, discord.Forbidden):
            return None
    if guild.unavailable:
        raise AccessUnknownError(server)
    known = guild.get_member(ids.snowflake(account))
    if known is not None:
        return known
    try:
        return await guild.fetch_member(ids.snowflake(account))
    except discord.NotFound:
        return None
