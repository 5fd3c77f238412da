"""Challenges: who may make, take, decline and withdraw them, and when they lapse."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.announcements import GRACE, announce
from matches.challenge_checks import (
    challenge_from_row,
    check_addressee,
    check_colour,
    check_open,
    check_opponents,
)
from matches.errors import (
    BotChallenge,
    ChallengeUnknown,
    NotAddressee,
    NotChallenger,
    TooManyChallenges,
)
from matches.match_start import start_match
from matches.options import complete_options, find_game, format_options
from matches.servers.blocks import check_not_blocked
from matches.terms import Terms, format_terms
from matches.times import to_millis
from matches.updates import Announcement, AnnouncementKind, ChallengeUpdate, MatchUpdate
from matches.values import Challenge, ChallengeState
from storage import challenges, people

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime
    from typing import Self

    from engine.game import Game, OptionValues, Side
    from matches.hooks import CompositeHooks
    from matches.values import ChallengeId, Person, RecordId
    from storage import Connection, Database
    from storage.challenges import ChallengeRow

CHALLENGE_LIFETIME = timedelta(days=7)
MAX_OPEN_CHALLENGES = 10  # open challenges of one person


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """What is to be played: a game with its options, or the game, options and last board of a `record`."""

    game: Game
    options: OptionValues
    record: RecordId | None = None

    @classmethod
    def for_game(cls, games: Mapping[str, Game], game: str, options: OptionValues) -> Self:
        """Return the newest rules of one of `games`, and what was given of its options completed.

        Raises GameUnknown, InvalidOption, OptionIsRandom.
        """
        rules = find_game(games, game)
        return cls(rules, complete_options(rules, options))


class Challenges:
    """The challenges of a store."""

    def __init__(self, database: Database, hooks: CompositeHooks, games: Mapping[str, Game]) -> None:
        self._database = database
        self._hooks = hooks
        self._games = games

    async def create(
        self,
        by: Person,
        to: Person | None,
        *,
        server: str,
        channel: str,
        setup: MatchSetup,
        terms: Terms,
        colour: Side | None,
        now: datetime,
    ) -> ChallengeUpdate:
        """Make a challenge."""
        async with self._database.transaction() as connection:
            return await self.create_in(
                connection,
                by,
                to,
                server=server,
                channel=channel,
                setup=setup,
                terms=terms,
                colour=colour,
                now=now,
            )

    async def create_in(
        self,
        connection: Connection,
        by: Person,
        to: Person | None,
        *,
        server: str,
        channel: str,
        setup: MatchSetup,
        terms: Terms,
        colour: Side | None,
        rematch_of: int | None = None,
        now: datetime,
    ) -> ChallengeUpdate:
        """Make a challenge in a transaction under way."""
        check_opponents(by, to)
        check_colour(colour, setup.game)
        await _save_people(connection, [by] if to is None else [by, to], now)
        await people.ensure_server(connection, server, to_millis(now))
        await check_not_blocked(connection, server, by, to)
        await _check_limit(connection, by, now)
        challenge = await challenges.add(
            connection,
            by=by.account,
            to=None if to is None else to.account,
            server=server,
            place=channel,
            game=setup.game.name,
            options=format_options(setup.options),
            terms=format_terms(terms),
            colour=colour,
            state=ChallengeState.OPEN,
            made_at=to_millis(now),
            lapses_at=to_millis(now + CHALLENGE_LIFETIME),
            record=setup.record,
            rematch_of=rematch_of,
        )
        row = await _get_row(connection, challenge)
        recipients = () if to is None else (to.account,)
        return await _make_update(connection, row, AnnouncementKind.CHALLENGED, by.account, recipients, now)

    async def accept(
        self, challenge: ChallengeId, person: Person, channel: str | None, now: datetime
    ) -> MatchUpdate:
        """Accept a challenge and begin its match."""
        if person.bot:
            raise BotChallenge(name=person.name)
        async with self._database.transaction() as connection:
            row = await _get_row(connection, challenge)
            check_open(row, person, now)
            check_addressee(row, person)
            await _save_people(connection, [person], now)
            await self._close(connection, row, person, ChallengeState.ACCEPTED, now)
            return await start_match(
                connection, row, person, channel or row.place, to_millis(now), self._hooks, self._games
            )

    async def decline(self, challenge: ChallengeId, person: Person, now: datetime) -> ChallengeUpdate:
        """Decline a challenge."""
        async with self._database.transaction() as connection:
            row = await _get_row(connection, challenge)
            check_open(row, person, now)
            check_addressee(row, person)
            if row.to is None:
                raise NotAddressee(challenge=challenge, to="")
            row = await self._close(connection, row, person, ChallengeState.DECLINED, now)
            return await _make_update(
                connection, row, AnnouncementKind.DECLINED, person.account, (row.by,), now
            )

    async def withdraw(self, challenge: ChallengeId, person: Person, now: datetime) -> ChallengeUpdate:
        """Take a challenge back."""
        async with self._database.transaction() as connection:
            row = await _get_row(connection, challenge)
            check_open(row, person, now)
            if row.by != person.account:
                raise NotChallenger(challenge=challenge, by=row.by_name)
            row = await self._close(connection, row, person, ChallengeState.WITHDRAWN, now)
            return await _make_update(connection, row, AnnouncementKind.WITHDRAWN, person.account, (), now)

    async def expire(self, now: datetime) -> tuple[Challenge, ...]:
        """Close what has lapsed."""
        async with self._database.read() as connection:
            if not await challenges.any_expired(connection, ChallengeState.OPEN, to_millis(now)):
                return ()
        async with self._database.transaction() as connection:
            expired = await challenges.close_expired(
                connection, ChallengeState.OPEN, ChallengeState.EXPIRED, to_millis(now)
            )
            rows = await challenges.list_by_ids(connection, expired)
            for row in rows:
                await _announce(
                    connection, row, AnnouncementKind.EXPIRED, row.by, (row.by,), now, timedelta(0)
                )
        return tuple(challenge_from_row(row, now) for row in rows)

    async def find(self, challenge: ChallengeId, now: datetime) -> Challenge:
        """Return one challenge."""
        async with self._database.read() as connection:
            return challenge_from_row(await _get_row(connection, challenge), now)

    async def list_for_person(self, person: Person, server: str, now: datetime) -> tuple[Challenge, ...]:
        """Return the open challenges by and for a person."""
        async with self._database.read() as connection:
            rows = await challenges.list_for_person(
                connection, person.account, server, ChallengeState.OPEN, to_millis(now)
            )
        return tuple(challenge_from_row(row, now) for row in rows)

    async def _close(
        self,
        connection: Connection,
        row: ChallengeRow,
        person: Person,
        state: ChallengeState,
        now: datetime,
    ) -> ChallengeRow:
        """Close an open challenge; where another process was faster, refuse as it left things."""
        taken_by = person.account if state is ChallengeState.ACCEPTED else None
        is_closed = await challenges.close(
            connection, row.id, ChallengeState.OPEN, state, to_millis(now), taken_by=taken_by
        )
        closed = await _get_row(connection, row.id)
        if not is_closed:
            check_open(closed, person, now)
        return closed


async def _check_limit(connection: Connection, by: Person, now: datetime) -> None:
    """Count; the challenger's row is locked, so nobody counts beside us."""
    if (
        await challenges.count_by(connection, by.account, ChallengeState.OPEN, to_millis(now))
        >= MAX_OPEN_CHALLENGES
    ):
        raise TooManyChallenges(limit=MAX_OPEN_CHALLENGES)


