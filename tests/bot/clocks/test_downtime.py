"""Downtime of the bot or of Discord is added back to the clocks."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from matches import OUTAGE_THRESHOLD, MatchId
from tests.bot.clocks.timestamps import DAY, HOUR, seconds_ahead
from tests.bot.environment import BotEnvironment, running_bot
from tests.databases import open_database

if TYPE_CHECKING:
    from pathlib import Path

    from tests.discord_server import DiscordServer

WEEK = timedelta(days=7)


@pytest.mark.long
async def test_nobody_times_out_during_a_week_of_downtime(
    discord: DiscordServer, database_file: Path
) -> None:
    guild = discord.guild("Salon")
    channel, alice, bob = guild.channel("games"), guild.member("Alice"), guild.member("Bob")
    async with open_database(f"sqlite+aiosqlite:///{database_file}", 2) as database:
        async with running_bot(discord, database, outage=OUTAGE_THRESHOLD) as bot:
            env = BotEnvironment(discord, guild, channel, alice, bob, bot, database)
            board = await env.start_match(time_control="3d", time_out="lost")
            await bot.outbox.run_once()
        discord.advance(WEEK.total_seconds())
        async with running_bot(discord, database, outage=OUTAGE_THRESHOLD) as bot:
            env.bot = bot
            for _ in range(2):
                await bot.outbox.run_once()
            assert env.latest_message is board
            look = await alice.command("board", {}, channel=channel)
            assert seconds_ahead(env, look) == [3 * DAY]
            post = await env.move(alice, "C1-D2")
            assert seconds_ahead(env, post) == [3 * DAY]


@pytest.mark.long
async def test_downtime_is_added_once_when_two_bots_restart_together(
    discord: DiscordServer, database_file: Path
) -> None:
    guild = discord.guild("Salon")
    channel, alice, bob = guild.channel("games"), guild.member("Alice"), guild.member("Bob")
    address = f"sqlite+aiosqlite:///{database_file}"
    async with open_database(address) as database, open_database(address, 2) as other:
        async with running_bot(discord, database, outage=OUTAGE_THRESHOLD) as bot:
            env = BotEnvironment(discord, guild, channel, alice, bob, bot, database)
            await env.start_match(time_control="3d", time_out="lost")
            await bot.outbox.run_once()
        discord.advance(WEEK.total_seconds())
        async with (
            running_bot(discord, database, outage=OUTAGE_THRESHOLD) as bot,
            running_bot(discord, other, outage=OUTAGE_THRESHOLD) as second,
        ):
            for each in (bot, second, bot, second):
                await each.outbox.run_once()
            view = await bot.matches.view(MatchId(1), now=bot.now())
            assert view.time is not None
            assert view.time.deadline is not None
            assert abs((view.time.deadline - bot.now()).total_seconds() - 3 * DAY) < HOUR


@pytest.mark.long
async def test_match_with_unknown_rules_does_not_delay_timeouts_of_others(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d", time_out="lost")
    await env.start_match(time_control="3d", time_out="lost")
    async with env.database.transaction() as connection:
        await connection.execute(text("UPDATE matches SET rules_version = 99 WHERE id = 1"))
    with pytest.raises(ExceptionGroup):
        await env.advance_time(days=3, minutes=1)
    assert "Alice ran out of time" in env.latest_message.text
    assert "Morelli #2" in env.latest_message.text


@pytest.mark.long
async def test_nobody_times_out_while_discord_is_disconnected(env: BotEnvironment) -> None:
    board = await env.start_match(time_control="3d", time_out="lost")
    env.bot.gateway.set_connected(0, is_connected=False)
    await env.advance_time(days=4)
    assert env.latest_message is board
    env.bot.gateway.set_connected(0, is_connected=True)
    await env.advance_time(seconds=1)
    assert (
        "Alice ran out of time" in env.latest_message.text
    )  # this environment counts no interval as an outage
