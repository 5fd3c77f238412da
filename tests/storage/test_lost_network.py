"""PostgreSQL behind a network that is cut."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

import storage.connections.database
from storage import Database, StorageUnavailable
from storage.connections import sqlalchemy_engines
from storage.work import leases
from tests.network import Network

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

LIMIT = 1.0  # seconds of each time limit in these tests
PROMPT = 8.0  # seconds, for slow machines too; without the limits it takes a minute or more
ROW = text("SELECT done FROM leases WHERE name = 'test' FOR UPDATE")


@pytest.fixture
def url(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(storage.connections.database, "ANSWER_TIMEOUT_SECONDS", LIMIT)
    monkeypatch.setattr(sqlalchemy_engines, "IDLE_TRANSACTION_SECONDS", LIMIT)
    return postgres_url


@asynccontextmanager
async def remote_database(url: str) -> AsyncIterator[tuple[Network, Database]]:
    """Return a database behind a network."""
    parsed = make_url(url)
    async with Network(parsed.port or 5432) as network:
        through = parsed.set(port=network.port).render_as_string(hide_password=False)
        async with await Database.open(through) as database:
            yield network, database


@pytest.mark.long
async def test_row_that_a_lost_client_has_locked_is_free_again(url: str) -> None:
    is_free = False
    async with remote_database(url) as (network, lost), await Database.open(url) as other:
        async with other.transaction() as connection:
            await leases.claim(connection, "test", "other", 1)
        with pytest.raises(StorageUnavailable):  # noqa: PT012 - at the end of the block
            async with lost.transaction() as connection:
                await connection.execute(ROW)
                network.cut()
                is_free = await can_lock(other)
                network.restore()
    assert is_free


async def can_lock(database: Database) -> bool:
    """Return whether a transaction gets the lock of ROW promptly."""
    end = time.monotonic() + PROMPT
    while time.monotonic() < end:
        with suppress(StorageUnavailable):
            async with database.transaction() as connection:
                await connection.execute(ROW)
                return True
    return False


@pytest.mark.long
async def test_commit_without_an_answer_is_uncertain(url: str) -> None:
    async with remote_database(url) as (network, database):
        with pytest.raises(StorageUnavailable) as failure:  # noqa: PT012 - at the end of the block
            async with database.transaction() as connection:
                await leases.claim(connection, "test", "owner", 1)
                network.cut()
        assert failure.value.uncertain
        network.restore()


@pytest.mark.long
async def test_database_answers_again_soon_after_all_connections_were_forgotten(url: str) -> None:
    async with remote_database(url) as (network, database):
        assert await can_read(database)
        network.cut()
        network.restore(lambda: False)
        assert await can_read(database)


async def can_read(database: Database) -> bool:
    """Return whether several connections at once can promptly be used."""

    async def read() -> None:
        async with database.read() as connection:
            await connection.execute(text("SELECT pg_sleep(0.1)"))

    end = time.monotonic() + PROMPT
    while time.monotonic() < end:
        with suppress(StorageUnavailable):
            await asyncio.gather(*(read() for _ in range(10)))
            return True
    return False
