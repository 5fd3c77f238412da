"""Posts about time: time-outs, added time, pauses and vacations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from discord.utils import format_dt

from bot.features.clocks.claims import ClaimButton, GiveTimeButton
from bot.features.clocks.pauses import (
    AcceptPauseButton,
    DeclinePauseButton,
    ResumeButton,
    WithdrawPauseButton,
)
from bot.posts import formatting
from bot.ui import clock_formatting, markdown
from bot.ui.match_names import format_short_match_name
from i18n.durations import describe_duration
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

# The sentences of these kinds already state the time.
TIME_IN_SENTENCE = frozenset(
    {AnnouncementKind.FLAGGED, AnnouncementKind.PAUSED, AnnouncementKind.AWAY, AnnouncementKind.BACK}
)


async def build_clock_post(
    board_posts: BoardPostFactory, view: MatchView, announcement: Announcement
) -> Post:
    """Return the post of an announcement whose kind is in CLOCK_KINDS; none shows a board."""
    texts, kind = board_posts.texts, announcement.kind
    by = view.seat(announcement.by)
    values = {
        "match_name": format_short_match_name(texts, view),
        "by": "" if by is None else markdown.escaped_name(by.person),
    }
    match kind:
        case AnnouncementKind.FLAGGED:
            opponent = view.opponent(announcement.by)
            text = texts(
                "timeout.post_to_computer" if _is_against_computer(view) else "timeout.post",
                match_name=values["match_name"],
                name=values["by"],
                mention="" if by is None else markdown.mention_or_name(by.person),
                opponent="" if opponent is None else markdown.mention_or_name(opponent.person),
            )
        case AnnouncementKind.NUDGED:
            times = {key: _format_date(int(announcement.details[key])) for key in ("since", "claim_from")}
            text = formatting.format_call(texts, view, announcement, "abandoned.post", **times, **values)
        case AnnouncementKind.TIME_GIVEN:
            minutes = timedelta(minutes=int(announcement.details["minutes"]))
            time = describe_duration(texts, minutes)
            text = formatting.format_call(texts, view, announcement, "extra_time.post", time=time, **values)
        case AnnouncementKind.PAUSE_OFFERED:
            text = formatting.format_call(texts, view, announcement, "pause.post", **values)
        case AnnouncementKind.PAUSE_DECLINED:
            text = formatting.format_call(texts, view, announcement, "pause.refused", **values)
        case AnnouncementKind.PAUSE_WITHDRAWN:
            text = texts("pause.withdrawn", **values)
        case AnnouncementKind.PAUSED:
            text = formatting.format_call(texts, view, announcement, "pause.begun", **values)
        case AnnouncementKind.RESUMED:
            text = formatting.format_call(texts, view, announcement, "pause.ended", **values)
        case _:
            text = _format_vacation(texts, view, announcement, values)
    lines = [text] if kind in TIME_IN_SENTENCE else [text, _format_time(texts, view, announcement)]
    body = texts.join([line for line in lines if line], "list.lines")
    return board_posts.text_post(view, announcement, body, *_buttons(texts, view, kind))


def _format_time(texts: Texts, view: MatchView, announcement: Announcement) -> str:
    """Return the deadlines; after time was given to a player who is not to move, their time instead."""
    is_gift = announcement.kind is AnnouncementKind.TIME_GIVEN and announcement.recipients
    if is_gift and view.time is not None and not view.time.paused:
        seat = view.time.for_account(announcement.recipients[0])
        if seat is not None and not seat.must_act:
            left = describe_duration(texts, seat.remaining)
            return texts("extra_time.next_turn", name=markdown.escaped_name(seat.person), left=left)
    return clock_formatting.describe_match_time(texts, view)


def _format_vacation(
    texts: Texts, view: MatchView, announcement: Announcement, values: dict[str, str]
) -> str:
    """Return the sentence about a vacation; it names one of the matches, and the others by their numbers."""
    others = [
        f"#{number}" for number in str(announcement.details["matches"]).split() if number != str(view.id)
    ]
    all_values = {**values, "matches": texts.join([values["match_name"], *others])}
    if announcement.kind is AnnouncementKind.BACK:
        return formatting.format_call(texts, view, announcement, "vacation.back", **all_values)
    until = _format_date(int(announcement.details["until"]))
    return formatting.format_call(texts, view, announcement, "vacation.away", until=until, **all_values)


def _is_against_computer(view: MatchView) -> bool:
    return any(is_computer(seat.person.account) for seat in view.seats)


def _format_date(millis: int) -> str:
    return format_dt(datetime.fromtimestamp(millis / 1000, UTC), "D")


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
