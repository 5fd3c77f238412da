"""``/mydata``: what is kept about the user, a copy of it, its deletion; ``/privacy``: the short policy."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import discord

from bot.feature import Feature
from bot.outbox.direct_messages import is_dm_refused, open_dm_channel
from bot.posts.post import Picture, Post
from bot.posts.replies import replace_message, send_private
from bot.ui import ids, modals
from bot.ui.buttons import PersistentButton, link_button, view_of
from bot.ui.commands import define_command
from bot.ui.interactions import mark_committed, response_timeout, send_modal
from bot.ui.selects import PersistentSelect, select_option
from i18n.writing import isolate
from matches import ErasureChoice, Refusal
from runtime.documents import PRIVACY_POLICY, load_document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.context import BotClient, Interaction
    from i18n import Texts
    from matches import DataSummary, Erasure

MODAL_ID = "erase1"
WORD_FIELD = "word"
EXPORT_FILE = "rayuela-my-data.zip"
MAX_DIRECT_BYTES = 10_000_000  # of a file in a direct message
EXPORT_SECONDS = 120.0  # to build and upload an export


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
        await replace_message(interaction, _build_erase_post(interaction.client.texts, summary))


class ErasureSelect(PersistentSelect, template=r"erasehow1"):
    """Chooses what becomes of matches in progress."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Ask for the word that confirms it."""
        texts, choice = interaction.client.texts.plain, ErasureChoice(selected[0])
        service = interaction.client.matches.people.personal_data
        summary = await service.summary(ids.user_account(interaction.user))
        word = texts("mydata.confirm.word")
        question = f"mydata.confirm.{choice.value if summary.in_progress else 'all'}"
        field = modals.text_line(WORD_FIELD, texts(question, word=word), word)
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
    await send_private(interaction, _build_summary_post(client.texts, summary))


async def show_policy(interaction: Interaction) -> None:
    """Respond with the short privacy policy (ephemeral), and with the whole one as a link or a file."""
    await send_private(interaction, _build_privacy_post(interaction.client))


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
    await replace_message(interaction, _build_erased_post(texts, done))


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


def _build_summary_post(texts: Texts, summary: DataSummary) -> Post:
    """Return what is kept about a person, in words, with the buttons for it."""
    if summary.name is None:
        return Post(texts("mydata.none"))
    name = isolate(summary.name)
    lines = [texts("mydata.heading", name=name), *_lines(texts, summary)]
    buttons: list[PersistentButton] = [
        ExportDataButton.create(texts("button.export_data"), "exportdata1"),
        EraseDataButton.create(texts("button.erase_data"), "erasedata1"),
    ]
    if summary.erasure_asked_at is not None:
        lines.append(texts("mydata.waiting", count=summary.in_progress))
        buttons.append(KeepDataButton.create(texts("button.keep_data"), "keepdata1"))
    lines.append(texts("mydata.buttons"))
    return Post(texts.join(lines, "list.lines"), buttons=lambda: view_of(*buttons))


def _lines(texts: Texts, summary: DataSummary) -> Iterator[str]:
    for key, count in summary.items():
        item = "mydata.part" if key == "in_progress" else "mydata.item"
        yield texts(item, line=texts(f"mydata.line.{key}", count=count))


def _build_erase_post(texts: Texts, summary: DataSummary) -> Post:
    """Return what a deletion does and does not do, with the menu that leads on."""
    if summary.name is None:
        return Post(texts("mydata.none"))
    choices = list(ErasureChoice) if summary.in_progress else [ErasureChoice.RESIGN]
    keys = [choice.value if summary.in_progress else "all" for choice in choices]
    options = [
        select_option(texts(f"mydata.erase.{key}"), choice.value, texts(f"mydata.erase.{key}_about"))
        for key, choice in zip(keys, choices, strict=True)
    ]
    question = (
        texts("mydata.erase.in_progress", count=summary.in_progress)
        if summary.in_progress
        else texts("mydata.erase.no_matches")
    )
    menu = ErasureSelect.create(texts("mydata.erase.menu"), "erasehow1", options)
    text = texts("mydata.erase.text", deleted_name=texts("name.deleted")).strip()
    return Post(f"{text}\n{question}", buttons=lambda: view_of(menu))


def _build_erased_post(texts: Texts, done: Erasure) -> Post:
    """Return what a deletion has done."""
    if not done.is_complete:
        return Post(texts("mydata.erased.kept", count=done.kept))
    lines = [texts("mydata.erased.done", deleted_name=texts("name.deleted"))]
    if done.resigned:
        lines.append(texts("mydata.erased.resigned", count=done.resigned))
    return Post(texts.join(lines, "list.lines"))


def _build_privacy_post(client: BotClient) -> Post:
    """Return the short privacy policy, with a link to the whole one, or with the whole one as a file."""
    texts, text = client.texts, client.texts("privacy.text").strip()
    if client.seat_links is None:
        whole = Picture(load_document(PRIVACY_POLICY).encode(), "", "privacy.md")
        return Post(f"{text}\n{texts('privacy.file')}", attachments=(whole,))
    url = client.seat_links.privacy_url()
    return Post(text, buttons=lambda: view_of(link_button(texts("button.privacy_policy"), url)))


FEATURE = Feature(
    commands=(
        define_command("mydata", show_summary, anywhere=True),
        define_command("privacy", show_policy, anywhere=True),
    ),
    items=(ExportDataButton, EraseDataButton, KeepDataButton, ErasureSelect),
    modal_handlers={MODAL_ID: submit_erasure},
)
