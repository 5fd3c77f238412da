"""Bots with several shards: in one process, and divided among processes that share a database."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from bot.shard_range import ShardRange, parse_shard_range
from bot.shards import server_number
from bot.ui import ids
from matches import OUTAGE_THRESHOLD, MatchId, Person
from matches.posting.announcements import GRACE
from tests.bot.environment import BotEnvironment, running_bot
from tests.databases import open_database
from tests.discord_server import Permission
from tests.discord_server.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime
    from pathlib import Path

    from bot.client import Rayuela
    from matches import Database
    from tests.discord_server import DiscordServer, Guild

UPLOAD = "PUT /applications/{application_id}/commands"
MINUTES = timedelta(minutes=4)  # between two heartbeats of these tests


@pytest.mark.parametrize(
    ("setting", "shards"),
    [("0-7/16", ShardRange(0, 7, 16)), (" 3/16 ", ShardRange(3, 3, 16)), ("0/1", ShardRange(0, 0, 1))],
)
def test_ranges_of_shards_are_read(setting: str, shards: ShardRange) -> None:
    assert parse_shard_range(setting) == shards
    assert shards.ids == tuple(range(shards.first, shards.last + 1))


@pytest.mark.parametrize(
    "setting", ["", "8", "0-7", "/16", "7-0/16", "0-16/16", "16/16", "0-7/0", "-1/4", "0-1/x"]
)
def test_what_is_no_range_of_shards_is_refused(setting: str) -> None:
    with pytest.raises(ValueError, match="shards"):
        parse_shard_range(setting)


def guild_on(discord: DiscordServer, shard: int, count: int = 2) -> Guild:
    """Create a guild that belongs to a shard."""
    while True:
        found = discord.guild(f"Salon of shard {shard}")
        if (found.id >> 22) % count == shard:
            return found
        discord.advance(0.001)


@asynccontextmanager
async def ready_bot(
    discord: DiscordServer, database: Database, shards: ShardRange | None = None
) -> AsyncIterator[Rayuela]:
    """Run a bot whose shards are all ready; a gap of five minutes is an outage."""
    async with running_bot(discord, database, outage=OUTAGE_THRESHOLD, shards=shards) as bot:
        await bot.wait_until_ready()
        yield bot


@dataclass(frozen=True, slots=True)
class TwoBots:
    """Two bots with one shard each on one database."""

    discord: DiscordServer
    database: Database
    first: Rayuela
    second: Rayuela

    def people(self, guild: Guild) -> BotEnvironment:
        """Return Alice and Bob in a guild of the second bot."""
        return people_in(self.discord, guild, self.second, self.database)

    def uploads(self) -> int:
        """Return how often the commands were uploaded."""
        return [f"{one.method} {one.route}" for one in self.discord.requests].count(UPLOAD)


@pytest.fixture
async def bots(discord: DiscordServer, database_file: Path) -> AsyncIterator[TwoBots]:
    discord.settings.shards = 2
    async with (
        open_database(f"sqlite:///{database_file}") as database,
        ready_bot(discord, database, ShardRange(0, 0, 2)) as first,
        ready_bot(discord, database, ShardRange(1, 1, 2)) as second,
    ):
        yield TwoBots(discord, database, first, second)


def people_in(discord: DiscordServer, guild: Guild, bot: Rayuela, database: Database) -> BotEnvironment:
    alice, bob = guild.member("Alice"), guild.member("Bob")
    return BotEnvironment(discord, guild, guild.channel("games"), alice, bob, bot, database)


async def deadline(bot: Rayuela, match: int) -> datetime:
    view = await bot.matches.view(MatchId(match), now=bot.now())
    assert view.time is not None
    assert view.time.deadline is not None
    return view.time.deadline


@pytest.mark.long
async def test_hiccup_of_one_of_the_recommended_shards_stops_no_other_clock(
    discord: DiscordServer, database_file: Path
) -> None:
    discord.settings.shards = 2
    guilds = [guild_on(discord, shard) for shard in range(2)]
    async with open_database(f"sqlite:///{database_file}") as database, ready_bot(discord, database) as bot:
        salons = [people_in(discord, guild, bot, database) for guild in guilds]
        for env in salons:
            await env.start_match(time_control="3d")
        before = [await deadline(bot, match) for match in (1, 2)]
        shard = bot.get_shard(1)
        assert shard is not None
        await shard.disconnect()
        for _ in range(15):
            discord.advance(MINUTES.total_seconds())
            await bot.outbox.run_once()
        assert (dict(bot.gateway.shards), bot.gateway.is_connected) == ({0: True, 1: False}, True)
        assert "Black C1-D2" in (await salons[0].move(salons[0].alice, "C1-D2")).text
        await shard.connect()
        async with asyncio.timeout(PATIENCE):
            while not bot.gateway.shards[1]:  # noqa: ASYNC110 - no event comes after the client has noticed
                await asyncio.sleep(0.01)
        await bot.outbox.run_once()
        assert await deadline(bot, 2) - before[1] > 14 * MINUTES
        assert await deadline(bot, 1) - before[0] < 16 * MINUTES  # Bob's three days began when Alice moved
        assert "Black C1-D2" in (await salons[1].move(salons[1].alice, "C1-D2")).text


@pytest.mark.long
async def test_no_session_is_opened_again_when_those_of_the_day_are_used_up(
    discord: DiscordServer, database_file: Path
) -> None:
    settings, gateway = discord.settings, discord.gateway

    def questions() -> int:
        return [one.route for one in discord.requests].count("/gateway/bot")

    settings.shards = 2
    async with open_database(f"sqlite:///{database_file}") as database, ready_bot(discord, database) as bot:
        settings.session_starts, settings.session_reset_seconds = 1, 0.1
        asked = questions()
        await gateway.invalidate(shard=0)
        await discord.wait_until(lambda: questions() > asked, what="the shard to ask for a session")
        assert (dict(bot.gateway.shards), gateway.identified) == ({0: False, 1: True}, 2)
        await gateway.close(shard=1)  # the other shard resumes meanwhile
        await discord.wait_until(lambda: gateway.resumed == 1 and bot.gateway.shards[1])
        assert gateway.identified == 2
        settings.session_starts = 1000
        await discord.wait_until(lambda: gateway.identified == 3, what="the shard to open a session")


@pytest.mark.long
async def test_direct_messages_arrive_at_shard_0_and_see_matches_of_all_shards(bots: TwoBots) -> None:
    guild = guild_on(bots.discord, 1)
    env = bots.people(guild)
    await env.start_match()
    assert bots.first.get_guild(guild.id) is None
    follower, stranger = guild.member("Eve"), guild_on(bots.discord, 0).member("Mallory")
    await follower.command("watch", {"match": "1"}, channel=env.channel)
    for person, is_visible in ((env.alice, True), (follower, True), (stranger, False)):
        person.user.installed = True
        reply = await person.command("board", {"match": "1"}, channel=person.dm)
        assert bool(reply.attachments) is is_visible, reply.text
    env.channel.deny(follower, Permission.VIEW_CHANNEL)
    assert not (await follower.command("board", {"match": "1"}, channel=follower.dm)).attachments


@pytest.mark.long
async def test_commands_are_uploaded_by_one_process_and_only_when_they_change(bots: TwoBots) -> None:
    assert bots.uploads() == 1
    name, timeout = f"commands:{bots.first.application_id}", timedelta(minutes=1)
    assert await bots.first.matches.work.leases.run_once(
        name, "of another version", bots.first.tree.sync, timeout
    )
    for shard in range(2):
        async with ready_bot(bots.discord, bots.database, ShardRange(shard, shard, 2)):
            assert bots.uploads() == 3


@pytest.mark.long
async def test_process_posts_what_one_with_other_shards_left_behind(bots: TwoBots) -> None:
    env = bots.people(guild_on(bots.discord, 1))
    lounge = env.guild.channel("lounge")
    board = await env.start_match()
    reply = await env.bob.click(
        await env.alice.command(
            "challenge",
            {"opponent": env.bob, "colour": "black", "board": "9", "start": "facing"},
            channel=lounge,
        ),
        "Accept",
    )
    await lounge.wait_for(lambda one: one.id > reply.shown.id and bool(one.buttons))
    await env.wait_until_idle()
    await bots.second.close()
    lounge.deny(env.guild.bot_member, Permission.SEND_MESSAGES)
    alice = Person(ids.stored_id(env.alice.id), "Alice")
    for match in (MatchId(1), MatchId(2)):
        await bots.first.matches.play(match, alice, ["C1-D2"], now=bots.first.now())
    for seconds in (GRACE.total_seconds() + 1, 60, 60):
        bots.discord.advance(seconds)
        await bots.first.outbox.run_once()
    assert ["C1-D2" in one.text for one in env.channel.messages if one.id > board.id] == [True]
    # Only the channel where it may not post is given up, and not the whole server.
    views = [await bots.first.matches.view(MatchId(match), now=bots.first.now()) for match in (1, 2)]
    assert [view.is_direct for view in views] == [False, True]


@pytest.mark.long
async def test_servers_of_other_shards_do_not_count_as_left(bots: TwoBots) -> None:
    env = bots.people(guild_on(bots.discord, 1))
    await env.start_match()
    bots.discord.advance(timedelta(days=2).total_seconds())
    for bot in (bots.first, bots.second):
        await bot.outbox.run_once()
    async with bots.database.read() as connection:
        rows = await connection.execute(text("SELECT left_at, number FROM servers"))
        assert list(map(tuple, rows)) == [(None, server_number(ids.stored_id(env.guild.id)))]
