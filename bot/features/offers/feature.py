"""The commands and buttons for offers, resigning, aborting and rematches."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bot.feature import Feature
from bot.features.offers import rematches
from bot.features.offers.posts import ANNOUNCEMENT_POSTS, WITHDRAW, LegacyEndButton, OfferButton
from bot.outbox.responses import respond_with_update
from bot.posts.post import Post
from bot.posts.replies import ask, ask_to_withdraw, replace_message
from bot.ui import ids, match_argument
from bot.ui.buttons import PersistentButton, Style
from bot.ui.commands import define_command
from bot.ui.interactions import leave_unusable_channel
from i18n.match_names import format_match_name
from matches import Action, OfferKind, OfferPending, Refusal, possible_actions

if TYPE_CHECKING:
    from bot.context import Interaction
    from matches import MatchView


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
    if Action.ABORT not in possible_actions(view, ids.user_account(interaction.user)):
        raise Refusal("too_late_to_abort", match=view.id)
    texts = interaction.client.texts
    yes = AbortButton.create(texts("button.abort"), f"abort1:{view.id}", Style.danger)
    name = format_match_name(texts, view, ids.user_account(interaction.user))
    await _ask_confirmation(interaction, view, texts("abort.ask", match_name=name), yes)


class AbortButton(PersistentButton, template=r"abort1:(?P<match>\d+)"):
    """Aborts a match."""

    async def on_click(self, interaction: Interaction) -> None:
        """Abort the match and announce it in the match's channel."""
        client, match = interaction.client, self.match
        who = ids.to_person(interaction.user)
        update = await client.matches.offers.abort(match, who, now=client.now())
        name = format_match_name(client.texts, update.match, who.account)
        await respond_with_update(interaction, update, Post(client.texts("abort.done", match_name=name)))


async def ask_to_resign(interaction: Interaction, match: str | None) -> None:
    """Ask for confirmation before the user resigns."""
    view, opponent = await match_argument.resolve_ongoing(interaction, match)
    texts = interaction.client.texts
    yes = ResignButton.create(texts("button.resign"), f"resign1:{view.id}", Style.danger)
    name = format_match_name(texts, view, ids.user_account(interaction.user))
    await _ask_confirmation(interaction, view, texts("resign.ask", match_name=name, opponent=opponent), yes)


async def _ask_confirmation(
    interaction: Interaction, view: MatchView, question: str, yes: PersistentButton
) -> None:
    """Ask for confirmation in an ephemeral response; the button `yes` ends the match."""
    no = KeepPlayingButton.create(interaction.client.texts("button.keep_playing"), f"stay1:{view.id}")
    await ask(interaction, question, yes, no)


class ResignButton(PersistentButton, template=r"resign1:(?P<match>\d+)"):
    """Resigns a match."""

    async def on_click(self, interaction: Interaction) -> None:
        """Resign and announce the result in the match's channel."""
        client, match = interaction.client, self.match
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


FEATURE = Feature(
    commands=(
        *(
            define_command(kind, partial(make_offer, kind), match_argument.field(kind), anywhere=True)
            for kind in OfferKind
        ),
        define_command("resign", ask_to_resign, match_argument.field("resign"), anywhere=True),
        define_command("abort", ask_to_abort, match_argument.field("abort"), anywhere=True),
        define_command("rematch", rematches.offer_rematch, rematches.match_field(), direct=True),
    ),
    items=(
        OfferButton,
        AbortButton,
        rematches.RematchButton,
        LegacyEndButton,
        ResignButton,
        KeepPlayingButton,
    ),
    result_buttons=(rematches.RematchButton.of,),
    announcement_posts=ANNOUNCEMENT_POSTS,
)
