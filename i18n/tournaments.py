"""What is announced about a tournament, in sentences for every front end."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from i18n.writing import Moment, MomentStyle
from matches.updates import UNREGISTERED, AnnouncementKind

if TYPE_CHECKING:
    from i18n.catalogue import Texts
    from matches.updates import Announcement

TOURNAMENT_KINDS = frozenset(
    {
        AnnouncementKind.STAGE_STARTED,
        AnnouncementKind.ENTRANT_WITHDRAWN,
        AnnouncementKind.TOURNAMENT_CHANGED,
        AnnouncementKind.TOURNAMENT_OVER,
        AnnouncementKind.LADDER_CHALLENGED,
        AnnouncementKind.LADDER_UNANSWERED,
    }
)
"""The kinds of announcements about a tournament, and not one of its matches."""

EXCLUDED = "excluded"
"""The detail `withdrawal` of somebody whom the organiser excluded, for a reason in their own words."""


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
        case AnnouncementKind.TOURNAMENT_CHANGED:
            return [_describe_change(texts, announcement, name)]
        case AnnouncementKind.LADDER_CHALLENGED:
            return [_describe_challenge(texts, announcement, name)]
        case AnnouncementKind.LADDER_UNANSWERED:
            return [texts("tournament.unanswered", tournament=name, player=str(details["player"]))]
        case AnnouncementKind.TOURNAMENT_OVER:
            return _describe_end(texts, announcement, name)
    raise ValueError(f"no sentence for an announcement of the kind {announcement.kind}")


def format_tournament_title(texts: Texts, announcement: Announcement) -> str:
    """Return the title of a notice about a tournament."""
    details, key = announcement.details, announcement.kind.value
    if announcement.kind is AnnouncementKind.STAGE_STARTED:
        key = f"{key}.{details['what']}"
    if details.get("withdrawal") == UNREGISTERED:
        key = "entrant_unregistered"
    if announcement.kind is AnnouncementKind.TOURNAMENT_CHANGED:
        key = f"{key}.{_find_change(announcement)}"
    return texts(
        f"notice.tournament.{key}",
        tournament=str(details.get("name", "")),
        stage=int(details.get("stage", 0)),
    )


def describe_tournament_notice(texts: Texts, announcement: Announcement) -> list[str]:
    """Return the sentences of a notice by mail or push: without what an organiser wrote, except names."""
    if announcement.details.get("withdrawal") == EXCLUDED:
        name = str(announcement.details.get("name", ""))
        return [texts("notice.tournament.excluded_line", tournament=name)]
    return describe_tournament(texts, announcement)


def _find_change(announcement: Announcement) -> str:
    """Return what has changed: the ``date``, perhaps among other things, or ``settings`` alone."""
    return "date" if "before" in announcement.details else "settings"


def _describe_change(texts: Texts, announcement: Announcement, name: str) -> str:
    starts, before = (
        Moment(datetime.fromtimestamp(int(announcement.details.get(one, 0)) / 1000, UTC))
        for one in ("starts", "before")
    )
    key = f"tournament.changed.{_find_change(announcement)}"
    return texts(key, tournament=name, starts=starts, before=before)


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
