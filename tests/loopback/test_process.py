"""A bot in a process of its own, killed during a response and started again."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import TYPE_CHECKING

import pytest

from tests.discord_server.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.discord_server import DiscordServer


@contextlib.asynccontextmanager
async def process(server: DiscordServer) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run the small bot as a process."""
    command = ("-m", "tests.loopback.bot_process", str(server.port), str(server.ca_file), server.token)
    running = await asyncio.create_subprocess_exec(sys.executable, *command, cwd=ROOT)
    try:
        await server.wait_until_connected()
        yield running
    finally:
        with contextlib.suppress(ProcessLookupError):
            running.kill()
        await running.wait()


@pytest.mark.long
async def test_buttons_work_after_the_bot_was_killed_and_restarted(server: DiscordServer) -> None:
    guild = server.guild("Salon")
    channel, alice = guild.channel("games"), guild.member("Alice")
    async with process(server) as bot:
        shown = await alice.command("count", channel=channel)
        with server.faults.silence("POST", "/interactions/**") as fault:
            clicking = asyncio.create_task(alice.click(shown, "Count 0"))
            await fault.arrived.wait()
            bot.kill()
            await bot.wait()
    await server.wait_until(lambda: not server.gateway.is_connected)
    server.advance(3)
    assert (await clicking).failed == "The application did not respond"
    assert shown.content == "counted 0"
    async with process(server):
        await alice.click(shown, "Count 0")
    assert shown.content == "counted 1"
    assert server.gateway.identified == 2
