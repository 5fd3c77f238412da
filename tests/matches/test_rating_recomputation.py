"""A corrected result is committed at once; the ratings that follow from it are computed later, in batches."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Engine, event

from engine.game import Outcome
from matches import Matches, MatchId
from matches.ratings.history import BATCH_SIZE
from storage import Database
from tests.matches.long_season import AFTERWARDS, PLAYERS, all_ratings, store_season
from tests.matches.scenario import CAROL, SERVER
from tests.matches.test_ratings import play_won_match
from tests.processes import run_script

LENGTH = 2 * BATCH_SIZE + 20  # matches; a correction of the first leaves two batches to do
Season = list[MatchId]


@contextmanager
def largest_statement() -> Iterator[Counter[str]]:
    """Record the largest number of arguments and of rows of one statement, and the statements in all."""
    found: Counter[str] = Counter()

    def note(
        _connection: Any, _cursor: Any, _statement: str, parameters: Any, _context: Any, many: Any
    ) -> None:
        rows = parameters if many else [parameters]
        found["arguments"] = max(found["arguments"], *(len(row) for row in rows))
        found["rows"] = max(found["rows"], len(rows))
        found["statements"] += 1

    event.listen(Engine, "before_cursor_execute", note)
    yield found
    event.remove(Engine, "before_cursor_execute", note)


async def correct(matches: Matches, match: MatchId, outcome: Outcome | None) -> None:
    await matches.corrections.correct(match, CAROL, outcome, reason="a test", server=SERVER, now=AFTERWARDS)


async def result_of(matches: Matches, match: MatchId) -> Outcome | None:
    result = (await matches.view(match, now=AFTERWARDS)).result
    assert result is not None
    return result.outcome


async def recompute_all(*matches: Matches) -> None:
    async def finish(one: Matches) -> None:
        while await one.ratings.recompute(batches=1):
            continue

    await asyncio.gather(*(finish(one) for one in matches))


@pytest.fixture
async def season(database: Database) -> Season:
    return await store_season(database, LENGTH)


@pytest.mark.long
async def test_correction_of_an_old_match_is_short_and_all_ratings_follow(
    matches: Matches, season: Season, database: Database
) -> None:
    before, right = await all_ratings(database), await result_of(matches, season[0])
    with largest_statement() as correction:
        await correct(matches, season[0], None)
    assert correction["rows"] <= 2 * BATCH_SIZE
    assert correction["statements"] < 40
    assert await result_of(matches, season[0]) is None
    assert await matches.ratings.list_recomputing() == ("morelli",)
    assert (await matches.ratings.leaderboard(SERVER, "morelli", now=AFTERWARDS)).is_recomputing
    assert await matches.ratings.audit() == {}
    with largest_statement() as recomputation:
        assert await matches.ratings.recompute(batches=1)
    assert recomputation["rows"] <= 2 * BATCH_SIZE
    assert recomputation["arguments"] <= 2 * BATCH_SIZE + 20
    await recompute_all(matches)
    assert await matches.ratings.list_recomputing() == ()
    assert not (await matches.ratings.leaderboard(SERVER, "morelli", now=AFTERWARDS)).is_recomputing
    assert await matches.ratings.audit() == {}
    assert await all_ratings(database) != before
    await correct(matches, season[0], right)
    await recompute_all(matches)
    assert await all_ratings(database) == before


@pytest.mark.long
async def test_recomputation_survives_a_kill_and_what_happens_meanwhile(
    matches: Matches, other_matches: Matches, season: Season, database: Database, database_url: str
) -> None:
    before = await all_ratings(database)
    right = {match: await result_of(matches, match) for match in (season[0], season[BATCH_SIZE // 2])}
    first, second = right
    await correct(matches, first, None)
    async with run_script("tests.matches.long_season", database_url) as other:
        assert await other.read_line() == "committed"
        await other.kill()
    assert await matches.ratings.list_recomputing() == ("morelli",)
    await correct(matches, second, None)
    ended = await play_won_match(matches, *PLAYERS[:2], now=AFTERWARDS)
    await recompute_all(matches, other_matches)
    assert await matches.ratings.list_recomputing() == ()
    assert await matches.ratings.audit() == {}
    assert await all_ratings(database) != before
    await correct(matches, ended, None)
    for match, outcome in right.items():
        await correct(matches, match, outcome)
    await recompute_all(matches, other_matches)
    assert await all_ratings(database) == before
