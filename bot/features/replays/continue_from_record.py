"""Continuing from the final position of an imported record: a challenge to a user or to anybody here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import discord

from bot.outbox.responses import respond_with_challenge
from bot.posts.post import Post
from bot.posts.replies import replace_message, send_private
from bot.ui import ids
from bot.ui.buttons import PersistentButton, PersistentItem, Style, view_of
from bot.ui.interactions import mark_committed, require_permissions
from bot.ui.permissions import check_can_be_challenged
from bot.ui.selects import PersistentSelect, select_option
from engine.game import Side
from i18n import formatting
from matches import RecordId, Terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bot.context import Interaction
    from i18n import Texts
    from matches import Person, Replay

RANDOM_COLOUR = "random"
RECORD_PATTERN = r"(?P<record>\d{1,12})"
CHALLENGE_PATTERN = rf"{RECORD_PATTERN}:(?P<colour>[a-z]{{1,10}})"


class ContinueRecordButton(PersistentButton, template=f"onward1:{RECORD_PATTERN}"):
    """A button of a record's last page: asks for the opponent to challenge."""

    @classmethod
    def of(cls, texts: Texts, record: RecordId) -> Self:
        """Create the button."""
        return cls.create(texts("button.start_from_here"), f"onward1:{record}", Style.success, row=2)

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the form (ephemeral)."""
        require_permissions(interaction)
        post = await _build_form_post(interaction, RecordId(int(self.values["record"])), RANDOM_COLOUR)
        await send_private(interaction, post)


class ColourSelect(PersistentSelect, template=f"colour1:{RECORD_PATTERN}"):
    """Lists the colours for the challenger."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Keep the colour in the custom ids and update the form."""
        post = await _build_form_post(interaction, RecordId(int(self.values["record"])), selected[0])
        await replace_message(interaction, post)


class OpponentSelect(
    PersistentItem[discord.ui.UserSelect[discord.ui.View]], template=f"opponent1:{CHALLENGE_PATTERN}"
):
    """A user select: challenges the selected user."""

    async def handle(self, interaction: Interaction) -> None:
        """Challenge the selected user."""
        opponent = self.item.values[0]
        check_can_be_challenged(interaction, opponent)
        await _create_challenge(interaction, self.values, ids.to_person(opponent))


class OpenChallengeButton(PersistentButton, template=f"anyone1:{CHALLENGE_PATTERN}"):
    """Makes an open challenge."""

    async def on_click(self, interaction: Interaction) -> None:
        """Challenge anybody here."""
        await _create_challenge(interaction, self.values, None)


ITEMS = (ContinueRecordButton, ColourSelect, OpponentSelect, OpenChallengeButton)


async def _create_challenge(interaction: Interaction, values: Mapping[str, str], to: Person | None) -> None:
    """Make the challenge with the guild's default time control, and post it publicly."""
    require_permissions(interaction)
    client, colour = interaction.client, values["colour"]
    server = ids.stored_id(interaction.guild_id or 0)
    settings = await client.matches.servers.settings(server, now=client.now())
    update = await client.matches.challenges.create_from_record(
        RecordId(int(values["record"])),
        ids.to_person(interaction.user),
        to=to,
        server=server,
        channel=ids.stored_id(interaction.channel_id or 0),
        terms=Terms(time_control=settings.time_control),
        colour=None if colour == RANDOM_COLOUR else Side(colour),
        now=client.now(),
    )
    mark_committed(interaction)
    await replace_message(interaction, Post(client.texts("continue_record.done")))
    await respond_with_challenge(interaction, update.challenge, update.announcement)


async def _build_form_post(interaction: Interaction, record: RecordId, colour: str) -> Post:
    """Return the form that asks for the opponent and the colour."""
    client, server = interaction.client, ids.stored_id(interaction.guild_id or 0)
    replay = await client.matches.records.replay(record, server)
    items = tuple(_items(client.texts, replay, record, colour))
    mover = replay.turns[-1].position.to_move
    side = "" if mover is None else formatting.format_side(client.texts, mover)
    return Post(
        client.texts("continue_record.ask", record=record, side=side), buttons=lambda: view_of(*items)
    )


def _items(texts: Texts, replay: Replay, record: RecordId, colour: str) -> Iterator[discord.ui.Item[Any]]:
    select = discord.ui.UserSelect[discord.ui.View](
        custom_id=f"opponent1:{record}:{colour}", placeholder=texts("continue_record.opponent")
    )
    yield OpponentSelect(select, {})
    labels = {RANDOM_COLOUR: texts("colour.random")}
    labels |= {seat.side.value: formatting.format_side(texts, seat.side) for seat in replay.turns[0].seats}
    options = [select_option(label, value, is_selected=value == colour) for value, label in labels.items()]
    yield ColourSelect.create(texts("continue_record.colour"), f"colour1:{record}", options)
    yield OpenChallengeButton.create(texts("button.anyone"), f"anyone1:{record}:{colour}", Style.primary)
