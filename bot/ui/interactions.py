"""Handling of interactions: deadlines, ephemeral replies and error messages."""

from __future__ import annotations

import asyncio
import secrets
from http import HTTPStatus
from time import perf_counter
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
import structlog
from structlog.contextvars import bind_contextvars

from bot.ui import access, ids
from bot.ui.markdown import cut_text
from bot.ui.permissions import cannot_post, current_server, is_manager, missing_permissions
from bot.ui.refusals import RefusalWithView, format_refusal
from i18n.match_names import format_match_name, format_short_match_name
from i18n.readers import reading_in
from i18n.refusals import Formatted
from i18n.translations import choose_language
from i18n.writing import Url
from matches import (
    MatchId,
    MatchUnknown,
    MoveReason,
    NotInMatch,
    Refusal,
    RequestRepeated,
    StaleBoard,
    StorageUnavailable,
)
from metrics import InteractionOutcome, Stage

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
    """Run the handler of an interaction; report an exception to the user in an ephemeral reply.

    What is logged meanwhile has the id of the interaction.
    """
    client, started_at = interaction.client, perf_counter()
    bind_contextvars(interaction=interaction.id)  # for good: an interaction has a task of its own
    with client.in_flight.track():
        interaction.extras[DEADLINE] = asyncio.get_running_loop().time() + client.response_timeout
        with (
            reading_in(choose_language(interaction.locale.value)),
            client.matches.work.requests.handle(interaction.id, now=client.now()) as request,
        ):
            outcome = InteractionOutcome.DONE
            try:
                await work()
            except Exception as error:  # noqa: BLE001 - every error is logged and reported to the user
                outcome = _classify_error(error)
                if await _is_answered_elsewhere(interaction, request, error):
                    outcome = InteractionOutcome.ELSEWHERE
                    log.info("interaction.answered_elsewhere", interaction=interaction.id)
                else:
                    view = error.view if isinstance(error, RefusalWithView) else None
                    content = {} if view is None else {"view": view}
                    text = await _explain_error(interaction, request, error)
                    await reply_ephemeral(interaction, text, **content)
        metrics = client.matches.metrics
        metrics.observe(Stage.INTERACTION, perf_counter() - started_at)
        metrics.count_interaction(interaction.type.name, outcome)
        await client.languages.record(interaction)
        await client.lost_places.tell_on_contact(interaction)


def _classify_error(error: Exception) -> InteractionOutcome:
    if isinstance(error, Refusal):
        return InteractionOutcome.REFUSED
    is_storage = isinstance(error, StorageUnavailable)
    return InteractionOutcome.STORAGE if is_storage else InteractionOutcome.FAILED


async def _is_answered_elsewhere(interaction: Interaction, request: Request, error: Exception) -> bool:
    """Return whether another process with the same token has answered, or has made the change and will."""
    if isinstance(error, RequestRepeated) or is_already_answered(error):
        return True
    try:
        return await interaction.client.matches.work.requests.is_done_elsewhere(request)
    except StorageUnavailable:
        return False


def is_already_answered(error: BaseException | None) -> bool:
    """Return whether Discord refused an answer because there is one."""
    return isinstance(error, discord.HTTPException) and error.code == ALREADY_ANSWERED


def is_rejected(error: BaseException) -> bool:
    """Return whether Discord understood a request and refused it."""
    return isinstance(error, discord.HTTPException) and error.status < HTTPStatus.INTERNAL_SERVER_ERROR


def mark_committed(interaction: Interaction) -> None:
    """Record that the change is committed, so that error messages say so."""
    interaction.extras[COMMITTED] = True


def bind_match(match: MatchId) -> MatchId:
    """Have the lines that are logged in this task from now on name a match, and return it."""
    bind_contextvars(match=match)
    return match


def response_timeout(interaction: Interaction) -> asyncio.Timeout:
    """Return a timeout for a response: the interaction deadline for the first, then a new one for each."""
    if interaction.response.is_done():
        return asyncio.timeout(interaction.client.response_timeout)
    return asyncio.timeout_at(interaction.extras.get(DEADLINE))


async def send_modal(interaction: Interaction, modal: discord.ui.Modal) -> None:
    """Respond with a modal."""
    async with response_timeout(interaction):
        await interaction.response.send_modal(modal)


