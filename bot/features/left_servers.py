"""Deletes the data of servers without the bot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
import structlog

from bot.feature import Feature
from bot.outbox.sender import PeriodicTask
from bot.ui import ids
from matches.work.each import for_each
from matches.work.sweeps import DELETION_INTERVAL

if TYPE_CHECKING:
    from bot.context import BotClient

log = structlog.stdlib.get_logger(__name__)


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


FEATURE = Feature(periodic_tasks=(PeriodicTask(erase_left_servers, DELETION_INTERVAL, needs_gateway=True),))
