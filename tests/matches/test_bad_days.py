import sqlite3
from contextlib import AsyncExitStack, closing

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from matches import Matches, MatchView, StorageUnavailable, Store
from tests.matches.story import ALICE, NOON, begin, later, legal, move
from tests.processes import process

PLAYER = "tests.matches.player"


async def test_of_two_processes_that_play_one_ply_one_succeeds(database: str, matches: Matches) -> None:
    view = await begin(matches)
    async with AsyncExitStack() as stack:
        players = [
            await stack.enter_async_context(
                process(PLAYER, database, str(view.id), ALICE.account, legal(view, index))
            )
            for index in range(2)
        ]
        assert [await player.says() for player in players] == ["ready", "ready"]
        for player in players:
            player.tell("go")
        assert sorted([await player.says() for player in players]) == ["played 1", "stale_board"]
    assert len((await matches.history(view.id, now=NOON)).moves) == 1


async def test_move_of_a_process_killed_after_its_commit_is_there_once_and_announced_once(
    database: str, matches: Matches
) -> None:
    view = await begin(matches)
    for row in await matches.unannounced(now=later(minutes=1)):
        await matches.announced(row.id, "test:1", now=NOON)
    async with process(PLAYER, database, str(view.id), ALICE.account, legal(view)) as player:
        await player.says()
        player.tell("go")
        assert await player.says() == "played 1"
        await player.kill()
    assert [played.text for played in (await matches.history(view.id, now=NOON)).moves] == [legal(view)]
    rows = [row for row in await matches.unannounced(now=later(minutes=1)) if row.match]
    assert [(row.match, row.ply) for row in rows] == [(view.id, 1)]
    assert (await matches.audit(view.id)).difference is None


async def test_move_is_not_taken_while_another_process_holds_the_database(sqlite_database: str) -> None:
    async with await Store.open(f"{sqlite_database}?timeout=0.1") as store:
        matches = Matches(store)
        view = await begin(matches)
        with closing(sqlite3.connect(str(make_url(sqlite_database).database), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StorageUnavailable):
                await move(matches, view)
            assert await matches.view(view.id, now=NOON) == view
            other.execute("ROLLBACK")
        assert (await move(matches, view)).match.ply == 1


async def test_move_is_not_taken_while_the_disk_is_full(sqlite_database: str) -> None:
    async with await Store.open(sqlite_database) as store:
        matches = Matches(store)
        view = await begin(matches)
        await _limit(store, "page_count")
        view, error = await _until_refused(matches, view)
        assert "full" in str(error)
        assert await matches.view(view.id, now=NOON) == view
        assert (await matches.audit(view.id)).difference is None
        await _limit(store, "1000000")
        assert (await move(matches, view)).match.ply == view.ply + 1


async def _until_refused(matches: Matches, view: MatchView) -> tuple[MatchView, StorageUnavailable]:
    """Play on, since a few turns still fit into the last pages, until one is refused."""
    while view.to_move:
        try:
            view = (await move(matches, view)).match
        except StorageUnavailable as error:
            return view, error
    pytest.fail("the disk was never full")


async def _limit(store: Store, pages: str) -> None:
    async with store.reading() as connection:
        if pages == "page_count":
            await connection.execute(text("VACUUM"))  # what migrations freed would be filled first
            pages = str((await connection.execute(text("PRAGMA page_count"))).scalar_one())
        await connection.execute(text(f"PRAGMA max_page_count = {pages}"))
