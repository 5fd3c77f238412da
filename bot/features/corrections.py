"""``/correct``: changing or voiding a result, for guild managers, and the post for both players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.feature import Feature
from bot.outbox.responses import respond_with_update
from bot.ui import ids, match_argument
from bot.ui.commands import CommandField, complete_labels, define_command, typed_value
from bot.ui.interactions import leave_unusable_channel
from engine.game import Outcome
from i18n.announcements import VOID, describe_outcomes
from i18n.match_names import format_match_name
from i18n.typed_values import find_value
from matches import AnnouncementKind, MatchState, MatchUnknown, Refusal
from matches.clocks.abandoned import ABANDONED_AFTER
from matches.values import MAX_REASON_LENGTH

if TYPE_CHECKING:
    from discord import app_commands

    from bot.context import Interaction
    from bot.posts.board_posts import BoardPostFactory
    from bot.posts.post import Post
    from i18n import Texts
    from matches import Announcement, MatchView

SEARCH_LIMIT = 100  # of the newest matches, searched for finished ones


async def correct(interaction: Interaction, match: str, result: str, reason: str) -> None:
    """Change the result of a match and announce it in the match's channel."""
    await leave_unusable_channel(interaction)
    client, server = interaction.client, ids.stored_id(interaction.guild_id or 0)
    view = await client.matches.view(match_argument.parse_match_id(match), now=client.now())
    if view.server != server:
        raise MatchUnknown(match=view.id)
    update = await client.matches.corrections.correct(
        view.id,
        ids.to_person(interaction.user),
        _parse_outcome(client.texts, view, result),
        reason=reason,
        server=server,
        now=client.now(),
    )
    await respond_with_update(interaction, update)


async def build_correction_post(
    board_posts: BoardPostFactory, view: MatchView, announcement: Announcement
) -> Post:
    """Return the post that announces a correction: its author, the new result and the reason."""
    return board_posts.announcement_text_post(view, announcement)


def _parse_outcome(texts: Texts, view: MatchView, text: str) -> Outcome | None:
    """Return the outcome with this value or label; None for a voided result. Raises Refusal."""
    labels = describe_outcomes(texts.plain, view)
    value = find_value(((label, value) for value, label in labels.items()), text)
    if value is None:
        raise Refusal("outcome_unreadable", text=text, results=tuple(labels.values()))
    return None if value == VOID else Outcome(value)


async def _complete_match(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client, server = interaction.client, ids.stored_id(interaction.guild_id or 0)
    summaries = await client.matches.views.list_recent(server, limit=SEARCH_LIMIT)
    abandoned, account = client.now() - ABANDONED_AFTER, ids.user_account(interaction.user)
    labels = (
        (format_match_name(client.texts.plain, one), one.id)
        for one in summaries
        if (one.state is MatchState.OVER or one.changed_at <= abandoned)
        and all(seat.person.account != account for seat in one.seats)
    )
    return complete_labels(labels, current)


async def _complete_result(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client = interaction.client
    match_text = typed_value(interaction, "command.correct.match")
    view = await client.matches.view(match_argument.parse_match_id(match_text or ""), now=client.now())
    if view.server != ids.stored_id(interaction.guild_id or 0):
        return []
    labels = describe_outcomes(client.texts.plain, view)
    return complete_labels(((label, value) for value, label in labels.items()), current)


FEATURE = Feature(
    commands=(
        define_command(
            "correct",
            correct,
            CommandField("match", "command.correct.match", required=True, completer=_complete_match),
            CommandField("result", "command.correct.result", required=True, completer=_complete_result),
            CommandField("reason", "command.correct.reason", required=True, max_length=MAX_REASON_LENGTH),
            managers_only=True,
        ),
    ),
    announcement_posts={AnnouncementKind.CORRECTED: build_correction_post},
)
