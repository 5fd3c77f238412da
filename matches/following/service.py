"""Following matches: start, stop, and the private announcements to followers."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from matches.errors import NotFollowed, Refusal
from matches.following.values import DigestItem, FollowedMatch, FollowMode, format_digest, parse_digest
from matches.locking import MatchHooks
from matches.notices.copies import load_choices, write_mail_copy
from matches.notices.values import NoticeKind, Way, format_ways, parse_ways
from matches.platforms import WEB, find_way
from matches.posting.announcements import announce
from matches.preferences.quiet_hours import after_quiet_hours
from matches.preferences.service import next_digest_time
from matches.times import from_millis, to_millis
from matches.updates import DIRECT, QUIET, SILENT, Announcement, AnnouncementKind
from matches.values import AnnouncementId, MatchId, MatchState
from matches.view_builder import fetch_match, find_shown_names
from matches.views import summary_from_row
from storage.match import matches
from storage.people import follows, notices, people
from storage.posting import places

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from engine.game import Game
    from matches.locking import LockedMatch
    from matches.notices.values import NoticeChoice
    from matches.values import Person
    from storage import Connection, Database
    from storage.match.matches import MatchListRow, MatchRow
    from storage.people.follows import FollowRow

MAX_FOLLOWED = 25  # per person
BATCH_SIZE = 50  # persons per transaction
TURN_KINDS = frozenset(
    {
        AnnouncementKind.STARTED,
        AnnouncementKind.REVEALED,
        AnnouncementKind.TURN,
        AnnouncementKind.TAKEN_BACK,
    }
)
_OF_PLACES = frozenset({DIRECT, QUIET, SILENT})  # details that a copy for a watcher does not need


class Following:
    """The followers of the matches of a database."""

    def __init__(self, database: Database, games: Mapping[str, Game]) -> None:
        self._database = database
        self._games = games

    async def follow(self, match: MatchId, person: Person, mode: FollowMode, *, now: datetime) -> None:
        """Make a person follow a match from now on, or change the mode in which they do.

        Raises MatchUnknown, `match_over`, `too_many_followed`.
        """
        async with self._database.transaction() as connection:
            row = await fetch_match(connection, match)
            if row.state == MatchState.OVER:
                raise Refusal("match_over", match=match)
            await people.save(connection, person.account, person.name, to_millis(now))
            if await follows.count_except(connection, person.account, excluded_match=match) >= MAX_FOLLOWED:
                raise Refusal("too_many_followed", limit=MAX_FOLLOWED)
            preferences = (await _follow_by_message(connection, person.account)).preferences
            due = to_millis(next_digest_time(preferences, now)) if mode is FollowMode.DAILY else None
            await follows.save(connection, match, person.account, mode, due, to_millis(now))

    async def unfollow(self, match: MatchId, account: str, *, now: datetime) -> None:
        """Stop following a match, and drop what was not sent yet. Raises NotFollowed."""
        async with self._database.transaction() as connection:
            if not await follows.remove(connection, account, match):
                raise NotFollowed(match=match)
            await places.discard_private(connection, match, (), to_millis(now), to=account)

    async def list_followed(self, account: str) -> tuple[FollowedMatch, ...]:
        """Return what a person follows, ordered by match."""
        async with self._database.read() as connection:
            rows = await follows.list_for_person(connection, account)
            match_rows = await matches.list_by_ids(connection, [row.match for row in rows])
        summaries = {row.id: summary_from_row(row, self._games) for row in match_rows}
        return tuple(FollowedMatch(FollowMode(row.interest), summaries[row.match]) for row in rows)

    async def announce_digests(self, *, now: datetime) -> int:
        """Announce all due digests, one DIGEST for each person; return how many there were."""
        count = 0
        while True:
            claimed, announced = await self._announce_batch(now)
            count += announced
            if claimed < BATCH_SIZE:
                return count

    async def _announce_batch(self, now: datetime) -> tuple[int, int]:
        async with self._database.read() as connection:
            if not await follows.any_due(connection, to_millis(now)):
                return 0, 0
        async with self._database.transaction() as connection:
            rows = await follows.claim_due(connection, to_millis(now), BATCH_SIZE)
            choices = await load_choices(connection, {row.person for row in rows})
            announced = [
                await _announce_digest(connection, account, list(followed), choices[account], now)
                for account, followed in groupby(rows, key=lambda row: row.person)
            ]
        return len(announced), sum(announced)


class FollowHooks(MatchHooks):
    """Announces privately to followers what is announced publicly."""

    async def on_announced(self, locked: LockedMatch, announcement: Announcement) -> None:
        """Announce it to each follower except the person who acted."""
        if not locked.row.followed:
            return
        is_over = locked.row.state == MatchState.OVER
        modes = {FollowMode.TURNS} if announcement.kind in TURN_KINDS else set()
        modes |= {FollowMode.TURNS, FollowMode.END} if is_over else set()
        rows = await follows.list_for_match(locked.connection, locked.row.id) if modes else []
        recipients = [row.person for row in rows if row.interest in modes and row.person != announcement.by]
        choices = await load_choices(locked.connection, recipients) if recipients else {}
        for choice in choices.values():
            ways = _ways_to_tell(choice, locked.row)
            if Way.DIRECT in ways:
                await _announce_privately(locked, announcement, choice)
            if Way.MAIL in ways:
                details = {key: one for key, one in announcement.details.items() if key not in _OF_PLACES}
                copy = replace(announcement, recipients=(choice.account,), details=details)
                await write_mail_copy(locked.connection, copy, choice)
        if is_over:
            await follows.remove_for_match(
                locked.connection, locked.row.id, (FollowMode.TURNS, FollowMode.END)
            )


def digest_items(announcement: Announcement) -> tuple[DigestItem, ...]:
    """Return the items of a DIGEST."""
    return parse_digest(str(announcement.details["news"]))


def _ways_to_tell(choice: NoticeChoice, row: MatchRow | MatchListRow) -> frozenset[Way]:
    """Return how somebody is told about a match that they watch.

    Of a match that not everybody may see, only the front end of its place knows whether they still may: it is
    told there, if they are on its platform, and never by mail.
    """
    ways, account = choice.ways[NoticeKind.DIGEST], choice.account
    if Way.MAIL in ways and find_shown_names(row, account) is None:
        ways = ways - {Way.MAIL} | {Way.DIRECT}
    return ways - {Way.DIRECT} if find_way(account) == WEB else ways


async def _follow_by_message(connection: Connection, account: str) -> NoticeChoice:
    """Return the choice of a person; who had turned off what they watch is told about it again."""
    (choice,) = (await load_choices(connection, [account])).values()
    if choice.ways[NoticeKind.DIGEST]:
        return choice
    (row,) = await notices.list_choices(connection, [account])
    way = Way.MAIL if find_way(account) == WEB else Way.DIRECT
    chosen = {**parse_ways(row.notices), NoticeKind.DIGEST: frozenset({way})}
    await notices.save(connection, account, format_ways(chosen))
    return choice


async def _announce_privately(locked: LockedMatch, announcement: Announcement, choice: NoticeChoice) -> None:
    """Repeat an announcement for one person, outside their quiet hours."""
    account, preferences, now = choice.account, choice.preferences, from_millis(locked.now)
    await announce(
        locked.connection,
        announcement.kind,
        match=announcement.match,
        ply=announcement.ply,
        takebacks=announcement.takebacks,
        first_ply=announcement.first_ply,
        by=announcement.by,
        recipients=(account,),
        to=account,
        server=announcement.server,
        channel=announcement.channel,
        now=locked.now,
        grace=after_quiet_hours(preferences.quiet, preferences.zone, now) - now,
        details=announcement.details,
    )


async def _announce_digest(
    connection: Connection, account: str, rows: Sequence[FollowRow], choice: NoticeChoice, now: datetime
) -> bool:
    """Announce what has happened in the matches that a person follows; return whether anything has."""
    preferences = choice.preferences
    due = to_millis(next_digest_time(preferences, now))
    for row in rows:
        if row.state == MatchState.OVER:
            await follows.remove(connection, account, row.match)
        else:
            await follows.mark_notified(connection, account, row.match, row.now_ply, due)
    changed = [row for row in rows if row.now_ply != row.ply or row.state == MatchState.OVER]
    if not changed or not choice.ways[NoticeKind.DIGEST]:
        return False
    listed = {row.id: row for row in await matches.list_by_ids(connection, [one.match for one in changed])}
    items: dict[Way, list[DigestItem]] = {}
    for row in changed:
        for way in _ways_to_tell(choice, listed[row.match]):
            item = DigestItem(match=MatchId(row.match), since=row.ply, ply=row.now_ply)
            items.setdefault(way, []).append(item)
    for way, told in items.items():
        await _write_digest(connection, choice, way, tuple(told), now)
    return bool(items)


async def _write_digest(
    connection: Connection, choice: NoticeChoice, way: Way, items: tuple[DigestItem, ...], now: datetime
) -> None:
    preferences, account = choice.preferences, choice.account
    digest = Announcement(
        id=AnnouncementId(0),
        kind=AnnouncementKind.DIGEST,
        challenge=None,
        match=None,
        ply=0,
        first_ply=None,
        by=account,
        recipients=(account,),
        server="",
        channel="",
        made_at=now,
        details={"news": format_digest(items)},
    )
    if way is Way.MAIL:
        await write_mail_copy(connection, digest, choice)
        return
    await announce(
        connection,
        digest.kind,
        by=account,
        recipients=digest.recipients,
        to=account,
        server="",
        channel="",
        now=to_millis(now),
        grace=after_quiet_hours(preferences.quiet, preferences.zone, now) - now,
        details=digest.details,
    )
