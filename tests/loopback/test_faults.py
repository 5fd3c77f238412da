"""Each fault that a test can enable."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import aiohttp
import discord
import pytest

if TYPE_CHECKING:
    from tests.loopback.conftest import LoopbackEnvironment

POSTS = ("POST", "/channels/*/messages")


async def test_refusal_applies_once(env: LoopbackEnvironment) -> None:
    fault = env.discord.faults.refuse(*POSTS, status=403, code=50013)
    with pytest.raises(discord.Forbidden) as refused:
        await env.bot_channel.send("a")
    assert (refused.value.code, fault.hits) == (50013, 1)
    await env.bot_channel.send("b")
    assert [one.content for one in env.channel.messages] == ["b"]


async def test_refusal_can_last_for_a_context(env: LoopbackEnvironment) -> None:
    with env.discord.faults.refuse(*POSTS, status=400, times=None) as fault:
        for _ in range(3):
            with pytest.raises(discord.HTTPException):
                await env.bot_channel.send("a")
    assert fault.hits == 3
    await env.bot_channel.send("b")


@pytest.mark.long
async def test_client_retries_after_500(env: LoopbackEnvironment) -> None:
    env.discord.faults.refuse(*POSTS, status=500)
    await env.bot_channel.send("a")
    assert [one.status for one in env.discord.requests[-2:]] == [500, 200]
    assert len(env.channel.messages) == 1


async def test_fault_applies_only_to_its_route(env: LoopbackEnvironment) -> None:
    fault = env.discord.faults.refuse("PATCH", "/channels/*/messages/*", status=400)
    sent = await env.bot_channel.send("a")
    assert fault.hits == 0
    with pytest.raises(discord.HTTPException):
        await sent.edit(content="b")


async def test_client_waits_after_429(env: LoopbackEnvironment) -> None:
    env.discord.faults.rate_limit(*POSTS, retry_after=0.01, times=2)
    await env.bot_channel.send("a")
    assert [one.status for one in env.discord.requests[-3:]] == [429, 429, 200]


async def test_client_retries_an_interaction_response_after_429(env: LoopbackEnvironment) -> None:
    env.discord.faults.rate_limit("POST", "/interactions/**", retry_after=0.01)
    reply = await env.alice.command("say", {"text": "a"}, channel=env.channel)
    assert reply.content == "a"


async def test_held_request_is_processed_when_released(env: LoopbackEnvironment) -> None:
    fault = env.discord.faults.hold(*POSTS)
    sending = asyncio.create_task(env.bot_channel.send("a"))
    await fault.arrived.wait()
    assert env.channel.messages == []
    fault.release()
    await sending
    assert len(env.channel.messages) == 1


async def test_held_response_comes_after_processing(env: LoopbackEnvironment) -> None:
    fault = env.discord.faults.hold("POST", "/interactions/**", after_processing=True)
    handed = await env.hand()
    sending = asyncio.create_task(handed.interaction.response.send_message("a"))
    assert (await handed.waiting).content == "a"
    assert not sending.done()
    fault.release()
    await sending


async def test_response_held_too_long_misses_the_deadline(env: LoopbackEnvironment) -> None:
    fault = env.discord.faults.hold("POST", "/interactions/**")
    handed = await env.hand()
    sending = asyncio.create_task(handed.interaction.response.send_message("a"))
    await fault.arrived.wait()
    env.discord.advance(3)
    fault.release()
    with pytest.raises(discord.NotFound):
        await sending
    assert (await handed.waiting).failed


@pytest.mark.parametrize(("processed", "posted"), [(False, 0), (True, 1)])
async def test_dropped_connection_raises_in_the_client(
    env: LoopbackEnvironment, *, processed: bool, posted: int
) -> None:
    env.discord.faults.drop(*POSTS, after_processing=processed)
    with pytest.raises((aiohttp.ClientError, OSError)):
        await env.bot_channel.send("a")
    assert len(env.channel.messages) == posted
    entry = env.discord.requests[-1]
    assert (entry.status, entry.processed) == (None, processed)


async def test_lost_response_was_processed(env: LoopbackEnvironment) -> None:
    env.discord.faults.drop("POST", "/interactions/**", after_processing=True)
    handed = await env.hand()
    with pytest.raises((aiohttp.ClientError, OSError)):
        await handed.interaction.response.send_message("a")
    assert (await handed.waiting).content == "a"


@pytest.mark.long
async def test_silenced_requests_are_disconnected_at_the_end(env: LoopbackEnvironment) -> None:
    with env.discord.faults.silence(*POSTS) as fault:
        sending = asyncio.create_task(env.bot_channel.send("a"))
        await fault.arrived.wait()
        assert not sending.done()
    with pytest.raises((aiohttp.ClientError, OSError)):
        await sending
    assert env.channel.messages == []


async def test_unreleased_requests_do_not_block_shutdown(env: LoopbackEnvironment) -> None:
    fault = env.discord.faults.hold(*POSTS)
    sending = asyncio.create_task(env.bot_channel.send("a"))
    await fault.arrived.wait()
    env.discord.faults.clear()
    await sending
