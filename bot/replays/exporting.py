"""``/export``: a match to take away, as a record, as a picture and as an animation, in one answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import render
from bot import pictures
from bot.posts import Picture, Post
from bot.presses import Press, row
from bot.replays import choosing, wording
from bot.replays.bookmark import FORM, Bookmark, Kind
from bot.replays.dialogue import begin, films_note, finish, load
from bot.replays.films import film
from matches import MatchId

if TYPE_CHECKING:
    from bot.client import Interaction, Rayuela
    from matches import Replay


class Exporter(Press, template=rf"export1:{FORM}"):
    """Shows everybody what stands above it in private."""

    async def pressed(self, interaction: Interaction) -> None:
        """Answer with the same, for all."""
        await export(interaction, Bookmark.read(self.values), public=True)


async def asked(interaction: Interaction, match: str | None, public: bool | None) -> None:
    """Export the match that is meant."""
    number = await choosing.chosen(interaction, match)
    await export(interaction, Bookmark(Kind.MATCH, number), public=bool(public))


async def export(interaction: Interaction, bookmark: Bookmark, *, public: bool) -> None:
    """Say that it is under way, and answer with the files."""
    client = interaction.client
    game = await load(interaction, bookmark)
    record = await client.matches.record(MatchId(bookmark.number), now=client.now())
    await begin(interaction, public=public)
    files = [Picture(record.encode(), "", f"match-{bookmark.number}.txt"), await _board(client, game)]
    made = await film(game, None, interaction.filesize_limit - sum(len(one.data) for one in files))
    if made is not None:
        alt = wording.film_alt(client.words, client.games, game)
        files.append(Picture(made.gif, alt, f"match-{bookmark.number}.gif"))
    again = Exporter.labelled(client.words("button.post"), f"export1:{bookmark}")
    await finish(
        interaction,
        Post(
            _text(client, game, made),
            buttons=None if public else lambda: row(again),
            enclosed=tuple(files),
        ),
    )


async def _board(client: Rayuela, game: Replay) -> Picture:
    """Give the picture of the last board."""
    page = game.pages[-1]
    png, diagram = await pictures.paint(page.position, render.View(last=page.events))
    return Picture(png, wording.alt(client.words, game, page, diagram), f"match-{game.match}.png")


def _text(client: Rayuela, game: Replay, made: render.Reel | None) -> str:
    words, last = client.words, game.pages[-1]
    title = wording.title(words, client.games, game, last)
    lines = [title, wording.standing(words, last), words("export.how"), films_note(words, made)]
    return words.listed([line for line in lines if line], "list.lines")
