"""``/export``, which sends a match as record, picture and animation in one response, and ``/import``."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import render
from bot.features.replays import formatting
from bot.features.replays.animations import render_animation
from bot.features.replays.dialog import build_page_post, format_animation_note
from bot.posts import pictures
from bot.posts.post import Picture, Post
from bot.posts.replies import defer_response, finish_response
from bot.ui import ids, replay_argument
from bot.ui.buttons import PersistentButton, view_of
from bot.ui.interactions import DELIVERY_ERRORS
from bot.ui.replay_argument import load_replay
from bot.ui.replay_state import REPLAY_ID_PATTERN, ReplaySource, ReplayState
from i18n import match_texts
from i18n.readers import current_language, reading_in
from matches import MAX_RECORD_BYTES, MatchId, Refusal

if TYPE_CHECKING:
    import discord

    from bot.context import BotClient, Interaction
    from matches import Replay


class ShareExportButton(PersistentButton, template=rf"export1:{REPLAY_ID_PATTERN}"):
    """Shows an ephemeral export to everybody."""

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the export, publicly."""
        await send_export(interaction, ReplayState.from_values(self.values), public=True)


async def export_match(interaction: Interaction, match: str | None, public: bool | None) -> None:
    """Export a match."""
    match_id = await replay_argument.resolve_match(interaction, match)
    await send_export(interaction, ReplayState(ReplaySource.MATCH, match_id), public=bool(public))


async def send_export(interaction: Interaction, state: ReplayState, *, public: bool) -> None:
    """Defer the response, create the files and send them."""
    client = interaction.client
    replay = await load_replay(interaction, state, public=public)
    record = await client.matches.export_record(MatchId(state.number), now=client.now())
    await defer_response(interaction, public=public)
    with reading_in(await client.languages.of_response(interaction) if public else current_language()):
        await _send_files(interaction, state, replay, record, public=public)


async def _send_files(
    interaction: Interaction, state: ReplayState, replay: Replay, record: str, *, public: bool
) -> None:
    client = interaction.client
    files = [
        Picture(record.encode(), "", f"match-{state.number}.txt"),
        await _render_last_board(client, replay),
    ]
    animation = await render_animation(
        client.texts,
        replay,
        None,
        interaction.filesize_limit - sum(len(one.data) for one in files),
        account=ids.user_account(interaction.user),
    )
    if animation is not None:
        alt = formatting.format_animation_alt_text(client.texts, client.games, replay)
        files.append(Picture(animation.gif, alt, f"match-{state.number}.gif"))
    share_button = ShareExportButton.create(client.texts("button.post"), f"export1:{state}")
    await finish_response(
        interaction,
        Post(
            _format_export(client, replay, animation),
            buttons=None if public else lambda: view_of(share_button),
            attachments=tuple(files),
        ),
    )


async def _render_last_board(client: BotClient, replay: Replay) -> Picture:
    """Return a picture of the final position."""
    turn = replay.turns[-1]
    render_options = render.RenderOptions(
        client.texts.plain, last_turn=turn.events, is_over=turn.result is not None
    )
    png, diagram = await pictures.render_board(turn.position, render_options, client.matches.metrics)
    return Picture(
        png, formatting.format_alt_text(client.texts, replay, turn, diagram), f"match-{replay.match}.png"
    )


def _format_export(client: BotClient, replay: Replay, animation: render.GameAnimation | None) -> str:
    texts, last_turn = client.texts, replay.turns[-1]
    title = match_texts.format_replay_title(texts, replay, last_turn, client.games[replay.game])
    lines = [
        title,
        formatting.format_status(texts, last_turn),
        texts("export.how"),
        format_animation_note(texts, animation),
    ]
    return texts.join([line for line in lines if line], "list.lines")


FETCH_TIMEOUT = 20.0  # seconds to download an attachment


async def import_record(interaction: Interaction, file: discord.Attachment) -> None:
    """Import the record in a file and show its final position in an ephemeral response."""
    if file.size > MAX_RECORD_BYTES:
        raise Refusal("record_too_large", limit=MAX_RECORD_BYTES, size=file.size)
    await defer_response(interaction, public=False)
    client = interaction.client
    replay = await client.matches.records.import_record(
        await _fetch(file),
        ids.to_person(interaction.user),
        server=ids.stored_id(interaction.guild_id or 0),
        now=client.now(),
    )
    post = await build_page_post(
        client,
        replay,
        ReplayState(ReplaySource.RECORD, replay.record or 0, replay.turn_count),
        await pictures.load_preferences(interaction),
    )
    await finish_response(interaction, post)


async def _fetch(file: discord.Attachment) -> bytes:
    try:
        async with asyncio.timeout(FETCH_TIMEOUT):
            return await file.read()
    except DELIVERY_ERRORS as error:
        raise Refusal("file_unreachable") from error
