"""Values of exports and erasures."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime


# What a summary names, in its order: sections of an export, and sums of some.
LISTED = (
    *("matches", "in_progress", "challenges", "ratings", "offers", "vacations", "notes", "analysis_lines"),
    *("conditional_moves", "watched_matches", "blocked_players", "exclusions", "imported_records"),
    *("requested_analyses", "preferences", "addresses", "former_names", "codes", "mails"),
    *("mail_commands", "passkeys", "push", "tournaments", "organised", "tournament_log"),
    *("puzzles", "puzzle_reports", "puzzle_mails", "daily_puzzles", "studies", "chapters"),
    *("sign_ins", "revoked_links", "announcements", "reports", "reports_about_you", "moderation_of_you"),
    "moderation",
)
MODERATION = (
    "settings_changed",
    "daily_puzzles_set",
    "exclusions_made",
    "corrections_made",
    "moderation_done",
)
COUNTED = frozenset({*LISTED, *MODERATION})


class ErasureChoice(StrEnum):
    """What becomes of the matches in progress of a person who is erased."""

    RESIGN = "resign"  # they are resigned
    KEEP = "keep"  # they are played to their end; what they need is erased then


@dataclass(frozen=True, slots=True)
class DataSummary:
    """What is kept about a person.

    `name` is None if nothing is. `counts` are the numbers of things by the section of the export
    (:data:`matches.personal_data.sections.SECTIONS`), for those in COUNTED. `erasure_asked_at` is set while
    an erasure waits for the end of matches.
    """

    name: str | None
    counts: Mapping[str, int]
    in_progress: int
    erasure_asked_at: datetime | None

    def items(self) -> Iterator[tuple[str, int]]:
        """Yield what to tell the person about, with its number, which is not 0.

        These are sections of LISTED, ``in_progress`` after ``matches``, and ``moderation``.
        """
        numbers = {**self.counts, "in_progress": self.in_progress}
        numbers["moderation"] = sum(self.counts[key] for key in MODERATION)
        for key in LISTED:
            if numbers[key]:
                yield key, numbers[key]


@dataclass(frozen=True, slots=True)
class Erasure:
    """What an erasure has done: `is_complete` is False if the rest waits for the end of `kept` matches."""

    is_complete: bool
    resigned: int = 0
    kept: int = 0


@dataclass(frozen=True, slots=True)
class RetentionPeriods:
    """How long things are kept that nobody needs for ever; docs/privacy.md says the same.

    `messages`: delivered direct messages and their ids. `challenges`: those that led to no match. `lines`:
    stored analysis lines. `requests`: who requested an analysis of a game. `reports`: closed reports about
    players. `servers`: the data of a server that removed the bot. How long posts about finished matches are
    kept is in :mod:`matches.work.packing`.
    """

    messages: timedelta = timedelta(days=30)
    challenges: timedelta = timedelta(days=90)
    lines: timedelta = timedelta(days=90)
    requests: timedelta = timedelta(days=1)
    reports: timedelta = timedelta(days=365)
    servers: timedelta = timedelta(days=30)
