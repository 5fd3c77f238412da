"""A ladder: who may challenge whom, and how results change the order. Places count from 1, the best."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from matches.tournaments.results import Blocks, EntrantId

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

REACH = 3
"""How many places up somebody may challenge."""
TIME_TO_ANSWER = timedelta(days=5)
"""After that a challenge without an answer is won by who sent it."""
TIME_TO_PLAY = timedelta(days=30)
"""Whoever begins no game for so long goes down."""

Order = tuple[EntrantId, ...]


class LadderRefusal(StrEnum):
    """Why somebody may not challenge somebody."""

    NOT_IN_LADDER = "not_in_ladder"
    NOT_ABOVE = "not_above"
    TOO_FAR = "too_far"
    HAS_SENT = "has_sent"  # one challenge or game of one's own at a time
    HAS_RECEIVED = "has_received"  # the other is being challenged already
    ALREADY_PAIRED = "already_paired"  # the other has challenged the challenger
    BLOCKED = "blocked"


def check_challenge(
    order: Sequence[EntrantId],
    challenger: EntrantId,
    defender: EntrantId,
    *,
    running: Iterable[tuple[EntrantId, EntrantId]] = (),
    blocks: Blocks = frozenset(),
) -> LadderRefusal | None:
    """Return why a challenge is not possible, or None if it is.

    `running` are the challenges that are open or being played, as challenger and defender.
    """
    if challenger not in order or defender not in order:
        return LadderRefusal.NOT_IN_LADDER
    places_up = order.index(challenger) - order.index(defender)
    pairs = tuple(running)
    checks = (
        (places_up <= 0, LadderRefusal.NOT_ABOVE),
        (places_up > REACH, LadderRefusal.TOO_FAR),
        (frozenset((challenger, defender)) in blocks, LadderRefusal.BLOCKED),
        (any(one == challenger for one, _ in pairs), LadderRefusal.HAS_SENT),
        (any(other == defender for _, other in pairs), LadderRefusal.HAS_RECEIVED),
        ((defender, challenger) in pairs, LadderRefusal.ALREADY_PAIRED),
    )
    return next((refusal for applies, refusal in checks if applies), None)


def list_opponents(
    order: Sequence[EntrantId],
    challenger: EntrantId,
    *,
    running: Iterable[tuple[EntrantId, EntrantId]] = (),
    blocks: Blocks = frozenset(),
) -> Order:
    """Return whom somebody may challenge, the highest first."""
    pairs = tuple(running)
    return tuple(
        one for one in order if check_challenge(order, challenger, one, running=pairs, blocks=blocks) is None
    )


def is_unanswered(challenged_at: datetime, now: datetime) -> bool:
    """Return whether the time to answer a challenge is over."""
    return now - challenged_at >= TIME_TO_ANSWER


def apply_win(order: Sequence[EntrantId], winner: EntrantId, loser: EntrantId) -> Order:
    """Return the order after a game, or after a challenge without an answer.

    If the winner was below, it takes the loser's place, and those from there on go down by one; else nothing
    changes, as after a draw. If one of them has left meanwhile nothing changes either.
    """
    if winner not in order or loser not in order or order.index(winner) < order.index(loser):
        return tuple(order)
    rest = [one for one in order if one != winner]
    rest.insert(rest.index(loser), winner)
    return tuple(rest)


def list_idle(last_played: Mapping[EntrantId, datetime], now: datetime) -> frozenset[EntrantId]:
    """Return who has begun no game for 30 days: since the last one, since joining, or since going down."""
    return frozenset(one for one, at in last_played.items() if now - at >= TIME_TO_PLAY)


def drop_idle(order: Sequence[EntrantId], idle: Iterable[EntrantId]) -> Order:
    """Return the order after the idle ones went down by a tenth of the ladder, rounded up.

    The lowest go first, so that they do not overtake each other. An idle one below which are only idle ones
    keeps its place.
    """
    idle = frozenset(idle)
    result, distance = list(order), -(-len(order) // 10)
    for one in reversed(order):
        if one in idle:
            place = result.index(one)
            result.pop(place)
            behind = [index for index, other in enumerate(result) if index >= place and other not in idle]
            result.insert(min(place + distance, behind[-1] + 1) if behind else place, one)
    return tuple(result)
