"""Time for which the bot was down, or could not be reached, is given back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import text

from matches import OUTAGE, MatchId, Store
from tests.bot.clocks.reading import DAY, HOUR, ahead
from tests.bot.stage import Stage, bot_over

if TYPE_CHECKING:
    from pathlib import Path

    from tests.discord_server import DiscordServer

WEEK = timedelta(days=7)


async def test_week_of_downtime_costs_nobody_the_match(discord: DiscordServer, database: Path) -> None:
    guild = discord.guild("Salon")
    channel, alice, bob = guild.channel("games"), guild.member("Alice"), guild.member("Bob")
    async with await Store.open(f"sqlite+aiosqlite:///{database}") as store:
        async with bot_over(discord, store, outage=OUTAGE) as bot:
            stage = Stage(discord, guild, channel, alice, bob, bot, store)
            board = await stage.start(pace="3d", flag="lost")
            await bot.outbox.tick()
        discord.advance(WEEK.total_seconds())
        async with bot_over(discord, store, outage=OUTAGE) as bot:
            stage.bot = bot
            for _ in range(2):
                await bot.outbox.tick()
            assert stage.latest is board
            look = await alice.command("board", {}, channel=channel)
            assert ahead(stage, look) == [3 * DAY]
            post = await stage.move(alice, "C1-D2")
            assert ahead(stage, post) == [3 * DAY]


async def test_two_bots_come_back_at_once(discord: DiscordServer, database: Path) -> None:
    guild = discord.guild("Salon")
    channel, alice, bob = guild.channel("games"), guild.member("Alice"), guild.member("Bob")
    address = f"sqlite+aiosqlite:///{database}"
    async with await Store.open(address) as store, await Store.open(address) as other:
        async with bot_over(discord, store, outage=OUTAGE) as bot:
            stage = Stage(discord, guild, channel, alice, bob, bot, store)
            await stage.start(pace="3d", flag="lost")
            await bot.outbox.tick()
        discord.advance(WEEK.total_seconds())
        async with (
            bot_over(discord, store, outage=OUTAGE) as bot,
            bot_over(discord, other, outage=OUTAGE) as second,
        ):
            for each in (bot, second, bot, second):
                await each.outbox.tick()
            view = await bot.matches.view(MatchId(1), now=bot.now())
            assert view.time is not None
            assert view.time.deadline is not None
            assert abs((view.time.deadline - bot.now()).total_seconds() - 3 * DAY) < HOUR


async def test_match_whose_time_cannot_be_decided_keeps_no_post_waiting(stage: Stage) -> None:
    await stage.start(pace="3d", flag="lost")
    await stage.start(pace="3d", flag="lost")
    async with stage.store.writing() as connection:
        await connection.execute(text("UPDATE matches SET rules_version = 99 WHERE id = 1"))
    await stage.pass_time(days=3, minutes=1)
    assert "Alice's time is over" in stage.latest.text
    assert "Match 2" in stage.latest.text


async def test_flag_does_not_fall_while_discord_is_away(stage: Stage) -> None:
    board = await stage.start(pace="3d", flag="lost")
    stage.bot.connected = False
    await stage.pass_time(days=4)
    assert stage.latest is board
    stage.bot.connected = True
    await stage.pass_time(seconds=1)
    assert "Alice's time is over" in stage.latest.text  # this stage counts no silence as an outage
