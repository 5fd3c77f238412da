"""Joining and leaving tournaments, and registering for the next season."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from matches.challenge_limits import load_ratings, rating_number
from matches.errors import Refusal
from matches.servers.blocks import check_not_blocked
from matches.times import to_millis
from matches.tournaments.channel_posts import outdate_posts
from matches.tournaments.divisions import find_returning
from matches.tournaments.records import load_locked
from matches.tournaments.results import EntrantId
from matches.tournaments.values import Act, Kind, TournamentState, Withdrawal
from matches.tournaments.withdrawing import withdraw
from storage.people import people
from storage.tournament import tournaments

if TYPE_CHECKING:
    from datetime import datetime

    from matches.tournaments.records import Records
    from matches.tournaments.values import TournamentId
    from matches.values import Person
    from storage import Connection, Database
    from storage.tournament.rows import EntrantRow

MAX_JOINED = 20  # tournaments of one person at a time
UNFINISHED_STATES = (TournamentState.OPEN, TournamentState.RUNNING)
_JOINED_ANY_TIME = (Kind.LEAGUE, Kind.LADDER)


class Entering:
    """Who takes part. The methods are described in :class:`matches.tournaments.service.Tournaments`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def join(
        self, tournament: TournamentId, person: Person, *, is_member: bool, now: datetime
    ) -> EntrantId:
        """Join a tournament."""
        async with self._database.transaction() as connection:
            records = await load_locked(connection, tournament)
            return await join_in(connection, records, person, is_member=is_member, now=now)

    async def leave(self, tournament: TournamentId, person: Person, *, now: datetime) -> None:
        """Leave a tournament."""
        async with self._database.transaction() as connection:
            records = await load_locked(connection, tournament)
            entrant = require_entrant(records, person.account)
            if records.state not in UNFINISHED_STATES:
                raise Refusal("tournament_over")
            await withdraw(connection, records, entrant, Withdrawal.LEFT, to_millis(now), by=person.account)
            await tournaments.change(connection, tournament, work_at=to_millis(now))

    async def register(
        self, tournament: TournamentId, person: Person, *, is_registered: bool, now: datetime
    ) -> None:
        """Say whether somebody plays the next season; also somebody whom lost clocks withdrew."""
        async with self._database.transaction() as connection:
            records = await load_locked(connection, tournament)
            if records.settings.kind is not Kind.LEAGUE:
                raise Refusal("not_league")
            own = [one for one in records.entrants.values() if one.account == person.account]
            if own and records.state not in UNFINISHED_STATES:
                raise Refusal("tournament_over")
            returning = find_returning(own)
            if returning is None:
                is_out = any(is_barred(Kind.LEAGUE, one.withdrawn) for one in own)
                raise Refusal("tournament_withdrawn" if is_out else "not_in_tournament")
            await tournaments.change_entrant(connection, returning.id, is_registered=is_registered)
            await tournaments.change(connection, tournament, work_at=to_millis(now))


async def join_in(
    connection: Connection,
    records: Records,
    person: Person,
    *,
    is_member: bool,
    is_replacement: bool = False,
    now: datetime,
) -> EntrantId:
    """Add an entrant, inside a transaction that has locked the tournament. Joining twice is harmless."""
    own = [one for one in records.entrants.values() if one.account == person.account]
    for one in own:
        if one.withdrawn is None:
            return EntrantId(one.id)
    settings, millis, is_started = records.settings, to_millis(now), records.stage is not None
    is_ladder = is_started and settings.kind is Kind.LADDER
    can_join = records.state is TournamentState.OPEN or (
        records.state is TournamentState.RUNNING and (settings.kind in _JOINED_ANY_TIME or is_replacement)
    )
    if not can_join:
        raise Refusal("tournament_closed")
    if any(is_barred(settings.kind, one.withdrawn) for one in own):
        raise Refusal("tournament_withdrawn")
    await people.save(connection, person.account, person.name, millis)
    if await people.is_guest(connection, person.account):
        raise Refusal("guest_only_computer")
    await check_not_blocked(connection, settings.server, person, None)
    await _check_limits(connection, records, person, is_member=is_member)
    rank = 1 + max((one.rank or 0 for one in records.active), default=0) if is_ladder else None
    number = max((one.seed or 0 for one in records.entrants.values()), default=0) + 1
    entrant = await tournaments.add_entrant(
        connection,
        tournament=records.id,
        account=person.account,
        joined_at=millis,
        from_stage=1 if records.stage is None or rank else records.stage.number + 1,
        seed=number if is_started else None,
        rating=await find_rating(connection, records, person.account) if is_started else None,
        rank=rank,
        idle_since=millis if rank else None,
    )
    await outdate_posts(connection, records.id, millis)
    if is_started:
        await tournaments.log(
            connection,
            tournament=records.id,
            made_at=millis,
            act=Act.JOINED_LATE,
            about=person.account,
            reason="",
            details=json.dumps({"seed": number}),
        )
    return EntrantId(entrant)


def is_barred(kind: Kind, withdrawn: str | None) -> bool:
    """Return whether somebody who was withdrawn so cannot join again.

    Whom lost clocks withdrew from a league registers instead.
    """
    is_absent = kind is Kind.LEAGUE and withdrawn in (Withdrawal.LOST_CLOCKS, Withdrawal.ABSENT)
    return withdrawn == Withdrawal.EXCLUDED or is_absent


def require_entrant(records: Records, account: str) -> EntrantRow:
    """Return the entrant of an account. Raises `not_in_tournament`."""
    for one in records.active:
        if one.account == account:
            return one
    raise Refusal("not_in_tournament")


async def _check_limits(connection: Connection, records: Records, person: Person, *, is_member: bool) -> None:
    limits = records.settings.limits
    if len(records.active) >= limits.entrants:
        raise Refusal("tournament_full", limit=limits.entrants)
    if records.settings.is_of_server and not is_member:
        raise Refusal("tournament_members")
    least, most = limits.min_rating, limits.max_rating
    if least is not None or most is not None:
        own = await find_rating(connection, records, person.account)
        if not (least or 0) <= own <= (most or own):
            raise Refusal("tournament_rating", least=least or 0, most=most or 0, own=own)
    if await tournaments.count_joined(connection, person.account, UNFINISHED_STATES) >= MAX_JOINED:
        raise Refusal("too_many_tournaments_joined", limit=MAX_JOINED)


async def find_rating(connection: Connection, records: Records, account: str) -> int:
    """Return the rating of an account at the games of a tournament, on average."""
    names = {one.game for one in records.settings.games}
    rated = await load_ratings(connection, [account], names)
    return round(sum(rating_number(rated, account, game) for game in names) / len(names))
