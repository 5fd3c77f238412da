"""Tournaments that end or are cancelled: first places, and what everybody is told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from matches.computer.accounts import is_computer
from matches.tournaments.announcing import tell_all
from matches.tournaments.results import Decision, EntrantId
from matches.tournaments.tables import find_winners, list_places, make_table, size_groups
from matches.tournaments.values import (
    Act,
    Kind,
    StageState,
    TournamentState,
)
from matches.updates import AnnouncementKind
from storage.tournament import tournaments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matches.tournaments.records import Records
    from storage import Connection
    from storage.tournament.rows import EntrantRow


async def finish(connection: Connection, records: Records, now: int, winners: Sequence[EntrantId]) -> None:
    """End a tournament after its last stage: record who won, and tell everybody their place."""
    if records.settings.kind is not Kind.LEAGUE:
        await tournaments.set_wins(connection, records.id, 0, winners, now)
    places = list_places(records) | dict.fromkeys(winners, 1)
    await end(connection, records, TournamentState.OVER, Act.OVER, now)
    told = [one for one in records.entrants.values() if one.seed is not None and not is_computer(one.account)]
    groups = size_groups(records) if records.settings.kind is Kind.LEAGUE else {}

    def describe(entrant: EntrantRow) -> dict[str, str | int]:
        place = places.get(EntrantId(entrant.id))
        if place is None:
            return {}
        if EntrantId(entrant.id) not in groups:
            return {"place": place}
        division, size = groups[EntrantId(entrant.id)]
        return {"place": place, "division": division, "entrants": size}

    public: dict[str, str | int] = {"entrants": len(told)}
    await tell_all(connection, records, AnnouncementKind.TOURNAMENT_OVER, told, describe, public, now)


async def update_wins(connection: Connection, records: Records, now: int) -> None:
    """Record who has first places after corrections of games in stages that are over."""
    corrected = {
        one.stage for one in records.games if one.news_at is not None and one.decision == Decision.CORRECTED
    }
    if records.settings.kind is not Kind.LEAGUE:
        if corrected and records.state is TournamentState.OVER:
            await tournaments.set_wins(connection, records.id, 0, find_winners(records), now)
        return
    for stage in records.stages:
        if stage.number in corrected and stage.state == StageState.OVER:
            winners = [row.entrant for row in make_table(records, stage.number) if row.place == 1]
            await tournaments.set_wins(connection, records.id, stage.number, winners, now)


async def cancel(connection: Connection, records: Records, now: int) -> None:
    """Close a tournament that did not start, and tell whoever has joined."""
    await end(connection, records, TournamentState.CANCELLED, Act.CANCELLED, now)
    kind, public = AnnouncementKind.TOURNAMENT_OVER, dict[str, str | int](cancelled=1)
    await tell_all(connection, records, kind, records.active, lambda _entrant: {}, public, now)


async def end(connection: Connection, records: Records, state: TournamentState, act: Act, now: int) -> None:
    """Close a tournament for good."""
    await tournaments.change(connection, records.id, state=state, ended_at=now, work_at=None)
    await log(connection, records, act, now, {})


async def log(
    connection: Connection, records: Records, act: Act, now: int, details: Mapping[str, str | int]
) -> None:
    """Log what the rules did."""
    text = json.dumps(dict(details)) if details else None
    await tournaments.log(connection, tournament=records.id, made_at=now, act=act, reason="", details=text)
