"""The outbox of announcements: each is written with the change it describes and leased until it is posted."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from matches.computer.accounts import without_computers
from matches.errors import AnnouncementUnknown
from matches.notices.copies import find_doer, list_concerned, load_choices, write_copies
from matches.notices.values import NoticeKind, Way, notice_kind
from matches.platforms import NO_PLACE, WEB, find_way, list_told_privately, needs_no_sending, platform_of
from matches.times import from_millis, to_millis
from matches.updates import DIRECT, QUIET, SILENT, Announcement, AnnouncementKind
from matches.values import EMPTY_DETAILS, AnnouncementId, ChallengeId, MatchId
from storage.posting import outbox, places
from storage.posting.outbox import OutboxRow
from storage.work import requests

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping
    from datetime import datetime

    from matches.notices.values import NoticeChoice
    from storage import Connection, Database

NO_GRACE = timedelta(0)
GRACE = timedelta(seconds=10)  # until then the front end that made the change can post by itself
LEASE = timedelta(seconds=10)  # of a claimed announcement; its process renews it while it is sent
CALL_WINDOW = timedelta(hours=1)
MAX_CALLS = 5  # in that time, of what one person can announce again and again; more is announced quietly
PAGE_SIZE = 50  # due announcements read at once
MARKED_TOGETHER = 50  # sent announcements recorded in one transaction, where a database has one writer
FIRST_RETRY_DELAY = timedelta(seconds=5)
MAX_RETRY_DELAY = timedelta(hours=1)


CALL_KINDS = frozenset(
    {
        AnnouncementKind.CHALLENGED,
        AnnouncementKind.WITHDRAWN,
        AnnouncementKind.TIME_GIVEN,
        AnnouncementKind.PAUSE_OFFERED,
        AnnouncementKind.PAUSE_WITHDRAWN,
        AnnouncementKind.RESUMED,
        AnnouncementKind.AWAY,
        AnnouncementKind.BACK,
    }
)
"""What one person can announce again and again; not where a match is played now, which both have to know."""


def retry_delay(attempts: int) -> timedelta:
    """Return the delay after the failure of attempt number `attempts`: 5 s, then doubled, at most 1 h."""
    doublings = min(max(attempts - 1, 0), 16)
    return min(FIRST_RETRY_DELAY * (1 << doublings), MAX_RETRY_DELAY)


async def announce(
    connection: Connection,
    kind: AnnouncementKind,
    *,
    challenge: int | None = None,
    match: int | None = None,
    tournament: int | None = None,
    ply: int = 0,
    takebacks: int = 0,
    first_ply: int | None = None,
    by: str,
    recipients: tuple[str, ...],
    server: str,
    channel: str,
    now: int,
    grace: timedelta = GRACE,
    details: Mapping[str, str | int] = EMPTY_DETAILS,
    to: str | None = None,
) -> Announcement:
    """Write an announcement in the transaction of the change. With `to` it is private to that account.

    `now` is in milliseconds since 1970 UTC. The announcement is due after `grace`. The computer is no
    recipient of anything. What nobody sends counts as sent. Of CALL_KINDS only MAX_CALLS in CALL_WINDOW
    notify the recipients, for each match, and for all challenges of one person to another.
    """
    recipients = without_computers(recipients)
    if kind in CALL_KINDS and recipients:
        calls = await outbox.count_calls(
            connection,
            by,
            CALL_KINDS,
            now - CALL_WINDOW // timedelta(milliseconds=1),
            match=match,
            challenged=recipients[0],
            to=to,
            quiet=QUIET,
        )
        details = {**details, QUIET: 1} if calls >= MAX_CALLS else details
    platform = platform_of(channel) if to is None else find_way(to)
    is_sent = needs_no_sending(platform, to)
    values: dict[str, Any] = {
        "kind": kind.value,
        "challenge": challenge,
        "match": match,
        "tournament": tournament,
        "ply": ply,
        "takebacks": takebacks,
        "first_ply": first_ply,
        "by": by,
        "recipients": json.dumps(recipients),
        "server": server,
        "place": channel,
        "made_at": now,
        "due_at": now + grace // timedelta(milliseconds=1),
        "details": json.dumps(dict(details)) if details else None,
        "to": to,
        "platform": platform,
        "sent_at": now if is_sent else None,
        "post": platform if is_sent else None,
    }
    number = await outbox.add(connection, **values)
    return announcement_from_row(OutboxRow(id=number, attempts=0, request=None, **values))


async def announce_to_players(
    connection: Connection,
    kind: AnnouncementKind,
    players: Iterable[str],
    *,
    channel: str,
    by: str,
    recipients: tuple[str, ...],
    is_direct: bool = False,
    only: str | None = None,
    choices: Mapping[str, NoticeChoice] | None = None,
    is_over: bool = False,
    grace: timedelta = GRACE,
    details: Mapping[str, str | int] = EMPTY_DETAILS,
    **subject: Any,
) -> Announcement:
    """Write an announcement for its place, and a copy for each of the `players` who is told privately.

    With `is_direct`, or without a channel, all of them are. `only` leaves out those who are told on other
    platforms. Whoever has chosen so gets copies by direct message, mail or push besides, or is named in the
    place without being notified; `choices` are loaded if they are not given, and whoever is not among them is
    told as by default. `is_over`: of a match that has ended.

    Return what the front end of `by` sends: their copy, else the public one, else the first. It is due after
    `grace`, the others are due at once. `subject` are more arguments of :func:`announce`.
    """
    place, players = NO_PLACE if is_direct else channel, tuple(players)
    private = list_told_privately(place, players)
    private = tuple(one for one in private if only in {None, find_way(one)}) or (() if place else private)
    if choices is None:
        choices = await load_choices(connection, {*players, *recipients})
    notice = notice_kind(kind, is_over=is_over)
    wishes, doer = _find_wishes(notice, place, choices), find_doer(by, details)
    direct = tuple(
        one
        for one in (list_concerned(kind, notice, doer, recipients, players) if only is None else ())
        if one not in private and Way.DIRECT in wishes.get(one, ())
    )
    own = by if by in private else None
    written: dict[str | None, Announcement] = {}
    for to in (*((None,) if place else ()), *private, *direct):
        written[to] = await announce(
            connection,
            kind,
            by=by,
            recipients=recipients,
            channel=channel,
            grace=grace if to == own else NO_GRACE,
            details=_silence(details, recipients, wishes) if to is None else {**details, DIRECT: 1},
            to=to,
            **subject,
        )
    first = next(iter(written.values()))
    if only is None and not first.is_quiet:
        await write_copies(connection, replace(first, details=details), notice, players, choices)
    return written.get(own) or first


def _find_wishes(
    notice: NoticeKind, place: str, choices: Mapping[str, NoticeChoice]
) -> dict[str, frozenset[Way]]:
    """Return the ways that were chosen by those who are told in a place.

    What is announced about time is never silent there: a win may be claimed after it.
    """
    if not place or notice is NoticeKind.TIME:
        return {}
    here = platform_of(place)
    return {account: one.ways[notice] for account, one in choices.items() if find_way(account) == here != WEB}


def _silence(
    details: Mapping[str, str | int], recipients: tuple[str, ...], wishes: Mapping[str, frozenset[Way]]
) -> Mapping[str, str | int]:
    """Return the details of a public announcement, with those who are named without being notified."""
    persons = without_computers(recipients)
    silent = sum(
        1 << number for number, one in enumerate(persons) if Way.CHANNEL not in wishes.get(one, {Way.CHANNEL})
    )
    return {**details, SILENT: silent} if silent else details


@dataclass(slots=True, eq=False)
class _Sent:
    """An announcement that was posted, and whether that was news to the database, or what went wrong."""

    announcement: AnnouncementId
    post: str
    at: int
    result: bool | Exception | None = None


class Announcements:
    """The announcements of a database, for the front end that posts them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._writing = asyncio.Lock()
        # Elsewhere a transaction that locks several rows could meet one that locks them in another order.
        self._marked_together = MARKED_TOGETHER if database.has_one_writer else 1
        self._sent: list[_Sent] = []

    @asynccontextmanager
    async def _transaction(self, *, short: bool = False) -> AsyncIterator[Connection]:
        """Write in turn: when many posts are sent at once, players wait for one of these writers at most."""
        async with self._writing, self._database.transaction(short=short) as connection:
            yield connection

    async def mark_sent(self, announcement: AnnouncementId, post: str, *, now: datetime) -> bool:
        """Record that an announcement was posted; `post` is the front end's reference to the post.

        Return False if that was recorded before, or by somebody else for a caller that was cancelled. Raises
        AnnouncementUnknown. On SQLite, whoever can write first records all that wait to be recorded; a
        transaction that also records a request is the request's own.
        """
        sent = _Sent(announcement, post, to_millis(now))
        if requests.unrecorded() is not None:
            async with self._writing:
                await self._record([sent])
        else:
            self._sent.append(sent)
            async with self._writing:
                while sent.result is None:
                    await self._record(self._sent)
        if isinstance(sent.result, Exception):
            raise sent.result
        return bool(sent.result)

    async def _record(self, waiting: list[_Sent]) -> None:
        """Record the first posts of those that wait; if this is cancelled, somebody else does."""
        together: list[_Sent] = []
        results: list[bool | Exception] = []
        try:
            async with self._database.transaction(short=True) as connection:
                # With those that came while this waited for other writers.
                together = waiting[: self._marked_together]
                for sent in together:
                    is_new = await outbox.mark_sent(connection, sent.announcement, sent.post, sent.at)
                    is_known = is_new or await outbox.get(connection, sent.announcement) is not None
                    results.append(
                        is_new if is_known else AnnouncementUnknown(announcement=sent.announcement)
                    )
        except Exception as error:  # noqa: BLE001 - each of them raises it
            together = together or waiting[: self._marked_together]
            results = [error] * len(together)
        for sent, result in zip(together, results, strict=True):
            sent.result = result
        self._sent = [sent for sent in self._sent if sent.result is None]

    async def mark_challenge_sent(self, challenge: ChallengeId, post: str, *, now: datetime) -> None:
        """Record where the post of a challenge is, if its CHALLENGED is not recorded as sent.

        To be called before a post is changed in such a way that it could not be found again.
        """
        async with self._database.transaction() as connection:
            await outbox.mark_challenge_sent(
                connection, challenge, AnnouncementKind.CHALLENGED, post, to_millis(now)
            )

    async def is_challenge_unsent(self, challenge: ChallengeId) -> bool:
        """Return whether a public announcement of a challenge is still to be sent."""
        async with self._database.read() as connection:
            return bool(await places.list_unsent(connection, challenge=challenge))

    async def claim_due(
        self, platform: str, *, now: datetime, limit: int = 20, busy: frozenset[str] | None = None
    ) -> tuple[Announcement, ...]:
        """Lease at most `limit` of the announcements that are due on a platform: public ones first.

        Send each within the lease (LEASE), or :meth:`renew` that. If it ends without :meth:`mark_sent` or
        :meth:`mark_failed`, the announcement is due again: its process is dead or stands still. For each
        match and each challenge only the oldest unsent announcement is returned, of the public ones and of
        those to each account, so that posts appear in order.

        With `busy`, at most one is returned for each :attr:`Announcement.destination`, and none for those in
        `busy`, so that a channel that does not answer delays no other.
        """
        async with self._database.read() as connection:
            chosen = await _choose_due(connection, platform, to_millis(now), limit, busy)
        if not chosen:
            return ()
        async with self._transaction() as connection:
            rows = await outbox.claim(
                connection, list(chosen), to_millis(now), LEASE // timedelta(milliseconds=1)
            )
        return tuple(announcement_from_row(row) for row in sorted(rows, key=lambda row: chosen.index(row.id)))

    async def renew(self, announcements: Iterable[Announcement], *, now: datetime) -> None:
        """Renew the leases of claimed announcements that are still being sent.

        Does nothing for one that was sent or claimed by another process meanwhile.
        """
        attempts = {int(one.id): one.attempts for one in announcements}
        async with self._transaction() as connection:
            await outbox.renew(connection, attempts, to_millis(now + LEASE))

    async def discard(self, announcement: AnnouncementId, *, now: datetime) -> None:
        """Record that an announcement is obsolete and not to be sent.

        Does nothing if it was sent meanwhile. Raises AnnouncementUnknown.
        """
        async with self._transaction() as connection:
            await _get(connection, announcement)
            await outbox.discard(connection, announcement, to_millis(now))

    async def make_due(self, announcement: AnnouncementId, *, now: datetime) -> None:
        """Make an announcement due at once, because its front end does not post it by itself.

        Does nothing if it was sent meanwhile. Raises AnnouncementUnknown.
        """
        async with self._transaction() as connection:
            await _get(connection, announcement)
            await outbox.postpone(connection, announcement, to_millis(now))

    async def mark_failed(
        self,
        announcement: AnnouncementId,
        *,
        now: datetime,
        delay: timedelta | None = None,
        details: Mapping[str, str | int] | None = None,
    ) -> None:
        """Record that sending failed: it is due again after `delay`, by default :func:`retry_delay`.

        `details` replace those of the announcement, such as what of it was sent. Does nothing if it was sent
        meanwhile. Raises AnnouncementUnknown.
        """
        async with self._transaction() as connection:
            row = await _get(connection, announcement)
            due_at = to_millis(now + (retry_delay(row.attempts) if delay is None else delay))
            text = row.details if details is None else json.dumps(dict(details))
            await outbox.postpone(connection, announcement, due_at, details=text)


