"""Challenges: who may make, take, decline and withdraw them, and when they lapse."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.admission import (
    read_challenge,
    refuse_closed,
    refuse_colour,
    refuse_opponents,
    refuse_stranger,
)
from matches.announcements import GRACE, announce
from matches.asked import Challenge, ChallengeState
from matches.errors import (
    BotChallenge,
    ChallengeUnknown,
    NotAddressee,
    NotChallenger,
    TooManyChallenges,
)
from matches.options import check_options, find_game, write_options
from matches.servers.blocks import refuse_blocked
from matches.starts import begin
from matches.steps import Announcement, AnnouncementKind, ChallengeStep, Turn
from matches.terms import Terms, write_terms
from matches.times import millis
from storage import challenges, people

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from typing import Self

    from engine.game import Game, Settings, Side
    from matches.concerns import Concerns
    from matches.values import ChallengeId, Person, RecordId
    from storage import Connection, Store
    from storage.challenges import ChallengeRow

LIFETIME = timedelta(days=7)
LIMIT = 10  # open challenges of one person


@dataclass(frozen=True, slots=True)
class Subject:
    """What is to be played: a game with its options, or the game, options and last board of a `record`."""

    game: Game
    options: Settings
    record: RecordId | None = None

    @classmethod
    def of(cls, game: str, options: Settings) -> Self:
        """Give the newest rules of a game, and what was given of its options completed.

        Raises GameUnknown, OptionRefused, ChanceDecides.
        """
        rules = find_game(game)
        return cls(rules, check_options(rules, options))


class Challenges:
    """The challenges of a store."""

    def __init__(self, store: Store, concerns: Concerns) -> None:
        self._store = store
        self._concerns = concerns

    async def make(
        self,
        by: Person,
        to: Person | None,
        *,
        server: str,
        place: str,
        subject: Subject,
        terms: Terms,
        colour: Side | None,
        now: datetime,
    ) -> ChallengeStep:
        """Make a challenge."""
        async with self._store.writing() as connection:
            return await self.add(
                connection,
                by,
                to,
                server=server,
                place=place,
                subject=subject,
                terms=terms,
                colour=colour,
                now=now,
            )

    async def add(
        self,
        connection: Connection,
        by: Person,
        to: Person | None,
        *,
        server: str,
        place: str,
        subject: Subject,
        terms: Terms,
        colour: Side | None,
        rematch_of: int | None = None,
        now: datetime,
    ) -> ChallengeStep:
        """Make a challenge in a transaction under way."""
        refuse_opponents(by, to)
        refuse_colour(colour, subject.game)
        await _remember(connection, [by] if to is None else [by, to], now)
        await people.remember_server(connection, server, millis(now))
        await refuse_blocked(connection, server, by, to)
        await _refuse_too_many(connection, by, now)
        number = await challenges.add(
            connection,
            by=by.account,
            to=None if to is None else to.account,
            server=server,
            place=place,
            game=subject.game.name,
            options=write_options(subject.options),
            terms=write_terms(terms),
            colour=colour,
            state=ChallengeState.OPEN,
            made_at=millis(now),
            lapses_at=millis(now + LIFETIME),
            record=subject.record,
            rematch_of=rematch_of,
        )
        row = await _get(connection, number)
        whom = () if to is None else (to.account,)
        return await _step(connection, row, AnnouncementKind.CHALLENGED, by.account, whom, now)

    async def accept(self, challenge: ChallengeId, person: Person, place: str | None, now: datetime) -> Turn:
        """Accept a challenge and begin its match."""
        if person.bot:
            raise BotChallenge(name=person.name)
        async with self._store.writing() as connection:
            row = await _get(connection, challenge)
            refuse_closed(row, person, now)
            refuse_stranger(row, person)
            await _remember(connection, [person], now)
            await self._close(connection, row, person, ChallengeState.ACCEPTED, now)
            return await begin(connection, row, person, place or row.place, millis(now), self._concerns)

    async def decline(self, challenge: ChallengeId, person: Person, now: datetime) -> ChallengeStep:
        """Decline a challenge."""
        async with self._store.writing() as connection:
            row = await _get(connection, challenge)
            refuse_closed(row, person, now)
            refuse_stranger(row, person)
            if row.to is None:
                raise NotAddressee(challenge=challenge, to="")
            row = await self._close(connection, row, person, ChallengeState.DECLINED, now)
            return await _step(connection, row, AnnouncementKind.DECLINED, person.account, (row.by,), now)

    async def withdraw(self, challenge: ChallengeId, person: Person, now: datetime) -> ChallengeStep:
        """Take a challenge back."""
        async with self._store.writing() as connection:
            row = await _get(connection, challenge)
            refuse_closed(row, person, now)
            if row.by != person.account:
                raise NotChallenger(challenge=challenge, by=row.by_name)
            row = await self._close(connection, row, person, ChallengeState.WITHDRAWN, now)
            return await _step(connection, row, AnnouncementKind.WITHDRAWN, person.account, (), now)

    async def lapse(self, now: datetime) -> tuple[Challenge, ...]:
        """Close what has lapsed."""
        async with self._store.reading() as connection:
            if not await challenges.any_lapsed(connection, ChallengeState.OPEN, millis(now)):
                return ()
        async with self._store.writing() as connection:
            numbers = await challenges.close_lapsed(
                connection, ChallengeState.OPEN, ChallengeState.LAPSED, millis(now)
            )
            rows = await challenges.of_numbers(connection, numbers)
            for row in rows:
                await _announce(
                    connection, row, AnnouncementKind.LAPSED, row.by, (row.by,), now, timedelta(0)
                )
        return tuple(read_challenge(row, now) for row in rows)

    async def find(self, challenge: ChallengeId, now: datetime) -> Challenge:
        """Give one challenge."""
        async with self._store.reading() as connection:
            return read_challenge(await _get(connection, challenge), now)

    async def of_person(self, person: Person, server: str, now: datetime) -> tuple[Challenge, ...]:
        """Give the open challenges by and for a person."""
        async with self._store.reading() as connection:
            rows = await challenges.of_person(
                connection, person.account, server, ChallengeState.OPEN, millis(now)
            )
        return tuple(read_challenge(row, now) for row in rows)

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
        done = await challenges.close(
            connection, row.id, ChallengeState.OPEN, state, millis(now), taken_by=taken_by
        )
        fresh = await _get(connection, row.id)
        if not done:
            refuse_closed(fresh, person, now)
        return fresh


async def _refuse_too_many(connection: Connection, by: Person, now: datetime) -> None:
    """Count; the challenger's row is locked, so nobody counts beside us."""
    if await challenges.count(connection, by.account, ChallengeState.OPEN, millis(now)) >= LIMIT:
        raise TooManyChallenges(limit=LIMIT)


async def _remember(connection: Connection, persons: Iterable[Person], now: datetime) -> None:
    """Note people in one order everywhere, lest two transactions wait for each other."""
    for person in sorted(persons, key=lambda person: person.account):
        await people.remember(connection, person.account, person.name, millis(now))


async def _get(connection: Connection, challenge: int) -> ChallengeRow:
    row = await challenges.get(connection, challenge)
    if row is None:
        raise ChallengeUnknown(challenge=challenge)
    return row


async def _step(
    connection: Connection,
    row: ChallengeRow,
    kind: AnnouncementKind,
    by: str,
    whom: tuple[str, ...],
    now: datetime,
) -> ChallengeStep:
    announcement = await _announce(connection, row, kind, by, whom, now, GRACE)
    return ChallengeStep(challenge=read_challenge(row, now), announcement=announcement)


async def _announce(
    connection: Connection,
    row: ChallengeRow,
    kind: AnnouncementKind,
    by: str,
    whom: tuple[str, ...],
    now: datetime,
    grace: timedelta,
) -> Announcement:
    return await announce(
        connection,
        kind,
        challenge=row.id,
        by=by,
        whom=whom,
        server=row.server,
        place=row.place,
        now=millis(now),
        grace=grace,
    )
