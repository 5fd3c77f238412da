"""One person's own settings as a value, and its stored form."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from matches.people.errors import StepsRefused
from matches.people.hours import UTC_NAME, Quiet, read_quiet, write_quiet

MOST_STEPS = 8
MOST_HOURS = 14 * 24
MOST_DAYS = 28


class Theme(StrEnum):
    """The colours of pictures."""

    RAINBOW = "rainbow"
    CLEAR = "clear"  # every meaning told by a second sign beside the colour


class Facing(StrEnum):
    """Which side is at the bottom of a picture that one person alone sees."""

    OWN = "own"  # the person's own; for an onlooker as posted
    POSTED = "posted"  # as in the posts for all


class Way(StrEnum):
    """Where a person is reminded."""

    DIRECT = "direct"  # in private
    PLACE = "place"  # where the match is played
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a person has chosen.

    `large` asks for larger writing in pictures. While a match waits for the person they are reminded at each
    of the `shares` (percentages of the time for the turn that are left), at each of the `hours` before the
    deadline, and `every` so many days (0: not so), but not within the `quiet` hours of their time `zone`.
    Raises StepsRefused.
    """

    theme: Theme = Theme.RAINBOW
    facing: Facing = Facing.OWN
    large: bool = False
    way: Way = Way.DIRECT
    shares: tuple[int, ...] = (25,)
    hours: tuple[int, ...] = ()
    every: int = 0
    quiet: Quiet | None = None
    zone: str = UTC_NAME

    def __post_init__(self) -> None:
        fitting = (
            len(self.shares) + len(self.hours) <= MOST_STEPS,
            all(0 < share < 100 for share in self.shares),
            all(0 < hour <= MOST_HOURS for hour in self.hours),
            0 <= self.every <= MOST_DAYS,
        )
        if not all(fitting):
            raise StepsRefused(most=MOST_STEPS, hours=MOST_HOURS)


USUAL = Preferences()


def write_preferences(chosen: Preferences) -> str:
    """Give the stored form."""
    return json.dumps(
        {
            "theme": chosen.theme,
            "facing": chosen.facing,
            "large": chosen.large,
            "way": chosen.way,
            "shares": chosen.shares,
            "hours": chosen.hours,
            "every": chosen.every,
            "quiet": write_quiet(chosen.quiet),
            "zone": chosen.zone,
        }
    )


@lru_cache(maxsize=1024)
def read_preferences(stored: str) -> Preferences:
    """Read the stored form; what it leaves out is as usual."""
    said = json.loads(stored)
    return Preferences(
        theme=Theme(said.get("theme", USUAL.theme)),
        facing=Facing(said.get("facing", USUAL.facing)),
        large=said.get("large", USUAL.large),
        way=Way(said.get("way", USUAL.way)),
        shares=tuple(said.get("shares", USUAL.shares)),
        hours=tuple(said.get("hours", USUAL.hours)),
        every=said.get("every", USUAL.every),
        quiet=read_quiet(said.get("quiet", "")),
        zone=said.get("zone", USUAL.zone),
    )
