"""Databases of earlier schema revisions, stored as rows.

Before adding a migration, run ``python -m tests.matches.schema_snapshots`` once and commit the new file: it
contains matches in every state, written by the code of the revision in its name.
"""

import asyncio
import json
import shutil
import sys
import warnings
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, insert, select, text

from engine.game import Outcome, Side
from matches import ChallengeUpdate, FollowMode, Matches, OfferKind, Person, Terms, TimeControl
from storage import Database
from storage.migration import MIGRATIONS
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    FISTS,
    FREE,
    NOON,
    SERVER,
    later,
    legal_move,
    make_challenge,
    play_move,
    play_to_end,
    player_to_move,
    start_match,
)

DAVE = Person("test:dave", "Dave")
SNAPSHOTS = Path(__file__).with_name("snapshots")
Rows = dict[str, list[dict[str, Any]]]


async def create_every_state(matches: Matches) -> None:
    """Create challenges, matches, offers and announcements in every state."""
    await make_challenge(matches)
    await matches.challenges.decline((await make_challenge(matches, BOB, DAVE)).id, DAVE, now=NOON)
    await matches.challenges.withdraw((await make_challenge(matches, to=CAROL)).id, ALICE, now=NOON)
    await play_to_end(matches, await start_match(matches))
    await matches.pick((await start_match(matches, FISTS)).id, BOB, "LR", now=NOON)
    revealed = await start_match(matches, FISTS)
    await matches.pick(revealed.id, ALICE, "LR", now=NOON)
    await matches.pick(revealed.id, BOB, "LR", now=NOON)
    unfinished = (await play_move(matches, await start_match(matches, FREE))).match
    await matches.play(unfinished.id, player_to_move(unfinished), [legal_move(unfinished)], now=NOON)
    random = await play_move(matches, await start_match(matches, {"edition": "2015", "size": 11}))
    await matches.offers.make(random.match.id, ALICE, OfferKind.END, now=NOON)
    agreed = await start_match(matches)
    await matches.offers.make(agreed.id, ALICE, OfferKind.END, now=NOON)
    await matches.offers.answer_end(agreed.id, BOB, accept=True, now=NOON)
    await matches.resign((await start_match(matches, FISTS)).id, BOB, now=NOON)
    swapped = (await play_move(matches, await start_match(matches, {"size": 5}, game="morphos"), "C3")).match
    await play_move(matches, (await play_move(matches, swapped, "swap")).match)
    placed = (await play_move(matches, await start_match(matches, {}, game="morabaraba"))).match
    line = (("G7",), ("D3",), ("D5",), ("B2",))
    await matches.conditionals.add_line(placed.id, ALICE, line, seen_revision=1, now=NOON)
    await matches.people.notes.save(placed.id, ALICE, "Hold the corner.", now=NOON)
    imported = await matches.records.import_record(
        (await matches.export_record(random.match.id, now=NOON)).encode(), CAROL, server=SERVER, now=NOON
    )
    if imported.record is not None:
        update = await matches.challenges.create_from_record(
            imported.record, CAROL, to=BOB, server=SERVER, channel=CHANNEL, colour=Side.BLACK, now=NOON
        )
        await play_move(matches, (await matches.challenges.accept(update.challenge.id, BOB, now=NOON)).match)
    await _create_offers(matches)
    await _create_clock_states(matches)
    await _create_server_states(matches)
    await matches.people.preferences.change(BOB, repeat_days=1, quiet="22-7", zone="Europe/Lisbon", now=NOON)
    for interest, view in zip(FollowMode, (random.match, swapped, unfinished), strict=True):
        await matches.people.following.follow(view.id, CAROL, interest, now=NOON)
    await matches.people.reminders.remind(now=later(days=2))
    for row in await matches.announcements.claim_due("test", now=later(minutes=1), limit=9):
        await matches.announcements.mark_sent(row.id, f"test:post/{row.id}", now=later(minutes=1))


async def _create_offers(matches: Matches) -> None:
    """Create a pending draw offer, a takeback, an aborted match and a declined rematch."""
    drawish = await start_match(matches, {}, game="morabaraba")
    await matches.offers.make(drawish.id, BOB, OfferKind.DRAW, now=NOON)
    regretted = (await play_move(matches, (await play_move(matches, await start_match(matches))).match)).match
    asked = await matches.offers.make(regretted.id, ALICE, OfferKind.TAKEBACK, now=NOON)
    if asked.match.pending_offer is not None:
        await matches.offers.answer(asked.match.pending_offer.id, BOB, accept=True, now=NOON)
    aborted = await start_match(matches)
    await matches.offers.abort(aborted.id, BOB, now=NOON)
    again = await matches.rematches.request(aborted.id, ALICE, server=SERVER, channel=CHANNEL, now=NOON)
    if isinstance(again, ChallengeUpdate):
        await matches.challenges.decline(again.challenge.id, BOB, now=NOON)


