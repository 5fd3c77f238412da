"""Who plays in a stage, in which groups, and against whom: from the records alone."""

from __future__ import annotations

from asyncio import to_thread
from typing import TYPE_CHECKING, Any

from matches.computer.accounts import is_computer
from matches.computer.service import computer_person
from matches.tournaments import divisions
from matches.tournaments.entering import find_rating
from matches.tournaments.pairing import knock_out, swiss
from matches.tournaments.pairing.round_robin import pair_round_robin
from matches.tournaments.records import LARGE, Groups, load
from matches.tournaments.results import EntrantId, GameState
from matches.tournaments.tables import build_rounds
from matches.tournaments.values import LEAGUE_SEASONS, Kind
from storage.people import people
from storage.tournament import tournaments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matches.tournaments.records import Records
    from matches.tournaments.results import Blocks, Pairing
    from storage import Connection


async def fill_odd_place(connection: Connection, records: Records, number: int, now: int) -> Records:
    """Let the computer take part if that is allowed and the number of players is odd; return the records."""
    level, persons = records.settings.computer_level, list_persons(records, number)
    is_there = any(is_computer(one.account) for one in records.active)
    if level is None or is_there or len(persons) % 2 == 0:
        return records
    computer = computer_person(level)
    await people.ensure(connection, computer.account, computer.name, now)
    seeds = [one.seed for one in records.entrants.values() if one.seed is not None]
    await tournaments.add_entrant(
        connection,
        tournament=records.id,
        account=computer.account,
        joined_at=now,
        from_stage=number,
        seed=max(seeds) + 1 if seeds else None,
        rating=await find_rating(connection, records, computer.account) if seeds else None,
    )
    return await load(connection, records.id)


def list_persons(records: Records, number: int) -> tuple[EntrantId, ...]:
    """Return who plays in a stage, without the computer."""
    playing = [one for one in records.active if one.from_stage <= number]
    return tuple(EntrantId(one.id) for one in playing if not is_computer(one.account))


def count_rounds(records: Records) -> int | None:
    """Return how many stages there will be."""
    settings, size = records.settings, len(records.active)
    if settings.kind is Kind.SWISS:
        return swiss.count_rounds(size, settings.rounds)
    if settings.kind is Kind.KNOCK_OUT:
        return knock_out.count_rounds(size)
    if settings.kind is Kind.LEAGUE:
        return settings.rounds or LEAGUE_SEASONS
    return 1


def game_row(
    records: Records, stage: int, division: int, pairing: Pairing, now: int, ends_at: int
) -> dict[str, Any]:
    """Return the columns of a new game; games alternate from round to round."""
    points, setups = pairing.points or (None, None), len(records.settings.games)
    is_by_round = records.settings.kind in (Kind.ROUND_ROBIN, Kind.LEAGUE)
    return {
        "tournament": records.id,
        "stage": stage,
        "division": division,
        "round": pairing.round,
        "number": pairing.number,
        "setup": ((pairing.round if is_by_round else stage) - 1) % setups,
        "first": pairing.first,
        "second": pairing.second,
        "state": GameState.WAITING if pairing.decision is None else GameState.OVER,
        "first_points": points[0],
        "second_points": points[1] if pairing.second is not None else None,
        "decision": pairing.decision,
        "ended_at": None if pairing.decision is None else now,
        "ends_at": ends_at,
    }


def form_groups(records: Records, number: int) -> Groups:
    """Return the entrants of each table of a stage; none if nobody is left to play."""
    kind = records.settings.kind
    active = tuple(EntrantId(one.id) for one in records.active if one.from_stage <= number)
    if kind is Kind.LEAGUE:
        return divisions.form_divisions(records, number)
    if kind is Kind.KNOCK_OUT:
        rounds = build_rounds(records, number - 1)
        if len(rounds) < number:
            return ()
        return (tuple(one for duel in rounds[number - 1] for one in duel.entrants),)
    if kind is Kind.LADDER:
        return (tuple(sorted(active, key=lambda one: records.entrants[one].rank or 0)),)
    if kind is Kind.SWISS and len(list_persons(records, number)) % 2 == 0:
        return (list_persons(records, number),)
    return (active,)


async def pair_group(
    records: Records, number: int, group: Sequence[EntrantId], blocks: Blocks
) -> tuple[Pairing, ...]:
    """Return the games with which a group begins a stage; a large one is paired in a thread."""
    if len(group) > LARGE:
        return await to_thread(_pair, records, number, group, blocks)
    return _pair(records, number, group, blocks)


def _pair(records: Records, number: int, group: Sequence[EntrantId], blocks: Blocks) -> tuple[Pairing, ...]:
    kind, entrants = records.settings.kind, records.plain_entrants(group)
    if kind in (Kind.ROUND_ROBIN, Kind.LEAGUE):
        return pair_round_robin(entrants, blocks=blocks)
    if kind is Kind.SWISS:
        return swiss.pair_swiss_round(entrants, records.plain_games, blocks=blocks)
    if kind is Kind.KNOCK_OUT:
        rounds = build_rounds(records, number - 1)
        return knock_out.pair_round(rounds[number - 1], blocks=blocks)
    return ()
