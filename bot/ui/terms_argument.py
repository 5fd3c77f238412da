"""The terms of a challenge as parameters of the command: time control, vacation, takebacks, rating."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ui.commands import CommandField, complete_labels, completion_choice, find_value
from i18n import clocks
from matches import (
    SUGGESTED_TIME_CONTROLS,
    Refusal,
    Terms,
    TimeoutRule,
    format_time_control,
    parse_time_control,
)

if TYPE_CHECKING:
    from discord import app_commands

    from bot.context import Interaction
    from i18n import Texts
    from matches import TimeControl


def term_fields() -> tuple[CommandField, ...]:
    """Return the parameters of ``/challenge`` that set the terms."""
    return (
        CommandField("time_control", "command.challenge.time_control", completer=complete_time_control),
        CommandField("time_out", "command.challenge.time_out", completer=_complete_timeout_rule),
        CommandField("vacation", "command.challenge.vacation", bool),
        CommandField("takeback", "command.challenge.takeback", bool),
        CommandField("rated", "command.challenge.rated", bool),
    )


def parse_terms(
    texts: Texts,
    default: TimeControl | None,
    *,
    time_control: str | None,
    time_out: str | None,
    vacation: bool | None,
    takeback: bool | None,
    rated: bool | None,
) -> Terms:
    """Return the terms that the user typed. Raises Refusal.

    `time_control` is `default` if None, `time_out` the rule for what happens on time-out.
    """
    return Terms(
        time_control=default if time_control is None else parse_time_control_argument(texts, time_control),
        timeout_rule=TimeoutRule.CLAIM if time_out is None else _parse_timeout_rule(texts, time_out),
        vacation_stops_clock=vacation is not False,
        takebacks_allowed=takeback is not False,
        rated=rated is not False,
    )


def parse_time_control_argument(texts: Texts, text: str) -> TimeControl | None:
    """Parse a time control; None means no clock.

    Raises `time_control_unreadable`, `time_control_out_of_bounds`.
    """
    is_none = text.strip().casefold() == texts("time_control.none").casefold()
    return None if is_none else parse_time_control(text)


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


def _parse_timeout_rule(texts: Texts, text: str) -> TimeoutRule:
    rule = find_value(_timeout_rule_labels(texts), text)
    if rule is None:
        raise Refusal("timeout_rule_unreadable", text=text, rules=tuple(TimeoutRule))
    return TimeoutRule(rule)


async def _complete_timeout_rule(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    return complete_labels(_timeout_rule_labels(interaction.client.texts), current)


def _timeout_rule_labels(texts: Texts) -> list[tuple[str, str]]:
    return [(texts(f"terms.timeout.{rule}"), rule.value) for rule in TimeoutRule]
