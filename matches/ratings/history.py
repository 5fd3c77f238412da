"""The rating steps of a game: appended when matches end, recomputed when a result changes.

A step is one player's part in a rated match. A writer locks the game's counter, so that steps are written one
after the other and their numbers are their order. If the result of a match is corrected or voided, its steps
stay with another score or with none, and all later steps are computed again, so that the change also reaches
the ratings of later opponents.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from matches.ratings.glicko import Rating, decay, time_until_deviation, update_rating
from matches.ratings.values import PROVISIONAL_DEVIATION, decode_rating, encode_rating
from storage import ratings
from storage.ratings import RatingRow, RatingStepRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from storage import Connection

Scores = tuple[int, int]
"""Half points of the first and of the second person of a match: (2, 0), (1, 1) or (0, 2)."""

_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """What matters of a match to ratings: game, server, players, and when it ended (milliseconds)."""

    match: int
    game: str
    server: str
    people: tuple[str, str]
    now: int


@dataclass(frozen=True, slots=True)
class PastRating:
    """A person's rating right after their last rated match, and when that was."""

    rating: Rating
    rated_at: int

    def at_time(self, now: int) -> Rating:
        """Return the rating at a later time."""
        return decay(self.rating, max(now - self.rated_at, 0) * _MILLISECOND)


async def append_match(connection: Connection, match: RatedMatch, scores: Scores) -> None:
    """Append the steps of a match that has just ended, and save the new ratings."""
    number = await ratings.lock_game(connection, match.game, increment=1)
    rows = {row.person: row for row in await ratings.get(connection, match.game, match.people)}
    known = {account: _past_rating(row) for account, row in rows.items()}
    steps = [
        RatingStepRow(match.game, number, one, match.match, other, score, match.server, match.now, 0, 0, 0)
        for one, other, score in _by_person(match.people, scores)
    ]
    steps = _compute_pair(steps, known)
    await ratings.add_steps(connection, steps)
    counts = {account: row.played for account, row in rows.items()}
    await ratings.save(connection, [_rating_row(step, counts.get(step.person, 0) + 1) for step in steps])


async def recompute(connection: Connection, match: RatedMatch, scores: Scores | None) -> None:
    """Set the scores of a match (None: unrated) and recompute every later step of the game.

    A match without steps is appended as if it had ended now. Does nothing if nothing changes.
    """
    await ratings.lock_game(connection, match.game)
    old = await ratings.list_steps_of_match(connection, match.match)
    if not old:
        if scores is not None:
            await append_match(connection, match, scores)
        return
    new_scores = (
        dict.fromkeys(match.people) if scores is None else dict(zip(match.people, scores, strict=True))
    )
    if all(step.score == new_scores[step.person] for step in old):
        return
    later = await ratings.list_steps_from(connection, match.game, old[0].number)
    rescored = [
        replace(step, score=new_scores[step.person]) if step.match == match.match else step for step in later
    ]
    people = {step.person for step in rescored}
    before = await ratings.list_last_steps_before(connection, match.game, old[0].number, people)
    known = {step.person: _rating_after(step) for step in before}
    recomputed = _recompute_steps(rescored, known)
    changed = [new for new, stored in zip(recomputed, later, strict=True) if new != stored]
    await ratings.update_steps(connection, changed)
    await _save_ratings(connection, match.game, {step.person for step in changed})


async def find_difference(connection: Connection, game: str) -> str | None:
    """Replay the rating steps of a game; return where the stored ones first differ, or None."""
    stored = await ratings.list_steps_from(connection, game)
    for new, old in zip(_recompute_steps(stored, {}), stored, strict=True):
        if new != old:
            return f"step {old.number} of {old.person}: stored {old}, replayed {new}"
    counted_steps = _counted_by_person(stored)
    stored_ratings = {
        row.person: row for row in await ratings.get(connection, game, {step.person for step in stored})
    }
    expected = {person: _rating_row(steps[-1], len(steps)) for person, steps in counted_steps.items()}
    return next(
        (
            f"rating of {person}: stored {stored_ratings.get(person)}, replayed {expected.get(person)}"
            for person in sorted(stored_ratings.keys() | expected.keys())
            if stored_ratings.get(person) != expected.get(person)
        ),
        None,
    )


async def _save_ratings(connection: Connection, game: str, people: Iterable[str]) -> None:
    """Save each person's rating after their last counted step."""
    counted = {person: await ratings.list_counted_steps(connection, person, game) for person in people}
    await ratings.save(
        connection, [_rating_row(steps[-1], len(steps)) for steps in counted.values() if steps]
    )
    unrated = {person for person, steps in counted.items() if not steps}
    if unrated:
        await ratings.remove(connection, game, unrated)


def _recompute_steps(steps: Sequence[RatingStepRow], known: Mapping[str, PastRating]) -> list[RatingStepRow]:
    """Recompute steps in order, starting from the ratings before the first."""
    current, recomputed = dict(known), list[RatingStepRow]()
    for _, pair in groupby(steps, key=lambda step: step.number):
        computed = _compute_pair(list(pair), current)
        current |= {step.person: _rating_after(step) for step in computed if step.score is not None}
        recomputed += computed
    return recomputed


def _compute_pair(pair: Sequence[RatingStepRow], known: Mapping[str, PastRating]) -> list[RatingStepRow]:
    """Return the two steps of a match; without scores the ratings stay as they were."""
    before = {step.person: known.get(step.person, PastRating(Rating(), step.made_at)) for step in pair}
    computed = []
    for step in pair:
        after = before[step.person].rating
        if step.score is not None:
            own, opponent = (before[who].at_time(step.made_at) for who in (step.person, step.opponent))
            after = update_rating(own, [(opponent, step.score / 2)])
        rating, deviation, volatility = encode_rating(after)
        computed.append(replace(step, rating=rating, deviation=deviation, volatility=volatility))
    return computed


def _by_person(people: tuple[str, str], scores: Scores) -> Iterable[tuple[str, str, int]]:
    return zip(people, reversed(people), scores, strict=True)


def _counted_by_person(steps: Iterable[RatingStepRow]) -> dict[str, list[RatingStepRow]]:
    counted: dict[str, list[RatingStepRow]] = {}
    for step in steps:
        if step.score is not None:
            counted.setdefault(step.person, []).append(step)
    return counted


def _past_rating(row: RatingRow) -> PastRating:
    return PastRating(decode_rating(row.rating, row.deviation, row.volatility), row.rated_at)


def _rating_after(step: RatingStepRow) -> PastRating:
    return PastRating(decode_rating(step.rating, step.deviation, step.volatility), step.made_at)


def _rating_row(step: RatingStepRow, played: int) -> RatingRow:
    """Return the rating after the last counted step."""
    duration = time_until_deviation(_rating_after(step).rating, PROVISIONAL_DEVIATION) // _MILLISECOND
    return RatingRow(
        person=step.person,
        game=step.game,
        rating=step.rating,
        deviation=step.deviation,
        volatility=step.volatility,
        rated_at=step.made_at,
        played=played,
        settled_until=step.made_at + duration if duration else 0,
    )
