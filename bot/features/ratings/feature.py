"""``/profile`` and ``/leaderboard``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
import structlog

from bot.feature import Feature
from bot.features.ratings import leaderboard, profile
from bot.ui import game_argument
from bot.ui.commands import CommandField, define_command, define_user_menu
from i18n import ratings as formatting
from matches import StorageUnavailable

if TYPE_CHECKING:
    from bot.context import BotClient
    from matches import MatchView

log = structlog.stdlib.get_logger(__name__)


async def format_result_note(client: BotClient, view: MatchView) -> str:
    """Return how the result of a match changed both ratings; empty if unrated or not known at present."""
    if not view.terms.rated:
        return ""
    try:
        changes = await client.matches.ratings.changes(view.id, now=client.now())
        recomputing = await client.matches.ratings.list_recomputing() if changes else ()
    except StorageUnavailable as error:
        log.warning("ratings.unknown", match=view.id, error=str(error))
        return ""
    lines = [formatting.format_changes(client.texts, changes)]
    lines += formatting.format_recomputing(client.texts, {view.game} & set(recomputing))
    return client.texts.join(lines, "list.lines")


FEATURE = Feature(
    commands=(
        define_command(
            "profile",
            profile.show_profile,
            CommandField("person", "command.profile.person", discord.User),
            game_argument.field("profile"),
        ),
        define_user_menu("profile", lambda interaction, user: profile.show_profile(interaction, user, None)),
        define_command("leaderboard", leaderboard.show_leaderboard, game_argument.field("leaderboard")),
    ),
    items=(leaderboard.LeaderboardPageButton,),
)
