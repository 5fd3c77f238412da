"""Connecting to the server, logging in, and what is refused there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import aiohttp
import discord
import pytest
from discord.http import Route

from tests.discord_connector import HOSTS, LoopbackResolver
from tests.loopback.bot import SmallBot, running_bot

if TYPE_CHECKING:
    from tests.discord_server import DiscordServer
    from tests.loopback.conftest import LoopbackEnvironment


async def test_discord_host_names_resolve_to_the_server() -> None:
    resolver = LoopbackResolver(4711)
    for host in HOSTS:
        answers = await resolver.resolve(host, 443)
        assert [(one["host"], one["port"]) for one in answers] == [("127.0.0.1", 4711)]


@pytest.mark.parametrize("host", ["example.com", "media.discordapp.net", "evil-discord.com", "localhost"])
async def test_other_host_names_are_refused(host: str) -> None:
    with pytest.raises(OSError, match="answers for"):
        await LoopbackResolver(4711).resolve(host, 443)


async def test_client_that_does_not_trust_the_authority_cannot_connect(server: DiscordServer) -> None:
    connector = aiohttp.TCPConnector(resolver=LoopbackResolver(server.port))
    async with aiohttp.ClientSession(connector=connector) as session:
        with pytest.raises(aiohttp.ClientConnectorCertificateError):
            await session.get("https://discord.com/api/v10/gateway")


async def test_client_receives_its_user_and_guilds(env: LoopbackEnvironment) -> None:
    await env.bot.wait_until_ready()
    assert env.bot.user is not None
    assert env.bot.user.id == env.guild.bot_member.id
    guild = env.bot.get_guild(env.guild.id)
    assert guild is not None
    assert (guild.name, [one.name for one in guild.text_channels]) == ("Salon", ["games"])


async def test_wrong_token_is_refused(server: DiscordServer) -> None:
    async with SmallBot(server.connector()) as bot:
        with pytest.raises(discord.LoginFailure):
            await bot.login("wrong")
    assert [(one.path, one.status) for one in server.requests] == [("/users/@me", 401)]


async def test_privileged_intents_are_refused_unless_granted(server: DiscordServer) -> None:
    async with SmallBot(server.connector(), discord.Intents.all()) as bot:
        with pytest.raises(discord.PrivilegedIntentsRequired):
            await bot.start(server.token)
    server.settings.privileged_intents = True
    async with running_bot(server, discord.Intents.all()):
        assert server.gateway.is_connected


async def test_commands_are_registered_and_keep_their_ids(env: LoopbackEnvironment) -> None:
    before = {one["name"]: one["id"] for one in env.discord.commands}
    assert {"say", "hand", "panel", "count", "move", "match", "read", "mine", "both"} == set(before)
    await env.bot.tree.sync()
    assert {one["name"]: one["id"] for one in env.discord.commands} == before


async def test_guild_commands_precede_global_ones(env: LoopbackEnvironment) -> None:
    guild = discord.Object(env.guild.id)
    env.bot.tree.copy_global_to(guild=guild)
    await env.bot.tree.sync(guild=guild)
    assert len(env.guild.commands) == len(env.discord.commands)
    waiting = await env.hand()
    assert waiting.interaction.data is not None
    assert int(waiting.interaction.data["guild_id"]) == env.guild.id  # type: ignore[typeddict-item]
    await waiting.interaction.response.send_message("here")


async def test_commands_can_be_added_read_and_removed_one_by_one(env: LoopbackEnvironment) -> None:
    http, me = env.bot.http, env.guild.bot_member.id
    command: Any = {"name": "extra", "description": "d", "type": 1}
    added = await http.upsert_global_command(me, command)
    command_id = int(added["id"])
    assert (await http.get_global_command(me, command_id))["name"] == "extra"
    await http.delete_global_command(me, command_id)
    assert "extra" not in [one["name"] for one in env.discord.commands]
    for gone in (http.get_global_command, http.delete_global_command):
        with pytest.raises(discord.NotFound):
            await gone(me, command_id)


async def test_minor_routes_are_implemented(env: LoopbackEnvironment) -> None:
    guild = await env.bot.fetch_guild(env.guild.id)
    assert [one.name for one in await guild.fetch_channels()] == ["games"]
    shards, url, _ = await env.bot.http.get_bot_gateway()
    assert (shards, url) == (1, "wss://gateway.discord.gg")
    await env.bot.http.send_typing(env.channel.id)


async def test_unimplemented_routes_are_reported(env: LoopbackEnvironment) -> None:
    with pytest.raises(discord.NotFound):
        await env.bot.http.request(Route("GET", "/stage-instances/1"))
    assert env.discord.violations == ["GET /stage-instances/1: the loopback Discord does not implement this"]
    env.discord.violations.clear()


async def test_commands_of_another_application_are_refused(env: LoopbackEnvironment) -> None:
    with pytest.raises(discord.Forbidden):
        await env.bot.http.get_global_commands(env.alice.id)
