"""Seasons of a league: what a season means for the next one, and its divisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.tournaments.announcing import tell_one
from matches.tournaments.pairing.leagues import (
    ABSENCES_UNTIL_OUT,
    Participation,
    divide,
    form_next_season,
    is_registered_again,
)
from matches.tournaments.records import parse_groups
from matches.tournaments.results import EntrantId
from matches.tournaments.tables import make_table
from matches.tournaments.values import Withdrawal
from matches.tournaments.withdrawing import list_gone, withdraw
from matches.updates import UNREGISTERED, AnnouncementKind
from storage.tournament import tournaments

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matches.tournaments.pairing.leagues import Divisions
    from matches.tournaments.records import Records
    from storage import Connection
    from storage.tournament.rows import EntrantRow, StageRow


async def end_season(connection: Connection, records: Records, stage: StageRow, now: int) -> None:
    """Record the winner of the first division, and who has to register again: those who played too little.

    Whoever played too little without having left was absent: they are told that they have to register
    again. The second time is the last one.
    """
    winners = [row.entrant for row in make_table(records, stage.number) if row.place == 1]
    await tournaments.set_wins(connection, records.id, stage.number, winners, now)
    games = tuple(one for one in records.plain_games if one.stage == stage.number)
    is_last = records.row.rounds is not None and stage.number >= records.row.rounds
    for group in parse_groups(stage.groups):
        for number in group:
            entrant = records.entrants[number]
            if not _is_absent(entrant) and is_registered_again(number, games):
                continue
            absences = entrant.absences + 1
            await tournaments.change_entrant(connection, number, is_registered=False, absences=absences)
            if absences >= ABSENCES_UNTIL_OUT and entrant.withdrawn is None:
                await withdraw(connection, records, entrant, Withdrawal.ABSENT, now)
            elif entrant.withdrawn is None and entrant.is_registered and not is_last:
                details: dict[str, str | int] = {"withdrawal": UNREGISTERED, "why": ""}
                kind = AnnouncementKind.ENTRANT_WITHDRAWN
                await tell_one(connection, records, kind, entrant.account, details, now)


async def readmit(connection: Connection, records: Records) -> None:
    """Let those play again who were withdrawn for lost clocks and have registered.

    In which season that was stays known: then they were absent. An account has one place, one that was
    deleted, closed or excluded has none.
    """
    playing = {one.account for one in records.active}
    withdrawn = [one for one in records.entrants.values() if one.withdrawn == Withdrawal.LOST_CLOCKS]
    returning = [one for one in withdrawn if one.is_registered and can_return(one)]
    gone = await list_gone(connection, records, returning)
    for entrant in returning:
        if entrant not in gone and entrant.account not in playing:
            playing.add(entrant.account)
            await tournaments.change_entrant(
                connection, entrant.id, withdrawn=None, withdrawn_at=None, was_warned=False
            )


def can_return(entrant: EntrantRow) -> bool:
    """Return whether an entrant may play the next season of a league."""
    if entrant.withdrawn not in (None, Withdrawal.LOST_CLOCKS):
        return False
    return entrant.absences < ABSENCES_UNTIL_OUT


def find_returning(entrants: Iterable[EntrantRow]) -> EntrantRow | None:
    """Return which of a person's entrants may play the next season of a league: the one who plays, if any.

    A person has several where another account was joined with theirs, or after they came back.
    """
    can = filter(can_return, entrants)
    return min(can, key=lambda one: (one.withdrawn is not None, -one.id), default=None)


def form_divisions(records: Records, number: int) -> Divisions:
    """Return the divisions of a season: by rating in the first one, then by the tables of the last."""
    playing = [one for one in records.active if one.is_registered and one.from_stage <= number]
    by_rating = sorted(playing, key=lambda one: (-(one.rating or 0), one.seed or 0, one.id))
    order = [EntrantId(one.id) for one in by_rating]
    if number == 1:
        return divide(order)
    last = records.stages[number - 2]
    groups = parse_groups(last.groups)
    final = tuple(
        tuple(row.entrant for row in make_table(records, last.number, division))
        for division in range(1, len(groups) + 1)
    )
    known = {entrant for group in groups for entrant in group}
    games = tuple(one for one in records.plain_games if one.stage == last.number)
    participation = {
        one: Participation(
            is_registered=one in order,
            is_absent=records.entrants[one].withdrawn_in == last.number
            or not is_registered_again(one, games),
            absences=records.entrants[one].absences,
        )
        for one in known
    }
    return form_next_season(final, participation, [one for one in order if one not in known])


def _is_absent(entrant: EntrantRow) -> bool:
    return entrant.withdrawn == Withdrawal.LOST_CLOCKS
