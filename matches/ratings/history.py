"""The rating steps of a game: appended when matches end, recomputed when a result changes.

A step is one player's part in a rated match. A writer locks the game's counter, so that steps are written one
after the other and their numbers are their order. If the result of a match is corrected or voided, its steps
stay with another score or with none, and all later steps are computed again, so that the change also reaches
the ratings of later opponents. That is done in batches, each in a transaction of its own: the game's counter
says from which step on (`stale_from`). All steps before that are right, and so are the ratings that they led
to. A match that ends meanwhile is appended as always, and its steps are computed again in their turn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from matches.computer.accounts import is_computer, without_computers
from matches.ratings.glicko import Rating, decay, time_until_deviation, update_rating
from matches.ratings.values import PROVISIONAL_DEVIATION, decode_rating, encode_rating
from storage.match import ratings
from storage.match.ratings import RatingGameRow, RatingRow, RatingStepRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from storage import Connection

Scores = tuple[int, int]
"""Half points of the first and of the second person of a match: (2, 0), (1, 1) or (0, 2)."""

BATCH_SIZE = 100
"""Matches that one transaction computes again."""

AUDIT_PAGE_SIZE = 1000
"""Rows that the audit reads at once."""

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


async def append_match(
    connection: Connection, match: RatedMatch, scores: Scores, fixed: Mapping[str, Rating]
) -> None:
    """Append the steps of a match that has just ended, and save the new ratings.

    `fixed` are the ratings of the computer's accounts, which no match changes.
    """
    number = (await ratings.lock_game(connection, match.game, increment=1)).last
    rows = {row.person: row for row in await ratings.get(connection, match.game, match.people)}
    known = {account: _past_rating(row) for account, row in rows.items()}
    steps = [
        RatingStepRow(
            *(match.game, number, one, match.match, other, score, match.server, match.now),
            *encode_rating(fixed.get(one, Rating())),
        )
        for one, other, score in zip(match.people, reversed(match.people), scores, strict=True)
    ]
    steps = _compute_pair(steps, known)
    await ratings.add_steps(connection, steps)
    counts = {account: row.played for account, row in rows.items()}
    await ratings.save(
        connection,
        [rating_row(step, counts.get(step.person, 0) + 1) for step in steps if not is_computer(step.person)],
    )


async def rescore(
    connection: Connection, match: RatedMatch, scores: Scores | None, fixed: Mapping[str, Rating]
) -> None:
    """Set the scores of a match (None: unrated), and compute the first batch of later steps again.

    The remaining batches are left to :func:`recompute_batch`. A match without steps is appended as if it had
    ended now. Does nothing if nothing changes.
    """
    await ratings.lock_game(connection, match.game)
    old = await ratings.list_steps_of_match(connection, match.match)
    if not old:
        if scores is not None:
            await append_match(connection, match, scores, fixed)
        return
    new_scores = (
        dict.fromkeys(match.people) if scores is None else dict(zip(match.people, scores, strict=True))
    )
    if all(step.score == new_scores[step.person] for step in old):
        return
    await ratings.update_steps(connection, [replace(step, score=new_scores[step.person]) for step in old])
    await recompute_from(connection, match.game, old[0].number)


async def recompute_from(connection: Connection, game: str, number: int) -> None:
    """Compute the first batch of steps from a number on again; :func:`recompute_batch` does the others."""
    counter = await ratings.lock_game(connection, game)
    stale_from = number if counter.stale_from is None else min(counter.stale_from, number)
    await ratings.set_stale_from(connection, game, stale_from)
    await recompute_batch(connection, game)


async def recompute_batch(connection: Connection, game: str) -> bool:
    """Compute the next steps that a correction made stale; return whether more are left."""
    counter = await ratings.lock_game(connection, game)
    if counter.stale_from is None:
        return False
    until = counter.stale_from + BATCH_SIZE
    stored = await ratings.list_steps(connection, game, counter.stale_from, until)
    people = {step.person for step in stored}
    earlier = await ratings.list_last_steps_before(connection, game, counter.stale_from, people)
    recomputed = recompute_steps(stored, {step.person: _rating_after(step) for step in earlier})
    changed = [new for new, old in zip(recomputed, stored, strict=True) if new != old]
    await ratings.update_steps(connection, changed)
    await _save_ratings(connection, game, people, [*earlier, *recomputed])
    more = until <= counter.last
    await ratings.set_stale_from(connection, game, until if more else None)
    return more


async def find_difference(connection: Connection, game: RatingGameRow) -> str | None:
    """Replay the rating steps of a game; return where the stored ones first differ, or None.

    Steps and ratings that still have to be recomputed are left out.
    """
    last: dict[str, RatingRow] = {}
    end = game.last + 1 if game.stale_from is None else game.stale_from
    for first in range(0, end, AUDIT_PAGE_SIZE):
        stored = await ratings.list_steps(connection, game.game, first, min(first + AUDIT_PAGE_SIZE, end))
        known = {
            person: _past_rating(last[person]) for person in {step.person for step in stored} & last.keys()
        }
        for new, old in zip(recompute_steps(stored, known), stored, strict=True):
            if new != old:
                return f"step {old.number} of {old.person}: stored {old}, replayed {new}"
            if old.score is not None and not is_computer(old.person):
                played = last[old.person].played if old.person in last else 0
                last[old.person] = rating_row(old, played + 1)
    return None if game.stale_from is not None else await _find_rating_difference(connection, game.game, last)


async def _find_rating_difference(
    connection: Connection, game: str, expected: dict[str, RatingRow]
) -> str | None:
    """Compare the stored ratings of a game with those that its steps led to."""
    remaining, after = dict(expected), ""
    while page := await ratings.list_ratings(connection, game, after, AUDIT_PAGE_SIZE):
        for row in page:
            replayed = remaining.pop(row.person, None)
            if row != replayed:
                return f"rating of {row.person}: stored {row}, replayed {replayed}"
        after = page[-1].person
    return next(
        (f"rating of {person}: stored None, replayed {remaining[person]}" for person in remaining), None
    )


async def _save_ratings(
    connection: Connection, game: str, people: set[str], steps: Iterable[RatingStepRow]
) -> None:
    """Save the ratings of those of some persons whose last counted step is one of `steps`, in order."""
    people = set(without_computers(people))
    last = {(step.person, step.number): step for step in steps if step.score is not None}
    played = await ratings.count_played(connection, game, people)
    final = [last[key] for person, (_, number) in played.items() if (key := (person, number)) in last]
    await ratings.save(connection, [rating_row(step, played[step.person][0]) for step in final])
    if unrated := people - played.keys():
        await ratings.remove(connection, game, unrated)


def recompute_steps(steps: Sequence[RatingStepRow], known: Mapping[str, PastRating]) -> list[RatingStepRow]:
    """Recompute steps in order, starting from the ratings before the first."""
    current, recomputed = dict(known), list[RatingStepRow]()
    for _, pair in groupby(steps, key=lambda step: step.number):
        computed = _compute_pair(list(pair), current)
        current |= {step.person: _rating_after(step) for step in computed if step.score is not None}
        recomputed += computed
    return recomputed


def _compute_pair(pair: Sequence[RatingStepRow], known: Mapping[str, PastRating]) -> list[RatingStepRow]:
    """Return the two steps of a match; without scores the ratings stay as they were.

    A step of the computer holds the rating that its level had then, which no match changes.
    """
    before = {step.person: known.get(step.person, PastRating(Rating(), step.made_at)) for step in pair}
    before |= {step.person: _rating_after(step) for step in pair if is_computer(step.person)}
    computed = []
    for step in pair:
        after = before[step.person].rating
        if step.score is not None and not is_computer(step.person):
            own, opponent = (before[who].at_time(step.made_at) for who in (step.person, step.opponent))
            after = update_rating(own, [(opponent, step.score / 2)])
        rating, deviation, volatility = encode_rating(after)
        computed.append(replace(step, rating=rating, deviation=deviation, volatility=volatility))
    return computed


def _past_rating(row: RatingRow) -> PastRating:
    return PastRating(decode_rating(row.rating, row.deviation, row.volatility), row.rated_at)


def _rating_after(step: RatingStepRow) -> PastRating:
    return PastRating(decode_rating(step.rating, step.deviation, step.volatility), step.made_at)


def rating_row(step: RatingStepRow, played: int) -> RatingRow:
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