async def reply_ephemeral(interaction: Interaction, text: str, **content: Any) -> None:
    """Send an ephemeral reply. If Discord cannot be reached, that is only logged."""
    text = cut_text(text)
    try:
        async with response_timeout(interaction):
            if interaction.response.is_done():
                await interaction.followup.send(text, ephemeral=True, **content)
            else:
                await interaction.response.send_message(text, ephemeral=True, **content)
    except DELIVERY_ERRORS as error:
        if is_already_answered(error):
            log.info("interaction.answered_elsewhere", interaction=interaction.id)
        else:
            log.warning("answer.unreached", interaction=interaction.id, error=repr(error))


def require_permissions(interaction: Interaction) -> None:
    """Raise Refusal if the bot lacks a permission in the channel of the interaction."""
    missing = missing_permissions(interaction)
    if missing:
        texts = interaction.client.texts
        names = texts.join([texts(f"permission.{name}") for name in missing])
        raise Refusal("permissions_missing", count=len(missing), names=Formatted(names))


async def leave_unusable_channel(interaction: Interaction) -> None:
    """Move the matches of this channel to direct messages if the bot cannot post here.

    To be called before an action in a match: the action is never refused because of this channel.
    """
    if interaction.guild_id is None or interaction.channel_id is None or not cannot_post(interaction):
        return
    client = interaction.client
    await client.matches.posting.places.lose(
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


async def explain_refusal(interaction: Interaction, error: Refusal) -> str:
    """Return the sentence of a refusal.

    It names the opponent only to the players of a match, and its game to whoever may see it; of a match that
    the user may not see it says that there is none. For an old board it has a link to the latest one; in
    direct messages it speaks of no server.
    """
    client, texts = interaction.client, interaction.client.texts
    if isinstance(error, NotInMatch):
        error = await _hide_match(interaction, error)
    if isinstance(error, MatchUnknown) and current_server(interaction) is None:
        return texts("refused.match_unknown_anywhere", match=error.values["match"])
    match = error.values.get("match")
    if not isinstance(match, int) or isinstance(error, MatchUnknown):
        return format_refusal(texts, error)
    try:
        summary = await client.matches.views.summary(MatchId(match))
        is_visible = await access.visible(interaction, [summary])
    except (Refusal, StorageUnavailable):
        return format_refusal(texts, error)
    account = ids.user_account(interaction.user)
    if all(seat.person.account != account for seat in summary.seats):
        return format_refusal(texts, error, format_short_match_name(texts, summary) if is_visible else "")
    name = format_match_name(texts, summary, account)
    if isinstance(error, StaleBoard):
        return texts("refused.stale_board_linked", match_name=name, url=Url(ids.latest_post_url(summary)))
    return format_refusal(texts, error, name)


async def _hide_match(interaction: Interaction, error: NotInMatch) -> Refusal:
    """Return the refusal that a match is not the user's, or does not exist if the user may not see it."""
    match = MatchId(int(str(error.values["match"])))
    try:
        view = await interaction.client.matches.view(match, now=interaction.client.now())
        await access.require_visible(interaction, view)
    except (MatchUnknown, StorageUnavailable, *DELIVERY_ERRORS):
        return MatchUnknown(match=match)
    return error


async def _explain_error(interaction: Interaction, request: Request, error: Exception) -> str:
    texts: Texts = interaction.client.texts
    if isinstance(error, Refusal):
        return await explain_refusal(interaction, error)
    if isinstance(error, StorageUnavailable):
        log.error("storage.unavailable", interaction=interaction.id, error=str(error))
        return texts("error.uncertain" if error.uncertain else "error.storage")
    if isinstance(error, DELIVERY_ERRORS) and interaction.extras.get(COMMITTED):
        log.warning("post.unreached", interaction=interaction.id, error=repr(error))
        return texts("error.not_posted")
    if isinstance(error, DELIVERY_ERRORS) and not is_rejected(error):
        log.warning("answer.unreached", interaction=interaction.id, error=repr(error))
        return texts("error.not_answered" if request.is_recorded else "error.not_shown")
    number = secrets.token_hex(4)
    log.error("answer.failed", number=number, interaction=interaction.id, exc_info=error)
    return texts("error.saved" if interaction.extras.get(COMMITTED) else "error.not_saved", number=number)
