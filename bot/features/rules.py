"""``/rules``: a page of a rule book with its picture (ephemeral), and components to open another page."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Self

from bot.feature import Feature
from bot.posts import pictures
from bot.posts.post import Picture, Post
from bot.posts.replies import replace_message, send_private
from bot.ui import ids
from bot.ui.buttons import PersistentButton, view_of
from bot.ui.commands import CommandField, complete_labels, define_command, typed_value
from bot.ui.markdown import DiscordText
from bot.ui.selects import PersistentSelect, select_option
from i18n.refusals import Formatted
from i18n.typed_values import find_value
from matches import Refusal
from rules.pictures import render_example

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import discord
    from discord import app_commands

    import render
    from bot.context import BotClient, Interaction
    from engine.game import Game, OptionValue
    from i18n import Texts
    from rules.content import RuleBook, RuleBooks, RulePage

BOOK_PATTERN = r"(?P<book>[a-z0-9.]{1,40})"
PAGE_PATTERN = r"(?P<page>[a-z0-9-]{1,40})"
MAX_EXAMPLES = 3  # the pages that a refusal names


class RulesPageButton(PersistentButton, template=rf"leaf1:(?P<way>back|next):{BOOK_PATTERN}:{PAGE_PATTERN}"):
    """Shows the page whose key is in its custom id."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        await update_message(interaction, self.values["book"], self.values["page"])


class RulesPageSelect(PersistentSelect, template=rf"contents1:{BOOK_PATTERN}"):
    """Lists the pages of a book."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Show the selected page."""
        await update_message(interaction, self.values["book"], selected[0])


class RuleBookSelect(PersistentSelect, template=r"shelf1"):
    """Lists the books."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Show the first page of the selected book."""
        await update_message(interaction, selected[0], "")


class RulesButton(PersistentButton, template=rf"rules1:{BOOK_PATTERN}(?::{PAGE_PATTERN})?"):
    """Opens a rule book, at its first page or at another one, for the user who clicks it."""

    @classmethod
    def of(cls, texts: Texts, game: Game, options: Mapping[str, OptionValue]) -> Self:
        """Create the button for the rules of a game with these options."""
        return cls.create(texts("button.rules"), f"rules1:{_vocabulary_of(game, options)}")

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the page (ephemeral)."""
        book = interaction.client.rule_books.book_for(self.values["book"])
        await _send_page(interaction, book, book.pages[book.page_index(self.values["page"] or "")])


async def update_message(interaction: Interaction, vocabulary: str, key: str) -> None:
    """Show another page in the message of the interaction."""
    book = interaction.client.rule_books.book_for(vocabulary)
    render_options = await pictures.load_render_options(interaction)
    post = await build_page_post(interaction.client, book, book.pages[book.page_index(key)], render_options)
    await replace_message(interaction, post)


async def build_page_post(
    client: BotClient, book: RuleBook, page: RulePage, render_options: render.RenderOptions
) -> Post:
    """Return a page as a message."""
    index = book.page_index(page.key)
    picture = await asyncio.to_thread(render_example, client.games[book.game], page.example, render_options)
    text = client.texts(
        "rules.page",
        title=page.title,
        text=DiscordText(page.text),
        caption=DiscordText(page.example.caption),
        book=book.title,
        number=index + 1,
        count=len(book.pages),
    )
    items = tuple(_items(client.texts, client.rule_books, book, index))
    return Post(text, Picture(picture.png, picture.alt, f"{page.key}.png"), lambda: view_of(*items))


def _items(texts: Texts, rule_books: RuleBooks, book: RuleBook, index: int) -> Iterator[discord.ui.Item[Any]]:
    last = len(book.pages) - 1
    for direction, target in (("back", max(index - 1, 0)), ("next", min(index + 1, last))):
        button = RulesPageButton.create(
            texts(f"button.{direction}"), f"leaf1:{direction}:{book.vocabulary}:{book.pages[target].key}"
        )
        button.item.disabled = target == index
        yield button
    pages = [
        select_option(page.title, page.key, is_selected=at == index) for at, page in enumerate(book.pages)
    ]
    yield RulesPageSelect.create(texts("rules.pages"), f"contents1:{book.vocabulary}", pages)
    books = [
        select_option(one.title, one.vocabulary, one.note, is_selected=one is book) for one in rule_books
    ]
    yield RuleBookSelect.create(texts("rules.books"), "shelf1", books)


async def _open_rules(interaction: Interaction, game: str | None = None, page: str | None = None) -> None:
    book = await _resolve_book(interaction, game)
    await _send_page(interaction, book, _resolve_page(book, page) if page else book.pages[0])


async def _send_page(interaction: Interaction, book: RuleBook, page: RulePage) -> None:
    """Respond with a page (ephemeral)."""
    render_options = await pictures.load_render_options(interaction)
    post = await build_page_post(interaction.client, book, page, render_options)
    await send_private(interaction, post)


def _vocabulary_of(game: Game, options: Mapping[str, OptionValue]) -> str:
    """Return the vocabulary of a game with options of which one may still be decided by secret picks."""
    choice = game.simultaneous_choice
    decided = {
        name: value
        for name, value in options.items()
        if choice is None or (name, value) != (choice.option, choice.value)
    }
    return game.initial_position(**decided).vocabulary


async def _resolve_book(interaction: Interaction, argument: str | None) -> RuleBook:
    """Return the book with this vocabulary or title, by default that of the user's match. Raises Refusal."""
    rule_books = interaction.client.rule_books
    if argument is None:
        return rule_books.book_for(await _vocabulary_here(interaction))
    found = find_value(((book.title, book.vocabulary) for book in rule_books), argument)
    if found is None:
        texts = interaction.client.texts
        titles = tuple(texts("rules.book", title=book.title) for book in rule_books)
        raise Refusal("book_unknown", books=titles)
    return rule_books.book_for(found)


