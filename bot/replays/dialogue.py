"""The one message in which a game is paged through, and what its buttons do.

All they need stands in their ids (:mod:`bot.replays.bookmark`), so they work after any restart. A click on
one of the pages turns the message in the interaction's own answer; a film is made while Discord shows
that it is under way.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import render
from bot import looks, people, pictures
from bot.answers import need_permissions, within
from bot.posts import Picture, Post
from bot.presses import Press, row
from bot.replays import wording
from bot.replays.bookmark import END, FORM, Bookmark, Kind
from bot.replays.films import film
from bot.replays.onward import Onward
from matches import MatchId, MatchUnknown, RecordId

if TYPE_CHECKING:
    from collections.abc import Iterator

    import discord

    from bot.client import Interaction, Rayuela
    from engine.game import Side
    from matches import Page, Preferences, Replay
    from words import Words

# How long what was announced as under way may take to reach Discord.
UPLOADING = 60.0

AS_POSTED = render.View()


class Opener(Press, template=rf"replay1:{FORM}"):
    """Opens a game in private, from the person's own side."""

    @classmethod
    def of(cls, label: str, bookmark: Bookmark) -> Self:
        """Make the button."""
        return cls.labelled(label, f"replay1:{bookmark}")

    async def pressed(self, interaction: Interaction) -> None:
        """Answer with the page."""
        await show(interaction, Bookmark.read(self.values))


class Turner(Press, template=rf"page1:(?P<way>first|back|forward|last|flip):{FORM}"):
    """Turns the message to the page, or to the side, that its id names."""

    async def pressed(self, interaction: Interaction) -> None:
        """Show that page in place of this one."""
        bookmark = Bookmark.read(self.values)
        game = await load(interaction, bookmark)
        post = await sheet(interaction.client, game, bookmark, await _looks(interaction))
        async with within(interaction):
            await interaction.response.edit_message(**post.edit())


class Poster(Press, template=rf"post1:{FORM}"):
    """Shows everybody the page under which it stands."""

    async def pressed(self, interaction: Interaction) -> None:
        """Answer with the page, for all."""
        await show(interaction, Bookmark.read(self.values), public=True)


class Filmer(Press, template=rf"film1:(?P<where>me|all):{FORM}"):
    """Shows the whole game as an animated picture, to the person or to all."""

    async def pressed(self, interaction: Interaction) -> None:
        """Say that it is under way, make it, and show it."""
        client, public = interaction.client, self.values["where"] == "all"
        bookmark = Bookmark.read(self.values)
        game = await load(interaction, bookmark)
        await begin(interaction, public=public)
        made = await film(game, _side(game, bookmark), interaction.filesize_limit)
        await finish(interaction, _film_post(client, game, bookmark, made, public=public))


ITEMS = (Opener, Turner, Poster, Filmer)


async def show(interaction: Interaction, bookmark: Bookmark, *, public: bool = False) -> None:
    """Answer with a page, for the person alone, whose own side is then at the bottom, or for all."""
    if public:
        need_permissions(interaction)
    game = await load(interaction, bookmark)
    chosen = None if public else await looks.chosen(interaction)
    if chosen is not None and not bookmark.turned:
        second = _sits_second(game, people.account(interaction.user))
        bookmark = replace(bookmark, turned=looks.turned(chosen, second=second))
    post = await sheet(interaction.client, game, bookmark, chosen)
    async with within(interaction):
        await interaction.response.send_message(ephemeral=not public, **post.new())


async def load(interaction: Interaction, bookmark: Bookmark) -> Replay:
    """Give the game of a bookmark. Raises MatchError, also where it is of elsewhere and not one's own."""
    client, server = interaction.client, people.place(interaction.guild_id or 0)
    if bookmark.kind is Kind.RECORD:
        return await client.matches.imported(RecordId(bookmark.number), server, now=client.now())
    game = await client.matches.replay(MatchId(bookmark.number), now=client.now())
    account = people.account(interaction.user)
    sits = any(seat.person.account == account for seat in game.pages[-1].seats)
    if game.server != server and not sits:
        raise MatchUnknown(match=bookmark.number)
    return game


