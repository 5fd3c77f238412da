"""Telling people in private that their conditional moves are possible no more.

It goes by direct message. Who takes none from the bot is told when they next look at their conditional moves.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import discord
import structlog

from bot import people
from bot.answers import UNREACHED
from bot.posts import Post
from matches import StorageUnavailable

if TYPE_CHECKING:
    from bot.client import Rayuela
    from matches import MatchView
    from matches.conditionals import Notice
    from words import Words

log = structlog.stdlib.get_logger(__name__)

MOST_TRIES = 20
PATIENCE = 30.0  # seconds that one message may take


async def tell(client: Rayuela) -> None:
    """Tell all who are to be told; what fails is tried again a minute later. Raises StorageUnavailable."""
    for notice in await client.matches.conditionals.notices(now=client.now()):
        try:
            async with asyncio.timeout(PATIENCE):
                await _send(client, notice)
        except discord.Forbidden:
            await client.matches.conditionals.unreached(notice)
        except UNREACHED as error:
            log.warning("notice.unsent", match=notice.match, error=repr(error))
            if notice.attempts >= MOST_TRIES:
                await client.matches.conditionals.unreached(notice)
        except StorageUnavailable:
            raise
        except Exception:
            log.exception("notice.failed", match=notice.match)
        else:
            await client.matches.conditionals.noticed(notice)


async def _send(client: Rayuela, notice: Notice) -> None:
    view = await client.matches.view(notice.match, now=client.now())
    person = discord.Object(people.number(notice.whom))
    channel = await client.create_dm(person)
    post = Post(_text(client.words, view, notice))
    await channel.send(**post.new(), nonce=f"rayuela-l{notice.match}-{notice.stamp}")


def _text(words: Words, view: MatchView, notice: Notice) -> str:
    other = view.opponent(notice.whom)
    return words(
        "conditional.notice",
        match=view.id,
        name="" if other is None else people.called(other.person),
        why=words(f"conditional.lost.{notice.why}"),
        place=people.channel_mention(view.place),
    )
