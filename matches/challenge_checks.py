"""Checks of challenges, and their conversion from rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Side
from matches.audience import PUBLIC
from matches.computer.accounts import is_computer
from matches.errors import Refusal
from matches.options import parse_options
from matches.terms import parse_terms
from matches.times import from_millis, to_millis
from matches.values import Challenge, ChallengeId, ChallengeState, MatchId, Person, RecordId

if TYPE_CHECKING:
    from datetime import datetime

    from engine.game import Game
    from storage.match.challenges import ChallengeRow


def check_opponents(by: Person, to: Person | None) -> None:
    """Raise `self_challenge`, or `bot_challenge` if either is a bot or the computer."""
    if to is not None and to.account == by.account:
        raise Refusal("self_challenge")
    for person in (by, to):
        if person is not None and (person.bot or is_computer(person.account)):
            raise Refusal("bot_challenge", name=person)


def check_colour(colour: Side | None, game: Game) -> None:
    """Raise `invalid_colour` if the game has no such side."""
    if colour is not None and colour not in game.sides:
        raise Refusal("invalid_colour", colour=colour.value, sides=tuple(side.value for side in game.sides))


def check_open(row: ChallengeRow, person: Person, now: datetime) -> None:
    """Raise unless the challenge is open.

    Raises `challenge_accepted`, `challenge_declined`, `challenge_withdrawn`, `challenge_expired`.
    """
    state = state_at(row, now)
    if state is ChallengeState.ACCEPTED:
        raise Refusal(
            "challenge_accepted",
            challenge=row.id,
            by=Person(row.accepted_by or "", row.accepted_by_name or ""),
            you=int(row.accepted_by == person.account),
            match=row.match or 0,
        )
    if state is ChallengeState.EXPIRED:
        raise Refusal("challenge_expired", challenge=row.id)
    if state is not ChallengeState.OPEN:
        is_declined = state is ChallengeState.DECLINED
        raise Refusal("challenge_declined" if is_declined else "challenge_withdrawn", challenge=row.id)


def check_addressee(row: ChallengeRow, person: Person) -> None:
    """Raise `own_challenge` or `not_addressee` unless the challenge is for this person or open to anyone."""
    if row.by == person.account:
        raise Refusal("own_challenge", challenge=row.id)
    if row.to is not None and row.to != person.account:
        raise Refusal("not_addressee", challenge=row.id, to=addressee_of(row) or "")


def addressee_of(row: ChallengeRow) -> Person | None:
    """Return the person for whom a challenge is, None for an open one."""
    return None if row.to is None else Person(row.to, row.to_name or "")


def state_at(row: ChallengeRow, now: datetime) -> ChallengeState:
    """Return the state of a challenge at a time; it may have expired before :meth:`Challenges.expire` ran."""
    state = ChallengeState(row.state)
    if state is ChallengeState.OPEN and row.games is None and row.expires_at <= to_millis(now):
        return ChallengeState.EXPIRED
    return state


def is_paused(row: ChallengeRow, now: datetime) -> bool:
    """Return whether a standing challenge waits until its challenger is back."""
    return row.games is not None and row.expires_at <= to_millis(now)


def challenge_from_row(row: ChallengeRow, now: datetime) -> Challenge:
    """Return the challenge of a row."""
    by = Person(row.by, row.by_name)
    to = addressee_of(row)
    vacations = ((by, row.by_away_until), (to, row.to_away_until))
    return Challenge(
        id=ChallengeId(row.id),
        by=by,
        to=to,
        server=row.server,
        channel=row.place,
        game=row.game,
        options=parse_options(row.options),
        terms=parse_terms(row.terms),
        colour=None if row.colour is None else Side(row.colour),
        state=state_at(row, now),
        made_at=from_millis(row.made_at),
        expires_at=from_millis(row.expires_at),
        match=None if row.match is None else MatchId(row.match),
        post=row.post,
        record=None if row.record is None else RecordId(row.record),
        rematch_of=None if row.rematch_of is None else MatchId(row.rematch_of),
        away=tuple(
            (person, from_millis(until))
            for person, until in vacations
            if person is not None and until is not None and until > to_millis(now)
        ),
        note=row.note or "",
        within=row.within,
        by_link=bool(row.by_link),
        games=row.games,
        running=row.running,
        is_paused=is_paused(row, now),
        standing=None if row.standing is None else ChallengeId(row.standing),
        is_public=row.audience in PUBLIC,
    )
