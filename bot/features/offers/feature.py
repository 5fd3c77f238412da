"""The commands and buttons for offers, aborting and rematches."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bot.feature import Feature
from bot.features.offers import rematches
from bot.features.offers.posts import (
    ANNOUNCEMENT_POSTS,
    WITHDRAW,
    LegacyAcceptEndButton,
    LegacyDeclineEndButton,
    OfferButton,
    ask_to_withdraw,
)
from bot.features.resign import ask_confirmation
from bot.outbox.responses import respond_with_update
from bot.posts.post import Post
from bot.ui import ids, match_argument
from bot.ui.buttons import PersistentButton, Style
from bot.ui.commands import create_command
from bot.ui.interactions import leave_unusable_channel
from i18n.match_names import format_match_name
from matches import MatchId, OfferKind, OfferPending, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.context import Interaction
    from engine.game import Game
    from i18n import Texts


def setup(texts: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the commands and buttons; each kind of offer has a command named after it."""
    return Feature(
        commands=(
            *(
                create_command(
                    texts, kind, partial(make_offer, kind), match_argument.field(kind), anywhere=True
                )
                for kind in OfferKind
            ),
            create_command(texts, "abort", ask_to_abort, match_argument.field("abort"), anywhere=True),
            create_command(texts, "rematch", rematches.offer_rematch, rematches.match_field()),
        ),
        items=(
            OfferButton,
            AbortButton,
            rematches.RematchButton,
            LegacyAcceptEndButton,
            LegacyDeclineEndButton,
        ),
        result_buttons=(rematches.RematchButton.of,),
        announcement_posts=ANNOUNCEMENT_POSTS,
    )


async def make_offer(kind: OfferKind, interaction: Interaction, match: str | None) -> None:
    """Make an offer of this kind; if the user's own is still open, let them withdraw it."""
    await leave_unusable_channel(interaction)
    client, match_id = interaction.client, await match_argument.resolve_own(interaction, match)
    who = ids.to_person(interaction.user)
    try:
        update = await client.matches.offers.make(match_id, who, kind, now=client.now())
    except OfferPending:
        view = await client.matches.view(match_id, now=client.now())
        if view.pending_offer is None:
            raise
        pending = view.pending_offer
        button = OfferButton.of(client.texts, pending.kind, pending.id, WITHDRAW)
        await ask_to_withdraw(interaction, view, button)
        return
    await respond_with_update(interaction, update)


async def ask_to_abort(interaction: Interaction, match: str | None) -> None:
    """Ask for confirmation before the match is aborted. Raises `too_late_to_abort`."""
    view, _ = await match_argument.resolve_ongoing(interaction, match)
    if not view.is_abortable:
        raise Refusal("too_late_to_abort", match=view.id)
    texts = interaction.client.texts
    yes = AbortButton.create(texts("button.abort"), f"abort1:{view.id}", Style.danger)
    name = format_match_name(texts, view, ids.user_account(interaction.user))
    await ask_confirmation(interaction, view, texts("abort.ask", match_name=name), yes)


class AbortButton(PersistentButton, template=r"abort1:(?P<match>\d+)"):
    """Aborts a match."""

    async def on_click(self, interaction: Interaction) -> None:
        """Abort the match and announce it in the match's channel."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        who = ids.to_person(interaction.user)
        update = await client.matches.offers.abort(match, who, now=client.now())
        name = format_match_name(client.texts, update.match, who.account)
        await respond_with_update(interaction, update, Post(client.texts("abort.done", match_name=name)))
