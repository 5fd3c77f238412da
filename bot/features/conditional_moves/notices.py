"""Direct messages that inform users that their conditional moves no longer apply.

Users who accept no direct messages, and players of local games on the website, see the notice the next time
they open their conditional moves.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import discord
import structlog

from bot.posts.places import describe_place
from bot.posts.post import Post
from bot.ui import ids
from bot.ui.interactions import DELIVERY_ERRORS
from i18n.announcements import describe_lost_lines
from matches import DISCORD, StorageUnavailable

if TYPE_CHECKING:
    from bot.context import BotClient
    from matches.conditionals import LossNotice

log = structlog.stdlib.get_logger(__name__)

MAX_ATTEMPTS = 20
NOTICE_TIMEOUT = 30.0  # seconds for each message


async def send_notices(client: BotClient) -> None:
    """Send all due notices; a failed one is retried a minute later. Raises StorageUnavailable."""
    for notice in await client.matches.conditionals.claim_notices(DISCORD, now=client.now()):
        try:
            async with asyncio.timeout(NOTICE_TIMEOUT):
                await _send(client, notice)
        except discord.Forbidden:
            await client.matches.conditionals.mark_unreachable(notice)
        except DELIVERY_ERRORS as error:
            log.warning("notice.unsent", match=notice.match, error=repr(error))
            if notice.attempts >= MAX_ATTEMPTS:
                await client.matches.conditionals.mark_unreachable(notice)
        except StorageUnavailable:
            raise
        except Exception:
            log.exception("notice.failed", match=notice.match)
        else:
            await client.matches.conditionals.mark_notified(notice)


async def _send(client: BotClient, notice: LossNotice) -> None:
    view = await client.matches.view(notice.match, now=client.now())
    person = discord.Object(ids.snowflake(notice.recipient))
    channel = await client.create_dm(person)
    place = describe_place(client.texts, view)
    text = describe_lost_lines(client.texts, view, notice.recipient, notice.reason, place)
    await channel.send(**Post(text).send_arguments(), nonce=f"rayuela-l{notice.match}-{notice.revision}")
