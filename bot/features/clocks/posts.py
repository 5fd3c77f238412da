"""Posts about time: time-outs, added time, pauses and vacations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.clocks.claims import ClaimButton, GiveTimeButton
from bot.features.clocks.pauses import (
    AcceptPauseButton,
    DeclinePauseButton,
    ResumeButton,
    WithdrawPauseButton,
)
from i18n.announcements import describe_time
from matches import AnnouncementKind, is_computer

if TYPE_CHECKING:
    from bot.posts.board_posts import BoardPostFactory
    from bot.posts.post import Post
    from bot.ui.buttons import PersistentButton
    from i18n import Texts
    from matches import Announcement, MatchView

CLOCK_KINDS = frozenset(
    {
        AnnouncementKind.FLAGGED,
        AnnouncementKind.NUDGED,
        AnnouncementKind.TIME_GIVEN,
        AnnouncementKind.PAUSE_OFFERED,
        AnnouncementKind.PAUSE_DECLINED,
        AnnouncementKind.PAUSE_WITHDRAWN,
        AnnouncementKind.PAUSED,
        AnnouncementKind.RESUMED,
        AnnouncementKind.AWAY,
        AnnouncementKind.BACK,
    }
)


async def build_clock_post(
    board_posts: BoardPostFactory, view: MatchView, announcement: Announcement
) -> Post:
    """Return the post of an announcement whose kind is in CLOCK_KINDS; none shows a board."""
    texts = board_posts.texts
    time = describe_time(texts, announcement, view)
    buttons = _buttons(texts, view, announcement.kind)
    return board_posts.announcement_text_post(view, announcement, *buttons, time=time)


def _is_against_computer(view: MatchView) -> bool:
    return any(is_computer(seat.person.account) for seat in view.seats)


def _buttons(texts: Texts, view: MatchView, kind: AnnouncementKind) -> tuple[PersistentButton, ...]:
    match kind:
        case AnnouncementKind.FLAGGED if view.is_current and not _is_against_computer(view):
            return (ClaimButton.of(texts, view.id), GiveTimeButton.of(texts, view.id))
        case AnnouncementKind.PAUSE_OFFERED if view.is_current:
            kinds = (AcceptPauseButton, DeclinePauseButton, WithdrawPauseButton)
            return tuple(one.of(texts, view.id) for one in kinds)
        case AnnouncementKind.PAUSED:
            return (ResumeButton.of(texts, view.id),)
        case _:
            return ()
