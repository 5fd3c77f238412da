"""Each fault that a test can switch on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import aiohttp
import discord
import pytest

if TYPE_CHECKING:
    from tests.loopback.conftest import LoopbackEnvironment

POSTS = ("POST", "/channels/*/messages")


async def test_a_refusal_strikes_once(env: LoopbackEnvironment) -> None:
    fault = env.discord.faults.refuse(*POSTS, status=403, code=50013)
    with pytest.raises(discord.Forbidden) as refused:
        await env.bot_channel.send("a")
    assert (refused.value.code, fault.hits) == (50013, 1)
    await env.bot_channel.send("b")
    assert [one.content for one in env.channel.messages] == ["b"]


async def test_a_refusal_can_last_as_long_as_a_block(env: LoopbackEnvironment) -> None:
    with env.discord.faults.refuse(*POSTS, status=400, times=None) as fault:
        for _ in range(3):
            with pytest.raises(discord.HTTPException):
                await env.bot_channel.send("a")
    assert fault.hits == 3
    await env.bot_channel.send("b")


async def test_500_is_tried_again_by_the_client(env: LoopbackEnvironment) -> None:
    env.discord.faults.refuse(*POSTS, status=500)
    await env.bot_channel.send("a")
    assert [one.status for one in env.discord.requests[-2:]] == [500, 200]
    assert len(env.channel.messages) == 1


async def test_a_fault_strikes_only_its_route(env: LoopbackEnvironment) -> None:
    fault = env.discord.faults.refuse("PATCH", "/channels/*/messages/*", status=400)
    sent = await env.bot_channel.send("a")
    assert fault.hits == 0
    with pytest.raises(discord.HTTPException):
        await sent.edit(content="b")


async def test_429_makes_the_client_wait(env: LoopbackEnvironment) -> None:
    env.discord.faults.rate_limit(*POSTS, retry_after=0.01, times=2)
    await env.bot_channel.send("a")
    assert [one.status for one in env.discord.requests[-3:]] == [429, 429, 200]


async def test_429_on_the_answer_of_an_interaction(env: LoopbackEnvironment) -> None:
    env.discord.faults.rate_limit("POST", "/interactions/**", retry_after=0.01)
    reply = await env.alice.command("say", {"text": "a"}, channel=env.channel)
    assert reply.content == "a"


async def test_a_held_request_is_done_when_released(env: LoopbackEnvironment) -> None:
    fault = env.discord.faults.hold(*POSTS)
    sending = asyncio.create_task(env.bot_channel.send("a"))
    await fault.arrived.wait()
    assert env.channel.messages == []
    fault.release()
    await sending
    assert len(env.channel.messages) == 1


async def test_a_held_answer_comes_after_the_deed(env: LoopbackEnvironment) -> None:
    fault = env.discord.faults.hold("POST", "/interactions/**", after_processing=True)
    handed = await env.hand()
    sending = asyncio.create_task(handed.interaction.response.send_message("a"))
    assert (await handed.waiting).content == "a"
    assert not sending.done()
    fault.release()
    await sending


async def test_an_answer_held_too_long_is_too_late(env: LoopbackEnvironment) -> None:
    fault = env.discord.faults.hold("POST", "/interactions/**")
    handed = await env.hand()
    sending = asyncio.create_task(handed.interaction.response.send_message("a"))
    await fault.arrived.wait()
    env.discord.advance(3)
    fault.release()
    with pytest.raises(discord.NotFound):
        await sending
    assert (await handed.waiting).failed


@pytest.mark.parametrize(("when_done", "posted"), [(False, 0), (True, 1)])
async def test_a_dropped_connection(env: LoopbackEnvironment, *, when_done: bool, posted: int) -> None:
    env.discord.faults.drop(*POSTS, after_processing=when_done)
    with pytest.raises((aiohttp.ClientError, OSError)):
        await env.bot_channel.send("a")
    assert len(env.channel.messages) == posted
    entry = env.discord.requests[-1]
    assert (entry.status, entry.processed) == (None, when_done)


async def test_an_answer_that_is_lost_was_given(env: LoopbackEnvironment) -> None:
    env.discord.faults.drop("POST", "/interactions/**", after_processing=True)
    handed = await env.hand()
    with pytest.raises((aiohttp.ClientError, OSError)):
        await handed.interaction.response.send_message("a")
    assert (await handed.waiting).content == "a"


async def test_silence_is_cut_when_it_ends(env: LoopbackEnvironment) -> None:
    with env.discord.faults.silence(*POSTS) as fault:
        sending = asyncio.create_task(env.bot_channel.send("a"))
        await fault.arrived.wait()
        assert not sending.done()
    with pytest.raises((aiohttp.ClientError, OSError)):
        await sending
    assert env.channel.messages == []


async def test_a_test_that_forgets_what_it_holds_ends_all_the_same(env: LoopbackEnvironment) -> None:
    fault = env.discord.faults.hold(*POSTS)
    sending = asyncio.create_task(env.bot_channel.send("a"))
    await fault.arrived.wait()
    env.discord.faults.clear()
    await sending
