"""What looks again and again at what time has brought reads what is due, and walks through no table."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

from matches import Interest, Matches, Pace, Terms
from storage import Store
from storage.tables import METADATA
from tests.matches.clocks.acts import DAY
from tests.matches.story import ALICE, BOB, CAROL, NOON, PLACE, SERVER, challenge, later, move, told

THREAD = "test:thread"
SMALL = {"service", "due", "(subquery-1)", "CONSTANT"}  # one row, or what is due by now
SCAN = re.compile(r"SCAN (?P<what>\S+)(?:.* INDEX (?P<index>\S+))?")


@contextmanager
def queries() -> Iterator[set[str]]:
    """Gather what is asked of any database while the block runs."""
    found: set[str] = set()

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if statement.startswith(("SELECT", "UPDATE", "WITH", "DELETE")):
            found.add(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield found
    event.remove(Engine, "before_cursor_execute", note)


def of_few_rows() -> set[str]:
    """Give the indexes that hold only rows which wait for something."""
    indexes = (index for table in METADATA.tables.values() for index in table.indexes)
    return {str(index.name) for index in indexes if index.dialect_options["sqlite"]["where"] is not None}


async def test_no_look_walks_through_a_table(sqlite_database: str) -> None:
    async with await Store.open(sqlite_database) as store:
        matches = Matches(store)
        made = await challenge(matches, to=BOB, options={"size": 9}, terms=Terms(pace=Pace.per_move(3 * DAY)))
        begun = await matches.accept(made.id, BOB, place=THREAD, now=NOON)
        await matches.threads.opened(THREAD, SERVER, PLACE, now=NOON)
        await matches.following.follow(begun.match.id, CAROL, Interest.DAILY, now=NOON)
        for turn in (begun, await move(matches, begun.match)):
            post = told(turn.announcement).id
            await matches.announced(post, f"post/{post}", now=NOON)
        await matches.clocks.begin_vacation(CAROL, now=NOON)
        await challenge(matches, by=CAROL, to=ALICE)
        with queries() as asked:
            assert await matches.threads.superseded(now=NOON)
            for now in (later(days=2.9), later(days=60)):
                assert await matches.reminders.remind(now=now) == (now < later(days=3))
                await matches.clocks.beat(now)
                await matches.clocks.tick(now)
                await matches.lapse(now=now)
                await matches.following.digest(now=now)
                await matches.conditionals.notices(now=now)
                assert await matches.unannounced(now=now)
                await matches.threads.done(now=now)
        async with store.reading() as connection:
            for query in asked:
                plan = await connection.exec_driver_sql(
                    f"EXPLAIN QUERY PLAN {query}", (None,) * query.count("?")
                )
                scans = [scan for scan in (SCAN.match(row.detail) for row in plan) if scan is not None]
                walked = [scan for scan in scans if scan["what"] not in SMALL]
                assert {scan["index"] for scan in walked} <= of_few_rows(), query
