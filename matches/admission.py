"""Reading challenges, and refusing those which nobody may make or answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Side
from matches.asked import Challenge, ChallengeState
from matches.errors import (
    BotChallenge,
    ChallengeDeclined,
    ChallengeLapsed,
    ChallengeTaken,
    ChallengeWithdrawn,
    ColourRefused,
    NotAddressee,
    OwnChallenge,
    SelfChallenge,
)
from matches.options import read_options
from matches.terms import read_terms
from matches.times import millis, moment
from matches.values import ChallengeId, MatchId, Person, RecordId

if TYPE_CHECKING:
    from datetime import datetime

    from engine.game import Game
    from storage.challenges import ChallengeRow


def refuse_opponents(by: Person, to: Person | None) -> None:
    """Refuse a challenge of oneself, and one by or to a bot. Raises SelfChallenge, BotChallenge."""
    if to is not None and to.account == by.account:
        raise SelfChallenge
    for person in (by, to):
        if person is not None and person.bot:
            raise BotChallenge(name=person.name)


def refuse_colour(colour: Side | None, game: Game) -> None:
    """Refuse a side that the game does not have. Raises ColourRefused."""
    if colour is not None and colour not in game.sides:
        raise ColourRefused(colour=colour.value, sides=tuple(side.value for side in game.sides))


def refuse_closed(row: ChallengeRow, person: Person, now: datetime) -> None:
    """Refuse what is no longer open.

    Raises ChallengeTaken, ChallengeDeclined, ChallengeWithdrawn, ChallengeLapsed.
    """
    state = state_of(row, now)
    if state is ChallengeState.ACCEPTED:
        raise ChallengeTaken(
            challenge=row.id,
            by=row.taken_by_name or "",
            you=int(row.taken_by == person.account),
            match=row.match or 0,
        )
    refusals = {
        ChallengeState.DECLINED: ChallengeDeclined,
        ChallengeState.WITHDRAWN: ChallengeWithdrawn,
        ChallengeState.LAPSED: ChallengeLapsed,
    }
    if state in refusals:
        raise refusals[state](challenge=row.id)


def refuse_stranger(row: ChallengeRow, person: Person) -> None:
    """Refuse whom it does not call. Raises OwnChallenge, NotAddressee."""
    if row.by == person.account:
        raise OwnChallenge(challenge=row.id)
    if row.to is not None and row.to != person.account:
        raise NotAddressee(challenge=row.id, to=row.to_name or "")


def state_of(row: ChallengeRow, now: datetime) -> ChallengeState:
    """Say what has become of a challenge by a time: the sweep may not have come yet."""
    state = ChallengeState(row.state)
    if state is ChallengeState.OPEN and row.lapses_at <= millis(now):
        return ChallengeState.LAPSED
    return state


def read_challenge(row: ChallengeRow, now: datetime) -> Challenge:
    """Give a challenge as its row says it stands."""
    return Challenge(
        id=ChallengeId(row.id),
        by=Person(row.by, row.by_name),
        to=None if row.to is None else Person(row.to, row.to_name or ""),
        server=row.server,
        place=row.place,
        game=row.game,
        options=read_options(row.options),
        terms=read_terms(row.terms),
        colour=None if row.colour is None else Side(row.colour),
        state=state_of(row, now),
        made_at=moment(row.made_at),
        lapses_at=moment(row.lapses_at),
        match=None if row.match is None else MatchId(row.match),
        post=row.post,
        record=None if row.record is None else RecordId(row.record),
        rematch_of=None if row.rematch_of is None else MatchId(row.rematch_of),
    )
