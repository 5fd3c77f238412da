"""Queries that run periodically use indexes and scan no table."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

from matches import FollowMode, Matches, Terms, TimeControl
from storage import Database
from storage.tables import METADATA
from tests.matches.clocks.scenario import DAY
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    NOON,
    SERVER,
    later,
    make_challenge,
    play_move,
    require_announcement,
)

THREAD = "test:thread"
ONE_ROW_TABLES = {"service", "due", "(subquery-1)", "CONSTANT"}  # one row, or only due rows
SCAN = re.compile(r"SCAN (?P<what>\S+)(?:.* INDEX (?P<index>\S+))?")


@contextmanager
def recorded_queries() -> Iterator[set[str]]:
    """Record the queries to any database inside this context."""
    found: set[str] = set()

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if statement.startswith(("SELECT", "UPDATE", "WITH", "DELETE")):
            found.add(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield found
    event.remove(Engine, "before_cursor_execute", note)


def partial_indexes() -> set[str]:
    """Return the partial indexes, which contain only rows with something due."""
    indexes = (index for table in METADATA.tables.values() for index in table.indexes)
    return {str(index.name) for index in indexes if index.dialect_options["sqlite"]["where"] is not None}


async def test_no_periodic_query_scans_a_table(sqlite_url: str) -> None:
    async with await Database.open(sqlite_url) as database:
        matches = Matches(database)
        made = await make_challenge(
            matches, to=BOB, options={"size": 9}, terms=Terms(time_control=TimeControl.per_move(3 * DAY))
        )
        begun = await matches.challenges.accept(made.id, BOB, channel=THREAD, now=NOON)
        await matches.threads.record_opened(THREAD, SERVER, CHANNEL, now=NOON)
        await matches.following.follow(begun.match.id, CAROL, FollowMode.DAILY, now=NOON)
        for update in (begun, await play_move(matches, begun.match)):
            post = require_announcement(update.announcement).id
            await matches.announcements.mark_sent(post, f"post/{post}", now=NOON)
        await matches.clocks.begin_vacation(CAROL, now=NOON)
        await make_challenge(matches, by=CAROL, to=ALICE)
        with recorded_queries() as asked:
            assert await matches.threads.list_superseded(now=NOON)
            for now in (later(days=2.9), later(days=60)):
                assert await matches.reminders.remind(now=now) == (now < later(days=3))
                await matches.clocks.heartbeat(now)
                await matches.clocks.tick(now)
                await matches.challenges.expire(now=now)
                await matches.following.announce_digests(now=now)
                await matches.conditionals.claim_notices(now=now)
                assert await matches.announcements.claim_due(now=now)
                await matches.threads.list_finished(now=now)
                await matches.places.record_contact(ALICE.account, now=now)
            assert await matches.places.list_used()
        async with database.read() as connection:
            for query in asked:
                plan = await connection.exec_driver_sql(
                    f"EXPLAIN QUERY PLAN {query}", (None,) * query.count("?")
                )
                scans = [scan for scan in (SCAN.match(row.detail) for row in plan) if scan is not None]
                walked = [scan for scan in scans if scan["what"] not in ONE_ROW_TABLES]
                assert {scan["index"] for scan in walked} <= partial_indexes(), query


async def test_leaderboard_reads_one_index_for_each_person(sqlite_url: str) -> None:
    async with await Database.open(sqlite_url) as database:
        matches = Matches(database)
        with recorded_queries() as asked:
            await matches.ratings.leaderboard(SERVER, "morelli", now=NOON)
        async with database.read() as connection:
            plans = [
                await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", (None,) * query.count("?"))
                for query in asked
            ]
            steps = [row[-1] for plan in plans for row in plan if "rating_steps" in row[-1]]
    columns = "(server=? AND game=? AND person=? AND score>?)"
    assert set(steps) == {f"SEARCH rating_steps USING COVERING INDEX ix_rating_steps_leaders {columns}"}
