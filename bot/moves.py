"""Playing by text: the command, its completion, and the button with its form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import forms, looks, matching, people, proposals
from bot.answers import need_permissions, within
from bot.commands import Field, choice, command
from bot.delivery import deliver
from bot.parts import Part
from bot.presses import Press, Style
from bot.refusals import Refusal
from matches import MatchId, MatchOver, NotInMatch, NotYourTurn, StaleBoard
from picking import parted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from discord import app_commands

    from bot.client import Interaction
    from engine.game import Game
    from matches import MatchView
    from words import Words

FORM = "moved1"


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the command, the button and its form."""
    move = command(
        words,
        "move",
        play,
        Field("move", "command.move.move", required=True, complete=_complete),
        matching.field("move"),
        anywhere=True,
    )
    return Part(commands=(move,), items=(MoveButton,), forms={FORM: play_form}, on_board=(MoveButton.of,))


async def play(interaction: Interaction, move: str, match: str | None = None) -> None:
    """Play what was typed as a command."""
    await commit(interaction, await matching.waiting(interaction, match), move)


async def play_form(interaction: Interaction) -> None:
    """Play what was typed into the form of the button."""
    match, stamp = (int(value) for value in forms.values(interaction))
    await commit(interaction, MatchId(match), forms.typed(interaction).get("move", ""), stamp)


async def commit(interaction: Interaction, match: MatchId, text: str, stamp: int | None = None) -> None:
    """Play and tell it. A set-up run that is not complete is told to the player alone."""
    need_permissions(interaction)
    client = interaction.client
    who = people.person(interaction.user)
    turn = await client.matches.play(match, who, parted(text), seen_ply=stamp, now=client.now())
    await deliver(interaction, turn)
    if turn.announcement is None:
        chosen = await looks.chosen(interaction)
        side = looks.own_side(chosen, turn.match.to_move)
        post = await client.desk.unfinished(turn.match, looks.seen(chosen, side))
        async with within(interaction):
            await interaction.response.send_message(**post.new(), ephemeral=True)


class MoveButton(Press, template=r"move1:(?P<match>\d+):(?P<stamp>\d+)"):
    """Asks for a move as text."""

    @classmethod
    def of(cls, words: Words, view: MatchView) -> MoveButton:
        """Make the button under the board of `view`."""
        return cls.labelled(words("button.move"), f"move1:{view.id}:{view.stamp}", Style.primary)

    async def pressed(self, interaction: Interaction) -> None:
        """Show the form, or say why there is nothing to play here."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        view = await client.matches.view(match, now=client.now())
        refuse_turn(view, people.account(interaction.user), int(self.values["stamp"]))
        words = client.words
        example = words("turn.modal_example", example=proposals.example(view))
        modal = forms.form(
            words("turn.modal_title", match=match),
            f"{FORM}:{match}:{view.stamp}",
            forms.line("move", words("turn.modal_label"), example),
        )
        async with within(interaction):
            await interaction.response.send_modal(modal)


def refuse_turn(view: MatchView, account: str, stamp: int) -> None:
    """Raise the refusal of whoever cannot play on the board that they saw, which had that stamp."""
    if view.seat(account) is None:
        raise NotInMatch(match=view.id)
    if view.to_move is None:
        raise MatchOver(match=view.id)
    if stamp not in {view.stamp, view.stamp - len(view.run)}:
        raise StaleBoard(match=view.id, seen=stamp, ply=view.ply)
    if view.to_move.person.account != account:
        raise NotYourTurn(match=view.id, name=view.to_move.person.name)


async def _complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Propose legal moves that go on from what was typed, best first."""
    client = interaction.client
    named = getattr(interaction.namespace, client.words("command.move.match.name"), None)
    try:
        match = await matching.waiting(interaction, named or None)
    except Refusal:
        return []
    view = await client.matches.view(match, now=client.now())
    seat = view.seat(people.account(interaction.user))
    if seat is None or seat != view.to_move or view.position is None:
        return []
    return [choice(text, text) for text in proposals.texts(view.position, parted(current))]
