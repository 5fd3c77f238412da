"""A website without the bot packs finished matches, and shows them as before."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.discord_server.waiting import PATIENCE
from tests.matches.scenario import post_everything
from tests.web.environment import ALICE
from web.background import packing

if TYPE_CHECKING:
    from tests.web.environment import Visitor, WebEnvironment


async def test_website_packs_finished_matches(env: WebEnvironment, visitor: Visitor) -> None:
    match = (await env.play((await env.start_match()).id)).id
    await env.matches.resign(match, ALICE, now=env.clock())
    await post_everything(env.matches)
    pages = [f"/m/{match}?turn={turn}&part=board" for turn in (0, 1)]
    before = [(await visitor.get(path)).text for path in pages]
    env.clock.advance(days=8)
    packed = asyncio.Event()
    with env.matches.on_commit(packed.set):
        async with packing(env.context, seconds=0), asyncio.timeout(PATIENCE):
            await packed.wait()
    assert await env.matches.work.packing.pack(now=env.clock()) == 0
    assert [(await visitor.get(path)).text for path in pages] == before
