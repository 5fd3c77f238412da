"""Copies of announcements for mail and push, written with the change that they tell about."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from matches.computer.accounts import without_computers
from matches.notices.values import (
    COPY_WAYS,
    DELAYS,
    PASSIVE,
    UNCOPIED,
    MailAddress,
    NoticeKind,
    Reach,
    Way,
    parse_choice,
)
from matches.personal_data.stand_ins import is_deleted
from matches.platforms import MAIL, WEB, platform_of
from matches.preferences.quiet_hours import after_quiet_hours
from matches.times import from_millis, to_millis
from matches.updates import DIRECT
from storage.people import notices

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from matches.notices.values import NoticeChoice
    from matches.updates import Announcement, AnnouncementKind
    from storage import Connection

SUBSTITUTE = "substitute"
"""The detail of a copy by a way that its person has not chosen: no way that they have chosen reaches them."""

EMPTY_DETAILS: Mapping[str, int] = MappingProxyType({})


async def load_choices(connection: Connection, accounts: Iterable[str]) -> dict[str, NoticeChoice]:
    """Return how each of these persons wants to be told."""
    wanted = without_computers(accounts)
    if not wanted:
        return {}
    stored = {row.account: row for row in await notices.list_choices(connection, wanted)}
    return {
        one: parse_choice(one, stored[one].notices, stored[one].preferences)
        if one in stored
        else parse_choice(one, None, None)
        for one in wanted
    }


async def load_reach(connection: Connection, account: str) -> Reach:
    """Return the ways that a person has, whatever they have chosen."""
    addresses = tuple(
        MailAddress(
            address=row.address,
            is_confirmed=row.confirmed_at is not None,
            has_failed=bool(row.has_failed),
            stopped_at=None if row.stopped_at is None else from_millis(row.stopped_at),
        )
        for row in await notices.list_addresses(connection, account)
    )
    devices = await notices.count_devices(connection, account)
    return Reach(addresses, devices, has_chat=platform_of(account) != WEB)


def list_concerned(
    kind: AnnouncementKind, notice: NoticeKind, by: str, recipients: Iterable[str], players: Iterable[str]
) -> tuple[str, ...]:
    """Return whom an announcement says something: the recipients, and both players of what is over.

    Whoever did it knows it already.
    """
    told = dict.fromkeys((*recipients, *(players if notice is NoticeKind.OVER else ())))
    is_told = (one for one in told if not is_deleted(one) and (one != by or kind in PASSIVE))
    return without_computers(is_told)


def find_doer(by: str, details: Mapping[str, str | int]) -> str:
    """Return who did what is announced, and so knows it; no player begins a match of a tournament."""
    return "" if "tournament" in details else by


async def write_copies(
    connection: Connection,
    announcement: Announcement,
    notice: NoticeKind,
    players: Iterable[str],
    choices: Mapping[str, NoticeChoice],
) -> None:
    """Write copies of an announcement for those whom it concerns and who want to be told by mail or push.

    Nothing is sent to the database if nobody does. What falls into somebody's quiet hours is due after them.
    """
    if announcement.kind in UNCOPIED:
        return
    recipients = announcement.recipients
    by = find_doer(announcement.by, announcement.details)
    concerned = list_concerned(announcement.kind, notice, by, recipients, players)
    rows = [
        _copy_row(announcement, choices[account], platform, way, {DIRECT: 1})
        for account in concerned
        if account in choices
        for platform, way in COPY_WAYS.items()
        if way in choices[account].ways[notice]
    ]
    if rows:
        await notices.add_copies(connection, rows)


async def write_substitutes(
    connection: Connection, announcement: Announcement, notice: NoticeKind, account: str
) -> None:
    """Write copies by mail and push for somebody whom no direct message reaches, and no chosen copy either.

    A person who has neither mail nor push gets none.
    """
    choice = (await load_choices(connection, [account])).get(account)
    if choice is None or announcement.kind in UNCOPIED:
        return
    chosen = {platform for platform, way in COPY_WAYS.items() if way in choice.ways[notice]}
    if chosen & await notices.list_copy_platforms(connection, account):
        return
    rows = [
        _copy_row(announcement, choice, platform, way, {DIRECT: 1, SUBSTITUTE: 1})
        for platform, way in COPY_WAYS.items()
        if platform not in chosen
    ]
    if rows:
        await notices.add_copies(connection, rows)


async def write_mail_copy(connection: Connection, announcement: Announcement, choice: NoticeChoice) -> None:
    """Write a copy of an announcement for somebody who is told by mail what they watch, if they can be."""
    await notices.add_copies(connection, [_copy_row(announcement, choice, MAIL, Way.MAIL)])


def _copy_row(
    announcement: Announcement,
    choice: NoticeChoice,
    platform: str,
    way: Way,
    details: Mapping[str, int] = EMPTY_DETAILS,
) -> dict[str, Any]:
    """Return the row of a copy for the person of a choice, with further `details`."""
    return {
        "kind": announcement.kind.value,
        "challenge": announcement.challenge,
        "match": announcement.match,
        "tournament": announcement.tournament,
        "ply": announcement.ply,
        "takebacks": announcement.takebacks,
        "first_ply": announcement.first_ply,
        "by": announcement.by,
        "recipients": json.dumps(announcement.recipients),
        "server": announcement.server,
        "place": announcement.channel,
        "made_at": to_millis(announcement.made_at),
        "due_at": _due_at(choice, to_millis(announcement.made_at), way),
        "details": json.dumps({**announcement.details, **details}),
        "to": choice.account,
        "platform": platform,
    }


def _due_at(choice: NoticeChoice, now: int, way: Way) -> int:
    """Return when a copy is due, in milliseconds since 1970 UTC."""
    preferences = choice.preferences
    return to_millis(after_quiet_hours(preferences.quiet, preferences.zone, from_millis(now) + DELAYS[way]))
