"""Rows of tournaments, entrants, stages and games. `matches.tournaments` defines what the columns mean."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament with its organiser. Times are in milliseconds since 1970 UTC."""

    id: int
    by: str
    by_name: str
    by_alias: str | None
    server: str
    place: str
    name: str
    kind: str
    state: str
    settings: str
    made_at: int
    starts_at: int
    ended_at: int | None
    rounds: int | None
    draw: int | None
    work_at: int | None


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """An entrant with the name of the account; `closed_at` is when moderators closed that."""

    id: int
    account: str
    name: str
    alias: str | None
    closed_at: int | None
    joined_at: int
    from_stage: int
    seed: int | None
    rating: int | None
    rank: int | None
    absences: int
    idle_since: int | None
    is_registered: bool
    was_warned: bool
    withdrawn: str | None
    withdrawn_in: int | None
    withdrawn_at: int | None


@dataclass(frozen=True, slots=True)
class StageRow:
    """A stage of a tournament."""

    number: int
    state: str
    starts_at: int
    ends_at: int
    ended_at: int | None
    groups: str
    rules: str


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game of a tournament, by the ids of its entrants."""

    id: int
    tournament: int
    stage: int
    division: int
    round: int
    number: int
    setup: int
    first: int
    second: int | None
    state: str
    first_points: int | None
    second_points: int | None
    decision: str | None
    match: int | None
    opened_at: int | None
    ended_at: int | None
    ends_at: int | None
    answer_by: int | None
    first_moved_at: int | None
    second_moved_at: int | None
    warnings: int
    news_at: int | None
    assess_at: int | None
    chances: int | None


@dataclass(frozen=True, slots=True)
class LogRow:
    """An entry of the log, with the names of whom it names."""

    made_at: int
    act: str
    by: str | None
    by_name: str | None
    by_alias: str | None
    about: str | None
    about_name: str | None
    about_alias: str | None
    reason: str
    details: str | None


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """A tournament in a list, with the number of entrants and its newest stage."""

    id: int
    name: str
    kind: str
    state: str
    server: str
    settings: str
    starts_at: int
    ended_at: int | None
    entrants: int
    stage: int | None
    stage_ends_at: int | None


@dataclass(frozen=True, slots=True)
class WinRow:
    """A first place."""

    tournament: int
    name: str
    kind: str
    stage: int
    won_at: int
