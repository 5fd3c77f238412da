"""Sentences of refusals in Discord; every setting and value has a text."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from bot.settings import Settings
from bot.ui.markdown import DISCORD
from bot.ui.permissions import REQUIRED_PERMISSIONS, THREAD_EQUIVALENTS, THREAD_PERMISSIONS
from bot.ui.refusals import format_refusal
from i18n import Texts
from matches import ChallengeState, EndReason, Refusal, TooManyMoves
from runtime.settings import setting_names
from tests.bot.environment import BotEnvironment, running_bot, set_no_clock
from tests.databases import open_database
from tests.i18n.german import GERMAN

if TYPE_CHECKING:
    from pathlib import Path

    from tests.discord_server import DiscordServer

TEXTS = Texts.load().with_writer(DISCORD)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (Refusal("too_many_challenges", limit=10), "You already have 10 open challenges"),
        (TooManyMoves(match=3, due=1, given=2), "You can play only one move"),
        (TooManyMoves(match=3, due=2, given=3), "You can play only 2 moves"),
        (Refusal("challenge_accepted", challenge=1, by="Eve", you=0, match=2), "Eve was faster"),
        (
            Refusal("challenge_accepted", challenge=1, by="Eve", you=1, match=2),
            "You have already accepted",
        ),
        (Refusal("not_addressee", challenge=1, to=""), "open to anyone"),
        (Refusal("not_addressee", challenge=1, to="Bob"), "is for Bob"),
        (Refusal("invalid_colour", colour="red", sides=("black", "white")), "Black or White"),
        (Refusal("no_vacation_days_left", days=30, year=2026), "all 30 days of vacation for 2026"),
        (Refusal("game_unknown", game="go", games=("morelli",)), "You can play Morelli"),
        (Refusal("not_your_turn", match=1, name="a_b_c"), r"a\_b\_c's turn"),
        (Refusal("no_match_here"), "You have no match under way in this channel"),
        (
            Refusal("extra_time_out_of_bounds", least=timedelta(minutes=1), most=timedelta(days=1, hours=12)),
            "from 1 minute to 1 day and 12 hours",
        ),
        (Refusal("level_unknown", level="god", levels=("club", "expert")), "`club` or `expert`"),
        (Refusal("match_unreadable", text=" "), "“” is not a match number"),
    ],
    ids=lambda value: getattr(value, "key", ""),
)
def test_refusal_is_formatted(error: Refusal, sentence: str) -> None:
    assert sentence in format_refusal(TEXTS, error)


def test_every_invalid_setting_has_a_text() -> None:
    assert all(TEXTS.has(f"settings.{field}.malformed") for field in setting_names(Settings))
    assert TEXTS.has("settings.discord_token.missing")


def test_every_displayed_value_has_a_text() -> None:
    required = [
        *(f"challenge.{state}" for state in ChallengeState),
        *(
            f"result.{reason}.win"
            for reason in EndReason
            if reason not in {EndReason.ABORTED, EndReason.VOIDED}
        ),
        "result.aborted.draw",
        "result.corrected.draw",
        "result.voided.draw",
        *(
            f"permission.{name}"
            for name in (*REQUIRED_PERMISSIONS, *THREAD_EQUIVALENTS.values(), *THREAD_PERMISSIONS)
        ),
    ]
    assert [key for key in required if not TEXTS.has(key)] == []


@pytest.mark.plain("it has texts of its own")
async def test_a_game_refuses_a_move_in_the_language_of_the_bot(
    discord: DiscordServer, database_file: Path
) -> None:
    guild = discord.guild("Salon")
    channel, alice, bob = guild.channel("games"), guild.member("Alice"), guild.member("Bob")
    set_no_clock(database_file, guild)
    async with (
        open_database(f"sqlite:///{database_file}") as database,
        running_bot(discord, database, texts=GERMAN) as bot,
    ):
        env = BotEnvironment(discord, guild, channel, alice, bob, bot, database)
        await env.start_match()
        reply = await env.move(alice, "B5-C5")
    assert "Auf B5 steht kein Stein." in reply.text
