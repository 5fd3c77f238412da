"""Disturbances of the gateway: reconnecting, resuming with missed events, and fatal close codes."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
import pytest

from tests.discord_server.gateway import CloseCode
from tests.loopback.bot import SmallBot, running_bot

if TYPE_CHECKING:
    from tests.discord_server import DiscordServer
    from tests.loopback.conftest import LoopbackEnvironment


async def wait_for_resume(env: LoopbackEnvironment) -> None:
    """Wait until the client has resumed once."""
    await env.discord.wait_until(lambda: env.discord.gateway.resumed)


async def test_op_7_makes_the_client_resume(env: LoopbackEnvironment) -> None:
    await env.discord.gateway.reconnect()
    await wait_for_resume(env)
    assert env.discord.gateway.identified == 1
    assert (await env.alice.command("say", {"text": "a"}, channel=env.channel)).content == "a"


@pytest.mark.parametrize("code", [1000, CloseCode.UNKNOWN_ERROR, 4009])
async def test_closed_gateway_is_reconnected(env: LoopbackEnvironment, code: int) -> None:
    await env.discord.gateway.close(code)
    gateway = env.discord.gateway
    await env.discord.wait_until(lambda: gateway.resumed or gateway.identified == 2)
    await env.discord.wait_until_connected()
    assert (await env.alice.command("say", {"text": "a"}, channel=env.channel)).content == "a"


async def test_missed_events_are_replayed(env: LoopbackEnvironment) -> None:
    await env.discord.gateway.close()
    await env.alice.say(f"{env.guild.bot_member.mention} are you there", channel=env.channel)
    reply = await env.alice.command("say", {"text": "late but whole"}, channel=env.channel)
    assert reply.content == "late but whole"
    assert env.discord.gateway.resumed == 1
    assert await env.bot.wait_for_text(f"{env.guild.bot_member.mention} are you there") == 1


async def test_dropped_connection_is_resumed(env: LoopbackEnvironment) -> None:
    env.discord.gateway.drop_connections()
    await wait_for_resume(env)


async def test_invalid_session_identifies_again(env: LoopbackEnvironment) -> None:
    await env.discord.gateway.invalidate()
    await env.discord.wait_until(lambda: env.discord.gateway.identified == 2)
    assert (await env.alice.command("say", {"text": "a"}, channel=env.channel)).content == "a"


async def test_resumable_invalid_session_is_resumed(env: LoopbackEnvironment) -> None:
    await env.discord.gateway.invalidate(resumable=True)
    await wait_for_resume(env)


async def test_authentication_failure_ends_the_client(server: DiscordServer) -> None:
    async with SmallBot(server.connector()) as bot:
        task = asyncio.create_task(bot.start(server.token))
        await server.wait_until_connected()
        await server.gateway.close(CloseCode.AUTHENTICATION_FAILED)
        with pytest.raises(discord.ConnectionClosed):
            await task


async def test_events_are_sent_by_intent(server: DiscordServer) -> None:
    guild = server.guild("Salon")
    channel, alice = guild.channel("games"), guild.member("Alice")
    async with running_bot(server, discord.Intents(guilds=True, dm_messages=True)) as bot:
        await alice.say("in the channel", channel=channel)
        await alice.say("in private", channel=alice.dm)
        assert await bot.wait_for_text("in private") == 1
        with pytest.raises(TimeoutError):
            await bot.wait_for_text("in the channel", seconds=0)


async def frames(server: DiscordServer, *sent: Any) -> int | None:
    """Send frames on a new gateway connection and return the code with which it is closed."""
    async with aiohttp.ClientSession(connector=server.connector()) as session:
        url = "wss://gateway.discord.gg/?v=10&encoding=json"
        async with session.ws_connect(url) as socket:
            assert (await socket.receive_json())["op"] == 10
            for frame in sent:
                text = frame if isinstance(frame, str) else json.dumps(frame)
                await socket.send_str(text.replace("THE TOKEN", server.token))
            async for _ in socket:
                pass
            return socket.close_code


IDENTIFY = {"op": 2, "d": {"token": "THE TOKEN", "intents": 1}}


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (["not json"], CloseCode.DECODE_ERROR),
        ([{"op": 8, "d": {}}], CloseCode.NOT_AUTHENTICATED),
        ([{"op": 2, "d": {"token": "wrong"}}], CloseCode.AUTHENTICATION_FAILED),
        ([IDENTIFY, IDENTIFY], CloseCode.ALREADY_AUTHENTICATED),
        ([IDENTIFY, {"op": 99}], CloseCode.UNKNOWN_OPCODE),
        ([{"op": 6, "d": {"token": "wrong", "session_id": "s", "seq": 1}}], CloseCode.AUTHENTICATION_FAILED),
    ],
)
async def test_invalid_frames_close_the_gateway(
    server: DiscordServer, sent: list[Any], code: CloseCode
) -> None:
    assert await frames(server, *sent) == code


async def test_session_opened_too_soon_after_another_of_its_bucket_is_refused(server: DiscordServer) -> None:
    server.settings.identify_seconds, server.settings.max_concurrency = 60.0, 2
    opened = []
    async with aiohttp.ClientSession(connector=server.connector()) as session:
        for shard in (0, 1, 2):
            async with session.ws_connect("wss://gateway.discord.gg/") as socket:
                await socket.receive_json()
                data = {"token": server.token, "intents": 1, "shard": [shard, 4]}
                await socket.send_json({"op": 2, "d": data})
                opened.append((await socket.receive_json())["op"])
    assert (opened, server.gateway.hasty) == ([0, 0, 9], 1)


@pytest.mark.parametrize(
    ("shard", "code"),
    [([4, 4], CloseCode.INVALID_SHARD), ([0, 1], CloseCode.SHARDING_REQUIRED)],
)
async def test_session_of_a_wrong_shard_is_refused(
    server: DiscordServer, shard: list[int], code: CloseCode
) -> None:
    server.settings.shards = 2
    assert await frames(server, {"op": 2, "d": {"token": "THE TOKEN", "intents": 1, "shard": shard}}) == code


async def test_events_of_a_server_go_to_its_shard_and_private_ones_to_shard_0(server: DiscordServer) -> None:
    guild = server.guild("Salon")
    alice, channel, own = guild.member("Alice"), guild.channel("games"), (guild.id >> 22) % 2
    async with aiohttp.ClientSession(connector=server.connector()) as session:
        sockets = [await session.ws_connect("wss://gateway.discord.gg/") for _ in range(2)]
        for shard, socket in enumerate(sockets):
            await socket.receive_json()
            data = {"token": server.token, "intents": 1 << 9 | 1 << 12, "shard": [shard, 2]}
            await socket.send_json({"op": 2, "d": data})
            assert len((await socket.receive_json())["d"]["guilds"]) == (shard == own)
        await sockets[own].receive_json()  # its server
        await alice.say("in the channel", channel=channel)
        await alice.say("in private", channel=alice.dm)
        for socket in sockets:
            await socket.send_json({"op": 99, "d": None})
        heard = [[one.json()["d"].get("content") async for one in socket] for socket in sockets]
    expected: list[list[str]] = [[], []]
    expected[own].append("")  # the bot may not read its content
    expected[0].append("in private")
    assert heard == expected


async def test_heartbeats_are_acknowledged_unless_disabled(server: DiscordServer) -> None:
    async with (
        aiohttp.ClientSession(connector=server.connector()) as session,
        session.ws_connect("wss://gateway.discord.gg/") as socket,
    ):
        assert (await socket.receive_json())["d"]["heartbeat_interval"] == 41250
        await socket.send_json({"op": 1, "d": None})
        assert (await socket.receive_json())["op"] == 11
        server.gateway.ignores_heartbeats = True
        await socket.send_json({"op": 1, "d": None})
        await socket.send_json({"op": 99, "d": None})
        assert (await socket.receive()).type is aiohttp.WSMsgType.CLOSE
