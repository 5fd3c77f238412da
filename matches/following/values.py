"""Values about following."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from matches.values import MatchId

if TYPE_CHECKING:
    from matches.match_view import MatchSummary


class FollowMode(StrEnum):
    """When a follower is notified."""

    TURNS = "turns"  # after each turn and at the end
    DAILY = "daily"  # once a day, if anything has happened
    END = "end"  # at the end only


@dataclass(frozen=True, slots=True)
class FollowedMatch:
    """A match that a person follows."""

    mode: FollowMode
    match: MatchSummary


@dataclass(frozen=True, slots=True)
class DigestItem:
    """The part of a digest about one match: the moves after `since`, up to `ply`."""

    match: MatchId
    since: int
    ply: int


def format_digest(items: tuple[DigestItem, ...]) -> str:
    """Return the stored form: ``match:since:ply`` items separated by spaces."""
    return " ".join(f"{one.match}:{one.since}:{one.ply}" for one in items)


def parse_digest(stored: str) -> tuple[DigestItem, ...]:
    """Parse the stored form."""
    parts = (one.split(":") for one in stored.split())
    return tuple(DigestItem(MatchId(int(match)), int(since), int(ply)) for match, since, ply in parts)
