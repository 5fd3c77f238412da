"""Looking: one board in private, and the list of one's matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.utils import escape_markdown, format_dt

from bot import matching, people, telling, where
from bot.answers import within
from bot.clocks import wording
from bot.commands import Field, choice, command
from bot.lists import fitted
from bot.parts import Part
from bot.people import PostId
from bot.refusals import Refusal
from bot.views import ViewButton, show
from engine.game import Side
from matches import MatchUnknown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from discord import app_commands

    from bot.client import Interaction
    from engine.game import Game
    from matches import MatchSummary, MatchView, Person
    from words import Words


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the commands and the button."""
    board = command(
        words,
        "board",
        look,
        matching.field("board"),
        Field("side", "command.board.from", complete=_complete_side),
        Field("text", "command.board.text", bool),
        anywhere=True,
    )
    return Part(commands=(board, command(words, "games", listing)), items=(ViewButton,))


async def look(interaction: Interaction, match: str | None, side: str | None, text: bool | None) -> None:
    """Show a board in private; with `text` in words."""
    client = interaction.client
    view = await client.matches.view(await matching.shown(interaction, match), now=client.now())
    if not where.may_look(interaction, view) and not await _follows(interaction, view):
        raise MatchUnknown(match=view.id)
    await show(interaction, view, None if side is None else _side(client.words, view, side), text=bool(text))


async def _follows(interaction: Interaction, view: MatchView) -> bool:
    followed = await interaction.client.matches.following.followed(people.account(interaction.user))
    return any(one.match.id == view.id for one in followed)


async def listing(interaction: Interaction) -> None:
    """List one's matches on this server, those that wait for oneself first."""
    client, who = interaction.client, people.person(interaction.user)
    words = client.words
    found = await client.matches.games(who, people.place(interaction.guild_id or 0), now=client.now())
    lines = [_line(words, who, one) for one in found]
    text = fitted(words, words("games.heading"), lines, "games.more") if lines else words("games.none")
    async with within(interaction):
        await interaction.response.send_message(text, ephemeral=True, suppress_embeds=True)


def _line(words: Words, who: Person, one: MatchSummary) -> str:
    turn = any(person.account == who.account for person in one.waits_for)
    return words(
        "games.waiting" if turn else "games.idle",
        match=one.id,
        game=words(f"game.{one.game}.name"),
        other=people.called(matching.other(one, who.account)),
        place=people.channel_mention(one.place),
        when=format_dt(one.changed_at, "R"),
        time=wording.listed(words, one),
        link="" if one.post is None else words("games.link", url=PostId.read(one.post).url(one.server)),
    )


def _side(words: Words, view: MatchView, typed: str) -> Side:
    """Read one of the two sides of a match, by its name or its value."""
    for seat in view.seats:
        if typed.strip().casefold() in {seat.side.value, telling.side(words, seat.side).casefold()}:
            return seat.side
    sides = words.listed([telling.side(words, seat.side) for seat in view.seats], "list.or")
    raise Refusal("side_unreadable", text=escape_markdown(typed[:100]), sides=sides)


async def _complete_side(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client = interaction.client
    known = {side for game in client.games.values() for side in game.sides}
    labels = {telling.side(client.words, side): side.value for side in Side if side in known}
    return [choice(label, value) for label, value in labels.items() if current.casefold() in label.casefold()]
