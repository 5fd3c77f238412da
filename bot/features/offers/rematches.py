"""Rematches: the command, the button of a finished match, and the resulting challenge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bot.outbox import threads
from bot.outbox.responses import post_elsewhere, respond_with_challenge, respond_with_update
from bot.ui import ids, match_argument, permissions
from bot.ui.access import MemberLookup
from bot.ui.buttons import PersistentButton, Style
from bot.ui.commands import CommandField, complete_labels
from bot.ui.interactions import DELIVERY_ERRORS, mark_committed, require_permissions
from i18n.match_names import format_match_name
from matches import ChallengeUpdate, MatchId, MatchState, MatchUpdate, Refusal

if TYPE_CHECKING:
    from discord import app_commands

    from bot.context import Interaction
    from i18n import Texts
    from matches import Challenge, MatchSummary, MatchView


def match_field() -> CommandField:
    """Return the parameter `match` of the command."""
    return CommandField("match", "command.rematch.match", completer=_complete)


async def offer_rematch(interaction: Interaction, match: str | None) -> None:
    """Offer a rematch of `match`, by default of the user's newest finished match in this channel."""
    await _make_offer(
        interaction,
        await _last_finished_match(interaction) if match is None else match_argument.parse_match_id(match),
    )


class RematchButton(PersistentButton, template=r"rematch1:(?P<match>\d+)"):
    """A button of a finished match: offers a rematch."""

    @classmethod
    def of(cls, texts: Texts, view: MatchView) -> Self:
        """Create the button."""
        return cls.create(texts("button.rematch"), f"rematch1:{view.id}", Style.primary)

    async def on_click(self, interaction: Interaction) -> None:
        """Offer the rematch; start it if the opponent has already offered one."""
        await _make_offer(interaction, self.match)


async def _make_offer(interaction: Interaction, match: MatchId) -> None:
    require_permissions(interaction)
    client, who = interaction.client, ids.to_person(interaction.user)
    here = ids.stored_id(interaction.channel_id or 0)
    server, channel = ids.stored_id(interaction.guild_id or 0), here
    view = await client.matches.view(match, now=client.now())
    if interaction.guild_id is None:
        parents = await client.matches.posting.threads.list_parents([view.channel])
        server, channel = view.server, parents.get(view.channel, view.channel)
    if not (interaction.guild_id is None and ids.is_in_direct_messages(view)):
        await _check_players(interaction, view, server, channel)
    result = await client.matches.rematches.request(
        match, who, server=server, channel=channel, now=client.now()
    )
    if isinstance(result, MatchUpdate):
        post = await respond_with_update(interaction, result)
        if post is not None:
            await threads.continue_in_thread(interaction, result.match, post)
    elif isinstance(result, ChallengeUpdate) and channel != here:
        mark_committed(interaction)
        await post_elsewhere(interaction, result.announcement, "rematch.elsewhere", None)
    elif isinstance(result, ChallengeUpdate):
        mark_committed(interaction)
        await respond_with_challenge(interaction, result.challenge, result.announcement)
    else:
        await _accept_pending(interaction, result)


async def _check_players(interaction: Interaction, view: MatchView, server: str, channel: str) -> None:
    """Raise Refusal if the opponent would not see a challenge in `channel`, or in private messages the user.

    If Discord does not tell, nothing is refused.
    """
    client, who = interaction.client, ids.to_person(interaction.user)
    opponent = view.opponent(who.account)
    if opponent is None or view.server != server or not ids.is_from_discord(server):
        return  # `matches` says so
    members, is_private = MemberLookup(client), interaction.guild_id is None
    for person in (who, opponent.person) if is_private else (opponent.person,):
        if not ids.is_from_discord(person.account):
            continue
        try:
            member = await members.find(server, person.account)
            is_seen = not is_private or await members.sees(person.account, server, channel)
        except DELIVERY_ERRORS:
            return
        if not is_seen:
            is_own = person is who
            raise Refusal("own_place_unseen") if is_own else Refusal("place_unseen", name=person)
        if member is None:
            raise Refusal("not_on_server", name=person)
        if not is_private:
            permissions.check_can_be_challenged(interaction, member)


async def _accept_pending(interaction: Interaction, challenge: Challenge) -> None:
    """Accept the rematch that the opponent has already offered, and announce the match at their challenge."""
    client, who = interaction.client, ids.to_person(interaction.user)
    post = ids.find_post(challenge.post)
    plan = await threads.plan_thread(interaction, None if post is None else post.message)
    update = await client.matches.challenges.accept(challenge.id, who, channel=plan.channel, now=client.now())
    mark_committed(interaction)
    if update.announcement is not None:
        await post_elsewhere(
            interaction,
            update.announcement,
            "rematch.begins",
            update.match,
            opponent=challenge.by,
        )
    await threads.report_missing_permissions(interaction, plan)


async def _last_finished_match(interaction: Interaction) -> MatchId:
    """Return the user's newest finished match in this channel. Raises Refusal."""
    summaries = await match_argument.list_recent(interaction, here=True)
    own = (one for one in summaries if _is_own_finished(one, ids.user_account(interaction.user)))
    match = next(own, None)
    if match is None:
        raise Refusal("no_finished_here")
    return match.id


async def _complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client, account = interaction.client, ids.user_account(interaction.user)
    summaries = await match_argument.list_recent(interaction)
    labels = (
        (format_match_name(client.texts.plain, one, account), one.id)
        for one in summaries
        if _is_own_finished(one, account)
    )
    return complete_labels(labels, current)


def _is_own_finished(summary: MatchSummary, account: str) -> bool:
    return summary.state is MatchState.OVER and any(seat.person.account == account for seat in summary.seats)
