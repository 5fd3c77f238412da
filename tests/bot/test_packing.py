"""The bot packs finished matches in the background, and their old posts still work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from storage.tables import MOVES, PACKED_LOGS

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment


async def count_rows(env: BotEnvironment) -> tuple[int, int]:
    """Return how many moves and packed logs are stored."""
    async with env.database.read() as connection:
        tables = [select(func.count()).select_from(table) for table in (MOVES, PACKED_LOGS)]
        moves, logs = [(await connection.execute(one)).scalar_one() for one in tables]
        return moves, logs


@pytest.mark.long
async def test_finished_match_is_packed_and_its_posts_still_work(env: BotEnvironment) -> None:
    await env.start_match()
    first = await env.move(env.alice, "C1-D2")
    await env.move(env.bob, "A2-B3")
    resigned = await env.alice.click(await env.alice.command("resign", {}, channel=env.channel), "Resign")
    post = await env.wait_for_board(after=resigned)
    before = await env.bob.click(post, "Replay")
    assert await count_rows(env) == (2, 0)
    await env.advance_time(days=8)
    await env.wait_until_idle()
    assert await count_rows(env) == (0, 1)
    after = await env.bob.click(post, "Replay")
    assert after.text == before.text
    for board in (first, post):
        assert (await env.bob.click(board, "My view")).shown.attachments
