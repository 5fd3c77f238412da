"""Work in the background: packing and rating matches, and deleting what was kept long enough."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import discord
import structlog

from bot.feature import Feature
from bot.outbox.sender import PeriodicTask
from bot.ui import ids
from matches.work.each import for_each

if TYPE_CHECKING:
    from bot.context import BotClient

log = structlog.stdlib.get_logger(__name__)

ERASURE_INTERVAL = timedelta(minutes=5)
DELETION_INTERVAL = timedelta(days=1)


async def pack_matches(client: BotClient) -> None:
    """Pack some of the matches that have been over for long enough. Raises StorageUnavailable."""
    await client.matches.work.packing.pack(now=client.now())


async def recompute_ratings(client: BotClient) -> None:
    """Compute the next ratings that a corrected result changed."""
    await client.matches.ratings.recompute()


async def finish_erasures(client: BotClient) -> None:
    """Erase the data of people who waited for the end of their matches. Raises StorageUnavailable."""
    finished = await client.matches.people.personal_data.finish_erasures(now=client.now())
    if finished:
        log.info("erasures.finished", count=finished)


async def delete_old_data(client: BotClient) -> None:
    """Delete what was kept long enough. Raises StorageUnavailable, ExceptionGroup."""
    await client.matches.people.personal_data.delete_old(now=client.now())


async def delete_old_sessions(client: BotClient) -> None:
    """Delete sessions of the website that have long expired. Raises StorageUnavailable."""
    # The website deletes expired sessions within the hour and tells Discord, unless it does not run.
    await client.matches.people.sessions.delete_expired(now=client.now() - DELETION_INTERVAL)


async def erase_left_servers(client: BotClient) -> None:
    """Delete the data of servers without the bot. Discord is asked first: the list may be incomplete.

    Raises StorageUnavailable, ExceptionGroup.
    """
    service = client.matches.people.personal_data
    present = {ids.stored_id(guild.id) for guild in client.guilds}
    reached = client.gateway.coverage()

    async def erase_left(server: str) -> None:
        try:
            await client.fetch_guild(ids.snowflake(server), with_counts=False)
        except (discord.NotFound, discord.Forbidden):
            await service.erase_server(server)
        except (discord.HTTPException, OSError) as error:
            log.info("server.unchecked", error=repr(error))

    left = await service.list_left_servers(ids.ID_PREFIX, present, reached.has, now=client.now())
    await for_each(left, erase_left)


FEATURE = Feature(
    periodic_tasks=(
        PeriodicTask(recompute_ratings),
        PeriodicTask(finish_erasures, ERASURE_INTERVAL),
        PeriodicTask(delete_old_data, DELETION_INTERVAL),
        PeriodicTask(delete_old_sessions, DELETION_INTERVAL),
        PeriodicTask(pack_matches),
        PeriodicTask(erase_left_servers, DELETION_INTERVAL, needs_gateway=True),
    )
)
