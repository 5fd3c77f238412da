"""Playing the computer: a match that starts at once, or an open challenge that nobody else has accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.outbox import threads
from bot.outbox.responses import post_elsewhere, respond_with_update
from bot.posts.replies import ask
from bot.ui import ids
from bot.ui.buttons import PersistentButton
from bot.ui.commands import CommandField, complete_labels
from bot.ui.interactions import mark_committed
from bot.ui.permissions import current_server
from bot.ui.selects import PersistentSelect, select_option
from i18n.challenge_values import parse_level
from matches import LEVELS, NO_PLACE, ChallengeId, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    import discord
    from discord import app_commands

    from bot.context import Interaction
    from engine.game import OptionValue, Side
    from i18n import Texts
    from matches import Person, Terms


def level_field() -> CommandField:
    """Return the parameter `level` of the command."""
    return CommandField("level", "command.challenge.level", completer=_complete_level)


def is_for_computer(interaction: Interaction, opponent: Person | None, level: str | None) -> bool:
    """Return whether a challenge is one to the computer. Raises Refusal for a level of another opponent."""
    own = interaction.client.user
    is_self = opponent is not None and own is not None and opponent.account == ids.user_account(own)
    if level is not None and opponent is not None and not is_self:
        raise Refusal("level_for_computer", name=opponent)
    return is_self or level is not None


def is_lowest(texts: Texts, level: str) -> bool:
    """Return whether a typed level is the lowest. Raises Refusal if there is no such level."""
    return parse_level(texts, level) == LEVELS[0]


async def start_match(
    interaction: Interaction,
    level: str | None,
    *,
    game: str,
    options: Mapping[str, OptionValue],
    terms: Terms,
    colour: Side | None,
) -> None:
    """Start a match against the computer; the response is its first post.

    Where matches have threads of their own, its thread is opened from that post.
    """
    client, server = interaction.client, current_server(interaction) or NO_PLACE
    update = await client.matches.computer.start(
        ids.to_person(interaction.user),
        level=parse_level(client.texts, level),
        server=server,
        channel=ids.stored_id(interaction.channel_id or 0) if server else NO_PLACE,
        game=game,
        options=options,
        terms=terms,
        colour=colour,
        now=client.now(),
    )
    post = await respond_with_update(interaction, update)
    if post is not None and server:
        await threads.continue_in_thread(interaction, update.match, post)


class PlayComputerButton(PersistentButton, template=r"computer1:(?P<challenge>\d{1,12})"):
    """Asks the challenger of an open challenge at which level the computer is to accept it."""

    async def on_click(self, interaction: Interaction) -> None:
        """Ask for the level. Raises Refusal for anybody but the challenger."""
        client, challenge_id = interaction.client, ChallengeId(int(self.values["challenge"]))
        challenge = await client.matches.challenges.find(challenge_id, now=client.now())
        if challenge.by.account != ids.user_account(interaction.user):
            raise Refusal("computer_for_challenger", by=challenge.by)
        texts = client.texts
        select = ComputerLevelSelect.create(
            texts("computer.level_hint"), f"computerlevel1:{challenge_id}", _level_options(texts)
        )
        await ask(interaction, texts("computer.ask"), select)


class ComputerLevelSelect(PersistentSelect, template=r"computerlevel1:(?P<challenge>\d{1,12})"):
    """Has the computer accept a challenge at the selected level."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Start the match; the posts in the channel follow immediately."""
        client, challenge_id = interaction.client, ChallengeId(int(self.values["challenge"]))
        challenge = await client.matches.challenges.find(challenge_id, now=client.now())
        channel = await threads.resolve_match_channel(client, challenge)
        update = await client.matches.computer.take_challenge(
            challenge_id,
            ids.to_person(interaction.user),
            level=selected[0],
            channel=channel,
            now=client.now(),
        )
        mark_committed(interaction)
        if update.announcement is not None:
            await post_elsewhere(interaction, update.announcement, "computer.begins", update.match, edit=True)


def _level_options(texts: Texts) -> list[discord.SelectOption]:
    return [
        select_option(texts(f"level.{level}.name"), level, texts(f"level.{level}.about")) for level in LEVELS
    ]


async def _complete_level(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    texts = interaction.client.texts.plain
    labels = (
        (texts("level.choice", name=texts(f"level.{one}.name"), about=texts(f"level.{one}.about")), one)
        for one in LEVELS
    )
    return complete_labels(labels, current)
