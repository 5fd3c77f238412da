"""Databases of earlier revisions, kept as rows: ``python -m tests.matches.revisions`` makes a new one.

When a migration is about to be added, run it once before, and commit the file: it holds
matches in every state, written by the code of the revision that its name tells.
"""

import asyncio
import json
import sys
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, insert, select, text

from engine.game import Outcome, Side
from matches import ChallengeStep, Interest, Matches, OfferKind, Pace, Person, Terms
from storage import Store
from storage.migration import MIGRATIONS
from tests.matches.story import (
    ALICE,
    BOB,
    CAROL,
    FISTS,
    FREE,
    NOON,
    PLACE,
    SERVER,
    begin,
    challenge,
    later,
    legal,
    move,
    mover,
    play_out,
)

DAVE = Person("test:dave", "Dave")
KEPT = Path(__file__).with_name("kept")
Rows = dict[str, list[dict[str, Any]]]


async def fill(matches: Matches) -> None:
    """Bring about every state of challenges, matches, offers and announcements."""
    await challenge(matches)
    await matches.decline((await challenge(matches, to=BOB)).id, BOB, now=NOON)
    await matches.withdraw((await challenge(matches, to=CAROL)).id, ALICE, now=NOON)
    await play_out(matches, await begin(matches))
    await matches.pick((await begin(matches, FISTS)).id, BOB, "LR", now=NOON)
    revealed = await begin(matches, FISTS)
    await matches.pick(revealed.id, ALICE, "LR", now=NOON)
    await matches.pick(revealed.id, BOB, "LR", now=NOON)
    within_run = (await move(matches, await begin(matches, FREE))).match
    await matches.play(within_run.id, mover(within_run), [legal(within_run)], now=NOON)
    random = await move(matches, await begin(matches, {"edition": "2015", "size": 11}))
    await matches.offer_end(random.match.id, ALICE, now=NOON)
    agreed = await begin(matches)
    await matches.offer_end(agreed.id, ALICE, now=NOON)
    await matches.answer_end(agreed.id, BOB, accept=True, now=NOON)
    await matches.resign((await begin(matches, FISTS)).id, BOB, now=NOON)
    swapped = (await move(matches, await begin(matches, {"size": 5}, game="morphos"), "C3")).match
    await move(matches, (await move(matches, swapped, "swap")).match)
    placed = (await move(matches, await begin(matches, {}, game="morabaraba"))).match
    line = (("G7",), ("D3",), ("D5",), ("B2",))
    await matches.conditionals.keep(placed.id, ALICE, line, seen_ply=1, now=NOON)
    await matches.notes.write(placed.id, ALICE, "Hold the corner.", now=NOON)
    kept = await matches.import_record(
        (await matches.record(random.match.id, now=NOON)).encode(), CAROL, server=SERVER, now=NOON
    )
    if kept.record is not None:
        step = await matches.challenge_from(
            kept.record, CAROL, to=BOB, server=SERVER, place=PLACE, colour=Side.BLACK, now=NOON
        )
        await move(matches, (await matches.accept(step.challenge.id, BOB, now=NOON)).match)
    await _make_offers(matches)
    await _run_clocks(matches)
    await _settle_order(matches)
    await matches.people.change(BOB, every=1, quiet="22-7", zone="Europe/Lisbon", now=NOON)
    for interest, view in zip(Interest, (random.match, swapped, within_run), strict=True):
        await matches.following.follow(view.id, CAROL, interest, now=NOON)
    await matches.reminders.remind(now=later(days=2))
    for row in await matches.unannounced(now=later(minutes=1), limit=9):
        await matches.announced(row.id, f"test:post/{row.id}", now=later(minutes=1))


async def _make_offers(matches: Matches) -> None:
    """Bring about a draw on offer, moves taken back, a match given up early, and a rematch declined."""
    drawish = await begin(matches, {}, game="morabaraba")
    await matches.offers.make(drawish.id, BOB, OfferKind.DRAW, now=NOON)
    regretted = (await move(matches, (await move(matches, await begin(matches))).match)).match
    asked = await matches.offers.make(regretted.id, ALICE, OfferKind.TAKEBACK, now=NOON)
    if asked.match.standing is not None:
        await matches.offers.answer(asked.match.standing.id, BOB, accept=True, now=NOON)
    aborted = await begin(matches)
    await matches.offers.abort(aborted.id, BOB, now=NOON)
    again = await matches.offers.rematch(aborted.id, ALICE, server=SERVER, place=PLACE, now=NOON)
    if isinstance(again, ChallengeStep):
        await matches.decline(again.challenge.id, BOB, now=NOON)


async def _run_clocks(matches: Matches) -> None:
    """Bring about every state of clocks: two that run, one that stands, one that is over, and a vacation."""
    terms = Terms(pace=Pace(timedelta(days=2), timedelta(days=1), timedelta(days=3)))
    await begin(matches, terms=terms, to=CAROL)
    await matches.clocks.tick(now=later(days=2))
    await begin(matches, terms=terms, now=later(days=2))
    fists = await begin(matches, FISTS, terms=terms, now=later(days=2))
    await matches.pick(fists.id, BOB, "LL", now=later(days=2))
    paused = await begin(matches, terms=terms, now=later(days=2))
    await matches.clocks.offer_pause(paused.id, ALICE, now=later(days=2))
    await matches.clocks.answer_pause(paused.id, BOB, accept=True, now=later(days=2))
    offered = await begin(matches, terms=terms, now=later(days=2))
    await matches.clocks.offer_pause(offered.id, BOB, now=later(days=2))
    await matches.clocks.begin_vacation(CAROL, now=later(days=2))


async def _settle_order(matches: Matches) -> None:
    """Settle the order of a server: its settings, a thread, blocks, and a corrected result."""
    await matches.servers.use_threads(SERVER, CAROL, on=True, now=NOON)
    await matches.threads.opened("test:thread", SERVER, PLACE, now=NOON)
    await matches.blocks.keep_out(SERVER, DAVE, CAROL, now=NOON)
    await matches.blocks.block(DAVE, ALICE, now=NOON)
    ended = await matches.resign((await begin(matches, place="test:thread")).id, BOB, now=NOON)
    await matches.corrections.correct(
        ended.match.id, CAROL, Outcome.DRAW, why="a test", server=SERVER, now=NOON
    )


def _tables(connection: Connection) -> MetaData:
    metadata = MetaData()
    metadata.reflect(connection)
    metadata.remove(metadata.tables["alembic_version"])
    return metadata


def read(connection: Connection) -> Rows:
    """Give all rows of all tables, in an order in which they can be written."""
    tables = _tables(connection).sorted_tables
    return {
        table.name: [dict(row) for row in connection.execute(select(table)).mappings()] for table in tables
    }


def write(connection: Connection, rows: Rows) -> None:
    """Write rows into empty tables, and have numbers go on after theirs."""
    for name, table in _tables(connection).tables.items():
        if rows.get(name) and "id" in table.c and connection.dialect.name == "postgresql":
            last = max(row["id"] for row in rows[name])
            connection.execute(text(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), {last})"))
    tables = _tables(connection).tables
    for name, values in rows.items():
        if values:
            connection.execute(insert(tables[name]), values)


async def _made() -> Rows:
    with TemporaryDirectory() as folder:
        async with await Store.open(f"sqlite:///{folder}/made.db") as store:
            await fill(Matches(store))
            async with store.reading() as connection:
                return await connection.run_sync(read)


def main() -> None:
    """Write the file of the present revision."""
    path = KEPT / f"{ScriptDirectory(str(MIGRATIONS)).get_current_head()}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(asyncio.run(_made()), indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
