"""``/profile`` and ``/leaderboard``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.feature import Feature
from bot.features.ratings import leaderboard, profile
from bot.ui import game_argument
from bot.ui.commands import CommandField, create_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game
    from i18n import Texts


def setup(texts: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the commands and the button."""
    return Feature(
        commands=(
            create_command(
                texts,
                "profile",
                profile.show_profile,
                CommandField("person", "command.profile.person", discord.User),
                game_argument.field("profile"),
            ),
            create_command(
                texts, "leaderboard", leaderboard.show_leaderboard, game_argument.field("leaderboard")
            ),
        ),
        items=(leaderboard.LeaderboardPageButton,),
    )
