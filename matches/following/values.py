"""Who follows what, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from matches.values import MatchId

if TYPE_CHECKING:
    from matches.match_view import MatchSummary


class FollowMode(StrEnum):
    """When somebody who follows a match is told."""

    TURNS = "turns"  # at each turn, and of the end
    DAILY = "daily"  # once a day, if anything has happened
    END = "end"  # of the end alone


@dataclass(frozen=True, slots=True)
class FollowedMatch:
    """One match that somebody follows."""

    mode: FollowMode
    match: MatchSummary


@dataclass(frozen=True, slots=True)
class DigestItem:
    """What a digest tells of one match: its moves later than `since` and up to `ply`."""

    match: MatchId
    since: int
    ply: int


def format_digest(items: tuple[DigestItem, ...]) -> str:
    """Return the stored form."""
    return " ".join(f"{one.match}:{one.since}:{one.ply}" for one in items)


def parse_digest(stored: str) -> tuple[DigestItem, ...]:
    """Read the stored form."""
    parts = (one.split(":") for one in stored.split())
    return tuple(DigestItem(MatchId(int(match)), int(since), int(ply)) for match, since, ply in parts)
