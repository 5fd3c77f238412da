"""The commands and buttons about ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.commands import Field, command
from bot.parts import Part
from bot.ratings import games, leaders, profile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game
    from words import Words


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the part."""
    return Part(
        commands=(
            command(
                words,
                "profile",
                profile.show,
                Field("person", "command.profile.person", discord.User),
                games.field("profile"),
            ),
            command(words, "leaderboard", leaders.show, games.field("leaderboard")),
        ),
        items=(leaders.LeadersPage,),
    )
