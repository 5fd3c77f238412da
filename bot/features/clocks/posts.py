"""The posts about time: flags, claims, time given, pauses and vacations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from discord.utils import format_dt

from bot.features.clocks.claims import ClaimButton, GiveTimeButton
from bot.features.clocks.pauses import AcceptPauseButton, DeclinePauseButton, ResumeButton
from bot.ui import clock_formatting, ids, markdown
from matches import AnnouncementKind as Kind

if TYPE_CHECKING:
    from bot.posts.board_posts import BoardPostFactory
    from bot.posts.post import Post
    from bot.ui.buttons import PersistentButton
    from i18n import Texts
    from matches import Announcement, MatchView

CLOCK_KINDS = frozenset(
    {
        Kind.FLAGGED,
        Kind.TIME_GIVEN,
        Kind.PAUSE_OFFERED,
        Kind.PAUSE_DECLINED,
        Kind.PAUSED,
        Kind.RESUMED,
        Kind.AWAY,
        Kind.BACK,
    }
)

# Of these the sentence itself tells where the time stands.
TIME_IN_SENTENCE = frozenset({Kind.FLAGGED, Kind.PAUSED, Kind.AWAY, Kind.BACK})


def build_clock_post(board_posts: BoardPostFactory, view: MatchView, announcement: Announcement) -> Post:
    """Return the post of an announcement of one of the kinds above; none shows a board."""
    texts, kind = board_posts.texts, announcement.kind
    by = view.seat(announcement.by)
    values: dict[str, Any] = {
        "match": view.id,
        "by": "" if by is None else markdown.escaped_name(by.person),
        "mentions": texts.join([ids.user_mention(account) for account in announcement.recipients]),
    }
    match kind:
        case Kind.FLAGGED:
            text = texts("timeout.post", name=values.pop("by"), **values)
        case Kind.TIME_GIVEN:
            minutes = timedelta(minutes=int(announcement.details["minutes"]))
            text = texts("extra_time.post", time=clock_formatting.describe_duration(texts, minutes), **values)
        case Kind.PAUSE_OFFERED:
            text = texts("pause.post", **values)
        case Kind.PAUSE_DECLINED:
            text = texts("pause.refused", **values)
        case Kind.PAUSED:
            text = texts("pause.begun", **values)
        case Kind.RESUMED:
            text = texts("pause.ended", **values)
        case _:
            text = _format_vacation(texts, announcement, values)
    lines = [text] if kind in TIME_IN_SENTENCE else [text, clock_formatting.describe_match_time(texts, view)]
    body = texts.join([line for line in lines if line], "list.lines")
    return board_posts.text_post(view, announcement, body, *_buttons(texts, view, kind))


def _format_vacation(texts: Texts, announcement: Announcement, values: dict[str, Any]) -> str:
    numbers = str(announcement.details["matches"]).split()
    all_values = {**values, "matches": texts.join(numbers), "count": len(numbers)}
    if announcement.kind is Kind.BACK:
        return texts("vacation.back", **all_values)
    until = datetime.fromtimestamp(int(announcement.details["until"]) / 1000, UTC)
    return texts("vacation.away", until=format_dt(until, "D"), **all_values)


def _buttons(texts: Texts, view: MatchView, kind: Kind) -> tuple[PersistentButton, ...]:
    match kind:
        case Kind.FLAGGED:
            return (ClaimButton.of(texts, view.id), GiveTimeButton.of(texts, view.id))
        case Kind.PAUSE_OFFERED:
            return (AcceptPauseButton.of(texts, view.id), DeclinePauseButton.of(texts, view.id))
        case Kind.PAUSED:
            return (ResumeButton.of(texts, view.id),)
        case _:
            return ()
