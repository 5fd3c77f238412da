"""A website without the bot packs finished matches, and shows them as before."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from matches import StorageUnavailable
from storage.tables import PACKED_LOGS
from tests.discord_server.waiting import PATIENCE
from tests.matches.scenario import post_everything
from tests.web.environment import ALICE
from web.accounts import account
from web.background import sweeping

if TYPE_CHECKING:
    import pytest

    from tests.web.environment import Visitor, WebEnvironment


async def count_packed(env: WebEnvironment) -> int:
    async with env.database.read() as connection:
        return (await connection.execute(select(func.count()).select_from(PACKED_LOGS))).scalar_one()


async def test_website_packs_finished_matches(env: WebEnvironment, visitor: Visitor) -> None:
    match = (await env.play((await env.start_match()).id)).id
    await env.matches.resign(match, ALICE, now=env.clock())
    await post_everything(env.matches)
    pages = [f"/m/{match}?turn={turn}&part=board" for turn in (0, 1)]
    before = [(await visitor.get(path)).text for path in pages]
    env.clock.advance(days=8)
    committed = asyncio.Event()
    with env.matches.on_commit(committed.set):
        async with sweeping(env.context, seconds=0), asyncio.timeout(PATIENCE):
            while not await count_packed(env):
                await committed.wait()
                committed.clear()
    assert await env.matches.work.packing.pack(now=env.clock()) == 0
    assert [(await visitor.get(path)).text for path in pages] == before


async def test_website_goes_on_packing_after_an_error(
    env: WebEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes, went_on = [ValueError("broken"), StorageUnavailable("away")], asyncio.Event()

    async def pack(**_: object) -> None:
        if outcomes:
            raise outcomes.pop()
        went_on.set()

    monkeypatch.setattr(env.context.matches.work.packing, "pack", pack)
    async with sweeping(env.context, seconds=0), asyncio.timeout(PATIENCE):
        await went_on.wait()


async def test_erasures_are_finished_although_sessions_cannot_be_deleted(
    env: WebEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished = asyncio.Event()

    async def fail(**_: object) -> None:
        raise ValueError("broken")

    async def finish(**_: object) -> None:
        finished.set()

    monkeypatch.setattr(account, "PURGE_SECONDS", 0)
    monkeypatch.setattr(env.context.matches.people.sessions, "delete_expired", fail)
    monkeypatch.setattr(env.context.matches.people.personal_data, "finish_erasures", finish)
    async for _ in account.purge_sessions(env.application):
        await asyncio.wait_for(finished.wait(), PATIENCE)
