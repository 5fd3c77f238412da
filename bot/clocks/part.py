"""The commands, buttons and forms about time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import matching
from bot.clocks import flags, pauses, vacations
from bot.commands import Field, command
from bot.parts import Part

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game
    from words import Words


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the part."""
    return Part(
        commands=(
            command(words, "claim", flags.claim, matching.field("claim")),
            command(
                words,
                "give-time",
                flags.give,
                Field("time", "command.give-time.time", required=True),
                matching.field("give-time"),
            ),
            command(words, "pause", pauses.pause, matching.field("pause")),
            command(words, "resume", pauses.resume, matching.field("resume")),
            command(words, "vacation", vacations.show),
        ),
        items=(
            flags.ClaimButton,
            flags.ClaimNowButton,
            flags.WaitButton,
            flags.GiveButton,
            pauses.PauseButton,
            pauses.NoPauseButton,
            pauses.ResumeButton,
            vacations.LeaveButton,
            vacations.ReturnButton,
        ),
        forms={flags.FORM: flags.submitted},
    )
