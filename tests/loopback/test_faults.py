"""Each fault that a test can switch on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import aiohttp
import discord
import pytest

if TYPE_CHECKING:
    from tests.loopback.conftest import Stage

POSTS = ("POST", "/channels/*/messages")


async def test_a_refusal_strikes_once(stage: Stage) -> None:
    fault = stage.discord.faults.refuse(*POSTS, status=403, code=50013)
    with pytest.raises(discord.Forbidden) as refused:
        await stage.place.send("a")
    assert (refused.value.code, fault.hits) == (50013, 1)
    await stage.place.send("b")
    assert [one.content for one in stage.channel.messages] == ["b"]


async def test_a_refusal_can_last_as_long_as_a_block(stage: Stage) -> None:
    with stage.discord.faults.refuse(*POSTS, status=400, times=None) as fault:
        for _ in range(3):
            with pytest.raises(discord.HTTPException):
                await stage.place.send("a")
    assert fault.hits == 3
    await stage.place.send("b")


async def test_500_is_tried_again_by_the_client(stage: Stage) -> None:
    stage.discord.faults.refuse(*POSTS, status=500)
    await stage.place.send("a")
    assert [one.status for one in stage.discord.requests[-2:]] == [500, 200]
    assert len(stage.channel.messages) == 1


async def test_a_fault_strikes_only_its_route(stage: Stage) -> None:
    fault = stage.discord.faults.refuse("PATCH", "/channels/*/messages/*", status=400)
    sent = await stage.place.send("a")
    assert fault.hits == 0
    with pytest.raises(discord.HTTPException):
        await sent.edit(content="b")


async def test_429_makes_the_client_wait(stage: Stage) -> None:
    stage.discord.faults.rate_limit(*POSTS, retry_after=0.01, times=2)
    await stage.place.send("a")
    assert [one.status for one in stage.discord.requests[-3:]] == [429, 429, 200]


async def test_429_on_the_answer_of_an_interaction(stage: Stage) -> None:
    stage.discord.faults.rate_limit("POST", "/interactions/**", retry_after=0.01)
    reply = await stage.alice.command("say", {"text": "a"}, channel=stage.channel)
    assert reply.content == "a"


async def test_a_held_request_is_done_when_released(stage: Stage) -> None:
    fault = stage.discord.faults.hold(*POSTS)
    sending = asyncio.create_task(stage.place.send("a"))
    await fault.arrived.wait()
    assert stage.channel.messages == []
    fault.release()
    await sending
    assert len(stage.channel.messages) == 1


async def test_a_held_answer_comes_after_the_deed(stage: Stage) -> None:
    fault = stage.discord.faults.hold("POST", "/interactions/**", when_done=True)
    handed = await stage.hand()
    sending = asyncio.create_task(handed.interaction.response.send_message("a"))
    assert (await handed.waiting).content == "a"
    assert not sending.done()
    fault.release()
    await sending


async def test_an_answer_held_too_long_is_too_late(stage: Stage) -> None:
    fault = stage.discord.faults.hold("POST", "/interactions/**")
    handed = await stage.hand()
    sending = asyncio.create_task(handed.interaction.response.send_message("a"))
    await fault.arrived.wait()
    stage.discord.advance(3)
    fault.release()
    with pytest.raises(discord.NotFound):
        await sending
    assert (await handed.waiting).failed


@pytest.mark.parametrize(("when_done", "posted"), [(False, 0), (True, 1)])
async def test_a_dropped_connection(stage: Stage, *, when_done: bool, posted: int) -> None:
    stage.discord.faults.drop(*POSTS, when_done=when_done)
    with pytest.raises((aiohttp.ClientError, OSError)):
        await stage.place.send("a")
    assert len(stage.channel.messages) == posted
    entry = stage.discord.requests[-1]
    assert (entry.status, entry.processed) == (None, when_done)


async def test_an_answer_that_is_lost_was_given(stage: Stage) -> None:
    stage.discord.faults.drop("POST", "/interactions/**", when_done=True)
    handed = await stage.hand()
    with pytest.raises((aiohttp.ClientError, OSError)):
        await handed.interaction.response.send_message("a")
    assert (await handed.waiting).content == "a"


async def test_silence_is_cut_when_it_ends(stage: Stage) -> None:
    with stage.discord.faults.silence(*POSTS) as fault:
        sending = asyncio.create_task(stage.place.send("a"))
        await fault.arrived.wait()
        assert not sending.done()
    with pytest.raises((aiohttp.ClientError, OSError)):
        await sending
    assert stage.channel.messages == []


async def test_a_test_that_forgets_what_it_holds_ends_all_the_same(stage: Stage) -> None:
    fault = stage.discord.faults.hold(*POSTS)
    sending = asyncio.create_task(stage.place.send("a"))
    await fault.arrived.wait()
    stage.discord.faults.clear()
    await sending
