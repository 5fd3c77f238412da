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

from matches.ratings.glicko import Rating, rated, rest_until, rested
from matches.ratings.values import SETTLED, read_rating, write_rating
from storage import ratings
from storage.ratings import RatingRow, StepRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from storage import Connection

Scores = tuple[int, int]
"""Half points of the first and of the second person of a match: (2, 0), (1, 1) or (0, 2)."""

_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Rateable:
    """What of a match matters to ratings: where and when it ended, and who played."""

    match: int
    game: str
    server: str
    people: tuple[str, str]
    now: int


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a person: a rating as it was right after the last match, and when that was."""

    rating: Rating
    at: int

    def now(self, now: int) -> Rating:
        """Give the rating as it is by now."""
        return rested(self.rating, max(now - self.at, 0) * _MILLISECOND)


async def enter(connection: Connection, end: Rateable, scores: Scores) -> None:
    """Write the steps of a match that has just ended, and the ratings after it."""
    number = await ratings.hold(connection, end.game, more=1)
    rows = {row.person: row for row in await ratings.get(connection, end.game, end.people)}
    known = {account: _known(row) for account, row in rows.items()}
    steps = [
        StepRow(end.game, number, one, end.match, other, score, end.server, end.now, 0, 0, 0)
        for one, other, score in _parts(end.people, scores)
    ]
    steps = _computed(steps, known)
    await ratings.add_steps(connection, steps)
    counts = {account: row.played for account, row in rows.items()}
    await ratings.put(connection, [_rating(step, counts.get(step.person, 0) + 1) for step in steps])


async def revise(connection: Connection, end: Rateable, scores: Scores | None) -> None:
    """Make the steps of a match say these scores, or None: that it does not count; all that follows follows.

    A match without steps is entered as if it had ended now. Does nothing where nothing changes.
    """
    await ratings.hold(connection, end.game)
    old = await ratings.of_match(connection, end.match)
    if not old:
        if scores is not None:
            await enter(connection, end, scores)
        return
    wanted = dict.fromkeys(end.people) if scores is None else dict(zip(end.people, scores, strict=True))
    if all(step.score == wanted[step.person] for step in old):
        return
    later = await ratings.since(connection, end.game, old[0].number)
    told = [replace(step, score=wanted[step.person]) if step.match == end.match else step for step in later]
    people = {step.person for step in told}
    before = await ratings.before(connection, end.game, old[0].number, people)
    known = {step.person: _known_after(step) for step in before}
    fresh = _replayed(told, known)
    changed = [new for new, stored in zip(fresh, later, strict=True) if new != stored]
    await ratings.change_steps(connection, changed)
    await _settle(connection, end.game, {step.person for step in changed})


async def difference(connection: Connection, game: str) -> str | None:
    """Replay a game's ratings from the first step and say where what is stored differs, if anywhere."""
    stored = await ratings.since(connection, game)
    for new, old in zip(_replayed(stored, {}), stored, strict=True):
        if new != old:
            return f"step {old.number} of {old.person}: stored {old}, replayed {new}"
    counted = _counted(stored)
    kept = {row.person: row for row in await ratings.get(connection, game, {step.person for step in stored})}
    wanted = {person: _rating(steps[-1], len(steps)) for person, steps in counted.items()}
    return next(
        (
            f"rating of {person}: stored {kept.get(person)}, replayed {wanted.get(person)}"
            for person in sorted(kept.keys() | wanted.keys())
            if kept.get(person) != wanted.get(person)
        ),
        None,
    )


async def _settle(connection: Connection, game: str, people: Iterable[str]) -> None:
    """Write the ratings of people as the last of their steps that count say."""
    counted = {person: await ratings.course(connection, person, game) for person in people}
    await ratings.put(connection, [_rating(steps[-1], len(steps)) for steps in counted.values() if steps])
    gone = {person for person, steps in counted.items() if not steps}
    if gone:
        await ratings.remove(connection, game, gone)


def _replayed(steps: Sequence[StepRow], known: Mapping[str, Known]) -> list[StepRow]:
    """Compute steps anew, in order, from what was known before the first."""
    now, fresh = dict(known), list[StepRow]()
    for _, pair in groupby(steps, key=lambda step: step.number):
        made = _computed(list(pair), now)
        now |= {step.person: _known_after(step) for step in made if step.score is not None}
        fresh += made
    return fresh


def _computed(pair: Sequence[StepRow], known: Mapping[str, Known]) -> list[StepRow]:
    """Give the two steps of a match with the ratings after it; without scores they are as they were."""
    before = {step.person: known.get(step.person, Known(Rating(), step.made_at)) for step in pair}
    made = []
    for step in pair:
        after = before[step.person].rating
        if step.score is not None:
            mine, other = (before[who].now(step.made_at) for who in (step.person, step.opponent))
            after = rated(mine, [(other, step.score / 2)])
        rating, deviation, volatility = write_rating(after)
        made.append(replace(step, rating=rating, deviation=deviation, volatility=volatility))
    return made


def _parts(people: tuple[str, str], scores: Scores) -> Iterable[tuple[str, str, int]]:
    return zip(people, reversed(people), scores, strict=True)


def _counted(steps: Iterable[StepRow]) -> dict[str, list[StepRow]]:
    counted: dict[str, list[StepRow]] = {}
    for step in steps:
        if step.score is not None:
            counted.setdefault(step.person, []).append(step)
    return counted


def _known(row: RatingRow) -> Known:
    return Known(read_rating(row.rating, row.deviation, row.volatility), row.rated_at)


def _known_after(step: StepRow) -> Known:
    return Known(read_rating(step.rating, step.deviation, step.volatility), step.made_at)


def _rating(step: StepRow, played: int) -> RatingRow:
    """Give the rating that follows from the last step that counts."""
    rest = rest_until(_known_after(step).rating, SETTLED) // _MILLISECOND
    return RatingRow(
        person=step.person,
        game=step.game,
        rating=step.rating,
        deviation=step.deviation,
        volatility=step.volatility,
        rated_at=step.made_at,
        played=played,
        settled_until=step.made_at + rest if rest else 0,
    )
