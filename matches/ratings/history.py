"""The steps of a game's ratings, written with the ends of matches, and replayed where a result changes.

A step is one person's part in a rated match. Whoever writes one holds the game's count, so steps are written
one after the other and their numbers are their order. If the result of a match is corrected or taken back,
its steps are kept with another score or with none, and all later ones are computed again: every opponent's
rating that followed from the wrong one follows from the right one then.
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
    """What of a match matters to ratings: where and when it ended, and who played."""

    match: int
    game: str
    server: str
    people: tuple[str, str]
    now: int


@dataclass(frozen=True, slots=True)
class PastRating:
    """What is known of a person: a rating as it was right after the last match, and when that was."""

    rating: Rating
    rated_at: int

    def at_time(self, now: int) -> Rating:
        """Return the rating as it is by now."""
        return decay(self.rating, max(now - self.rated_at, 0) * _MILLISECOND)


async def append_match(connection: Connection, match: RatedMatch, scores: Scores) -> None:
    """Write the steps of a match that has just ended, and the ratings after it."""
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
    """Make the steps of a match say these scores, or None: that it does not count; all that follows follows.

    A match without steps is entered as if it had ended now. Does nothing where nothing changes.
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
    """Replay a game's ratings from the first step and say where what is stored differs, if anywhere."""
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
    """Write the ratings of people as the last of their steps that count say."""
    counted = {person: await ratings.list_counted_steps(connection, person, game) for person in people}
    await ratings.save(
        connection, [_rating_row(steps[-1], len(steps)) for steps in counted.values() if steps]
    )
    gone = {person for person, steps in counted.items() if not steps}
    if gone:
        await ratings.remove(connection, game, gone)


def _recompute_steps(steps: Sequence[RatingStepRow], known: Mapping[str, PastRating]) -> list[RatingStepRow]:
    """Compute steps anew, in order, from what was known before the first."""
    current, recomputed = dict(known), list[RatingStepRow]()
    for _, pair in groupby(steps, key=lambda step: step.number):
        computed = _compute_pair(list(pair), current)
        current |= {step.person: _rating_after(step) for step in computed if step.score is not None}
        recomputed += computed
    return recomputed


def _compute_pair(pair: Sequence[RatingStepRow], known: Mapping[str, PastRating]) -> list[RatingStepRow]:
    """Return the two steps of a match with the ratings after it; without scores they are as they were."""
    before = {step.person: known.get(step.person, PastRating(Rating(), step.made_at)) for step in pair}
    computed = []
    for step in pair:
        after = before[step.person].rating
        if step.score is not None:
            mine, other = (before[who].at_time(step.made_at) for who in (step.person, step.opponent))
            after = update_rating(mine, [(other, step.score / 2)])
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
    """Return the rating that follows from the last step that counts."""
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