async def _vocabulary_here(interaction: Interaction) -> str:
    client = interaction.client
    if interaction.guild_id is None or interaction.channel_id is None:
        return ""
    person, server = ids.to_person(interaction.user), ids.stored_id(interaction.guild_id)
    now = client.now()
    for summary in await client.matches.views.list_active_of(person, server):
        if summary.channel == ids.stored_id(interaction.channel_id):
            view = await client.matches.view(summary.id, now=now)
            return "" if view.position is None else view.position.vocabulary
    return ""


def _resolve_page(book: RuleBook, argument: str) -> RulePage:
    found = find_value(((page.title, page.key) for page in book.pages), argument)
    if found is None:
        titles = tuple(page.title for page in book.pages[:MAX_EXAMPLES])
        raise Refusal("page_unknown", book=Formatted(book.title), pages=titles)
    return book.pages[book.page_index(found)]


async def _complete_book(interaction: Interaction, current: str) -> Sequence[app_commands.Choice[str]]:
    labels = ((book.title, book.vocabulary) for book in interaction.client.rule_books)
    return complete_labels(labels, current)


async def _complete_page(interaction: Interaction, current: str) -> Sequence[app_commands.Choice[str]]:
    chosen_book = typed_value(interaction, "command.rules.game")
    book = interaction.client.rule_books.book_for(chosen_book or await _vocabulary_here(interaction))
    return complete_labels(((page.title, page.key) for page in book.pages), current)


FEATURE = Feature(
    commands=(
        define_command(
            "rules",
            _open_rules,
            CommandField("game", "command.rules.game", completer=_complete_book),
            CommandField("page", "command.rules.page", completer=_complete_page),
            anywhere=True,
        ),
    ),
    items=(RulesPageButton, RulesPageSelect, RuleBookSelect, RulesButton),
    guide_buttons=(RulesButton.of,),
)
