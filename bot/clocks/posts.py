"""The posts about time: flags, claims, time given, pauses and vacations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from discord.utils import format_dt

from bot import people
from bot.clocks import wording
from bot.clocks.flags import ClaimButton, GiveButton
from bot.clocks.pauses import NoPauseButton, PauseButton, ResumeButton
from matches import AnnouncementKind as Kind

if TYPE_CHECKING:
    from bot.desk import Desk
    from bot.posts import Post
    from bot.presses import Press
    from matches import Announcement, MatchView
    from words import Words

KINDS = frozenset(
    {
        Kind.FLAGGED,
        Kind.TIME_GIVEN,
        Kind.PAUSE_OFFERED,
        Kind.PAUSE_REFUSED,
        Kind.PAUSED,
        Kind.RESUMED,
        Kind.AWAY,
        Kind.BACK,
    }
)

# Of these the sentence itself tells where the time stands.
TELLING_ALL = frozenset({Kind.FLAGGED, Kind.PAUSED, Kind.AWAY, Kind.BACK})


def post(desk: Desk, view: MatchView, announcement: Announcement) -> Post:
    """Give the post of an announcement of one of the kinds above; none shows a board."""
    words, kind = desk.words, announcement.kind
    by = view.seat(announcement.by)
    values: dict[str, Any] = {
        "match": view.id,
        "by": "" if by is None else people.called(by.person),
        "whom": words.listed([people.mention(account) for account in announcement.whom]),
    }
    match kind:
        case Kind.FLAGGED:
            text = words("flag.post", name=values.pop("by"), **values)
        case Kind.TIME_GIVEN:
            minutes = timedelta(minutes=int(announcement.details["minutes"]))
            text = words("gift.post", time=wording.length(words, minutes), **values)
        case Kind.PAUSE_OFFERED:
            text = words("pause.post", **values)
        case Kind.PAUSE_REFUSED:
            text = words("pause.refused", **values)
        case Kind.PAUSED:
            text = words("pause.begun", **values)
        case Kind.RESUMED:
            text = words("pause.ended", **values)
        case _:
            text = _vacation(words, announcement, values)
    lines = [text] if kind in TELLING_ALL else [text, wording.standing(words, view)]
    told = words.listed([line for line in lines if line], "list.lines")
    return desk.bare(view, announcement, told, *_buttons(words, view, kind))


def _vacation(words: Words, announcement: Announcement, values: dict[str, Any]) -> str:
    numbers = str(announcement.details["matches"]).split()
    told = {**values, "matches": words.listed(numbers), "count": len(numbers)}
    if announcement.kind is Kind.BACK:
        return words("vacation.back", **told)
    until = datetime.fromtimestamp(int(announcement.details["until"]) / 1000, UTC)
    return words("vacation.away", until=format_dt(until, "D"), **told)


def _buttons(words: Words, view: MatchView, kind: Kind) -> tuple[Press, ...]:
    match kind:
        case Kind.FLAGGED:
            return (ClaimButton.of(words, view.id), GiveButton.of(words, view.id))
        case Kind.PAUSE_OFFERED:
            return (PauseButton.of(words, view.id), NoPauseButton.of(words, view.id))
        case Kind.PAUSED:
            return (ResumeButton.of(words, view.id),)
        case _:
            return ()
