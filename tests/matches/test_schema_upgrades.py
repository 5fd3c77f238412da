"""A database of any earlier schema revision opens, keeps its matches, and they can be continued."""

import asyncio
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from matches import AnnouncementKind, Audience, EndReason, Matches, MatchId, MatchState
from matches.log_audit import list_match_ids
from matches.servers.settings import DEFAULT_TIME_CONTROL
from matches.times import to_millis
from storage import Database
from storage.connections.url import parse_url
from tests import databases
from tests.databases import (
    BACKENDS,
    RECREATE_SCHEMA,
    execute_statements,
    migrate_database,
    replace_file,
    restore_rows_sql,
    save_rows_sql,
)
from tests.matches import schema_snapshots
from tests.matches.scenario import (
    ALICE,
    BOB,
    CHANNEL,
    NOON,
    SERVER,
    end_offered_by,
    later,
    legal_move,
    player_to_move,
)

PLAYERS = (ALICE.account, BOB.account)
SNAPSHOT_FILES = sorted(schema_snapshots.SNAPSHOTS.glob("*.json"))
OLDEST_AND_LATEST = {SNAPSHOT_FILES[0], *SNAPSHOT_FILES[-2:]}


class UpgradedDatabase(NamedTuple):
    """A database of an earlier schema revision after the upgrade."""

    schema_revision: str
    url: str


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(
            (kind, file),
            id=f"{kind}-{file.stem}",
            marks=[
                pytest.mark.xdist_group(f"{kind}-{file.stem}"),
                *([] if file in OLDEST_AND_LATEST else [pytest.mark.long]),
            ],
        )
        for kind in BACKENDS
        for file in SNAPSHOT_FILES
    ],
)
def upgraded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> UpgradedDatabase:
    """Return the upgraded database of a schema revision."""
    kind, file = request.param
    folder = tmp_path_factory.mktemp("kept")
    if kind == "sqlite":
        address = f"sqlite:///{folder / 'kept.db'}"
        asyncio.run(restore_snapshot(file, address, folder))
    else:
        address = request.getfixturevalue("spare_postgres_url")
        asyncio.run(execute_statements(address, *RECREATE_SCHEMA))
        asyncio.run(restore_snapshot(file, address, folder))
        asyncio.run(execute_statements(address, save_rows_sql()))
    return UpgradedDatabase(file.stem, address)


@pytest.fixture
def schema_revision(upgraded: UpgradedDatabase) -> str:
    """Return the name of the schema revision."""
    return upgraded.schema_revision


@pytest.fixture
def snapshot_url(upgraded: UpgradedDatabase) -> str:
    """Return the URL of the database as it was right after the upgrade."""
    if not upgraded.url.startswith("sqlite"):
        asyncio.run(execute_statements(upgraded.url, restore_rows_sql()))
        return upgraded.url
    file = Path(upgraded.url.removeprefix("sqlite:///"))
    return f"sqlite:///{replace_file(file, file.with_name('copy.db'))}"


async def restore_snapshot(file: Path, address: str, folder: Path) -> None:
    """Fill a database with the rows of a schema revision, and upgrade it."""
    await schema_snapshots.restore(file, address, folder)
    await migrate_database(address)


@pytest.mark.long
async def test_matches_agree_with_their_logs(snapshot_url: str) -> None:
    async with databases.open_database(snapshot_url) as database:
        audits = [await Matches(database).audit(match) for match in await list_match_ids(database)]
    assert len(audits) > 8
    assert [audit for audit in audits if audit.difference] == []


@pytest.mark.long
async def test_every_state_is_read(snapshot_url: str) -> None:
    async with databases.open_database(snapshot_url) as database:
        matches = Matches(database)
        views = [
            await matches.view(match, readers=PLAYERS, now=NOON) for match in await list_match_ids(database)
        ]
        challenges = await matches.challenges.list_for_person(ALICE, SERVER, now=NOON)
    assert {view.state for view in views} == set(MatchState)
    assert [end_offered_by(view) for view in views if end_offered_by(view)] == [ALICE]
    assert [len(view.unfinished_moves) for view in views if view.unfinished_moves] == [1]
    assert len(challenges) == 1


@pytest.mark.long
async def test_matches_can_be_continued(snapshot_url: str) -> None:
    async with databases.open_database(snapshot_url) as database:
        matches = Matches(database)
        for match in await list_match_ids(database):
            view = await matches.view(match, readers=PLAYERS, now=NOON)
            if view.to_move:
                update = await matches.play(
                    match, player_to_move(view), [legal_move(view)], seen_revision=view.revision, now=NOON
                )
                assert update.match.ply == view.ply + 1
            if view.state is MatchState.CHOOSING:
                assert (await matches.pick(match, ALICE, "LR", now=NOON)).announcement is not None
            assert (await matches.audit(match)).difference is None


@pytest.mark.long
async def test_saved_replies_are_still_played(snapshot_url: str, schema_revision: str) -> None:
    async with databases.open_database(snapshot_url) as database:
        matches, noted = Matches(database), list[MatchId]()
        for match in await list_match_ids(database):
            if await matches.people.notes.get(match, ALICE):
                noted.append(match)
                ply = (await matches.view(match, now=NOON)).ply
                update = await matches.play(match, BOB, ["G7"], seen_revision=ply, now=NOON)
                assert update.match.ply == ply + 2
    assert len(noted) == int(schema_revision >= "0008")