async def _choose_due(
    connection: Connection, platform: str, now: int, limit: int, busy: frozenset[str] | None
) -> list[int]:
    """Return the ids of the announcements to claim, as :meth:`Announcements.claim_due` describes them."""
    chosen: dict[int | str, int] = {}
    for private in (False, True):
        while len(chosen) < limit:
            excluded = () if busy is None else (*busy, *(str(one) for one in chosen))
            size = limit - len(chosen) if busy is None else max(PAGE_SIZE, limit)
            rows = await outbox.list_due(
                connection, platform, now, private=private, busy=excluded, limit=size
            )
            for number, destination in rows:
                if len(chosen) < limit:
                    chosen.setdefault(number if busy is None else destination, number)
            if busy is None or len(rows) < size:
                break
    return list(chosen.values())


async def _get(connection: Connection, announcement: AnnouncementId) -> OutboxRow:
    row = await outbox.get(connection, announcement)
    if row is None:
        raise AnnouncementUnknown(announcement=announcement)
    return row


def announcement_from_row(row: OutboxRow) -> Announcement:
    """Return the announcement of a row."""
    return Announcement(
        id=AnnouncementId(row.id),
        kind=AnnouncementKind(row.kind),
        challenge=None if row.challenge is None else ChallengeId(row.challenge),
        match=None if row.match is None else MatchId(row.match),
        ply=row.ply,
        takebacks=row.takebacks,
        first_ply=row.first_ply,
        by=row.by,
        recipients=tuple(json.loads(row.recipients)),
        server=row.server,
        channel=row.place,
        made_at=from_millis(row.made_at),
        attempts=row.attempts,
        details=EMPTY_DETAILS if row.details is None else MappingProxyType(json.loads(row.details)),
        to=row.to,
        request=row.request,
        platform=row.platform,
        tournament=row.tournament,
    )
