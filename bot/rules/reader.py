"""``/rules``: a book's page in private, with its picture, and buttons and menus to turn to another."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import TYPE_CHECKING, Any

from bot import looks, people
from bot.answers import within
from bot.commands import Field, choice, command
from bot.menus import Menu, option
from bot.parts import Part
from bot.posts import Picture, Post
from bot.presses import Press, row
from bot.refusals import Refusal
from bot.rules.book import Library
from bot.rules.plates import plate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import discord
    from discord import app_commands

    import render
    from bot.client import Interaction, Rayuela
    from bot.rules.book import Book, Page
    from engine.game import Game
    from words import Words

BOOK = r"(?P<book>[a-z0-9.]{1,40})"
PAGE = r"(?P<page>[a-z0-9-]{1,40})"


@cache
def library() -> Library:
    """Give the books, read once."""
    return Library.load()


class Leaf(Press, template=rf"leaf1:(?P<way>back|next):{BOOK}:{PAGE}"):
    """Turns to the page whose key stands in its id."""

    async def pressed(self, interaction: Interaction) -> None:
        """Show that page in place of this one."""
        await turn(interaction, self.values["book"], self.values["page"])


class Contents(Menu, template=rf"contents1:{BOOK}"):
    """Lists the pages of a book."""

    async def picked(self, interaction: Interaction, chosen: tuple[str, ...]) -> None:
        """Show the chosen page in place of this one."""
        await turn(interaction, self.values["book"], chosen[0])


class Shelf(Menu, template=r"shelf1"):
    """Lists the books."""

    async def picked(self, interaction: Interaction, chosen: tuple[str, ...]) -> None:
        """Open the chosen book at its first page."""
        await turn(interaction, chosen[0], "")


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the command and what stands under its pages."""
    fields = (
        Field("game", "command.rules.game", complete=_books),
        Field("page", "command.rules.page", complete=_pages),
    )
    return Part(
        commands=(command(words, "rules", _opened, *fields, anywhere=True),), items=(Leaf, Contents, Shelf)
    )


async def turn(interaction: Interaction, idiom: str, key: str) -> None:
    """Turn the message that was clicked into another page."""
    book = library().book(idiom)
    seen = looks.seen(await looks.chosen(interaction))
    shown = await leaf(interaction.client, book, book.pages[book.index(key)], seen)
    async with within(interaction):
        await interaction.response.edit_message(**shown.edit())


async def leaf(client: Rayuela, book: Book, page: Page, seen: render.View) -> Post:
    """Give a page as a message."""
    number = book.index(page.key)
    painted = await asyncio.to_thread(plate, client.games[book.game], page.example, seen)
    text = client.words(
        "rules.page",
        title=page.title,
        text=page.text,
        caption=page.example.caption,
        book=book.title,
        number=number + 1,
        count=len(book.pages),
    )
    items = tuple(_items(client.words, book, number))
    return Post(text, Picture(painted.png, painted.alt, f"{page.key}.png"), lambda: row(*items))


def _items(words: Words, book: Book, number: int) -> Iterator[discord.ui.Item[Any]]:
    last = len(book.pages) - 1
    for way, to in (("back", max(number - 1, 0)), ("next", min(number + 1, last))):
        press = Leaf.labelled(words(f"button.{way}"), f"leaf1:{way}:{book.idiom}:{book.pages[to].key}")
        press.item.disabled = to == number
        yield press
    pages = [option(page.title, page.key, chosen=at == number) for at, page in enumerate(book.pages)]
    yield Contents.listing(words("rules.pages"), f"contents1:{book.idiom}", pages)
    books = [option(one.title, one.idiom, one.note, chosen=one is book) for one in library()]
    yield Shelf.listing(words("rules.books"), "shelf1", books)


async def _opened(interaction: Interaction, game: str | None = None, page: str | None = None) -> None:
    book = await _book(interaction, game)
    found = _named(interaction.client.words, book, page) if page else book.pages[0]
    shown = await leaf(interaction.client, book, found, looks.seen(await looks.chosen(interaction)))
    async with within(interaction):
        await interaction.response.send_message(ephemeral=True, **shown.new())


async def _book(interaction: Interaction, named: str | None) -> Book:
    """Give the book that was asked for, by idiom or title; else that of the person's match here."""
    if named is None:
        return library().book(await _idiom_here(interaction))
    for book in library():
        if named.casefold() in {book.idiom, book.title.casefold()}:
            return book
    titles = [f"**{book.title}**" for book in library()]
    raise Refusal("book_unknown", books=interaction.client.words.listed(titles, "list.or"))


async def _idiom_here(interaction: Interaction) -> str:
    client = interaction.client
    if interaction.guild_id is None or interaction.channel_id is None:
        return ""
    person, server = people.person(interaction.user), people.place(interaction.guild_id)
    now = client.now()
    for summary in await client.matches.games(person, server, now=now):
        if summary.place == people.place(interaction.channel_id):
            view = await client.matches.view(summary.id, now=now)
            return "" if view.position is None else view.position.idiom
    return ""


def _named(words: Words, book: Book, named: str) -> Page:
    for page in book.pages:
        if named.casefold() in {page.key, page.title.casefold()}:
            return page
    titles = words.listed([page.title for page in book.pages], "list.comma")
    raise Refusal("page_unknown", book=book.title, pages=titles)


async def _books(_interaction: Interaction, typed: str) -> Sequence[app_commands.Choice[str]]:
    return [choice(book.title, book.idiom) for book in library() if typed.casefold() in book.title.casefold()]


async def _pages(interaction: Interaction, typed: str) -> Sequence[app_commands.Choice[str]]:
    given = getattr(interaction.namespace, interaction.client.words("command.rules.game.name"), None)
    book = library().book(given or await _idiom_here(interaction))
    return [choice(page.title, page.key) for page in book.pages if typed.casefold() in page.title.casefold()]
