"""What is announced about a tournament, in sentences for every front end."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from i18n.writing import Moment, MomentStyle
from matches.updates import AnnouncementKind

if TYPE_CHECKING:
    from i18n.catalogue import Texts
    from matches.updates import Announcement

TOURNAMENT_KINDS = frozenset(
    {
        AnnouncementKind.STAGE_STARTED,
        AnnouncementKind.ENTRANT_WITHDRAWN,
        AnnouncementKind.TOURNAMENT_OVER,
        AnnouncementKind.LADDER_CHALLENGED,
        AnnouncementKind.LADDER_UNANSWERED,
    }
)
"""The kinds of announcements about a tournament, and not one of its matches."""


def describe_tournament(texts: Texts, announcement: Announcement) -> list[str]:
    """Return the sentences of an announcement about a tournament, one a line.

    Raises ValueError for one of another kind.
    """
    details = announcement.details
    name = str(details.get("name", ""))
    match announcement.kind:
        case AnnouncementKind.STAGE_STARTED:
            return _describe_start(texts, announcement, name)
        case AnnouncementKind.ENTRANT_WITHDRAWN:
            key = f"tournament.withdrawn.{details['withdrawal']}"
            return [texts(key, tournament=name, reason=str(details["why"]))]
        case AnnouncementKind.LADDER_CHALLENGED:
            return [_describe_challenge(texts, announcement, name)]
        case AnnouncementKind.LADDER_UNANSWERED:
            return [texts("tournament.unanswered", tournament=name, player=str(details["player"]))]
        case AnnouncementKind.TOURNAMENT_OVER:
            return _describe_end(texts, announcement, name)
    raise ValueError(f"no sentence for an announcement of the kind {announcement.kind}")


def _describe_start(texts: Texts, announcement: Announcement, name: str) -> list[str]:
    details = announcement.details
    ends = datetime.fromtimestamp(int(details["ends"]) / 1000, UTC)
    lines = [
        texts(
            f"tournament.started.{details['what']}",
            tournament=name,
            stage=int(details["stage"]),
            ends=Moment(ends, MomentStyle.DATE),
        )
    ]
    if "division" in details:
        lines.append(texts("tournament.division", division=int(details["division"])))
    return lines


def _describe_challenge(texts: Texts, announcement: Announcement, name: str) -> str:
    until = datetime.fromtimestamp(int(announcement.details["until"]) / 1000, UTC)
    return texts(
        "tournament.challenged",
        tournament=name,
        player=str(announcement.details["player"]),
        until=Moment(until, MomentStyle.DATE),
    )


def _describe_end(texts: Texts, announcement: Announcement, name: str) -> list[str]:
    details = announcement.details
    if "cancelled" in details:
        return [texts("tournament.cancelled", tournament=name)]
    lines, place = [texts("tournament.over", tournament=name)], int(details.get("place", 0))
    if "division" in details:
        lines.append(texts("tournament.division", division=int(details["division"])))
    if place == 1 and details.get("division", 1) == 1:
        lines.append(texts("tournament.won"))
    elif place:
        lines.append(texts("tournament.place", place=place, entrants=int(details["entrants"])))
    return lines
