"""The terms of a challenge as parameters of the command: time control, vacation, takebacks, rating."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ui.commands import CommandField, complete_labels, completion_choice
from i18n import clocks
from i18n.challenge_values import timeout_rule_labels
from matches import SUGGESTED_TIME_CONTROLS, Refusal, format_time_control, parse_time_control

if TYPE_CHECKING:
    from discord import app_commands

    from bot.context import Interaction


def term_fields() -> tuple[CommandField, ...]:
    """Return the parameters of ``/challenge`` that set the terms."""
    return (
        CommandField("time_control", "command.challenge.time_control", completer=complete_time_control),
        CommandField("time_out", "command.challenge.time_out", completer=_complete_timeout_rule),
        CommandField("vacation", "command.challenge.vacation", bool),
        CommandField("takeback", "command.challenge.takeback", bool),
        CommandField("rated", "command.challenge.rated", bool),
    )


async def complete_time_control(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Suggest the typed time control, if it is valid, and the common ones that match the text."""
    texts, query = interaction.client.texts.plain, current.strip().casefold()
    labels = {
        clocks.describe_time_control(texts, parse_time_control(text)): text
        for text in SUGGESTED_TIME_CONTROLS
    }
    suggestions = {
        label: text for label, text in labels.items() if query in label.casefold() or query in text
    }
    try:
        typed = parse_time_control(current)
    except Refusal:
        typed = None
    if typed is not None:
        suggestions = {
            clocks.describe_time_control(texts, typed): format_time_control(typed),
            **suggestions,
        }
    return [completion_choice(label, text) for label, text in suggestions.items()]


async def _complete_timeout_rule(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    return complete_labels(timeout_rule_labels(interaction.client.texts), current)
