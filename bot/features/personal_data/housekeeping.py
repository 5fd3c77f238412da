"""Deletion in the background: erasures that waited, what is old, and servers that removed the bot."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import discord
import structlog

from bot.ui import ids

if TYPE_CHECKING:
    from datetime import datetime

    from bot.context import BotClient

log = structlog.stdlib.get_logger(__name__)

ERASURE_INTERVAL = timedelta(minutes=5)
OTHER_INTERVAL = timedelta(days=1)


class Housekeeping:
    """Runs each part when it is due for a client. Both may be run twice, and by several processes."""

    def __init__(self) -> None:
        self._erased_at: WeakKeyDictionary[BotClient, datetime] = WeakKeyDictionary()
        self._cleaned_at: WeakKeyDictionary[BotClient, datetime] = WeakKeyDictionary()

    async def run(self, client: BotClient) -> None:
        """Run what is due. Raises StorageUnavailable."""
        now = client.now()
        if _is_due(self._erased_at.get(client), now, ERASURE_INTERVAL):
            self._erased_at[client] = now
            finished = await client.matches.people.personal_data.finish_erasures(now=now)
            if finished:
                log.info("erasures.finished", count=finished)
        if _is_due(self._cleaned_at.get(client), now, OTHER_INTERVAL):
            self._cleaned_at[client] = now
            await client.matches.people.personal_data.delete_old(now=now)
            # The website deletes expired sessions within the hour and tells Discord, unless it does not run.
            await client.matches.people.sessions.delete_expired(now=now - OTHER_INTERVAL)


class LeftServers:
    """Deletes the data of servers that removed the bot. It may be run twice, and by several processes."""

    def __init__(self) -> None:
        self._checked_at: WeakKeyDictionary[BotClient, datetime] = WeakKeyDictionary()

    async def run(self, client: BotClient) -> None:
        """Look for such servers if that is due. Raises StorageUnavailable."""
        now = client.now()
        if client.is_ready() and _is_due(self._checked_at.get(client), now, OTHER_INTERVAL):
            self._checked_at[client] = now
            await _erase_left_servers(client, now)


def _is_due(last: datetime | None, now: datetime, interval: timedelta) -> bool:
    return last is None or now - last >= interval


async def _erase_left_servers(client: BotClient, now: datetime) -> None:
    """Delete the data of servers without the bot. Discord is asked first: the list may be incomplete."""
    service = client.matches.people.personal_data
    present = {ids.stored_id(guild.id) for guild in client.guilds}
    reached = client.gateway.coverage()
    for server in await service.list_left_servers(ids.ID_PREFIX, present, reached.has, now=now):
        try:
            await client.fetch_guild(ids.snowflake(server), with_counts=False)
        except (discord.NotFound, discord.Forbidden):
            await service.erase_server(server)
        except (discord.HTTPException, OSError) as error:
            log.info("server.unchecked", error=repr(error))
