"""A person's preferences and their stored form."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from matches.errors import Refusal
from matches.preferences.quiet_hours import UTC_NAME, QuietHours, format_quiet_hours, parse_quiet_hours

MAX_REMINDERS = 8
MAX_REMINDER_HOURS = 14 * 24
MAX_REPEAT_DAYS = 28
# What is shown for choosing: shares in percent, hours before a deadline, days between repeated reminders.
SHOWN_SHARES = (50, 25, 10)
SHOWN_HOURS = (72, 24, 12, 6, 3, 1)
SHOWN_DAYS = (0, 1, 2, 3, 7)


class PictureTheme(StrEnum):
    """The colours of pictures."""

    RAINBOW = "rainbow"
    CLEAR = "clear"  # every meaning also has a sign other than the colour


class BoardOrientation(StrEnum):
    """Which side is at the bottom of pictures that only one person sees."""

    OWN = "own"  # the person's own side; for a spectator as in public posts
    POSTED = "posted"  # as in public posts


class ProfileAudience(StrEnum):
    """Who sees the page of a player on the website."""

    EVERYBODY = "everybody"
    MEMBERS = "members"  # whoever is signed in
    NOBODY = "nobody"  # besides the player


class ReminderChannel(StrEnum):
    """Where a person is reminded."""

    DIRECT = "direct"  # by direct message
    MATCH_CHANNEL = "place"  # in the channel of the match
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's preferences.

    `large` is for larger writing in pictures; with `boards_as_text` boards are also described in words, also
    in the posts of the person's matches. While a match waits for the person they are reminded when each
    of the `shares` (in percent) of the time for the turn is left, each of the `hours` before the deadline,
    and every `repeat_days` days (0: never), but not within the `quiet` hours of their time `zone`. `profile`
    is who sees their page on the website. They are told in their `language`, such as ``ja``; empty until they
    choose one. Without `puzzles` no puzzle is made from their matches. With `computer_plays_on` the computer
    neither resigns against them nor offers them the end of a game that is decided. Raises
    `invalid_reminder_times`.
    """

    theme: PictureTheme = PictureTheme.RAINBOW
    orientation: BoardOrientation = BoardOrientation.OWN
    large: bool = False
    reminder_channel: ReminderChannel = ReminderChannel.DIRECT
    shares: tuple[int, ...] = (25,)
    hours: tuple[int, ...] = ()
    repeat_days: int = 0
    quiet: tuple[QuietHours, ...] = ()
    zone: str = UTC_NAME
    boards_as_text: bool = False
    profile: ProfileAudience = ProfileAudience.EVERYBODY
    language: str = ""
    puzzles: bool = True
    computer_plays_on: bool = False

    def __post_init__(self) -> None:
        conditions = (
            len(self.shares) + len(self.hours) <= MAX_REMINDERS,
            all(0 < share < 100 for share in self.shares),
            all(0 < hour <= MAX_REMINDER_HOURS for hour in self.hours),
            0 <= self.repeat_days <= MAX_REPEAT_DAYS,
        )
        if not all(conditions):
            raise Refusal("invalid_reminder_times", most=MAX_REMINDERS, hours=MAX_REMINDER_HOURS)


DEFAULT_PREFERENCES = Preferences()


def format_preferences(preferences: Preferences) -> str:
    """Return the stored form, a JSON object."""
    return json.dumps(
        {
            "theme": preferences.theme,
            "facing": preferences.orientation,
            "large": preferences.large,
            "words": preferences.boards_as_text,
            "way": preferences.reminder_channel,
            "shares": preferences.shares,
            "hours": preferences.hours,
            "every": preferences.repeat_days,
            "quiet": format_quiet_hours(preferences.quiet),
            "zone": preferences.zone,
            "profile": preferences.profile,
            "language": preferences.language,
            "puzzles": preferences.puzzles,
            "plays_on": preferences.computer_plays_on,
        }
    )


@lru_cache(maxsize=1024)
def parse_preferences(stored: str) -> Preferences:
    """Parse the stored form; missing keys have their defaults."""
    data = json.loads(stored)
    return Preferences(
        theme=PictureTheme(data.get("theme", DEFAULT_PREFERENCES.theme)),
        orientation=BoardOrientation(data.get("facing", DEFAULT_PREFERENCES.orientation)),
        large=data.get("large", DEFAULT_PREFERENCES.large),
        boards_as_text=data.get("words", DEFAULT_PREFERENCES.boards_as_text),
        reminder_channel=ReminderChannel(data.get("way", DEFAULT_PREFERENCES.reminder_channel)),
        shares=tuple(data.get("shares", DEFAULT_PREFERENCES.shares)),
        hours=tuple(data.get("hours", DEFAULT_PREFERENCES.hours)),
        repeat_days=data.get("every", DEFAULT_PREFERENCES.repeat_days),
        quiet=parse_quiet_hours(data.get("quiet", "")),
        zone=data.get("zone", DEFAULT_PREFERENCES.zone),
        profile=ProfileAudience(data.get("profile", DEFAULT_PREFERENCES.profile)),
        language=data.get("language", DEFAULT_PREFERENCES.language),
        puzzles=data.get("puzzles", DEFAULT_PREFERENCES.puzzles),
        computer_plays_on=data.get("plays_on", DEFAULT_PREFERENCES.computer_plays_on),
    )
