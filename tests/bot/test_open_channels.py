"""Who may see a match on the website follows its channel, its server's setting, and its moves."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from matches import Audience, Matches, MatchId, Person
from tests.bot.environment import BotEnvironment, running_bot
from tests.bot.test_lost_places import await_event, settle
from tests.databases import open_database
from tests.discord_server import Permission

if TYPE_CHECKING:
    from pathlib import Path

    from tests.discord_server import Channel, DiscordServer, Member

HINT = "Who sees matches on the website"


async def audience(env: BotEnvironment, match: int = 1) -> Audience:
    return (await env.bot.matches.view(MatchId(match), now=env.bot.now())).audience


@pytest.fixture
async def env(env: BotEnvironment) -> BotEnvironment:
    """Return the environment when the bot has recorded the channels."""
    await env.bot.wait_until_ready()
    await env.bot.open_channels.record(env.bot.guilds[0])
    return env


async def set_public(env: BotEnvironment, channel: Channel, *, is_public: bool) -> None:
    await await_event(env, "guild_channel_update", lambda: channel.set_public(is_public=is_public))


async def start_match_in(env: BotEnvironment, channel: Channel) -> None:
    challenge = await env.alice.command(
        "challenge", {"opponent": env.bob, "start": "facing"}, channel=channel
    )
    await env.bob.click(challenge, "Accept")
    await env.wait_until_idle()


@pytest.mark.long
async def test_setting_is_one_click_and_counts_for_earlier_matches(env: BotEnvironment, eve: Member) -> None:
    await env.start_match()
    assert await audience(env) is Audience.MEMBERS
    for label, chosen in (
        ("public, with names", Audience.NAMES),
        ("public, with aliases", Audience.ALIASES),
        ("members only", Audience.MEMBERS),
    ):
        panel = await eve.command("settings", {}, channel=env.channel)
        shown = await eve.select(panel, HINT, [label])
        assert f"Matches on the website: **{label}**" in shown.text
        assert await audience(env) is chosen


@pytest.mark.long
async def test_match_follows_the_permissions_of_its_channel(env: BotEnvironment) -> None:
    await env.start_match()
    for is_public, expected in ((False, Audience.CLOSED), (True, Audience.MEMBERS)):
        await set_public(env, env.channel, is_public=is_public)
        assert await audience(env) is expected


@pytest.mark.long
async def test_match_that_began_in_a_closed_channel_is_never_shown(env: BotEnvironment) -> None:
    staff = env.guild.channel("staff")
    await set_public(env, staff, is_public=False)
    await start_match_in(env, staff)
    assert await audience(env) is Audience.PLAYERS
    await set_public(env, staff, is_public=True)
    assert await audience(env) is Audience.PLAYERS


async def test_match_that_began_before_the_channels_were_known_is_not_lost(
    discord: DiscordServer, database_file: Path
) -> None:
    """A new server: the first challenge may come before the bot has recorded its channels."""
    guild = discord.guild("Salon")
    async with open_database(f"sqlite+aiosqlite:///{database_file}", 2) as database:
        matches = Matches(database)
        alice, bob = Person("discord:1", "Alice"), Person("discord:2", "Bob")
        server, channel, staff = f"discord:{guild.id}", "discord:11", "discord:12"
        for place in (channel, staff):
            made = await matches.challenges.create(
                alice, to=bob, server=server, channel=place, game="morelli", now=discord.world.clock.now()
            )
            await matches.challenges.accept(made.challenge.id, bob, now=discord.world.clock.now())
        await matches.visibility.record_channels(server, {channel})
        views = [await matches.view(MatchId(one), now=discord.world.clock.now()) for one in (1, 2)]
        assert [view.audience for view in views] == [Audience.MEMBERS, Audience.PLAYERS]


@pytest.mark.long
async def test_match_in_a_thread_of_somebody_else_is_never_shown(env: BotEnvironment) -> None:
    await start_match_in(env, env.channel.thread("chat", env.alice))
    assert await audience(env) is Audience.PLAYERS


@pytest.mark.long
async def test_match_in_its_own_thread_is_as_open_as_the_channel(env: BotEnvironment, eve: Member) -> None:
    panel = await eve.command("settings", {}, channel=env.channel)
    await eve.select(panel, "Where matches are played", ["each in its own thread"])
    await start_match_in(env, env.channel)
    assert len(env.channel.threads) == 1
    assert await audience(env) is Audience.MEMBERS
    await set_public(env, env.channel, is_public=False)
    assert await audience(env) is Audience.CLOSED


@pytest.mark.long
async def test_moved_match_follows_its_new_place(env: BotEnvironment, eve: Member) -> None:
    lounge, staff = env.guild.channel("lounge"), env.guild.channel("staff")
    await set_public(env, staff, is_public=False)
    await start_match_in(env, lounge)
    assert await audience(env) is Audience.MEMBERS
    await await_event(env, "guild_channel_delete", lounge.delete)
    assert await audience(env) is Audience.CLOSED
    for channel, expected in ((env.channel, Audience.MEMBERS), (staff, Audience.CLOSED)):
        channel.allow(eve, Permission.MANAGE_GUILD)
        for player in (env.alice, env.bob):
            channel.allow(player, Permission.VIEW_CHANNEL)
        await eve.command("relocate", {"match": "1"}, channel=channel)
        assert await audience(env) is expected


@pytest.mark.long
async def test_server_without_the_bot_shows_nothing(env: BotEnvironment) -> None:
    await env.start_match()
    await await_event(env, "guild_remove", env.guild.remove_bot)
    assert await audience(env) is Audience.CLOSED


@pytest.mark.long
async def test_what_changed_while_the_bot_was_away_is_noticed(
    discord: DiscordServer, database_file: Path
) -> None:
    guild = discord.guild("Salon")
    channel, alice, bob = guild.channel("games"), guild.member("Alice"), guild.member("Bob")
    async with open_database(f"sqlite+aiosqlite:///{database_file}", 2) as database:
        async with running_bot(discord, database) as bot:
            env = BotEnvironment(discord, guild, channel, alice, bob, bot, database)
            await bot.wait_until_ready()
            await bot.open_channels.record(bot.guilds[0])
            await env.start_match()
            assert await audience(env) is Audience.MEMBERS
        channel.set_public(is_public=False)
        async with running_bot(discord, database) as bot:
            env = BotEnvironment(discord, guild, channel, alice, bob, bot, database)
            await bot.wait_until_ready()
            await asyncio.sleep(0)
            await env.wait_until_idle()
            await settle(env)
            assert await audience(env) is Audience.CLOSED


@pytest.mark.long
async def test_alias_is_chosen_in_the_preferences(env: BotEnvironment) -> None:
    panel = await env.alice.command("preferences", {}, channel=env.channel)
    page = await env.alice.click(panel, "Name, language, computer, puzzles")
    assert "others see you as: your own name, Alice." in page.text
    form = await env.alice.click(page, "Use an alias")
    page = await env.alice.submit(form, {"Alias": "<@1> @everyone *Rook*"})
    assert r"your alias, \<\@1\> \@everyone \*Rook\*" in page.text
    assert not env.bob.pings
    account = f"discord:{env.alice.id}"
    assert await env.bot.matches.visibility.get_alias(account) == "<@1> @everyone *Rook*"
    form = await env.alice.click(page, "Use an alias")
    refused = await env.alice.submit(form, {"Alias": "\u200b"})
    assert "An alias needs at least one visible character." in refused.text
    page = await env.alice.click(page, "Stay anonymous")
    assert "others see you as: Anonymous" in page.text
    assert await env.bot.matches.visibility.get_alias(account) == ""
    page = await env.alice.click(page, "Use my own name")
    assert await env.bot.matches.visibility.get_alias(account) is None
    assert "computer is decided: it resigns, or offers to end the game" in page.text
    for choice, told in (("plays_on", "it plays on to the end"), ("ends", "it resigns, or offers")):
        page = await env.alice.select(page, "When a game against the computer is decided", [choice])
        assert f"computer is decided: {told}" in page.text
        preferences = await env.bot.matches.people.preferences.get(account)
        assert preferences.computer_plays_on is (choice == "plays_on")
    assert "Puzzles may be made from your matches" in page.text
    for choice, told in (("refused", "No puzzles are made from your"), ("allowed", "Puzzles may be made")):
        page = await env.alice.select(page, "Puzzles from your matches", [choice])
        assert told in page.text
        assert (await env.bot.matches.people.preferences.get(account)).puzzles is (choice == "allowed")
