"""Who follows what, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from matches.values import MatchId

if TYPE_CHECKING:
    from matches.values import MatchSummary


class Interest(StrEnum):
    """When somebody who follows a match is told."""

    TURNS = "turns"  # at each turn, and of the end
    DAILY = "daily"  # once a day, if anything has happened
    END = "end"  # of the end alone


@dataclass(frozen=True, slots=True)
class Followed:
    """One match that somebody follows."""

    interest: Interest
    match: MatchSummary


@dataclass(frozen=True, slots=True)
class News:
    """What a digest tells of one match: its moves later than `since` and up to `ply`."""

    match: MatchId
    since: int
    ply: int


def write_news(news: tuple[News, ...]) -> str:
    """Give the stored form."""
    return " ".join(f"{one.match}:{one.since}:{one.ply}" for one in news)


def read_news(stored: str) -> tuple[News, ...]:
    """Read the stored form."""
    parts = (one.split(":") for one in stored.split())
    return tuple(News(MatchId(int(match)), int(since), int(ply)) for match, since, ply in parts)
