"""How people are told: their choices, their ways, and what to tell them now by mail or push."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.audience import ShownNames
from matches.challenge_checks import challenge_from_row
from matches.errors import MatchUnknown, Refusal
from matches.following.values import parse_digest
from matches.notices.copies import SUBSTITUTE, load_choices, load_reach
from matches.notices.news import is_news, is_watcher
from matches.notices.values import (
    COPY_WAYS,
    LIFETIME,
    Digest,
    Notice,
    NoticeKind,
    Reach,
    Way,
    format_ways,
    notice_kind,
    parse_ways,
    possible_ways,
)
from matches.options import find_game
from matches.posting.announcements import announcement_from_row
from matches.times import to_millis
from matches.tournaments.settings import parse_games
from matches.values import ACTIVE_STATES, MatchState
from matches.view_builder import find_shown_names
from storage.match import challenges, matches
from storage.people import notices, people, preferences
from storage.tournament import tournaments

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from engine.game import Game
    from matches.match_view import MatchView
    from matches.notices.values import NoticeChoice
    from matches.updates import Announcement
    from matches.values import Challenge, MatchId, Person
    from matches.views import Views
    from storage import Connection, Database
    from storage.match.challenges import ChallengeRow
    from storage.match.matches import MatchRow


class Notices:
    """The choices of a database, and its copies of announcements for mail and push.

    A front end that sends them claims the rows of its platform (:meth:`Announcements.claim_due`), asks
    :meth:`read` for each, and records it as sent or failed. What :meth:`read` refuses is to be discarded.
    """

    def __init__(self, database: Database, games: Mapping[str, Game], views: Views) -> None:
        self._database = database
        self._games = games
        self._views = views

    async def choices(self, account: str) -> NoticeChoice:
        """Return how a person wants to be told; of somebody unknown the default."""
        async with self._database.read() as connection:
            return (await load_choices(connection, [account]))[account]

    async def change(
        self, person: Person, kind: NoticeKind, ways: Iterable[Way], *, now: datetime
    ) -> NoticeChoice:
        """Choose the ways of one kind, none for not being told, and return the whole choice.

        Reminders of the current turn that were not wanted before are not sent later. Raises `way_impossible`
        for a way in which nobody is told of that kind.
        """
        chosen, millis = frozenset(ways), to_millis(now)
        if not chosen <= set(possible_ways(kind)):
            raise Refusal("way_impossible")
        async with self._database.transaction() as connection:
            # Locks the person's row, so that two concurrent changes are both kept.
            await people.ensure(connection, person.account, person.name, millis)
            (row,) = await notices.list_choices(connection, [person.account])
            before = parse_ways(row.notices)
            if before.get(kind) != chosen:
                text = format_ways({**before, kind: chosen})
                await notices.save(connection, person.account, text)
                if kind is NoticeKind.TIME:
                    await preferences.reset_reminders(connection, person.account, ACTIVE_STATES, millis)
            return (await load_choices(connection, [person.account]))[person.account]

    async def reach(self, account: str) -> Reach:
        """Return the ways that a person has, whatever they have chosen."""
        async with self._database.read() as connection:
            return await load_reach(connection, account)

    async def start_mail_again(self, account: str, address: str) -> None:
        """Send notices to an address again that the person stopped.

        Raises `address_unknown`, also if mails to it came back: then its owner confirms it again.
        """
        async with self._database.transaction() as connection:
            if not await notices.start_address(connection, account, address):
                raise Refusal("address_unknown")

    async def read(self, announcement: Announcement, *, now: datetime) -> Notice | None:
        """Return what to tell now for a claimed copy; None if it is obsolete, and is to be discarded.

        That is so if it was answered or seen meanwhile, is older than LIFETIME, if the person does not want
        to be told in this way any more or cannot be, or if there is something newer to tell about the match.
        """
        if announcement.tournament is not None:
            return await self._read_about_tournament(announcement, announcement.tournament, now)
        account, platform = announcement.to or "", announcement.platform
        async with self._database.read() as connection:
            row, challenge = await _load_subject(connection, announcement)
            unsent = await notices.list_unsent(
                connection,
                account,
                platform,
                match=announcement.match,
                challenge=announcement.challenge,
            )
            reach = await load_reach(connection, account)
            choices = {one.account: one for one in await notices.list_choices(connection, [account])}
            wanted = (await load_choices(connection, [account]))[account].ways
        if account not in choices or choices[account].is_closed or COPY_WAYS[platform] not in reach.ways:
            return None
        waiting = [announcement_from_row(one) for one in unsent]
        news = [one for one in waiting if is_news(one, row, challenge, now)]
        if not news or news[-1].id != announcement.id:
            return None
        kind = _kind_of(announcement, row)
        names = ShownNames.REAL if row is None else find_shown_names(row, account)
        if names is None:
            return None
        if COPY_WAYS[platform] not in wanted[kind] and SUBSTITUTE not in announcement.details:
            return None
        address = reach.address if platform in COPY_WAYS and COPY_WAYS[platform] is Way.MAIL else None
        return await self._make_notice(announcement, kind, challenge, address, names, now)

    async def _read_about_tournament(
        self, announcement: Announcement, tournament: int, now: datetime
    ) -> Notice | None:
        """Return what to tell now about a tournament, None as :meth:`read` does."""
        account, way = announcement.to or "", COPY_WAYS[announcement.platform]
        async with self._database.read() as connection:
            row = await tournaments.get(connection, tournament)
            reach = await load_reach(connection, account)
            choices = await notices.list_choices(connection, [account])
            wanted = (await load_choices(connection, [account]))[account].ways
        kind = notice_kind(announcement.kind, is_over=False)
        is_wanted = way in wanted[kind] or SUBSTITUTE in announcement.details
        is_open = bool(choices) and not choices[0].is_closed
        is_told = is_open and way in reach.ways and is_wanted
        if row is None or not is_told or not is_news(announcement, None, None, now):
            return None
        return Notice(
            announcement=announcement,
            kind=kind,
            account=account,
            address=reach.address if way is Way.MAIL else None,
            game=find_game(self._games, parse_games(row.settings)[0].game),
            view=None,
            challenge=None,
            expires_at=_expires_at(announcement, kind, None, None),
        )

    async def read_digest(self, digests: Sequence[Announcement], *, now: datetime) -> Digest | None:
        """Return what to tell now by mail for claimed digests of one person; None if that is nothing.

        What is older than LIFETIME is left out, and so are matches that the person may not see any more.
        """
        account = digests[0].to or ""
        async with self._database.read() as connection:
            reach = await load_reach(connection, account)
            stored = await notices.list_choices(connection, [account])
            wanted = (await load_choices(connection, [account]))[account].ways
        is_open = bool(stored) and not stored[0].is_closed
        if not is_open or reach.address is None or Way.MAIL not in wanted[NoticeKind.DIGEST]:
            return None
        items = [
            item
            for one in digests
            if one.made_at + LIFETIME > now
            for item in parse_digest(str(one.details["news"]))
        ]
        since = {item.match: item.since for item in reversed(items)}  # the earliest
        seen = [(await self._see(match, account), ply) for match, ply in sorted(since.items())]
        news = [(view, view.ply - ply) for view, ply in seen if view is not None]
        return Digest(account, reach.address, tuple(news)) if news else None

    async def _see(self, match: MatchId, account: str) -> MatchView | None:
        """Return a match as a watcher may see it, None if they may not."""
        names = await self._views.names_for(match, account)
        return None if names is None else await self._views.current(match, names=names)

    async def mark_seen(self, account: str, match: MatchId, *, now: datetime) -> None:
        """Discard what is still to be told a person about a match: they are looking at its board."""
        async with self._database.read(short=True) as connection:
            if not await notices.any_unsent(connection, account, match):
                return
        async with self._database.transaction(short=True) as connection:
            await notices.discard(connection, account, match, to_millis(now))

    async def _make_notice(
        self,
        announcement: Announcement,
        kind: NoticeKind,
        challenge: ChallengeRow | None,
        address: str | None,
        names: ShownNames,
        now: datetime,
    ) -> Notice | None:
        view, shown = None, None
        if challenge is None:
            try:
                view = await self._views.at_announcement(announcement, names)
            except MatchUnknown:  # the board was taken back and played over meanwhile
                return None
        else:
            shown = challenge_from_row(challenge, now)
        name = view.game if view is not None else shown.game if shown is not None else ""
        return Notice(
            announcement=announcement,
            kind=kind,
            account=announcement.to or "",
            address=address,
            game=find_game(self._games, name),
            view=view,
            challenge=shown,
            expires_at=_expires_at(announcement, kind, view, shown),
        )


def _kind_of(announcement: Announcement, row: MatchRow | None) -> NoticeKind:
    if row is not None and is_watcher(announcement, row):
        return NoticeKind.DIGEST
    return notice_kind(announcement.kind, is_over=row is not None and row.state == MatchState.OVER)


def _expires_at(
    announcement: Announcement, kind: NoticeKind, view: MatchView | None, challenge: Challenge | None
) -> datetime:
    """Return when a notice is worth nothing any more."""
    ends = [announcement.made_at + LIFETIME]
    if challenge is not None:
        ends.append(challenge.expires_at)
    if view is not None and view.time is not None and kind in {NoticeKind.TURN, NoticeKind.TIME}:
        seat = view.time.for_account(announcement.to or "")
        ends += [] if seat is None or seat.deadline is None else [seat.deadline]
    return min(ends)


async def _load_subject(
    connection: Connection, announcement: Announcement
) -> tuple[MatchRow | None, ChallengeRow | None]:
    if announcement.match is not None:
        return await matches.get(connection, announcement.match), None
    return None, await challenges.get(connection, announcement.challenge or 0)