@pytest.mark.long
async def test_announcements_are_still_sent_once_with_their_boards(snapshot_url: str) -> None:
    async with databases.open_database(snapshot_url) as database:
        matches, sent, offers = Matches(database), [], []
        while rows := await matches.announcements.claim_due("test", now=later(days=9)):
            for row in rows:
                sent.append(row.id)
                if row.kind is AnnouncementKind.OFFERED:
                    offers.append(end_offered_by(await matches.views.at_announcement(row)))
                await matches.announcements.mark_sent(row.id, "test:post", now=NOON)
    assert len(sent) == len(set(sent)) > 8
    assert ALICE in offers


@pytest.mark.long
async def test_pending_offer_can_still_be_answered(snapshot_url: str) -> None:
    async with databases.open_database(snapshot_url) as database:
        matches = Matches(database)
        views = [
            await matches.view(match, readers=PLAYERS, now=NOON) for match in await list_match_ids(database)
        ]
        (offer,) = (view.pending_offer for view in views if end_offered_by(view))
        assert offer is not None
        update = await matches.offers.answer(offer.id, BOB, accept=True, now=NOON)
        assert update.match.result is not None
        assert update.match.result.reason is EndReason.AGREED


@pytest.mark.long
async def test_server_known_before_revision_15_keeps_playing_without_a_clock(
    snapshot_url: str, schema_revision: str
) -> None:
    expected = None if schema_revision < "0015" else DEFAULT_TIME_CONTROL
    async with databases.open_database(snapshot_url) as database:
        servers = Matches(database).servers
        assert (await servers.settings(SERVER, now=NOON)).time_control == expected
        assert (await servers.settings("test:new", now=NOON)).time_control == DEFAULT_TIME_CONTROL
        assert not (await servers.change(SERVER, ALICE, threads=False, now=NOON)).threads


@pytest.mark.long
async def test_earlier_matches_are_shown_only_when_their_channel_is_known_to_be_open(
    snapshot_url: str,
) -> None:
    async with databases.open_database(snapshot_url) as database:
        matches = Matches(database)

        async def list_audiences() -> set[Audience]:
            return {
                (await matches.view(MatchId(one), now=NOON)).audience
                for one in await list_match_ids(database)
            }

        assert await list_audiences() == {Audience.UNKNOWN}
        await matches.visibility.record_channels(SERVER, {CHANNEL})
        assert await list_audiences() <= {Audience.MEMBERS, Audience.PLAYERS, Audience.UNKNOWN}
        assert Audience.MEMBERS in await list_audiences()


@pytest.mark.long
async def test_new_challenge_gets_an_unused_id(snapshot_url: str) -> None:
    async with databases.open_database(snapshot_url) as database:
        matches = Matches(database)
        update = await matches.challenges.create(
            BOB, server=SERVER, channel="test:table", game="morelli", options=None, now=NOON
        )
        begun = await matches.challenges.accept(update.challenge.id, ALICE, now=NOON)
        assert begun.match.id == max(await list_match_ids(database))


@pytest.mark.long
async def test_heartbeat_and_downtime_of_before_revision_22_are_kept(
    empty_database_url: str, tmp_path: Path
) -> None:
    snapshot = schema_snapshots.SNAPSHOTS / "0018.json"
    await schema_snapshots.restore(snapshot, empty_database_url, tmp_path)
    engine = create_async_engine(parse_url(empty_database_url))
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE service SET lost = 3600000"))
        (beat_at,) = (await connection.execute(text("SELECT beat_at FROM service"))).one()
        deadlines = text("SELECT id, deadline FROM matches WHERE deadline IS NOT NULL ORDER BY id")
        stored = dict(list(map(tuple, await connection.execute(deadlines))))
    await engine.dispose()
    async with await Database.open(empty_database_url) as database:
        matches = Matches(database)
        async with database.read() as connection:
            beats = await connection.execute(text("SELECT count, shard, beat_at FROM heartbeats"))
            assert list(map(tuple, beats)) == [(1, 0, beat_at)]
        shown = {}
        for match in stored:
            time = (await matches.view(MatchId(match), now=NOON)).time
            assert time is not None
            shown[match] = min(to_millis(seat.deadline) for seat in time.seats if seat.deadline)
        assert shown == {match: deadline + 3_600_000 for match, deadline in stored.items()} != {}


@pytest.mark.long
async def test_names_are_found_by_the_look_alikes_of_now(empty_database_url: str, tmp_path: Path) -> None:
    snapshot = schema_snapshots.SNAPSHOTS / "0026.json"
    await schema_snapshots.restore(snapshot, empty_database_url, tmp_path)
    engine = create_async_engine(parse_url(empty_database_url))
    person = "INSERT INTO people (account, name, met_at, handle, folded_handle) VALUES (:a, :n, 1, :n, :f)"
    async with engine.begin() as connection:
        for account, name, folded in (
            ("web:1", "Bernard", "bernard"),
            ("web:2", "Cornelia", "comelia"),
            ("web:3", "Comelia", "c0melia"),
            ("web:4", "Zoe", "zoe"),
        ):
            await connection.execute(text(person), {"a": account, "n": name, "f": folded})
        old = "INSERT INTO old_handles (folded, account, changed_at) VALUES ('arno vvinter', 'web:4', 1)"
        await connection.execute(text(old))
    await engine.dispose()
    async with await Database.open(empty_database_url) as database:
        handles = Matches(database).people.handles
        found = [await handles.find(name) for name in ("Bernard", "Bemard", "Cornelia", "Zoe", "Amo Winter")]
        assert found == ["web:1", "web:1", "web:2", "web:4", "web:4"]
        kept = await handles.get("web:3")
        assert kept is not None
        assert kept.name == "Comelia"
