"""How an interaction is answered, and what a person is told when it cannot be as asked."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
import structlog

from bot.permissions import lacking, runs_server
from bot.refusals import Refusal, refused
from matches import MatchError, StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bot.client import Interaction
    from words import Words

log = structlog.stdlib.get_logger(__name__)

# What can keep an answer from reaching Discord.
UNREACHED = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)


async def attend(interaction: Interaction, work: Callable[[], Awaitable[None]]) -> None:
    """Do the work that answers `interaction`; tell the person in private whatever goes wrong."""
    client = interaction.client
    if client.hands.closing:
        await tell(interaction, client.words("trouble.leaving"))
        return
    with client.hands.holding():
        interaction.extras["deadline"] = asyncio.get_running_loop().time() + client.patience
        try:
            await work()
        except Exception as error:  # noqa: BLE001 - whatever it is, the person is told and it is logged
            await tell(interaction, _sentence(interaction, error))


def take(interaction: Interaction) -> None:
    """Note that what the person asked for has been committed."""
    interaction.extras["taken"] = True


def within(interaction: Interaction) -> asyncio.Timeout:
    """Bound an answer by the time in which Discord takes it: short for the first, longer for what follows."""
    if interaction.response.is_done():
        return asyncio.timeout(interaction.client.patience)
    return asyncio.timeout_at(interaction.extras.get("deadline"))


async def tell(interaction: Interaction, text: str, **content: Any) -> None:
    """Answer in private. If Discord cannot be reached, that is logged and nothing more."""
    try:
        async with within(interaction):
            if interaction.response.is_done():
                await interaction.followup.send(text, ephemeral=True, **content)
            else:
                await interaction.response.send_message(text, ephemeral=True, **content)
    except UNREACHED as error:
        log.warning("answer.unreached", interaction=interaction.id, error=repr(error))


def need_permissions(interaction: Interaction) -> None:
    """Raise the Refusal that names what the bot lacks where the interaction was made."""
    missing = lacking(interaction)
    if missing:
        words = interaction.client.words
        names = words.listed([words(f"permission.{name}") for name in missing])
        raise Refusal("permissions", count=len(missing), names=names)


def need_manager(interaction: Interaction) -> None:
    """Raise the Refusal of whoever may not manage the server."""
    if not runs_server(interaction):
        raise Refusal("managers_only")


def _sentence(interaction: Interaction, error: Exception) -> str:
    words: Words = interaction.client.words
    if isinstance(error, MatchError | Refusal):
        return refused(words, error)
    if isinstance(error, StorageUnavailable):
        log.error("storage.unavailable", interaction=interaction.id, error=str(error))
        return words("trouble.uncertain" if error.uncertain else "trouble.storage")
    if isinstance(error, UNREACHED) and interaction.extras.get("taken"):
        log.warning("post.unreached", interaction=interaction.id, error=repr(error))
        return words("trouble.later")
    number = secrets.token_hex(4)
    log.error("answer.failed", number=number, interaction=interaction.id, exc_info=error)
    return words("trouble.taken" if interaction.extras.get("taken") else "trouble.not_taken", number=number)
