"""Posts about time: time-outs, added time, pauses and vacations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.clocks.claims import ClaimButton, GiveTimeButton
from bot.features.clocks.pauses import ANSWERS, PauseOfferButton, ResumeButton
from bot.ui.buttons import Style
from i18n.announcements import describe_time
from matches import Action, AnnouncementKind, possible_actions

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
    buttons = _buttons(texts, view, announcement)
    return board_posts.announcement_text_post(view, announcement, *buttons, time=time)


def _buttons(texts: Texts, view: MatchView, announcement: Announcement) -> tuple[PersistentButton, ...]:
    opponent = view.opponent(announcement.by)
    possible = frozenset[Action]() if opponent is None else possible_actions(view, opponent.person.account)
    match announcement.kind:
        case AnnouncementKind.FLAGGED if Action.CLAIM in possible:
            return (
                ClaimButton.create(texts("button.claim"), f"claim1:{view.id}", Style.danger),
                GiveTimeButton.create(texts("button.give_time"), f"givetime1:{view.id}", Style.primary),
            )
        case AnnouncementKind.PAUSE_OFFERED if view.is_current:
            return tuple(PauseOfferButton.of(texts, view.id, answer) for answer in ANSWERS)
        case AnnouncementKind.PAUSED:
            return (ResumeButton.create(texts("button.resume"), f"resume1:{view.id}", Style.primary),)
        case _:
            return ()
