"""Resigning, and the answers under offers that were posted before offers had numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.feature import Feature
from bot.outbox.responses import respond_with_update
from bot.posts.post import Post
from bot.ui import ids, markdown, match_argument
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.commands import create_command
from bot.ui.interactions import require_permissions, response_timeout
from matches import MatchId, MatchOver, MatchState, NotInMatch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.client import Interaction
    from engine.game import Game
    from i18n import Texts
    from matches import MatchView, Person


def setup(texts: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the commands and the buttons."""
    return Feature(
        commands=(create_command(texts, "resign", ask_to_resign, match_argument.field("resign")),),
        items=(ResignButton, KeepPlayingButton, LegacyAcceptEndButton, LegacyDeclineEndButton),
    )


async def ask_to_resign(interaction: Interaction, match: str | None) -> None:
    """Ask once, in private, whether the person really gives up."""
    view, opponent = await resolve_ongoing(interaction, match)
    texts = interaction.client.texts
    yes = ResignButton.create(texts("button.resign"), f"resign1:{view.id}", Style.danger)
    await ask_confirmation(
        interaction, view, texts("resign.ask", match=view.id, opponent=markdown.escaped_name(opponent)), yes
    )


async def resolve_ongoing(interaction: Interaction, match: str | None) -> tuple[MatchView, Person]:
    """Return the match that is meant, and the person across. Raises what forbids to end it, and Refusal."""
    client = interaction.client
    view = await client.matches.view(await match_argument.resolve_own(interaction, match), now=client.now())
    opponent = view.opponent(ids.user_account(interaction.user))
    if opponent is None:
        raise NotInMatch(match=view.id)
    if view.state is MatchState.OVER:
        raise MatchOver(match=view.id)
    return view, opponent.person


async def ask_confirmation(
    interaction: Interaction, view: MatchView, question: str, yes: PersistentButton
) -> None:
    """Ask in private whether a match is to be ended, by the button `yes`, or played on."""
    no = KeepPlayingButton.create(interaction.client.texts("button.keep_playing"), f"stay1:{view.id}")
    async with response_timeout(interaction):
        await interaction.response.send_message(question, view=view_of(yes, no), ephemeral=True)


class ResignButton(PersistentButton, template=r"resign1:(?P<match>\d+)"):
    """Gives a match up."""

    async def on_click(self, interaction: Interaction) -> None:
        """Resign, and tell it where the match is played."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        update = await client.matches.resign(match, ids.to_person(interaction.user), now=client.now())
        await respond_with_update(interaction, update, Post(client.texts("resign.done", match=match)))


class KeepPlayingButton(PersistentButton, template=r"stay1:(?P<match>\d+)"):
    """Closes the question whether to end a match."""

    async def on_click(self, interaction: Interaction) -> None:
        """Take the buttons away; nothing has happened."""
        closing = Post(interaction.client.texts("resign.cancelled", match=self.values["match"]))
        async with response_timeout(interaction):
            await interaction.response.edit_message(**closing.edit_arguments())


class LegacyAcceptEndButton(PersistentButton, template=r"agree1:(?P<match>\d+):(?P<ply>\d+)"):
    """Accepts the old offer to end that it stands under."""

    async def on_click(self, interaction: Interaction) -> None:
        """End the match."""
        await _answer_legacy_offer(self, interaction, accept=True)


class LegacyDeclineEndButton(PersistentButton, template=r"disagree1:(?P<match>\d+):(?P<ply>\d+)"):
    """Declines the old offer to end that it stands under."""

    async def on_click(self, interaction: Interaction) -> None:
        """Go on."""
        await _answer_legacy_offer(self, interaction, accept=False)


async def _answer_legacy_offer(button: PersistentButton, interaction: Interaction, *, accept: bool) -> None:
    require_permissions(interaction)
    client, match, ply = interaction.client, MatchId(int(button.values["match"])), int(button.values["ply"])
    who = ids.to_person(interaction.user)
    update = await client.matches.answer_end(match, who, accept=accept, seen_revision=ply, now=client.now())
    await respond_with_update(interaction, update)
