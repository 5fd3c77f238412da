"""The commands, buttons and modals for clocks, pauses and vacations."""

from __future__ import annotations

from bot.feature import Feature
from bot.features.clocks import claims, pauses, posts, vacations
from bot.ui import match_argument
from bot.ui.commands import CommandField, define_command

FEATURE = Feature(
    commands=(
        define_command("claim", claims.claim, match_argument.field("claim"), anywhere=True),
        define_command(
            "give-time",
            claims.give_time,
            CommandField("time", "command.give-time.time", required=True),
            match_argument.field("give-time"),
            anywhere=True,
        ),
        define_command("pause", pauses.offer_pause, match_argument.field("pause"), anywhere=True),
        define_command("resume", pauses.resume, match_argument.field("resume"), anywhere=True),
        define_command(
            "vacation", vacations.show, CommandField("length", "command.vacation.length"), anywhere=True
        ),
    ),
    items=(
        claims.ClaimButton,
        claims.ConfirmClaimButton,
        claims.CancelClaimButton,
        claims.GiveTimeButton,
        claims.NudgeButton,
        pauses.PauseOfferButton,
        pauses.ResumeButton,
        vacations.BeginVacationButton,
        vacations.EndVacationButton,
    ),
    modal_handlers={claims.MODAL_ID: claims.submit_time},
    announcement_posts=dict.fromkeys(posts.CLOCK_KINDS, posts.build_clock_post),
)
