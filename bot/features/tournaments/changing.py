"""``/tournament change``: other settings and another date before the start; whoever has joined is told."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.features.tournaments import argument
from bot.features.tournaments.acts import REASON, confirm
from bot.features.tournaments.creating import (
    MAX_TYPED_ABOUT,
    Days,
    Entrants,
    Rounds,
    parse_time_control,
)
from bot.ui import ids
from bot.ui.commands import CommandField, define_command
from bot.ui.terms_argument import complete_time_control
from i18n.typed_values import parse_length
from i18n.writing import Moment
from matches.tournaments.values import MAX_NAME_LENGTH, TournamentState

if TYPE_CHECKING:
    from bot.context import Interaction

KEY = "command.tournament_change"


async def change(
    interaction: Interaction,
    *,
    tournament: str,
    reason: str,
    name: str | None = None,
    starts: str | None = None,
    about: str | None = None,
    days: int | None = None,
    rounds: int | None = None,
    time_control: str | None = None,
    rated: bool | None = None,
    entrants: int | None = None,
) -> None:
    """Change those settings that are typed."""
    client, view = interaction.client, await argument.load(interaction, tournament)
    old, now = view.settings, client.now()
    limits = old.limits if entrants is None else replace(old.limits, entrants=entrants)
    control = old.time_control if time_control is None else parse_time_control(client.texts, time_control)
    settings = replace(
        old,
        name=name or old.name,
        starts_at=old.starts_at if starts is None else now + parse_length(starts),
        about=old.about if about is None else about,
        stage_length=old.stage_length if days is None else timedelta(days=days),
        rounds=rounds or old.rounds,
        time_control=control,
        rated=old.rated if rated is None else rated,
        limits=limits,
    )
    may, by = argument.is_moderator(interaction, view), ids.to_person(interaction.user)
    await client.matches.tournaments.change(view.id, settings, by, reason=reason, is_moderator=may, now=now)
    await confirm(interaction, "changed", settings.name, starts=Moment(settings.starts_at))


COMMANDS = (
    define_command(
        "tournament_change",
        change,
        argument.tournament_field((TournamentState.OPEN,)),
        REASON,
        CommandField("name", f"{KEY}.title", max_length=MAX_NAME_LENGTH),
        CommandField("starts", f"{KEY}.starts"),
        CommandField("about", f"{KEY}.description", max_length=MAX_TYPED_ABOUT),
        CommandField("days", f"{KEY}.days", Days),
        CommandField("rounds", f"{KEY}.rounds", Rounds),
        CommandField("time_control", f"{KEY}.time_control", completer=complete_time_control),
        CommandField("rated", f"{KEY}.rated", bool),
        CommandField("entrants", f"{KEY}.entrants", Entrants),
    ),
)
