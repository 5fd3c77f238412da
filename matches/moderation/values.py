"""Values of reports and of what moderators do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from matches.values import MatchId

MIN_REPORT_LENGTH, MAX_REPORT_LENGTH = 10, 1000  # characters
MAX_REPORTS = 5  # by one person in REPORTS_WITHIN
REPORTS_WITHIN = timedelta(days=1)


class Act(StrEnum):
    """What a moderator does about a person; the value is stored."""

    WARN = "warn"
    EXCLUDE = "exclude"
    READMIT = "readmit"
    CLOSE = "close"
    REOPEN = "reopen"
    REMOVE_NAME = "remove_name"
    CLOSE_REPORT = "close_report"
    HIDE_STUDY = "hide_study"
    SHOW_STUDY = "show_study"


@dataclass(frozen=True, slots=True)
class ReportSubject:
    """What a report is about: the name of a page, a challenge, a match, or the key of a study.

    `has_link`: the reporter knows the link of a challenge by link. `player` chooses one of two players of a
    match, 1 or 2; a player of the match reports the opponent.
    """

    handle: str = ""
    challenge: int | None = None
    has_link: bool = False
    match: MatchId | None = None
    player: int = 0
    study: str = ""


@dataclass(frozen=True, slots=True)
class ReportedPlayer:
    """Somebody whom a report can be about, with the name that the reporter sees.

    `number` is the `player` of the subject; `note` is what will be copied into the report.
    """

    account: str
    name: str
    number: int = 0
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A report as moderators see it. `note` is that of the challenge, or the name of the study, of then."""

    id: int
    by_name: str
    about: str
    about_name: str
    challenge: int | None
    match: int | None
    text: str
    note: str | None
    made_at: datetime
    closed_at: datetime | None
    study: str | None


@dataclass(frozen=True, slots=True)
class ActRecord:
    """What a moderator has done, and why; of a warning also when it was read.

    `study` is the key of the study that was hidden or shown again, and `study_name` its name of then.
    """

    id: int
    by_name: str
    act: Act
    reason: str
    made_at: datetime
    seen_at: datetime | None
    study: str | None
    study_name: str | None


@dataclass(frozen=True, slots=True)
class ModeratedPerson:
    """A person as moderators see one: `handle` is the name on the website, `alias` that on public pages."""

    account: str
    name: str
    handle: str | None
    alias: str | None
    is_guest: bool
    is_excluded: bool
    met_at: datetime
    closed_at: datetime | None
    reports: tuple[Report, ...]
    acts: tuple[ActRecord, ...]


@dataclass(frozen=True, slots=True)
class UnreadWarning:
    """A warning that the person has not confirmed yet."""

    id: int
    reason: str