async def begin(interaction: Interaction, *, public: bool) -> None:
    """Answer that something is under way, which :func:`finish` will show to the person or to all."""
    if public:
        need_permissions(interaction)
    async with within(interaction):
        await interaction.response.defer(ephemeral=not public, thinking=True)


async def finish(interaction: Interaction, post: Post) -> None:
    """Show what was announced as under way."""
    async with asyncio.timeout(UPLOADING):
        await interaction.edit_original_response(**post.edit())


async def sheet(client: Rayuela, game: Replay, bookmark: Bookmark, chosen: Preferences | None) -> Post:
    """Give the message of one page, as somebody likes to see it or, with None, for all."""
    words, page = client.words, game.page(bookmark.turn)
    bookmark = bookmark.at(page.turn)
    seen = AS_POSTED if chosen is None else looks.seen(chosen)
    view = replace(seen, side=_side(game, bookmark), last=page.events)
    png, diagram = await pictures.paint(page.position, view)
    lines = [wording.title(words, client.games, game, page), wording.turn(words, game, page)]
    picture = Picture(png, wording.alt(words, game, page, diagram), "page.png")
    items = [*_items(words, game, page, bookmark, private=chosen is not None)]
    if chosen is not None:
        items += [make(words, bookmark) for make in client.on_page]
    return Post(words.listed(lines, "list.lines"), picture, lambda: row(*items))


def _items(
    words: Words, game: Replay, page: Page, bookmark: Bookmark, *, private: bool
) -> Iterator[discord.ui.Item[Any]]:
    turn, turns = page.turn, game.turns
    ends = turn == turns and (game.match is None or bool(page.reason))
    for way, to, idle in (
        ("first", 0, turn == 0),
        ("back", max(turn - 1, 0), turn == 0),
        ("forward", turn + 1, turn == turns),
        ("last", END, ends),  # of a match that goes on this looks again
    ):
        press = Turner.labelled(words(f"button.{way}"), f"page1:{way}:{bookmark.at(to)}", row=0)
        press.item.disabled = idle
        yield press
    yield Turner.labelled(words("button.flip"), f"page1:flip:{bookmark.flipped()}", row=1)
    yield Filmer.labelled(words("button.film"), f"film1:me:{bookmark}", row=1)
    if private:
        yield Poster.labelled(words("button.post"), f"post1:{bookmark}", row=1)
    if game.record is not None and turn == turns and page.position.outcome is None:
        yield Onward.of(words, game.record)


def _film_post(
    client: Rayuela, game: Replay, bookmark: Bookmark, made: render.Reel | None, *, public: bool
) -> Post:
    words = client.words
    lines = [wording.title(words, client.games, game, game.pages[-1]), films_note(words, made)]
    again = Filmer.labelled(words("button.post"), f"film1:all:{bookmark}")
    return Post(
        words.listed([line for line in lines if line], "list.lines"),
        None
        if made is None
        else Picture(made.gif, wording.film_alt(words, client.games, game), "replay.gif"),
        None if public or made is None else lambda: row(again),
    )


def films_note(words: Words, made: render.Reel | None) -> str:
    """Tell what an animation leaves out, or that there can be none; empty where it shows every turn."""
    if made is None:
        return words("film.too_large")
    return words("film.shared", count=made.share) if made.share > 1 else ""


def _side(game: Replay, bookmark: Bookmark) -> Side:
    return game.pages[0].seats[bookmark.turned].side


def _sits_second(game: Replay, account: str) -> bool:
    return game.pages[-1].seats[1].person.account == account


async def _looks(interaction: Interaction) -> Preferences | None:
    """Give what the person has chosen, where the message is theirs alone."""
    alone = interaction.message is not None and interaction.message.flags.ephemeral
    return await looks.chosen(interaction) if alone else None
