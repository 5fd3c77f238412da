"""What entrants are told: rows of the outbox about a tournament, and about one of its matches."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.audience import Audience, ShownNames, choose_name
from matches.computer.accounts import without_computers
from matches.notices.copies import load_choices, write_copies
from matches.notices.values import NoticeKind, Way, notice_kind
from matches.personal_data.stand_ins import is_deleted
from matches.platforms import NO_PLACE, find_way, platform_of
from matches.posting.announcements import announce, announce_to_players
from matches.tournaments.channel_posts import outdate_posts
from matches.updates import AnnouncementKind
from matches.values import MatchId
from matches.view_builder import fetch_match
from storage.tournament import tournaments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from matches.notices.values import NoticeChoice
    from matches.tournaments.records import Records
    from storage import Connection
    from storage.tournament.rows import EntrantRow, GameRow

NO_GRACE = timedelta(0)
EVERY_WAY = frozenset({Way.DIRECT, Way.MAIL, Way.PUSH})
Details = dict[str, "str | int"]


async def tell_all(
    connection: Connection,
    records: Records,
    kind: AnnouncementKind,
    entrants: Iterable[EntrantRow],
    details: Callable[[EntrantRow], Details],
    public: Details,
    now: int,
) -> None:
    """Tell entrants something, each with details of their own, and those in the server's channel at once.

    Nobody is mentioned there: each match of the tournament calls its players. Who reads the channel gets
    copies by mail or push as chosen. The posts that announce the tournament are edited.
    """
    is_left = await tournaments.is_left(connection, records.row.server)
    here = "" if is_left else platform_of(records.settings.channel)
    told = {one.account: one for one in entrants if not is_deleted(one.account)}
    told = {one: told[one] for one in without_computers(told)}
    choices, post = await load_choices(connection, told), None
    await outdate_posts(connection, records.id, now)
    if here:
        post = await announce(
            connection,
            kind,
            tournament=records.id,
            by=records.row.by,
            recipients=(),
            server=records.row.server,
            channel=records.row.place,
            details={"name": records.row.name, **public},
            grace=NO_GRACE,
            now=now,
        )
    for account, entrant in told.items():
        own = {"name": records.row.name, **public, **details(entrant)}
        if post is not None and find_way(account) == here:
            copied = replace(post, by=account, recipients=(account,), details=own)
            notice = notice_kind(kind, is_over=False)
            await write_copies(connection, copied, notice, (), {account: choices[account]})
        else:
            await _tell(connection, records, kind, account, own, {account: choices[account]}, now)


async def tell_one(
    connection: Connection,
    records: Records,
    kind: AnnouncementKind,
    account: str,
    details: Details,
    now: int,
    *,
    by: str = "",
) -> None:
    """Tell one entrant something about a tournament that `by` did, else that happens to the entrant."""
    choices = await load_choices(connection, [account])
    if account in choices and not is_deleted(account):
        own = {"name": records.row.name, **details}
        await _tell(connection, records, kind, account, own, choices, now, by=by)


def public_name(records: Records, entrant: EntrantRow) -> str:
    """Return the name of an entrant for the others: in a tournament that is open to all the public one."""
    shown = ShownNames.REAL if records.settings.is_of_server else ShownNames.PUBLIC
    return choose_name(shown, Audience.NAMES, entrant.account, entrant.name, entrant.alias)


async def warn_of_lost_clock(connection: Connection, game: GameRow, account: str, now: int) -> None:
    """Tell somebody who lost a clock, in every way that they have, that the next one can withdraw them."""
    if not without_computers([account]) or is_deleted(account):
        return
    row = await fetch_match(connection, MatchId(game.match or 0))
    choices = await load_choices(connection, [account])
    ways = {
        one: replace(choice, ways={**choice.ways, NoticeKind.TIME: EVERY_WAY})
        for one, choice in choices.items()
    }
    await announce_to_players(
        connection,
        AnnouncementKind.CLOCK_LOST,
        [account],
        is_direct=True,
        choices=ways,
        is_over=True,
        match=row.id,
        ply=row.turn_ply,
        takebacks=row.takebacks,
        by=account,
        recipients=(account,),
        server=row.server,
        channel=row.place,
        grace=NO_GRACE,
        now=now,
    )


async def _tell(
    connection: Connection,
    records: Records,
    kind: AnnouncementKind,
    account: str,
    details: Details,
    choices: Mapping[str, NoticeChoice],
    now: int,
    *,
    by: str = "",
) -> None:
    await announce_to_players(
        connection,
        kind,
        [account],
        is_direct=True,
        choices=choices,
        tournament=records.id,
        by=by or account,
        recipients=(account,),
        server=records.row.server,
        channel=NO_PLACE,
        details=details,
        grace=NO_GRACE,
        now=now,
    )
