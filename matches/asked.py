"""Challenges as values: what somebody asks for, and what has become of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from matches.terms import UNSAID

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Setting, Side
    from matches.terms import Terms
    from matches.values import ChallengeId, MatchId, Person, RecordId


class ChallengeState(StrEnum):
    """What became of a challenge."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge, open to anyone where `to` is None.

    `options` are complete but for what chance or the fists settle later. `colour` is
    the challenger's side, None where it is drawn at acceptance. `post` is the
    reference that the front end gave for the latest announcement about it. Where `record` is set, the match
    begins from the last position of that imported record, whose game and options these are. `rematch_of` is
    the match that the two have just played.
    """

    id: ChallengeId
    by: Person
    to: Person | None
    server: str
    place: str
    game: str
    options: Mapping[str, Setting]
    colour: Side | None
    state: ChallengeState
    made_at: datetime
    lapses_at: datetime
    match: MatchId | None = None
    post: str | None = None
    record: RecordId | None = None
    terms: Terms = UNSAID
    rematch_of: MatchId | None = None