async def _create_clock_states(matches: Matches) -> None:
    """Create clocks in every state: out of time, running, pending choice, paused, pause offered, vacation."""
    terms = Terms(time_control=TimeControl(timedelta(days=2), timedelta(days=1), timedelta(days=3)))
    await start_match(matches, terms=terms, to=CAROL)
    await matches.clocks.tick(now=later(days=2))
    await start_match(matches, terms=terms, now=later(days=2))
    fists = await start_match(matches, FISTS, terms=terms, now=later(days=2))
    await matches.pick(fists.id, BOB, "LL", now=later(days=2))
    paused = await start_match(matches, terms=terms, now=later(days=2))
    await matches.clocks.pauses.offer(paused.id, ALICE, now=later(days=2))
    await matches.clocks.pauses.answer(paused.id, BOB, accept=True, now=later(days=2))
    offered = await start_match(matches, terms=terms, now=later(days=2))
    await matches.clocks.pauses.offer(offered.id, BOB, now=later(days=2))
    await matches.clocks.vacations.begin(CAROL, now=later(days=2))


async def _create_server_states(matches: Matches) -> None:
    """Create server settings, a thread, an exclusion, a block and a corrected result."""
    await matches.servers.change(SERVER, CAROL, threads=True, now=NOON)
    await matches.posting.threads.record_opened("test:thread", SERVER, CHANNEL, now=NOON)
    await matches.people.blocks.exclude(SERVER, DAVE, CAROL, now=NOON)
    await matches.people.blocks.block(DAVE, ALICE, now=NOON)
    ended = await matches.resign((await start_match(matches, channel="test:thread")).id, BOB, now=NOON)
    await matches.corrections.correct(
        ended.match.id, CAROL, Outcome.DRAW, reason="a test", server=SERVER, now=NOON
    )


def _tables(connection: Connection) -> MetaData:
    metadata = MetaData()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Skipped unsupported reflection of expression-based index")
        metadata.reflect(connection)
    metadata.remove(metadata.tables["alembic_version"])
    return metadata


def read_rows(connection: Connection) -> Rows:
    """Return all rows of all tables, in an order in which they can be inserted."""
    tables = _tables(connection).sorted_tables
    return {
        table.name: [dict(row) for row in connection.execute(select(table)).mappings()] for table in tables
    }


def write_rows(connection: Connection, rows: Rows) -> None:
    """Insert rows into empty tables and set the id sequences after them."""
    for name, table in _tables(connection).tables.items():
        if rows.get(name) and "id" in table.c and connection.dialect.name == "postgresql":
            last = max(row["id"] for row in rows[name])
            connection.execute(text(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), {last})"))
    tables = _tables(connection).tables
    for name, values in rows.items():
        if values:
            connection.execute(insert(tables[name]), values)


async def restore(file: Path, address: str, folder: Path) -> None:
    """Make a database of the schema revision in a snapshot's name, with its rows, and do not upgrade it."""
    migrations, rows = _migrations_until(file.stem, folder), _load_rows(file)
    async with (
        await Database.open(address, migrations=migrations) as database,
        database.transaction() as connection,
    ):
        await connection.run_sync(write_rows, rows)


def _load_rows(file: Path) -> Rows:
    rows: Rows = json.loads(file.read_text(encoding="utf-8"))
    return rows


def _migrations_until(schema_revision: str, folder: Path) -> Path:
    """Copy the migrations up to a revision into a folder; return the copy."""
    scripts = ScriptDirectory(str(MIGRATIONS))
    kept = {Path(script.path).name for script in scripts.iterate_revisions(schema_revision, "base")}
    copy = folder / f"migrations_{schema_revision}"
    if not copy.exists():
        shutil.copytree(MIGRATIONS, copy, ignore=shutil.ignore_patterns("__pycache__"))
        for path in (copy / "versions").glob("r*.py"):
            if path.name not in kept:
                path.unlink()
    return copy


async def _make_snapshot() -> Rows:
    with TemporaryDirectory() as folder:
        async with await Database.open(f"sqlite:///{folder}/made.db") as database:
            await create_every_state(Matches(database))
            async with database.read() as connection:
                return await connection.run_sync(read_rows)


def main() -> None:
    """Write the snapshot of the current schema revision."""
    path = SNAPSHOTS / f"{ScriptDirectory(str(MIGRATIONS)).get_current_head()}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(asyncio.run(_make_snapshot()), indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
