"""The commands, buttons and modals for clocks, pauses and vacations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.feature import Feature
from bot.features.clocks import claims, pauses, posts, vacations
from bot.ui import match_argument
from bot.ui.commands import CommandField, create_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game
    from i18n import Texts


def setup(texts: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the commands, the buttons and the modal handler."""
    return Feature(
        commands=(
            create_command(texts, "claim", claims.claim, match_argument.field("claim"), anywhere=True),
            create_command(
                texts,
                "give-time",
                claims.give_time,
                CommandField("time", "command.give-time.time", required=True),
                match_argument.field("give-time"),
                anywhere=True,
            ),
            create_command(texts, "pause", pauses.offer_pause, match_argument.field("pause"), anywhere=True),
            create_command(texts, "resume", pauses.resume, match_argument.field("resume"), anywhere=True),
            create_command(texts, "vacation", vacations.show),
        ),
        items=(
            claims.ClaimButton,
            claims.ConfirmClaimButton,
            claims.CancelClaimButton,
            claims.GiveTimeButton,
            claims.NudgeButton,
            pauses.AcceptPauseButton,
            pauses.DeclinePauseButton,
            pauses.WithdrawPauseButton,
            pauses.ResumeButton,
            vacations.BeginVacationButton,
            vacations.EndVacationButton,
        ),
        modal_handlers={claims.MODAL_ID: claims.submit_time},
        announcement_posts=dict.fromkeys(posts.CLOCK_KINDS, posts.build_clock_post),
    )
