"""Matches that leave their place, and players who cannot be told."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.audience import Audience
from matches.clocks.rows import clock_columns, clock_from_row
from matches.errors import MatchUnknown, Refusal
from matches.hook_events import join_columns
from matches.notices.copies import write_substitutes
from matches.notices.values import notice_kind
from matches.offers.kinds import check_offer_allowed
from matches.places.tournament_news import tell_privately
from matches.places.values import Delivery, MoveReason, ReturningMatch
from matches.platforms import NO_PLACE, WEB, find_way, platform_of
from matches.posting.announcements import GRACE, announce
from matches.terms import parse_terms
from matches.times import to_millis
from matches.updates import DIRECT, AnnouncementKind, MatchUpdate
from matches.values import ACTIVE_STATES, ChallengeState, MatchId, MatchState, OfferKind
from matches.view_builder import fetch_match
from matches.visibility import decide_audience, follow_loss, follow_move
from storage.match import challenges, matches
from storage.people import people
from storage.posting import outbox, places, threads
from storage.tournament import tournaments

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from matches.locking import LockedMatch, MatchLocker
    from matches.updates import Announcement
    from matches.values import Person
    from storage import Connection, Database
    from storage.posting.outbox import OutboxRow

NO_GRACE = timedelta(0)
FIRST_RETRY_DELAY = timedelta(hours=1)  # of a message that its recipient does not accept
MAX_RETRY_DELAY = timedelta(days=1)
FINAL_RETRY_DELAY = timedelta(days=30)  # of one that cannot be delivered at all; no delay is longer
LONGEST_LEASE = timedelta(minutes=30)  # of an announcement that is being sent

_CONTACT_KINDS = (AnnouncementKind.UNREACHED, AnnouncementKind.REACHED)

# Announcements whose posts show the board; MOVED shows it unless one of these follows.
_BOARD_KINDS = frozenset(
    {
        AnnouncementKind.CHOOSING,
        AnnouncementKind.STARTED,
        AnnouncementKind.REVEALED,
        AnnouncementKind.TURN,
        AnnouncementKind.TAKEN_BACK,
        AnnouncementKind.AGREED,
        AnnouncementKind.ABORTED,
        AnnouncementKind.RESIGNED,
        AnnouncementKind.CLAIMED,
        AnnouncementKind.TIMED_OUT,
    }
)


class Places:
    """The places of the matches of a database.

    A match has a place, such as a channel, or none, also when the place cannot be used any more. Without one
    each player gets a copy of every announcement, and so does a player who is told on another platform than
    that of the place. While a player cannot be told, the clock of the match stands: until the player has been
    reached, plays, or looks at it.
    """

    def __init__(self, database: Database, locker: MatchLocker) -> None:
        self._database = database
        self._locker = locker

    async def lose(
        self, server: str, channel: str | None, reason: MoveReason, name: str = "", *, now: datetime
    ) -> tuple[MatchId, ...]:
        """Move the matches of a channel and its threads, or with None of a whole server; return them.

        Each match is moved in one transaction, with its unsent announcements and open questions, and is
        announced as MOVED to both players. A deleted thread leaves its matches to its parent channel. Open
        challenges stay open; their challengers and addressees are sent a copy. A tournament of a lost channel
        has no place any more: its matches begin in direct messages. `name` is the name of the channel or
        server, if known. Calling it twice is harmless.
        """
        if channel is not None and reason is MoveReason.DELETED:
            left = await self._leave_thread(channel, now)
            if left is not None:
                return left
        async with self._database.read() as connection:
            channels = None
            if channel is not None:
                channels = [channel, *await places.list_threads_in(connection, channel)]
            numbers = await places.list_matches(connection, server, channels, MatchState.OVER)
        moved: tuple[MatchId, ...] = ()
        for number in numbers:
            async with self._locker.lock(MatchId(number), now) as locked:
                moved += (MatchId(number),) if await _go_direct(locked, reason, name) else ()
        await self._move_challenges(server, channels, reason, now)
        if channels is not None:
            async with self._database.transaction() as connection:
                await tournaments.leave_places(connection, server, channels, NO_PLACE)
        return moved

    async def tell_entrants(self, announcement: Announcement, *, now: datetime) -> None:
        """Tell entrants privately what cannot be posted in the lost channel of their tournament."""
        async with self._database.transaction() as connection:
            await tell_privately(connection, announcement, NO_GRACE, now)

    async def relocate(
        self, match: MatchId, by: Person, server: str, channel: str, *, now: datetime
    ) -> MatchUpdate:
        """Have a match of `server` played in `channel` from now on; announced there as MOVED to both players.

        `by` is a manager of the server; the front end checks that. A clock that stood because a player could
        not be told runs again. Raises MatchUnknown, `match_over`.
        """
        async with self._database.transaction() as connection:
            await people.save(connection, by.account, by.name, to_millis(now))
            place = await decide_audience(connection, server, channel)
            locked = await self._locker.lock_in(connection, match, now)
            row = locked.row
            if row.server != server:
                raise MatchUnknown(match=match)
            if row.state == MatchState.OVER:
                raise Refusal("match_over", match=match)
            return await _continue_in(locked, channel, place, MoveReason.ASKED, by)

    async def list_returning(self, server: str) -> tuple[ReturningMatch, ...]:
        """Return the matches that left their channels because the bot was removed from a server."""
        async with self._database.read() as connection:
            found = await places.list_direct(connection, server, ACTIVE_STATES, AnnouncementKind.MOVED)
        return tuple(
            ReturningMatch(MatchId(match), channel, players)
            for match, (channel, players, details) in found.items()
            if json.loads(details)["reason"] == MoveReason.REMOVED
        )

    async def come_back(self, match: MatchId, server: str, *, now: datetime) -> None:
        """Have a match of :meth:`list_returning` played in its channel again; announced there as MOVED.

        Calling it twice is harmless.
        """
        async with self._database.transaction() as connection:
            channel = (await fetch_match(connection, match)).place
            place = await decide_audience(connection, server, channel)
            locked = await self._locker.lock_in(connection, match, now)
            row = locked.row
            if row.direct_since is not None and row.place == channel and row.state != MatchState.OVER:
                await _continue_in(locked, channel, place, MoveReason.RETURNED, locked.person)

    async def delivery(self, announcement: Announcement) -> tuple[Delivery, str]:
        """Return what has become of a public announcement, and the channel of its post."""
        async with self._database.read() as connection:
            row = await outbox.get(connection, announcement.id)
            if row is None or row.sent_at is None or row.post is not None:
                is_sent = row is not None and row.sent_at is not None
                channel = announcement.channel if row is None else row.place
                return (Delivery.SENT if is_sent else Delivery.WAITING), channel
            match = None if row.match is None else await fetch_match(connection, MatchId(row.match))
        if match is None or match.direct_since is not None:
            return Delivery.DIRECT, row.place
        return Delivery.WAITING, match.place  # written again for the channel to which the match was moved

    async def record_delivered(self, announcement: Announcement, *, now: datetime) -> None:
        """Restart a clock that stood because the recipients of an announcement could not be told."""
        if announcement.match is None or announcement.kind is AnnouncementKind.REMINDED:
            return
        async with self._database.read() as connection:
            clock = clock_from_row(await fetch_match(connection, announcement.match))
        if clock is None or not clock.unreached:
            return
        async with self._locker.lock(announcement.match, now) as locked:
            told = announcement.recipients if announcement.to is None else (announcement.to,)
            await _regain_contact(locked, [one for one in told if find_way(one) == announcement.platform])

    async def record_refused(
        self, announcement: Announcement, *, is_final: bool = False, now: datetime
    ) -> None:
        """Record that a player cannot be told privately: the clocks of the match stand from that time on.

        The opponent is told once (UNREACHED). The announcement is tried again after an hour, then less often,
        at least once a day; with `is_final` once a month, since only :meth:`retry` may help. The first time
        it is told by mail or push too, if the player has these.
        """
        delay = min(FIRST_RETRY_DELAY * (1 << min(announcement.attempts, 16)), MAX_RETRY_DELAY)
        retry_at, is_first = now + (FINAL_RETRY_DELAY if is_final else delay), announcement.attempts <= 1
        if announcement.match is None:
            async with self._database.transaction() as connection:
                await outbox.postpone(connection, announcement.id, to_millis(retry_at))
                if is_first:
                    await _tell_otherwise(connection, announcement, is_over=False)
            return
        async with self._locker.lock(announcement.match, now) as locked:
            account, is_moved = announcement.to or "", announcement.kind is AnnouncementKind.MOVED
            is_known = announcement.by == account and not is_moved
            if account not in locked.told_privately or is_known:
                await outbox.discard(locked.connection, announcement.id, locked.now)
                return
            await outbox.postpone(locked.connection, announcement.id, to_millis(retry_at))
            is_over = locked.row.state == MatchState.OVER
            if is_first:
                await _tell_otherwise(locked.connection, announcement, is_over=is_over)
            if is_over:
                return
            since = int(announcement.details.get("since", to_millis(announcement.made_at)))
            clock = clock_from_row(locked.row)
            is_news = is_moved and is_first
            if clock is not None:
                is_news = account not in clock.unreached
                if is_news:
                    await locked.change(**clock_columns(clock.lose_contact(account, since - locked.row.lost)))
            if is_news:
                locked.act_as(account)
                await locked.announce_to(locked.opponent, AnnouncementKind.UNREACHED)

    async def is_true_still(self, announcement: Announcement, *, now: datetime) -> bool | None:
        """Return whether an announcement that a player cannot be told, or was told, is still true.

        None if that is not known yet, because somebody is trying to tell the player now. Others stay true.
        """
        if announcement.kind not in _CONTACT_KINDS:
            return True
        async with self._database.read() as connection:
            rows = await places.list_undelivered(connection, announcement.match or 0)
            is_unreached = await _list_unreached(connection, announcement.by, announcement.match)
        if is_unreached and find_way(announcement.by) == WEB:  # told by mail, of which there are no such rows
            return announcement.kind is AnnouncementKind.UNREACHED
        to = [one for one in rows if one.to == announcement.by]
        untold = [one for one in to if one.kind not in {AnnouncementKind.REMINDED, *_CONTACT_KINDS}]
        tried = [one for one in untold if one.attempts]
        if any(one.due_at <= to_millis(now + LONGEST_LEASE) for one in tried):
            return None
        return bool(untold) if announcement.kind is AnnouncementKind.UNREACHED else not tried

    async def list_untold(self, platform: str) -> frozenset[str]:
        """Return the accounts of a platform for which :meth:`record_contact` may have something to do."""
        async with self._database.read() as connection:
            return frozenset(await places.list_untold(connection, platform))

    async def record_contact(
        self, account: str, *, match: MatchId | None = None, now: datetime
    ) -> tuple[MatchId, ...]:
        """Record that a player who could not be told privately is being told, in `match` or everywhere.

        Return the matches about which the player was to be told; the caller tells them. Their clocks run
        again, and what was to be sent is not sent any more.
        """
        async with self._database.read(short=True) as connection:
            rows = await places.list_failed_to(connection, account, find_way(account))
            unreached = await _list_unreached(connection, account, match)
        told = []
        failed = {row.match for row in rows if row.match is not None and _is_copy(row)}
        for number in sorted(failed | unreached):
            if match not in {None, number}:
                continue
            retry_at = max((row.due_at for row in rows if row.match == number), default=0)
            async with self._locker.lock(MatchId(number), now) as locked:
                clock = clock_from_row(locked.row)
                is_untold = clock is not None and account in clock.unreached
                if not is_untold and retry_at <= to_millis(now + LONGEST_LEASE):
                    continue  # it may be under way
                await places.discard_private(
                    locked.connection, number, (AnnouncementKind.REMINDED,), locked.now, to=account
                )
                await _regain_contact(locked, (account,))
                told.append(MatchId(number))
        return tuple(told)

    async def retry(self, platform: str, *, now: datetime) -> None:
        """Try again at once what could not be sent to players: the front end reaches more people now."""
        async with self._database.transaction() as connection:
            await places.make_due(connection, platform, to_millis(now))

    async def list_used(
        self, platform: str, server: str | None = None
    ) -> tuple[tuple[str, str, str | None], ...]:
        """Return every place of a platform, or of one of its servers, in which a match is played.

        That is its server, channel and, of a thread, the parent.
        """
        async with self._database.read() as connection:
            return tuple(await places.list_used(connection, f"{platform}:", ACTIVE_STATES, server))

    async def _leave_thread(self, channel: str, now: datetime) -> tuple[MatchId, ...] | None:
        """Move the matches of a deleted thread to its parent; None if it was not opened for a match."""
        async with self._database.read() as connection:
            thread = await threads.get(connection, channel)
            if thread is None:
                return None
            numbers = await places.list_matches(connection, thread.server, [channel], MatchState.OVER)
        for number in numbers:
            async with self._locker.lock(MatchId(number), now) as locked:
                if locked.row.place == channel and locked.row.direct_since is None:
                    await _leave(locked, thread.parent, MoveReason.THREAD_DELETED)
        async with self._database.transaction() as connection:
            await threads.mark_archived(connection, channel, to_millis(now))
        return tuple(MatchId(number) for number in numbers)

    async def _move_challenges(
        self, server: str, channels: Sequence[str] | None, reason: MoveReason, now: datetime
    ) -> None:
        async with self._database.transaction() as connection:
            for number in await places.list_challenges(connection, server, channels):
                for row in await places.list_unsent(connection, challenge=number):
                    await outbox.discard(connection, row.id, to_millis(now))
            open_now = await places.list_open_challenges(
                connection, server, channels, ChallengeState.OPEN, to_millis(now)
            )
            for number in open_now:
                await _copy_challenge(connection, number, reason, to_millis(now))


async def _list_unreached(connection: Connection, account: str, match: MatchId | None) -> set[int]:
    """Return the matches, or the one, whose clock stands because an account could not be told."""
    if match is None:
        rows = await matches.list_for_person(connection, account, None, ACTIVE_STATES)
    else:
        rows = await matches.list_by_ids(connection, [match])
    clocks = {row.id: clock_from_row(row) for row in rows}
    return {number for number, clock in clocks.items() if clock is not None and account in clock.unreached}


async def _copy_challenge(connection: Connection, number: int, reason: MoveReason, now: int) -> None:
    """Send an open challenge to those of both persons who were told in its place, once."""
    row = await challenges.get(connection, number)
    if row is None or await places.has_private(connection, number, platform_of(row.place)):
        return
    for account in filter(None, (row.to, row.by)):
        if find_way(account) != platform_of(row.place):
            continue
        await announce(
            connection,
            AnnouncementKind.CHALLENGED,
            challenge=row.id,
            by=row.by,
            recipients=() if row.to is None else (row.to,),
            server=row.server,
            channel=row.place,
            now=now,
            grace=NO_GRACE,
            details={DIRECT: 1, "reason": reason},
            to=account,
        )


async def _go_direct(locked: LockedMatch, reason: MoveReason, name: str) -> bool:
    """Have a match played without a place from now on; return False if it needs none any more."""
    row = locked.row
    unsent = await places.list_unsent(locked.connection, match=row.id)
    if row.direct_since is not None or (row.state == MatchState.OVER and not unsent):
        return False
    # Time that stood with the shard of the server is given back here: from now on another shard counts.
    audience = follow_loss(Audience(row.audience))
    await locked.change(direct_since=locked.now, lost=locked.now - locked.service_time, audience=audience)
    await _announce_move(locked, reason, name, unsent)
    return True


async def _leave(locked: LockedMatch, channel: str, reason: MoveReason) -> None:
    """Have a match played in another channel from now on."""
    unsent = await places.list_unsent(locked.connection, match=locked.row.id)
    await threads.move_match(locked.connection, locked.row.id, channel)
    await locked.reload()
    await _announce_move(locked, reason, "", unsent)


async def _continue_in(
    locked: LockedMatch, channel: str, place: Audience, reason: MoveReason, by: Person
) -> MatchUpdate:
    """Have a match played in a channel from now on; `place` is the audience of what begins there."""
    persons, here = tuple(seat.person for seat in locked.seats), platform_of(channel)
    await threads.move_match(locked.connection, locked.row.id, channel)
    await threads.reopen(locked.connection, channel)
    kept = (AnnouncementKind.REMINDED,)
    await places.discard_private(locked.connection, locked.row.id, kept, locked.now, platform=here)
    await locked.reload()
    audience = follow_move(Audience(locked.row.audience), place)
    await locked.change(direct_since=None, lost=locked.now - locked.service_time, audience=audience)
    await _regain_contact(locked, [one.account for one in persons if find_way(one.account) == here])
    locked.person = by
    details = _move_details(reason, "", locked.now, shows_board=True)
    grace = GRACE if reason is MoveReason.ASKED else NO_GRACE
    moved = await locked.announce(AnnouncementKind.MOVED, persons, details=details, grace=grace, only=here)
    await _repeat_open_questions(locked, set())
    return await locked.make_update(moved)


async def _announce_move(
    locked: LockedMatch, reason: MoveReason, name: str, unsent: Sequence[OutboxRow]
) -> None:
    """Announce a move, then in the new place what was not sent yet, and what still waits for an answer."""
    shows_board = any(row.kind in _BOARD_KINDS for row in unsent)
    since = min((row.made_at for row in unsent), default=locked.now)
    details = _move_details(reason, name, since, shows_board=not shows_board)
    persons = tuple(seat.person for seat in locked.seats)
    here = platform_of(locked.row.place)
    await locked.announce(AnnouncementKind.MOVED, persons, details=details, grace=NO_GRACE, only=here)
    for row in unsent:
        await outbox.discard(locked.connection, row.id, locked.now)
        if row.kind != AnnouncementKind.MOVED:
            await _repeat(locked, row)
    await _repeat_open_questions(locked, {row.kind for row in unsent})


async def _repeat(locked: LockedMatch, row: OutboxRow) -> None:
    """Write an unsent announcement again, for the new place of its match."""
    is_direct = locked.row.direct_since is not None
    details = {} if row.details is None else json.loads(row.details)
    moved = [one for one in locked.told_privately if find_way(one) == row.platform]
    for to in moved if is_direct else (None,):
        await announce(
            locked.connection,
            AnnouncementKind(row.kind),
            match=row.match,
            ply=row.ply,
            takebacks=row.takebacks,
            first_ply=row.first_ply,
            by=row.by,
            recipients=tuple(json.loads(row.recipients)),
            server=row.server,
            channel=locked.row.place,
            now=locked.now,
            grace=NO_GRACE,
            details={**details, DIRECT: 1} if is_direct else details,
            to=to,
        )


async def _repeat_open_questions(locked: LockedMatch, announced_kinds: set[str]) -> None:
    """Announce again what waits for an answer: its buttons were in the old place."""
    row = locked.row
    if row.state == MatchState.OVER:
        return
    questions: list[tuple[AnnouncementKind, str, dict[str, str | int]]] = []
    first_undone = None
    if row.pending_offer is not None and row.offer_kind is not None and row.offer_by is not None:
        details: dict[str, str | int] = {"offer": row.pending_offer, "what": OfferKind(row.offer_kind)}
        first_undone = await check_offer_allowed(locked, OfferKind(row.offer_kind), row.offer_by)
        if first_undone is not None:
            details["undoes"] = 1
        questions.append((AnnouncementKind.OFFERED, row.offer_by, details))
    clock = clock_from_row(row)
    if clock is not None:
        questions += [(AnnouncementKind.FLAGGED, person, {}) for person in clock.flagged_at]
        if clock.paused:
            questions.append((AnnouncementKind.PAUSED, row.first, {}))
        if clock.pause_offered_by is not None and not clock.pause_declined:
            questions.append((AnnouncementKind.PAUSE_OFFERED, clock.pause_offered_by, {}))
    for kind, by, question_details in questions:
        if kind not in announced_kinds:
            locked.act_as(by)
            asked = (locked.opponent,)
            recipients = (*asked, locked.person) if kind is AnnouncementKind.FLAGGED else asked
            first_ply = first_undone if kind is AnnouncementKind.OFFERED else None
            here = platform_of(row.place)
            await locked.announce(
                kind, recipients, first_ply, details=question_details, grace=NO_GRACE, only=here
            )


async def _regain_contact(locked: LockedMatch, accounts: Sequence[str]) -> None:
    """Restart the clock if it stood because of these players; the opponent of each is told."""
    clock, time_control = clock_from_row(locked.row), parse_terms(locked.row.terms).time_control
    if clock is None or time_control is None or locked.row.state == MatchState.OVER:
        return
    reached = [person for person in clock.unreached if person in accounts]
    if not reached:
        return
    running = clock.regain_contact(reached, time_control, locked.service_time)
    await locked.change(
        **clock_columns(running), **join_columns(hook.on_clock_restart(locked) for hook in locked.hooks)
    )
    for person in reached:
        locked.act_as(person)
        opponent = locked.opponent
        await places.discard_to(
            locked.connection, locked.row.id, AnnouncementKind.UNREACHED, person, opponent.account, locked.now
        )
        if person in locked.told_privately or find_way(person) == WEB:
            await locked.announce_to(opponent, AnnouncementKind.REACHED)


def _move_details(reason: MoveReason, name: str, since: int, *, shows_board: bool) -> dict[str, str | int]:
    return {"reason": reason, "name": name, "board": int(shows_board), "since": since}


async def _tell_otherwise(connection: Connection, announcement: Announcement, *, is_over: bool) -> None:
    """Tell somebody by mail or push what could not be told by direct message."""
    notice = notice_kind(announcement.kind, is_over=is_over)
    await write_substitutes(connection, announcement, notice, announcement.to or "")


def _is_copy(row: OutboxRow) -> bool:
    return row.details is not None and DIRECT in json.loads(row.details)
