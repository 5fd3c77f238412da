"""A notice as a notification: a title, a line or two, the page to open, until when it is worth it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.notices import describe_notice
from i18n.readers import reading_in
from i18n.translations import choose_language
from matches.notices.values import NoticeKind
from push.message import Message, Urgency

if TYPE_CHECKING:
    from datetime import datetime

    from i18n import Texts
    from matches import Announcement, Matches
    from matches.notices.values import Notice

CHALLENGE_PATH = "/c"  # below it is the page of each challenge
TOURNAMENTS_PATH = "/tournaments"  # and below this that of each tournament
URGENT = frozenset({NoticeKind.TIME})


async def compose(
    matches: Matches, texts: Texts, announcement: Announcement, now: datetime
) -> Message | None:
    """Return what to show about an announcement now, None if it is obsolete."""
    notice = await matches.people.notices.read(announcement, now=now)
    if notice is None:
        return None
    with reading_in(choose_language(await matches.people.preferences.find_language(notice.account))):
        described = describe_notice(texts, notice)
    return Message(
        id=int(announcement.id),
        topic=_find_topic(announcement),
        title=described.title,
        body="\n".join(described.lines),
        path=_find_path(notice),
        urgency=Urgency.HIGH if notice.kind in URGENT else Urgency.NORMAL,
        expires_at=notice.expires_at,
    )


def _find_topic(announcement: Announcement) -> str:
    """Return what a notification is about: a newer one about the same takes its place."""
    if announcement.tournament is not None:
        return f"t{announcement.tournament}"
    return f"c{announcement.challenge}" if announcement.match is None else f"m{announcement.match}"


def _find_path(notice: Notice) -> str:
    """Return the page of a notice: of a match the board with the seat of its player."""
    view = notice.view
    if notice.announcement.tournament is not None:
        return f"{TOURNAMENTS_PATH}/{notice.announcement.tournament}"
    if view is None:
        return f"{CHALLENGE_PATH}/{notice.announcement.challenge}"
    # The website numbers the seats in this order.
    accounts = sorted(seat.person.account for seat in view.seats)
    is_player = notice.account in accounts
    return f"/m/{view.id}/seat/{accounts.index(notice.account) + 1}" if is_player else f"/m/{view.id}"
