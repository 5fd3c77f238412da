"""Challenges: create, accept, decline, withdraw, expire."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from matches import standing_challenges
from matches.challenge_checks import (
    addressee_of,
    challenge_from_row,
    check_addressee,
    check_open,
    check_opponents,
)
from matches.challenge_drafts import ChallengeDraft
from matches.challenge_limits import DEFAULT_LIMITS, check_accepter
from matches.challenge_writing import announce, get_row, make_update, write_challenge
from matches.errors import Refusal
from matches.match_start import start_match
from matches.options import MatchSetup
from matches.platforms import NO_PLACE
from matches.servers.blocks import check_not_blocked
from matches.terms import DEFAULT_TERMS, Terms, format_terms
from matches.times import to_millis
from matches.updates import AnnouncementKind, ChallengeUpdate, MatchUpdate
from matches.values import Challenge, ChallengeState, Person
from storage.match import challenges
from storage.people import people

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from datetime import datetime

    from engine.game import Game, OptionValue, Side
    from matches.audience import Audience
    from matches.challenge_limits import ChallengeLimits
    from matches.locking import MatchHooks
    from matches.records.imports import ImportedRecords
    from matches.values import ChallengeId, MatchId, RecordId
    from storage import Connection, Database
    from storage.match.challenges import ChallengeRow


class Challenges:
    """The challenges of a database. A challenge expires a week after it was created, unless it stands."""

    def __init__(
        self,
        database: Database,
        records: ImportedRecords,
        hooks: Sequence[MatchHooks],
        games: Mapping[str, Game],
        limits: ChallengeLimits = DEFAULT_LIMITS,
    ) -> None:
        self._database = database
        self._records = records
        self._hooks = hooks
        self._games = games
        self._limits = limits

    async def create(
        self,
        by: Person,
        *,
        to: Person | None = None,
        server: str = NO_PLACE,
        channel: str = NO_PLACE,
        game: str,
        options: Mapping[str, OptionValue] | None = None,
        terms: Terms = DEFAULT_TERMS,
        colour: Side | None = None,
        rematch_of: MatchId | None = None,
        audience: Audience | None = None,
        note: str = "",
        within: int | None = None,
        by_link: bool = False,
        games: int | None = None,
        now: datetime,
    ) -> ChallengeUpdate:
        """Challenge `to`, or with None anyone in `channel`; without a channel each player is told privately.

        `colour` is the challenger's side; None is a random one. The match will have these `terms`; it can be
        noted as the rematch of another. Who may see it on the website depends on server and channel, or is
        `audience`. Announced as CHALLENGED to `to`.

        `note` is one line for `to` or whoever has the link. `within`: anyone with a rating at most so many
        points away. `by_link`: whoever knows its link, which the front end makes and checks. `games`: on
        WEBSITE it stands, for anyone, while fewer than that many of its matches are under way.

        Raises `game_unknown`, `invalid_option`, `option_is_random`, `invalid_colour`, `self_challenge`,
        `bot_challenge`, `excluded`, `opponent_excluded`, `opponent_blocked`, `blocked_by_opponent`, and as
        :func:`matches.challenge_drafts.check_extras` and :func:`matches.challenge_limits.check_challenger`.
        """
        draft = ChallengeDraft(
            by=by,
            to=to,
            server=server,
            channel=channel,
            setup=MatchSetup.for_game(self._games, game, options or {}),
            terms=terms,
            colour=colour,
            rematch_of=rematch_of,
            audience=audience,
            note=note,
            within=within,
            by_link=by_link,
            games=games,
        )
        async with self._database.transaction() as connection:
            return await self.create_in(connection, draft, now)

    async def create_from_record(
        self,
        record: RecordId,
        by: Person,
        *,
        to: Person | None = None,
        server: str,
        channel: str,
        terms: Terms = DEFAULT_TERMS,
        colour: Side | None = None,
        now: datetime,
    ) -> ChallengeUpdate:
        """Challenge as in :meth:`create` to a match that starts from the last position of an imported record.

        The match has the record's game, options and rules version and is never rated. It is announced as
        STARTED when it is accepted.

        Raises `record_unknown`, `recorded_game_over`, `invalid_colour`, `self_challenge`, `bot_challenge`,
        `excluded`, `opponent_excluded`, `opponent_blocked`, `blocked_by_opponent`, and as
        :func:`matches.challenge_limits.check_challenger`.
        """
        draft = ChallengeDraft(
            by=by,
            to=to,
            server=server,
            channel=channel,
            setup=await self._records.setup_from(record, server),
            terms=replace(terms, rated=False),
            colour=colour,
        )
        async with self._database.transaction() as connection:
            return await self.create_in(connection, draft, now)

    async def create_in(
        self, connection: Connection, draft: ChallengeDraft, now: datetime
    ) -> ChallengeUpdate:
        """Create a challenge inside an open transaction. Raises as :meth:`create` does."""
        row = await write_challenge(connection, draft, self._limits, now)
        recipients = () if draft.to is None else (draft.to.account,)
        by = draft.by.account
        return await make_update(connection, row, AnnouncementKind.CHALLENGED, by, recipients, now)

    async def start_in(
        self, connection: Connection, draft: ChallengeDraft, computer: Person, now: datetime
    ) -> MatchUpdate:
        """Create a challenge to anyone, which the computer accepts at once, and start its match.

        Announced as :meth:`accept` announces it; nothing is announced about the challenge. Raises
        `bot_challenge`, `invalid_colour`, `excluded`.
        """
        row = await write_challenge(connection, draft, self._limits, now, computer)
        return await start_match(
            connection, row, computer, draft.channel, to_millis(now), self._hooks, self._games
        )

    async def accept_in(
        self,
        connection: Connection,
        challenge: ChallengeId,
        by: Person,
        accepter: Person,
        terms: Callable[[Connection, ChallengeRow], Awaitable[Terms]],
        *,
        channel: str | None,
        now: datetime,
    ) -> MatchUpdate:
        """Have the computer accept an open challenge of `by` that is addressed to nobody.

        `terms` returns the terms of the match. Raises as :meth:`accept` does, and `not_challenger`,
        `not_addressee`, `standing_for_people`.
        """
        row = await get_row(connection, challenge)
        check_open(row, by, now)
        if row.by != by.account:
            raise Refusal("not_challenger", challenge=challenge, by=Person(row.by, row.by_name))
        if row.to is not None:
            raise Refusal("not_addressee", challenge=challenge, to=addressee_of(row) or "")
        if row.games is not None:
            raise Refusal("standing_for_people")
        await people.save_all(connection, {one.account: one.name for one in (by, accepter)}, to_millis(now))
        await check_not_blocked(connection, row.server, by, None)
        row = await self._close(connection, row, accepter, ChallengeState.ACCEPTED, now)
        row = replace(row, terms=format_terms(await terms(connection, row)))
        return await start_match(
            connection, row, accepter, channel or row.place, to_millis(now), self._hooks, self._games
        )

    async def accept(
        self,
        challenge: ChallengeId,
        person: Person,
        *,
        channel: str | None = None,
        has_link: bool = False,
        now: datetime,
    ) -> MatchUpdate:
        """Accept a challenge: draw the sides and the random options, and start the match.

        The match is played in `channel`, by default in the channel of the challenge. Announced as CHOOSING
        to both players, or as STARTED to the player who moves first and to the challenger. If two people
        accept an open challenge at the same moment, one of them gets `challenge_accepted`. Of a standing
        challenge a copy is accepted, and of two people who want its last place one gets `standing_full`.

        The front end makes sure that the person may know of the challenge (`PublicQueries.find_for`);
        `has_link` says that they know the link of one that is by link.

        Raises `challenge_unknown`, `challenge_accepted`, `challenge_declined`, `challenge_withdrawn`,
        `challenge_expired`, `own_challenge`, `not_addressee`, `bot_challenge`, `excluded`,
        `opponent_excluded`, `opponent_blocked`, `blocked_by_opponent`, and as
        :func:`matches.challenge_limits.check_accepter` and :func:`matches.standing_challenges.take_place`.
        """
        async with self._database.transaction() as connection:
            return await self.accept_by(
                connection, challenge, person, channel=channel, has_link=has_link, now=now
            )

    async def accept_by(
        self,
        connection: Connection,
        challenge: ChallengeId,
        person: Person,
        *,
        channel: str | None = None,
        has_link: bool = False,
        now: datetime,
    ) -> MatchUpdate:
        """Do what :meth:`accept` does, in an open transaction."""
        check_opponents(person, None)
        row = await _get_known(connection, challenge, person, has_link=has_link)
        check_open(row, person, now)
        check_addressee(row, person)
        await _lock_players(connection, row, person, to_millis(now))
        await check_accepter(connection, row, person, self._limits, now)
        if row.games is None:
            await self._close(connection, row, person, ChallengeState.ACCEPTED, now)
        else:
            row = await standing_challenges.take_place(connection, row.id, person, now)
        return await start_match(
            connection, row, person, channel or row.place, to_millis(now), self._hooks, self._games
        )

    async def decline(self, challenge: ChallengeId, person: Person, *, now: datetime) -> ChallengeUpdate:
        """Decline a challenge that is addressed to `person`. Announced as DECLINED to the challenger.

        Raises `challenge_unknown`, `challenge_accepted`, `challenge_declined`, `challenge_withdrawn`,
        `challenge_expired`, `own_challenge`, `not_addressee`.
        """
        async with self._database.transaction() as connection:
            row = await _get_known(connection, challenge, person)
            check_open(row, person, now)
            check_addressee(row, person)
            if row.to is None:
                raise Refusal("not_addressee", challenge=challenge, to="")
            row = await self._close(connection, row, person, ChallengeState.DECLINED, now)
            return await make_update(
                connection, row, AnnouncementKind.DECLINED, person.account, (row.by,), now
            )

    async def withdraw(self, challenge: ChallengeId, person: Person, *, now: datetime) -> ChallengeUpdate:
        """Withdraw one's own challenge. Announced as WITHDRAWN to the addressee, if there is one.

        Raises `challenge_unknown`, `challenge_accepted`, `challenge_declined`, `challenge_withdrawn`,
        `challenge_expired`, `not_challenger`.
        """
        async with self._database.transaction() as connection:
            row = await _get_known(connection, challenge, person)
            check_open(row, person, now)
            if row.by != person.account:
                raise Refusal("not_challenger", challenge=challenge, by=Person(row.by, row.by_name))
            row = await self._close(connection, row, person, ChallengeState.WITHDRAWN, now)
            recipients = () if row.to is None else (row.to,)
            return await make_update(
                connection, row, AnnouncementKind.WITHDRAWN, person.account, recipients, now
            )

    async def expire(self, *, now: datetime) -> tuple[Challenge, ...]:
        """Close every challenge that is past its time and return them; standing ones pause or go on.

        Each is announced as EXPIRED to the challenger. No interaction waits for that announcement, so it is
        due at once.
        """
        await standing_challenges.renew(self._database, now)
        async with self._database.read() as connection:
            if not await challenges.any_expired(connection, ChallengeState.OPEN, to_millis(now)):
                return ()
        async with self._database.transaction() as connection:
            expired = await challenges.close_expired(
                connection, ChallengeState.OPEN, ChallengeState.EXPIRED, to_millis(now)
            )
            rows = await challenges.list_by_ids(connection, expired)
            for row in rows:
                await announce(
                    connection, row, AnnouncementKind.EXPIRED, row.by, (row.by,), now, timedelta(0)
                )
        return tuple(challenge_from_row(row, now) for row in rows)

    async def close_in(self, connection: Connection, challenge: int, account: str, now: datetime) -> None:
        """Close an open challenge of a person who cannot play it: decline one to them, withdraw any other."""
        row = await get_row(connection, challenge)
        is_declined = row.to == account
        state = ChallengeState.DECLINED if is_declined else ChallengeState.WITHDRAWN
        kind = AnnouncementKind.DECLINED if is_declined else AnnouncementKind.WITHDRAWN
        before_expiry = min(to_millis(now), row.expires_at - 1)
        if await challenges.close(connection, row.id, ChallengeState.OPEN, state, before_expiry):
            called = row.by if is_declined else row.to
            recipients = () if called is None else (called,)
            by = account if is_declined else row.by
            await announce(connection, row, kind, by, recipients, now, timedelta(0))

    async def find(self, challenge: ChallengeId, *, now: datetime) -> Challenge:
        """Return a challenge. Raises `challenge_unknown`."""
        async with self._database.read() as connection:
            return challenge_from_row(await get_row(connection, challenge), now)

    async def list_for_person(self, person: Person, server: str, *, now: datetime) -> tuple[Challenge, ...]:
        """Return the open challenges in `server` that `person` made or that are addressed to them.

        The oldest first.
        """
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
        """Close an open challenge. If another process closed it first, raise as :func:`check_open` does."""
        accepted_by = person.account if state is ChallengeState.ACCEPTED else None
        is_closed = await challenges.close(
            connection, row.id, ChallengeState.OPEN, state, to_millis(now), accepted_by=accepted_by
        )
        closed = await get_row(connection, row.id)
        if not is_closed:
            check_open(closed, person, now)
        return closed


async def _get_known(
    connection: Connection, challenge: int, person: Person, *, has_link: bool = False
) -> ChallengeRow:
    """Return a challenge. Raises `challenge_unknown`, also for one by link to whoever has no link."""
    row = await get_row(connection, challenge)
    if row.by_link and not has_link and row.by != person.account:
        raise Refusal("challenge_unknown", challenge=challenge)
    return row


async def _lock_players(connection: Connection, row: ChallengeRow, person: Person, now: int) -> None:
    """Save who accepts, and lock both players in a fixed order, so that their matches can be counted."""
    for account in sorted({row.by, person.account}):
        if account == person.account:
            await people.save(connection, account, person.name, now)
        else:
            await people.ensure(connection, account, row.by_name, now)
