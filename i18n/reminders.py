"""When somebody is reminded, and when they are left alone, as choices and in words for every front end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.writing import Percent, TimeOfDay
from matches.preferences.values import SHOWN_HOURS, SHOWN_SHARES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from i18n.catalogue import Texts
    from matches.preferences.values import Preferences


def format_step(texts: Texts, step: str) -> str:
    """Return the time of one reminder (``s25`` or ``h6``) as text."""
    number = int(step[1:])
    return (
        texts("preferences.share", share=Percent(number / 100))
        if step[0] == "s"
        else texts("preferences.hours", count=number)
    )


def selected_steps(preferences: Preferences) -> list[str]:
    """Return the chosen times of reminders as values, earliest first."""
    shares, hours = sorted(preferences.shares, reverse=True), sorted(preferences.hours, reverse=True)
    return [*(f"s{share}" for share in shares), *(f"h{hour}" for hour in hours)]


def possible_steps(preferences: Preferences) -> list[str]:
    """Return the times that are shown for choosing, among them those that are chosen already."""
    shown = [*(f"s{share}" for share in SHOWN_SHARES), *(f"h{hours}" for hours in SHOWN_HOURS)]
    return [*shown, *(one for one in selected_steps(preferences) if one not in shown)]


def parse_steps(steps: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Return the preferences of chosen times."""
    chosen = tuple(steps)
    return {
        name: tuple(int(one[1:]) for one in chosen if one.startswith(kind))
        for name, kind in (("shares", "s"), ("hours", "h"))
    }


def format_repeats(texts: Texts, days: int) -> str:
    """Return the interval of repeated reminders as text."""
    return texts("preferences.repeats", count=days) if days else texts("preferences.no_repeats")


def format_quiet_setting(texts: Texts, preferences: Preferences) -> str:
    """Return the quiet hours as text."""
    spans = [
        texts("preferences.quiet_hours", start=TimeOfDay(one.start), end=TimeOfDay(one.end))
        for one in preferences.quiet
    ]
    return texts.join(spans) if spans else texts("preferences.no_quiet")
