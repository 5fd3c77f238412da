"""Handling of interactions: deadlines, ephemeral replies and error messages."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
import structlog

from bot.ui import ids
from bot.ui.match_names import format_match_name
from bot.ui.permissions import cannot_post, current_server, is_manager, missing_permissions
from bot.ui.refusals import Refusal, format_refusal
from matches import (
    MatchError,
    MatchId,
    MatchUnknown,
    MoveReason,
    RequestRepeated,
    StaleBoard,
    StorageUnavailable,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bot.context import Interaction
    from i18n import Texts
    from matches import Request

log = structlog.stdlib.get_logger(__name__)

# Errors that keep a request from reaching Discord.
DELIVERY_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)

ALREADY_ANSWERED = 40060  # Discord's error code

# Keys of Interaction.extras.
DEADLINE, COMMITTED = "deadline", "committed"


async def handle_interaction(interaction: Interaction, work: Callable[[], Awaitable[None]]) -> None:
    """Run the handler of an interaction; report an exception to the user in an ephemeral reply."""
    client = interaction.client
    if client.in_flight.is_closing:
        await reply_ephemeral(interaction, client.texts("error.restarting"))
        return
    with client.in_flight.track():
        interaction.extras[DEADLINE] = asyncio.get_running_loop().time() + client.response_timeout
        with client.matches.requests.handle(interaction.id) as request:
            try:
                await work()
            except Exception as error:  # noqa: BLE001 - every error is logged and reported to the user
                if await _is_answered_elsewhere(interaction, request, error):
                    log.info("interaction.answered_elsewhere", interaction=interaction.id)
                else:
                    view = error.view if isinstance(error, Refusal) else None
                    content = {} if view is None else {"view": view}
                    await reply_ephemeral(interaction, await _explain_error(interaction, error), **content)
        await client.lost_places.tell_on_contact(interaction)


async def _is_answered_elsewhere(interaction: Interaction, request: Request, error: Exception) -> bool:
    """Return whether another process with the same token has answered, or has made the change and will."""
    if isinstance(error, RequestRepeated) or is_already_answered(error):
        return True
    try:
        return await interaction.client.matches.requests.is_done_elsewhere(request)
    except StorageUnavailable:
        return False


def is_already_answered(error: BaseException | None) -> bool:
    """Return whether Discord refused an answer because there is one."""
    return isinstance(error, discord.HTTPException) and error.code == ALREADY_ANSWERED


def mark_committed(interaction: Interaction) -> None:
    """Record that the change is committed, so that error messages say so."""
    interaction.extras[COMMITTED] = True


def response_timeout(interaction: Interaction) -> asyncio.Timeout:
    """Return a timeout for a response: the interaction deadline for the first, then a new one for each."""
    if interaction.response.is_done():
        return asyncio.timeout(interaction.client.response_timeout)
    return asyncio.timeout_at(interaction.extras.get(DEADLINE))


async def reply_ephemeral(interaction: Interaction, text: str, **content: Any) -> None:
    """Send an ephemeral reply. If Discord cannot be reached, that is only logged."""
    try:
        async with response_timeout(interaction):
            if interaction.response.is_done():
                await interaction.followup.send(text, ephemeral=True, **content)
            else:
                await interaction.response.send_message(text, ephemeral=True, **content)
    except DELIVERY_ERRORS as error:
        log.warning("answer.unreached", interaction=interaction.id, error=repr(error))


def require_permissions(interaction: Interaction) -> None:
    """Raise Refusal if the bot lacks a permission in the channel of the interaction."""
    missing = missing_permissions(interaction)
    if missing:
        texts = interaction.client.texts
        names = texts.join([texts(f"permission.{name}") for name in missing])
        raise Refusal("permissions", count=len(missing), names=names)


async def leave_unusable_channel(interaction: Interaction) -> None:
    """Move the matches of this channel to direct messages if the bot cannot post here.

    To be called before an action in a match: the action is never refused because of this channel.
    """
    if interaction.guild_id is None or interaction.channel_id is None or not cannot_post(interaction):
        return
    client = interaction.client
    await client.matches.places.lose(
        ids.stored_id(interaction.guild_id),
        ids.stored_id(interaction.channel_id),
        MoveReason.FORBIDDEN,
        getattr(interaction.channel, "name", ""),
        now=client.now(),
    )


def require_manager(interaction: Interaction) -> None:
    """Raise Refusal if the user may not manage the server."""
    if not is_manager(interaction):
        raise Refusal("managers_only")


async def explain_refusal(interaction: Interaction, error: MatchError | Refusal) -> str:
    """Return the sentence of a refusal.

    It names a match only to its players, and calls it by its number for others. For an old board it has a
    link to the latest one; in direct messages it speaks of no server.
    """
    client, texts = interaction.client, interaction.client.texts
    if isinstance(error, MatchUnknown) and current_server(interaction) is None:
        return texts("refused.match_unknown_anywhere", match=error.values["match"])
    match = error.values.get("match") if isinstance(error, MatchError) else None
    if not isinstance(match, int) or isinstance(error, MatchUnknown):
        return format_refusal(texts, error)
    try:
        summary = await client.matches.views.summary(MatchId(match))
    except (MatchError, StorageUnavailable):
        return format_refusal(texts, error)
    account = ids.user_account(interaction.user)
    if all(seat.person.account != account for seat in summary.seats):
        return format_refusal(texts, error)
    name = format_match_name(texts, summary, account)
    if isinstance(error, StaleBoard):
        return texts("refused.stale_board_linked", match_name=name, url=ids.latest_post_url(summary))
    return format_refusal(texts, error, name)


async def _explain_error(interaction: Interaction, error: Exception) -> str:
    texts: Texts = interaction.client.texts
    if isinstance(error, MatchError | Refusal):
        return await explain_refusal(interaction, error)
    if isinstance(error, StorageUnavailable):
        log.error("storage.unavailable", interaction=interaction.id, error=str(error))
        return texts("error.uncertain" if error.uncertain else "error.storage")
    if isinstance(error, DELIVERY_ERRORS) and interaction.extras.get(COMMITTED):
        log.warning("post.unreached", interaction=interaction.id, error=repr(error))
        return texts("error.not_posted")
    number = secrets.token_hex(4)
    log.error("answer.failed", number=number, interaction=interaction.id, exc_info=error)
    return texts("error.saved" if interaction.extras.get(COMMITTED) else "error.not_saved", number=number)
