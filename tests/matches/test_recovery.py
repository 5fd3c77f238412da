import sqlite3
from contextlib import AsyncExitStack, closing

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from matches import Database, Matches, MatchView, StorageUnavailable
from tests.matches.scenario import ALICE, NOON, later, legal_move, play_move, start_match
from tests.processes import run_script

PLAYER = "tests.matches.player_process"


async def test_one_of_two_processes_that_play_the_same_ply_succeeds(
    database_url: str, matches: Matches
) -> None:
    view = await start_match(matches)
    async with AsyncExitStack() as stack:
        players = [
            await stack.enter_async_context(
                run_script(PLAYER, database_url, str(view.id), ALICE.account, legal_move(view, index))
            )
            for index in range(2)
        ]
        assert [await player.read_line() for player in players] == ["ready", "ready"]
        for player in players:
            player.send_line("go")
        assert sorted([await player.read_line() for player in players]) == ["played 1", "stale_board"]
    assert len((await matches.views.history(view.id)).moves) == 1


@pytest.mark.long
async def test_move_of_a_process_killed_after_its_commit_is_there_once_and_announced_once(
    database_url: str, matches: Matches
) -> None:
    view = await start_match(matches)
    for row in await matches.announcements.claim_due("test", now=later(minutes=1)):
        await matches.announcements.mark_sent(row.id, "test:1", now=NOON)
    async with run_script(PLAYER, database_url, str(view.id), ALICE.account, legal_move(view)) as player:
        await player.read_line()
        player.send_line("go")
        assert await player.read_line() == "played 1"
        await player.kill()
    assert [played.text for played in (await matches.views.history(view.id)).moves] == [legal_move(view)]
    rows = [row for row in await matches.announcements.claim_due("test", now=later(minutes=1)) if row.match]
    assert [(row.match, row.ply) for row in rows] == [(view.id, 1)]
    assert (await matches.audit(view.id)).difference is None


@pytest.mark.long
async def test_move_is_refused_while_another_process_locks_the_database(sqlite_url: str) -> None:
    async with await Database.open(f"{sqlite_url}?timeout=0.1") as database:
        matches = Matches(database)
        view = await start_match(matches)
        with closing(sqlite3.connect(str(make_url(sqlite_url).database), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StorageUnavailable):
                await play_move(matches, view)
            assert await matches.view(view.id, now=NOON) == view
            other.execute("ROLLBACK")
        assert (await play_move(matches, view)).match.ply == 1


@pytest.mark.long
async def test_move_is_refused_while_the_disk_is_full(sqlite_url: str) -> None:
    async with await Database.open(sqlite_url) as database:
        matches = Matches(database)
        view = await start_match(matches)
        await _limit_database_size(database, "page_count")
        view, error = await _play_until_refused(matches, view)
        assert "full" in str(error)
        assert await matches.view(view.id, now=NOON) == view
        assert (await matches.audit(view.id)).difference is None
        await _limit_database_size(database, "1000000")
        assert (await play_move(matches, view)).match.ply == view.ply + 1


async def _play_until_refused(matches: Matches, view: MatchView) -> tuple[MatchView, StorageUnavailable]:
    """Play until a turn is refused, since a few turns still fit into the last pages."""
    while view.to_move:
        try:
            view = (await play_move(matches, view)).match
        except StorageUnavailable as error:
            return view, error
    pytest.fail("the disk was never full")


async def _limit_database_size(database: Database, pages: str) -> None:
    async with database.read() as connection:
        if pages == "page_count":
            await connection.execute(text("VACUUM"))  # drops the pages that migrations freed
            pages = str((await connection.execute(text("PRAGMA page_count"))).scalar_one())
        await connection.execute(text(f"PRAGMA max_page_count = {pages}"))
