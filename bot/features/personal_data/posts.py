"""The posts of ``/mydata`` and ``/privacy``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.posts.post import Picture, Post
from bot.ui.buttons import link_button, view_of
from bot.ui.selects import select_option
from i18n.writing import isolate
from matches import DELETED_NAME, ErasureChoice
from runtime.documents import PRIVACY_POLICY, load_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import discord

    from bot.context import BotClient
    from bot.ui.buttons import PersistentButton
    from i18n import Texts
    from matches import DataSummary, Erasure


def build_summary_post(
    client: BotClient,
    summary: DataSummary,
    *,
    export: PersistentButton,
    erase: PersistentButton,
    keep: PersistentButton,
) -> Post:
    """Return what is kept about a person, in words, with the buttons for it."""
    texts = client.texts
    if summary.name is None:
        return Post(texts("mydata.none"))
    name = isolate(summary.name)
    lines = [texts("mydata.heading", name=name), *_lines(texts, summary)]
    buttons = [export, erase]
    if summary.erasure_asked_at is not None:
        lines.append(texts("mydata.waiting", count=summary.in_progress))
        buttons.append(keep)
    lines.append(texts("mydata.buttons"))
    return Post(texts.join(lines, "list.lines"), buttons=lambda: view_of(*buttons))


def _lines(texts: Texts, summary: DataSummary) -> Iterator[str]:
    for key, count in summary.items():
        item = "mydata.part" if key == "in_progress" else "mydata.item"
        yield texts(item, line=texts(f"mydata.line.{key}", count=count))


def build_erase_post(
    client: BotClient,
    summary: DataSummary,
    create_menu: Callable[[str, str, list[discord.SelectOption]], discord.ui.Item[Any]],
) -> Post:
    """Return what a deletion does and does not do, with the menu that leads on."""
    texts = client.texts
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
    menu = create_menu(texts("mydata.erase.menu"), "erasehow1", options)
    text = texts("mydata.erase.text", deleted_name=DELETED_NAME).strip()
    return Post(f"{text}\n{question}", buttons=lambda: view_of(menu))


def build_erased_post(texts: Texts, done: Erasure) -> Post:
    """Return what a deletion has done."""
    if not done.is_complete:
        return Post(texts("mydata.erased.kept", count=done.kept))
    lines = [texts("mydata.erased.done", deleted_name=DELETED_NAME)]
    if done.resigned:
        lines.append(texts("mydata.erased.resigned", count=done.resigned))
    return Post(texts.join(lines, "list.lines"))


def build_privacy_post(client: BotClient) -> Post:
    """Return the short privacy policy, with a link to the whole one, or with the whole one as a file."""
    texts, text = client.texts, client.texts("privacy.text").strip()
    if client.seat_links is None:
        whole = Picture(load_document(PRIVACY_POLICY).encode(), "", "privacy.md")
        return Post(f"{text}\n{texts('privacy.file')}", attachments=(whole,))
    url = client.seat_links.privacy_url()
    return Post(text, buttons=lambda: view_of(link_button(texts("button.privacy_policy"), url)))
