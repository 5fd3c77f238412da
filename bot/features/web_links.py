"""Links from Discord to the web client: a player's own seat, or the public page for everybody else.

Links are available only if the web client has a public URL. A seat link authenticates the player, so it is
sent in an ephemeral response and can be revoked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import discord

from bot.feature import Feature
from bot.ui import access, ids, match_argument
from bot.ui.buttons import PersistentButton, view_of
from bot.ui.commands import create_command
from bot.ui.interactions import response_timeout
from i18n.match_names import format_match_name
from matches import MatchId, MatchState, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.context import Interaction, SeatLinks
    from engine.game import Game
    from i18n import Texts
    from matches import MatchView


def setup(texts: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the command, the button of playable boards and the button that revokes links."""
    command = create_command(texts, "website", open_in_browser, match_argument.field("website"))
    return Feature(
        commands=(command,),
        items=(OpenInBrowserButton, RevokeLinksButton),
        board_buttons=(OpenInBrowserButton.of,),
    )


async def open_in_browser(interaction: Interaction, match: str | None) -> None:
    """Respond with a link to the match."""
    await _send_link(interaction, await match_argument.resolve_own(interaction, match))


class OpenInBrowserButton(PersistentButton, template=r"open1:(?P<match>\d{1,12})"):
    """Opens the board in a browser."""

    @classmethod
    def of(cls, texts: Texts, view: MatchView) -> Self:
        """Create the button for a match."""
        return cls.create(texts("button.open_board_page"), f"open1:{view.id}")

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with a link (ephemeral)."""
        await _send_link(interaction, MatchId(int(self.values["match"])))


class RevokeLinksButton(PersistentButton, template=r"lock1:(?P<match>\d{1,12})"):
    """Revokes every link to the user's seat in a match."""

    async def on_click(self, interaction: Interaction) -> None:
        """Revoke the links and replace the message with a confirmation."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        view = await client.matches.view(match, now=client.now())
        who = ids.to_person(interaction.user)
        await _require_seat_links(interaction).rotate_key(view, who)
        name = format_match_name(client.texts, view, who.account)
        async with response_timeout(interaction):
            await interaction.response.edit_message(
                content=client.texts("website.revoked", match_name=name), view=None
            )


async def _send_link(interaction: Interaction, match: MatchId) -> None:
    """Send a player the link to the seat, and anybody else the public link."""
    client, seat_links = interaction.client, _require_seat_links(interaction)
    view = await client.matches.view(match, now=client.now())
    await access.require_visible(interaction, view)
    who = ids.to_person(interaction.user)
    page_url, is_player = seat_links.match_url(view, who.account), view.seat(who.account) is not None
    has_seat = is_player and (view.state is not MatchState.OVER or page_url is None)
    url = await seat_links.seat_url(view, who) if has_seat else page_url
    if url is None:
        raise Refusal("not_on_website")
    buttons = view_of(discord.ui.Button(label=client.texts("button.open_board_page"), url=url))
    if has_seat:
        buttons.add_item(RevokeLinksButton.create(client.texts("button.revoke_links"), f"lock1:{match}"))
    name = format_match_name(client.texts, view, who.account)
    text = client.texts("website.player" if has_seat else "website.spectator", match_name=name)
    async with response_timeout(interaction):
        await interaction.response.send_message(text, view=buttons, ephemeral=True, suppress_embeds=True)


def _require_seat_links(interaction: Interaction) -> SeatLinks:
    seat_links = interaction.client.seat_links
    if seat_links is None:
        raise Refusal("no_website")
    return seat_links