async def _save_people(connection: Connection, persons: Iterable[Person], now: datetime) -> None:
    """Note people in one order everywhere, lest two transactions wait for each other."""
    for person in sorted(persons, key=lambda person: person.account):
        await people.save(connection, person.account, person.name, to_millis(now))


async def _get_row(connection: Connection, challenge: int) -> ChallengeRow:
    row = await challenges.get(connection, challenge)
    if row is None:
        raise ChallengeUnknown(challenge=challenge)
    return row


async def _make_update(
    connection: Connection,
    row: ChallengeRow,
    kind: AnnouncementKind,
    by: str,
    recipients: tuple[str, ...],
    now: datetime,
) -> ChallengeUpdate:
    announcement = await _announce(connection, row, kind, by, recipients, now, GRACE)
    return ChallengeUpdate(challenge=challenge_from_row(row, now), announcement=announcement)


async def _announce(
    connection: Connection,
    row: ChallengeRow,
    kind: AnnouncementKind,
    by: str,
    recipients: tuple[str, ...],
    now: datetime,
    grace: timedelta,
) -> Announcement:
    return await announce(
        connection,
        kind,
        challenge=row.id,
        by=by,
        recipients=recipients,
        server=row.server,
        channel=row.place,
        now=to_millis(now),
        grace=grace,
    )
