"""``/mydata``: what is kept about the user, a copy of it, its deletion; ``/privacy``: the short policy."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import discord

from bot.feature import Feature
from bot.features.personal_data.housekeeping import Housekeeping, LeftServers
from bot.features.personal_data.posts import (
    build_erase_post,
    build_erased_post,
    build_privacy_post,
    build_summary_post,
)
from bot.outbox.direct_messages import is_dm_refused, open_dm_channel
from bot.posts.post import Picture, Post
from bot.posts.replies import replace_message, send_private
from bot.ui import ids, modals
from bot.ui.buttons import PersistentButton
from bot.ui.commands import create_command
from bot.ui.interactions import mark_committed, response_timeout, send_modal
from bot.ui.selects import PersistentSelect
from matches import ErasureChoice, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.context import Interaction
    from engine.game import Game
    from i18n import Texts

MODAL_ID = "erase1"
WORD_FIELD = "word"
EXPORT_FILE = "rayuela-my-data.zip"
MAX_DIRECT_BYTES = 10_000_000  # of a file in a direct message
EXPORT_SECONDS = 120.0  # to build and upload an export


def setup(texts: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the commands, the components and the periodic tasks."""
    return Feature(
        commands=(
            create_command(texts, "mydata", show_summary, anywhere=True),
            create_command(texts, "privacy", show_policy, anywhere=True),
        ),
        items=(ExportDataButton, EraseDataButton, KeepDataButton, ErasureSelect),
        modal_handlers={MODAL_ID: submit_erasure},
        periodic_tasks=(Housekeeping().run,),
        gateway_tasks=(LeftServers().run,),
    )


class ExportDataButton(PersistentButton, template=r"exportdata1"):
    """Sends the user a ZIP file with everything that is kept about them."""

    async def on_click(self, interaction: Interaction) -> None:
        """Send the file by direct message, or in the ephemeral response if the user accepts none."""
        client, texts = interaction.client, interaction.client.texts
        async with response_timeout(interaction):
            await interaction.response.defer(ephemeral=True, thinking=True)
        account = ids.user_account(interaction.user)
        async with asyncio.timeout(EXPORT_SECONDS):
            limit = min(interaction.filesize_limit, MAX_DIRECT_BYTES)
            export = await client.matches.people.personal_data.export(
                account, now=client.now(), max_bytes=limit
            )
            note = texts("mydata.export.left_out", count=export.left_out) if export.left_out else ""
            file = Picture(export.data, "", EXPORT_FILE)
            is_sent = await _send_directly(interaction, _with_note(texts, "direct", note, file))
            post = _with_note(texts, "sent", "") if is_sent else _with_note(texts, "attached", note, file)
            await interaction.edit_original_response(**post.edit_arguments())


class EraseDataButton(PersistentButton, template=r"erasedata1"):
    """Explains what a deletion does, and asks what should become of matches in progress."""

    async def on_click(self, interaction: Interaction) -> None:
        """Replace the summary."""
        summary = await interaction.client.matches.people.personal_data.summary(
            ids.user_account(interaction.user)
        )
        post = build_erase_post(interaction.client, summary, ErasureSelect.create)
        await replace_message(interaction, post)


class ErasureSelect(PersistentSelect, template=r"erasehow1"):
    """Chooses what becomes of matches in progress."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Ask for the word that confirms it."""
        texts, choice = interaction.client.texts.plain, ErasureChoice(selected[0])
        word = texts("mydata.confirm.word")
        field = modals.text_line(WORD_FIELD, texts(f"mydata.confirm.{choice.value}", word=word), word)
        modal = modals.create_modal(texts("mydata.confirm.title"), f"{MODAL_ID}:{choice.value}", field)
        await send_modal(interaction, modal)


class KeepDataButton(PersistentButton, template=r"keepdata1"):
    """Cancels a deletion that waits for the end of matches."""

    async def on_click(self, interaction: Interaction) -> None:
        """Cancel it and say so."""
        client = interaction.client
        cancelled = await client.matches.people.personal_data.cancel_erasure(
            ids.user_account(interaction.user)
        )
        text = client.texts("mydata.cancelled" if cancelled else "mydata.nothing_waits")
        await replace_message(interaction, Post(text))


async def show_summary(interaction: Interaction) -> None:
    """Respond with what is kept (ephemeral)."""
    client = interaction.client
    summary = await client.matches.people.personal_data.summary(ids.user_account(interaction.user))
    post = build_summary_post(
        client,
        summary,
        export=ExportDataButton.create(client.texts("button.export_data"), "exportdata1"),
        erase=EraseDataButton.create(client.texts("button.erase_data"), "erasedata1"),
        keep=KeepDataButton.create(client.texts("button.keep_data"), "keepdata1"),
    )
    await _respond(interaction, post)


async def show_policy(interaction: Interaction) -> None:
    """Respond with the short privacy policy (ephemeral), and with the whole one as a link or a file."""
    await _respond(interaction, build_privacy_post(interaction.client))


async def submit_erasure(interaction: Interaction) -> None:
    """Delete the user's data if the word was typed."""
    client, texts = interaction.client, interaction.client.texts
    choice = ErasureChoice(modals.id_values(interaction)[0])
    word = texts("mydata.confirm.word")
    if modals.submitted_text(interaction, WORD_FIELD).strip().casefold() != word.casefold():
        raise Refusal("word_differs", word=word)
    account = ids.user_account(interaction.user)
    done = await client.matches.people.personal_data.erase(account, choice, now=client.now())
    mark_committed(interaction)
    await replace_message(interaction, build_erased_post(texts, done))


async def _respond(interaction: Interaction, post: Post) -> None:
    await send_private(interaction, post)


async def _send_directly(interaction: Interaction, post: Post) -> bool:
    """Send a direct message to the user; return False if they accept none."""
    try:
        channel = await open_dm_channel(interaction.client, ids.user_account(interaction.user))
        await channel.send(**post.send_arguments())
    except discord.HTTPException as error:
        if not is_dm_refused(error):
            raise
        return False
    return True


def _with_note(texts: Texts, key: str, note: str, *files: Picture) -> Post:
    lines = [texts(f"mydata.export.{key}"), *([note] if note else [])]
    return Post(texts.join(lines, "list.lines"), attachments=files)
