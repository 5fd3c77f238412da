"""The way from Discord to the table in a browser: a seat for whoever plays, a place to watch for others.

It is there only where people can reach the table from outside. A link to a seat is a key, so it is given in
private, to the person alone, and can be made useless again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self

import discord

from bot import matching, people, where
from bot.answers import within
from bot.commands import command
from bot.parts import Part
from bot.presses import Press, row
from bot.refusals import Refusal
from matches import MatchId, MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.client import Interaction
    from engine.game import Game
    from matches import MatchView, Person
    from words import Words


class Doors(Protocol):
    """The ways into the table."""

    def watch(self, match: int) -> str:
        """Give the address of a match, for anybody."""

    async def seat(self, view: MatchView, person: Person) -> str:
        """Give a link to a person's seat, for that person alone."""

    async def lock(self, view: MatchView, person: Person) -> None:
        """Make every link to a person's seat useless."""


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the command, the button under boards that can be played on, and the one that takes links back."""
    opened = command(words, "table", table, matching.field("table"))
    return Part(commands=(opened,), items=(OpenButton, LockButton), on_board=(OpenButton.of,))


async def table(interaction: Interaction, match: str | None) -> None:
    """Open the match that is meant."""
    await _open(interaction, await matching.own(interaction, match))


class OpenButton(Press, template=r"open1:(?P<match>\d{1,12})"):
    """Opens the board in a browser."""

    @classmethod
    def of(cls, words: Words, view: MatchView) -> Self:
        """Make the button for a match."""
        return cls.labelled(words("button.open"), f"open1:{view.id}")

    async def pressed(self, interaction: Interaction) -> None:
        """Answer with a link, in private."""
        await _open(interaction, MatchId(int(self.values["match"])))


class LockButton(Press, template=r"lock1:(?P<match>\d{1,12})"):
    """Takes back every link to one's seat at a match."""

    async def pressed(self, interaction: Interaction) -> None:
        """Change the lock, and leave of the message one sentence."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        view = await client.matches.view(match, now=client.now())
        await _doors(interaction).lock(view, people.person(interaction.user))
        async with within(interaction):
            await interaction.response.edit_message(
                content=client.words("table.locked", match=match), view=None
            )


async def _open(interaction: Interaction, match: MatchId) -> None:
    """Give a player the link to the seat, and others the address to watch."""
    client, doors = interaction.client, _doors(interaction)
    view = await client.matches.view(match, now=client.now())
    if not where.may_look(interaction, view):
        raise Refusal("match_unknown", match=match)
    who = people.person(interaction.user)
    sits = view.seat(who.account) is not None and view.state is not MatchState.OVER
    url = await doors.seat(view, who) if sits else doors.watch(match)
    buttons = row(discord.ui.Button(label=client.words("button.open"), url=url))
    if sits:
        buttons.add_item(LockButton.labelled(client.words("button.lock"), f"lock1:{match}"))
    text = client.words("table.seat" if sits else "table.watch", match=match)
    async with within(interaction):
        await interaction.response.send_message(text, view=buttons, ephemeral=True, suppress_embeds=True)


def _doors(interaction: Interaction) -> Doors:
    doors = interaction.client.doors
    if doors is None:
        raise Refusal("no_table")
    return doors
