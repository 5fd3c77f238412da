"""Heartbeats and servers are locked in one order on PostgreSQL, however their rows are stored."""

from __future__ import annotations

import asyncio

from sqlalchemy import insert, text

from storage import Database
from storage.match import clocks
from storage.tables import HEARTBEATS, SERVERS
from tests.discord_server.waiting import PATIENCE

LOCK = text("SELECT shard FROM heartbeats WHERE shard = :shard FOR UPDATE")
COUNT_WAITING = text(
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
)
SHARDS = (0, 1)


async def test_shard_that_is_stored_last_is_locked_first(postgres_url: str) -> None:
    """One transaction has the lowest shard and then takes the other, which the second must not have yet."""
    async with await Database.open(postgres_url) as database, asyncio.timeout(PATIENCE):
        async with database.transaction() as connection:
            for shard in reversed(SHARDS):
                await connection.execute(insert(HEARTBEATS).values(count=len(SHARDS), shard=shard, beat_at=1))

        async def lock_all() -> None:
            async with database.transaction() as connection:
                await clocks.list_heartbeats(connection, lock=True)

        async with database.transaction() as connection:
            await connection.execute(LOCK, {"shard": SHARDS[0]})
            other = asyncio.create_task(lock_all())
            async with database.read() as watching:
                while not (await watching.execute(COUNT_WAITING)).scalar_one():  # noqa: ASYNC110 - of others
                    await asyncio.sleep(0.01)
            await connection.execute(LOCK, {"shard": SHARDS[1]})
        await other


async def test_servers_are_numbered_in_the_order_of_their_names(database: Database) -> None:
    async with database.transaction() as connection:
        for server in ("discord:2", "discord:1"):
            await connection.execute(insert(SERVERS).values(server=server, met_at=1))
    async with database.read() as connection:
        assert await clocks.list_unnumbered_servers(connection) == ["discord:1", "discord:2"]
