"""Resigning, and the confirmation before a match is ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.feature import Feature
from bot.outbox.responses import respond_with_update
from bot.posts.post import Post
from bot.posts.replies import replace_message
from bot.ui import ids, match_argument
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.commands import create_command
from bot.ui.interactions import response_timeout
from i18n.match_names import format_match_name
from matches import MatchId

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.context import Interaction
    from engine.game import Game
    from i18n import Texts
    from matches import MatchView


def setup(texts: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the command and its buttons."""
    return Feature(
        commands=(
            create_command(texts, "resign", ask_to_resign, match_argument.field("resign"), anywhere=True),
        ),
        items=(ResignButton, KeepPlayingButton),
    )


async def ask_to_resign(interaction: Interaction, match: str | None) -> None:
    """Ask for confirmation before the user resigns."""
    view, opponent = await match_argument.resolve_ongoing(interaction, match)
    texts = interaction.client.texts
    yes = ResignButton.create(texts("button.resign"), f"resign1:{view.id}", Style.danger)
    await ask_confirmation(
        interaction,
        view,
        texts(
            "resign.ask",
            match_name=format_match_name(texts, view, ids.user_account(interaction.user)),
            opponent=opponent,
        ),
        yes,
    )


async def ask_confirmation(
    interaction: Interaction, view: MatchView, question: str, yes: PersistentButton
) -> None:
    """Ask for confirmation in an ephemeral response; the button `yes` ends the match."""
    no = KeepPlayingButton.create(interaction.client.texts("button.keep_playing"), f"stay1:{view.id}")
    async with response_timeout(interaction):
        await interaction.response.send_message(question, view=view_of(yes, no), ephemeral=True)


class ResignButton(PersistentButton, template=r"resign1:(?P<match>\d+)"):
    """Resigns a match."""

    async def on_click(self, interaction: Interaction) -> None:
        """Resign and announce the result in the match's channel."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        who = ids.to_person(interaction.user)
        update = await client.matches.resign(match, who, now=client.now())
        name = format_match_name(client.texts, update.match, who.account)
        await respond_with_update(interaction, update, Post(client.texts("resign.done", match_name=name)))


class KeepPlayingButton(PersistentButton, template=r"(?:stay|keep)1:(?P<match>\d+)"):
    """Closes the confirmation without ending the match."""

    async def on_click(self, interaction: Interaction) -> None:
        """Remove the buttons."""
        closing = Post(interaction.client.texts("resign.cancelled"))
        await replace_message(interaction, closing)
