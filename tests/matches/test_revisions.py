"""A database of any earlier revision opens, keeps its matches, and its matches go on."""

import asyncio
import json
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from alembic.script import ScriptDirectory

from matches import AnnouncementKind, Matches, MatchId, MatchState, Reason, Store
from matches.replays import all_matches
from storage.migration import MIGRATIONS
from tests import databases
from tests.databases import BARE, KINDS, copied, migrate, restoring, run, saving
from tests.matches import revisions
from tests.matches.story import ALICE, BOB, NOON, SERVER, later, legal, mover

FILES = sorted(revisions.KEPT.glob("*.json"))


class Opened(NamedTuple):
    """A database of an earlier revision that the newest has opened."""

    revision: str
    address: str


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(
            (kind, file), id=f"{kind}-{file.stem}", marks=pytest.mark.xdist_group(f"{kind}-{file.stem}")
        )
        for kind in KINDS
        for file in FILES
    ],
)
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """Give what a revision left, once opened by the newest."""
    kind, file = request.param
    folder = tmp_path_factory.mktemp("kept")
    if kind == "sqlite":
        address = f"sqlite:///{folder / 'kept.db'}"
        asyncio.run(leave(file, address, folder))
    else:
        address = request.getfixturevalue("spare_postgres")
        asyncio.run(run(address, *BARE))
        asyncio.run(leave(file, address, folder))
        asyncio.run(run(address, saving()))
    return Opened(file.stem, address)


@pytest.fixture
def revision(opened: Opened) -> str:
    """Give its name."""
    return opened.revision


@pytest.fixture
def kept(opened: Opened) -> str:
    """Give the database as it was opened, whatever became of it since."""
    if not opened.address.startswith("sqlite"):
        asyncio.run(run(opened.address, restoring()))
        return opened.address
    file = Path(opened.address.removeprefix("sqlite:///"))
    return f"sqlite:///{copied(file, file.with_name('copy.db'))}"


async def leave(file: Path, address: str, folder: Path) -> None:
    """Fill a database as a revision left it, and open it with the newest."""
    migrations, rows = until(file.stem, folder), json.loads(text(file))
    async with await Store.open(address, migrations=migrations) as store, store.writing() as connection:
        await connection.run_sync(revisions.write, rows)
    await migrate(address)


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def until(revision: str, folder: Path) -> Path:
    """Give the migrations as they were when `revision` was the newest."""
    scripts = ScriptDirectory(str(MIGRATIONS))
    kept = {Path(script.path).name for script in scripts.iterate_revisions(revision, "base")}
    copy = folder / "migrations"
    shutil.copytree(MIGRATIONS, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (copy / "versions").glob("r*.py"):
        if path.name not in kept:
            path.unlink()
    return copy


async def test_matches_agree_with_their_logs(kept: str) -> None:
    async with databases.opened(kept) as store:
        audits = [await Matches(store).audit(match) for match in await all_matches(store)]
    assert len(audits) > 8
    assert [audit for audit in audits if audit.difference] == []


async def test_every_state_is_read(kept: str) -> None:
    async with databases.opened(kept) as store:
        matches = Matches(store)
        views = [await matches.view(match, now=NOON) for match in await all_matches(store)]
        challenges = await matches.challenges(ALICE, SERVER, now=NOON)
    assert {view.state for view in views} == set(MatchState)
    assert [view.offer for view in views if view.offer] == [ALICE]
    assert [len(view.run) for view in views if view.run] == [1]
    assert len(challenges) == 1


async def test_matches_go_on(kept: str) -> None:
    async with databases.opened(kept) as store:
        matches = Matches(store)
        for match in await all_matches(store):
            view = await matches.view(match, now=NOON)
            if view.to_move:
                turn = await matches.play(match, mover(view), [legal(view)], seen_ply=view.stamp, now=NOON)
                assert turn.match.ply == view.ply + 1
            if view.state is MatchState.FISTS:
                assert (await matches.pick(match, ALICE, "LR", now=NOON)).announcement is not None
            assert (await matches.audit(match)).difference is None


async def test_what_was_settled_still_answers(kept: str, revision: str) -> None:
    async with databases.opened(kept) as store:
        matches, noted = Matches(store), list[MatchId]()
        for match in await all_matches(store):
            if await matches.notes.of(match, ALICE):
                noted.append(match)
                ply = (await matches.view(match, now=NOON)).ply
                turn = await matches.play(match, BOB, ["G7"], seen_ply=ply, now=NOON)
                assert turn.match.ply == ply + 2
    assert len(noted) == int(revision >= "0008")


async def test_announcements_are_still_told_once_and_as_things_stood(kept: str) -> None:
    async with databases.opened(kept) as store:
        matches, told, offers = Matches(store), [], []
        while rows := await matches.unannounced(now=later(days=9)):
            for row in rows:
                told.append(row.id)
                if row.kind is AnnouncementKind.OFFERED:
                    offers.append((await matches.view_of(row, now=NOON)).offer)
                await matches.announced(row.id, "test:post", now=NOON)
    assert len(told) == len(set(told)) > 8
    assert ALICE in offers


async def test_offer_that_stands_can_still_be_answered(kept: str) -> None:
    async with databases.opened(kept) as store:
        matches = Matches(store)
        views = [await matches.view(match, now=NOON) for match in await all_matches(store)]
        (offer,) = (view.standing for view in views if view.offer)
        assert offer is not None
        turn = await matches.offers.answer(offer.id, BOB, accept=True, now=NOON)
        assert turn.match.result is not None
        assert turn.match.result.reason is Reason.AGREED


async def test_new_challenge_takes_a_number_of_its_own(kept: str) -> None:
    async with databases.opened(kept) as store:
        matches = Matches(store)
        step = await matches.challenge(
            BOB, server=SERVER, place="test:table", game="morelli", options=None, now=NOON
        )
        begun = await matches.accept(step.challenge.id, ALICE, now=NOON)
        assert begun.match.id == max(await all_matches(store))
