"""Going on from the end of an imported record: a challenge to somebody chosen, or to anybody here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import discord

from bot import people
from bot.answers import attend, need_permissions, take, within
from bot.delivery import answer
from bot.menus import Menu, option
from bot.posts import Post
from bot.presses import Press, Style, row
from engine.game import Side
from matches import RecordId, Terms
from words import telling

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping

    from bot.client import Interaction
    from matches import Person, Replay
    from words import Words

BY_LOT = "random"
RECORD = r"(?P<record>\d{1,12})"
TERMS = rf"{RECORD}:(?P<colour>[a-z]{{1,10}})"


class Onward(Press, template=f"onward1:{RECORD}"):
    """Stands under the last page of a record; asks whom to challenge."""

    @classmethod
    def of(cls, words: Words, record: RecordId) -> Self:
        """Make the button."""
        return cls.labelled(words("button.onward"), f"onward1:{record}", Style.success, row=2)

    async def pressed(self, interaction: Interaction) -> None:
        """Ask in private."""
        need_permissions(interaction)
        post = await _sheet(interaction, RecordId(int(self.values["record"])), BY_LOT)
        async with within(interaction):
            await interaction.response.send_message(ephemeral=True, **post.new())


class Colours(Menu, template=f"colour1:{RECORD}"):
    """Lists the colours that the challenger may choose."""

    async def picked(self, interaction: Interaction, chosen: tuple[str, ...]) -> None:
        """Keep the colour, and ask on."""
        post = await _sheet(interaction, RecordId(int(self.values["record"])), chosen[0])
        async with within(interaction):
            await interaction.response.edit_message(**post.edit())


class Opponent(discord.ui.DynamicItem[discord.ui.UserSelect[discord.ui.View]], template=f"opponent1:{TERMS}"):
    """Lists the people of the server."""

    def __init__(self, select: discord.ui.UserSelect[discord.ui.View], values: Mapping[str, str]) -> None:
        super().__init__(select)
        self.values = values

    @classmethod
    async def from_custom_id(  # type: ignore[override]
        cls, _interaction: Interaction, item: discord.ui.UserSelect[discord.ui.View], match: re.Match[str], /
    ) -> Self:
        """Make the menu again from a choice in it."""
        return cls(item, match.groupdict())

    async def callback(self, interaction: Interaction) -> None:  # type: ignore[override]
        """Challenge whoever was chosen; whatever goes wrong is told to the person."""
        chosen = people.person(self.item.values[0])
        await attend(interaction, lambda: _challenge(interaction, self.values, chosen))


class Anyone(Press, template=f"anyone1:{TERMS}"):
    """Leaves the challenge open."""

    async def pressed(self, interaction: Interaction) -> None:
        """Challenge anybody here."""
        await _challenge(interaction, self.values, None)


ITEMS = (Onward, Colours, Opponent, Anyone)


async def _challenge(interaction: Interaction, values: Mapping[str, str], to: Person | None) -> None:
    """Make the challenge at the server's usual pace, and post it where all can see it."""
    need_permissions(interaction)
    client, colour = interaction.client, values["colour"]
    server = people.place(interaction.guild_id or 0)
    usual = await client.matches.servers.settings(server, now=client.now())
    step = await client.matches.challenge_from(
        RecordId(int(values["record"])),
        people.person(interaction.user),
        to=to,
        server=server,
        place=people.place(interaction.channel_id or 0),
        terms=Terms(pace=usual.pace),
        colour=None if colour == BY_LOT else Side(colour),
        now=client.now(),
    )
    take(interaction)
    async with within(interaction):
        await interaction.response.edit_message(**Post(client.words("onward.done")).edit())
    await answer(interaction, client.announcer.challenge_post(step.challenge), step.announcement)


async def _sheet(interaction: Interaction, record: RecordId, colour: str) -> Post:
    """Ask whom to challenge, and with which colour."""
    client, server = interaction.client, people.place(interaction.guild_id or 0)
    game = await client.matches.imported(record, server, now=client.now())
    items = tuple(_items(client.words, game, record, colour))
    mover = game.pages[-1].position.to_move
    side = "" if mover is None else telling.side(client.words, mover)
    return Post(client.words("onward.ask", record=record, side=side), buttons=lambda: row(*items))


def _items(words: Words, game: Replay, record: RecordId, colour: str) -> Iterator[discord.ui.Item[Any]]:
    opponents = discord.ui.UserSelect[discord.ui.View](
        custom_id=f"opponent1:{record}:{colour}", placeholder=words("onward.opponent")
    )
    yield Opponent(opponents, {})
    labels = {BY_LOT: words("colour.random")}
    labels |= {seat.side.value: telling.side(words, seat.side) for seat in game.pages[0].seats}
    lines = [option(label, value, chosen=value == colour) for value, label in labels.items()]
    yield Colours.listing(words("onward.colour"), f"colour1:{record}", lines)
    yield Anyone.labelled(words("button.anyone"), f"anyone1:{record}:{colour}", Style.primary)
