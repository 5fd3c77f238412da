"""The ratings of those who play on a server, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import people
from bot.answers import within
from bot.posts import Post
from bot.presses import Press, row
from bot.ratings import wording
from bot.ratings.games import meant
from matches import SETTLED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.client import Interaction
    from matches import Leaders, Standing
    from words import Words


class LeadersPage(Press, template=r"leaders1:(?P<game>\w{1,40}):(?P<page>\d{1,6})"):
    """Turns to a page; looks again."""

    async def pressed(self, interaction: Interaction) -> None:
        """Show that page in place of this one."""
        post = await _page(interaction, self.values["game"], int(self.values["page"]))
        async with within(interaction):
            await interaction.response.edit_message(**post.edit())


async def show(interaction: Interaction, game: str | None) -> None:
    """Answer with the first page, in private."""
    post = await _page(interaction, await meant(interaction, game), 1)
    async with within(interaction):
        await interaction.response.send_message(ephemeral=True, **post.new())


async def _page(interaction: Interaction, game: str, page: int) -> Post:
    client, server = interaction.client, people.place(interaction.guild_id or 0)
    found = await client.matches.ratings.leaders(server, game, page=page, now=client.now())
    lines = list(_lines(client.words, found))
    buttons = list(_turning(client.words, found))
    text = client.words.listed(lines, "list.lines")
    return Post(text, None, (lambda: row(*buttons)) if buttons else None)


def _lines(words: Words, found: Leaders) -> Iterator[str]:
    game = words(f"game.{found.game}.name")
    if not found.standings:
        yield words("leaders.none", game=game)
        return
    yield words("leaders.heading", game=game, count=found.people)
    yield from (_line(words, one) for one in found.standings)
    if any(one.provisional for one in found.standings):
        yield words("leaders.note", bound=wording.figure(SETTLED))
    if found.pages > 1:
        yield words("leaders.page", page=found.page, pages=found.pages)


def _line(words: Words, one: Standing) -> str:
    return words(
        "leaders.provisional" if one.place is None else "leaders.ranked",
        place=one.place,
        name=people.called(one.person),
        rating=wording.figure(one.rating.rating),
        deviation=wording.figure(one.rating.deviation),
        count=one.played,
    )


def _turning(words: Words, found: Leaders) -> Iterator[Press]:
    if found.page > 1:
        yield LeadersPage.labelled(words("button.back"), f"leaders1:{found.game}:{found.page - 1}")
    if found.page < found.pages:
        yield LeadersPage.labelled(words("button.next"), f"leaders1:{found.game}:{found.page + 1}")
