"""Studies: who sees and changes them, their limits, and two windows that save one chapter."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, insert, select, text

from matches import ErasureChoice
from matches.studies.values import (
    MAX_CHAPTERS,
    MAX_NAME_LENGTH,
    MAX_STUDIES,
    ChapterBoard,
    Study,
    StudyAudience,
    StudyKey,
)
from matches.times import to_millis
from storage.people import people, personal_data
from storage.study.studies import remove
from storage.tables import CHAPTERS, STUDIES
from tests.matches.scenario import ALICE, BOB, CAROL, NOON, later
from tests.refusals import refusal_key, refused

if TYPE_CHECKING:
    from matches import Database, Matches, Person

KEY, OTHER = StudyKey("00000000000000aa"), StudyKey("00000000000000bb")


def board(moves: str) -> ChapterBoard:
    return ChapterBoard("morphos", f"rules=2&moves={moves}")


@pytest.fixture(autouse=True)
async def _everybody(database: Database) -> None:
    async with database.transaction() as connection:
        names = {one.account: one.name for one in (ALICE, BOB, CAROL)}
        await people.save_all(connection, names, to_millis(NOON))


async def add(matches: Matches, moves: str = "A1", *, key: StudyKey = KEY, owner: Person = ALICE) -> int:
    return await matches.studies.add_chapter(
        key, owner.account, f"After {moves}", board(moves), new_study="Endings", now=NOON
    )


async def load(matches: Matches, reader: Person | None = ALICE) -> Study:
    return await matches.studies.load(KEY, None if reader is None else reader.account)


async def saved_moves(matches: Matches, number: int) -> str:
    _, chapter = await matches.studies.load_chapter(KEY, number, ALICE.account)
    return chapter.board.state.rpartition("=")[2]


async def test_study_is_made_with_its_first_chapter(matches: Matches) -> None:
    assert [await add(matches, moves) for moves in ("A1", "B2", "A1")] == [1, 2, 1]
    study = await load(matches)
    assert (study.outline.name, study.outline.audience) == ("Endings", StudyAudience.PRIVATE)
    assert [(one.number, one.name) for one in study.chapters] == [(1, "After A1"), (2, "After B2")]
    [listed] = await matches.studies.list_own(ALICE.account)
    assert (listed.chapters, await matches.studies.list_public(ALICE.account)) == (2, ())


@pytest.mark.parametrize(
    ("audience", "readers"),
    [(StudyAudience.PRIVATE, 1), (StudyAudience.LINK, 3), (StudyAudience.PUBLIC, 3)],
)
async def test_audience_decides_who_sees_a_study(
    matches: Matches, audience: StudyAudience, readers: int
) -> None:
    await add(matches)
    await matches.studies.change(KEY, ALICE.account, "Endings", audience, now=NOON)
    found = await asyncio.gather(
        *(load(matches, reader) for reader in (ALICE, BOB, None)), return_exceptions=True
    )
    assert [refusal_key(one) for one in found] == [""] * readers + ["study_unknown"] * (3 - readers)
    listed = await matches.studies.list_public(ALICE.account)
    assert len(listed) == (audience is StudyAudience.PUBLIC)


async def test_only_its_owner_changes_a_study(matches: Matches) -> None:
    await add(matches)
    studies, bob = matches.studies, BOB.account
    await studies.change(KEY, ALICE.account, "Endings", StudyAudience.PUBLIC, now=NOON)
    for change in (
        studies.change(KEY, bob, "Mine", StudyAudience.PUBLIC, now=NOON),
        studies.add_chapter(KEY, bob, "Mine", board("C3"), now=NOON),
        studies.add_chapter(KEY, bob, "Mine", board("C3"), new_study="Mine", now=NOON),
        studies.save_chapter(KEY, 1, bob, 1, board("C3"), now=NOON),
        studies.rename_chapter(KEY, 1, bob, "Mine", now=NOON),
        studies.move_chapter(KEY, 1, bob, 1, now=NOON),
        studies.delete_chapter(KEY, 1, bob, now=NOON),
        studies.delete(KEY, bob),
    ):
        with refused("study_unknown"):
            await change
    assert (await load(matches)).outline.name == "Endings"
    assert await saved_moves(matches, 1) == "A1"
    assert await studies.list_own(bob) == ()


async def test_of_two_windows_one_saves(matches: Matches, other_matches: Matches) -> None:
    await add(matches)
    saved = await asyncio.gather(
        matches.studies.save_chapter(KEY, 1, ALICE.account, 1, board("B2"), now=NOON),
        other_matches.studies.save_chapter(KEY, 1, ALICE.account, 1, board("C3"), now=NOON),
        return_exceptions=True,
    )
    assert sorted(map(refusal_key, saved)) == ["", "chapter_changed"]
    kept, lost = ("B2", "C3") if saved[0] == 2 else ("C3", "B2")
    assert await saved_moves(matches, 1) == kept
    # The same again changes nothing; whoever has seen the new board may replace it.
    assert await matches.studies.save_chapter(KEY, 1, ALICE.account, 1, board(kept), now=NOON) == 2
    assert await matches.studies.save_chapter(KEY, 1, ALICE.account, 2, board(lost), now=NOON) == 3


async def test_number_of_a_deleted_chapter_is_not_given_again(matches: Matches) -> None:
    for moves in ("A1", "B2"):
        await add(matches, moves)
    await matches.studies.delete_chapter(KEY, 2, ALICE.account, now=NOON)
    with refused("chapter_unknown"):
        await matches.studies.save_chapter(KEY, 2, ALICE.account, 1, board("C3"), now=NOON)
    assert await add(matches, "C3") == 3


async def test_chapters_are_moved_within_the_study(matches: Matches) -> None:
    for moves in ("A1", "B2", "C3"):
        await add(matches, moves)
    orders = []
    for number, by in ((3, -1), (1, 1), (1, 1), (3, -1)):
        await matches.studies.move_chapter(KEY, number, ALICE.account, by, now=NOON)
        orders.append([one.number for one in (await load(matches)).chapters])
    assert orders == [[1, 3, 2], [3, 1, 2], [3, 2, 1], [3, 2, 1]]


async def test_names_are_one_visible_line(matches: Matches) -> None:
    await add(matches)
    await matches.studies.rename_chapter(KEY, 1, ALICE.account, " a\n\u202eb\0 ", now=NOON)
    assert [one.name for one in (await load(matches)).chapters] == ["a b"]
    for name in ("", " \u200b", "x" * (MAX_NAME_LENGTH + 1)):
        with refused("chapter_name"):
            await matches.studies.rename_chapter(KEY, 1, ALICE.account, name, now=NOON)
        with refused("study_name"):
            await matches.studies.change(KEY, ALICE.account, name, StudyAudience.LINK, now=NOON)
        with refused("study_name"):
            await matches.studies.add_chapter(
                OTHER, ALICE.account, "One", board("A1"), new_study=name, now=NOON
            )
    with refused("chapter_name"):
        await matches.studies.add_chapter(OTHER, ALICE.account, "", board("A1"), new_study="Two", now=NOON)
    assert len(await matches.studies.list_own(ALICE.account)) == 1  # nothing of a refused one is left


async def test_limits(matches: Matches, database: Database) -> None:
    await add(matches)
    at = to_millis(NOON)
    chapters = [
        {"study": KEY, "number": number, "owner": ALICE.account, "place": number, "name": f"n{number}"}
        | {"game": "morphos", "state": "", "revision": 1, "changed_at": at}
        for number in range(2, MAX_CHAPTERS + 1)
    ]
    studies = [
        {"key": f"{number:016x}", "owner": ALICE.account, "name": "n", "audience": "private"}
        | {"numbered": 0, "changed_at": at}
        for number in range(1, MAX_STUDIES)
    ]
    async with database.transaction() as connection:
        await connection.execute(insert(CHAPTERS), chapters)
        await connection.execute(insert(STUDIES), studies)
    with refused("study_full") as full:
        await add(matches, "B2")
    assert full.value.values["limit"] == MAX_CHAPTERS
    with refused("studies_full"):
        await add(matches, key=StudyKey("f" * 16))
    assert await add(matches, key=StudyKey("e" * 16), owner=BOB) == 1
    await matches.studies.delete(KEY, ALICE.account)
    assert await add(matches, key=StudyKey("f" * 16)) == 1


async def test_form_sent_to_two_processes_makes_one_study(
    matches: Matches, other_matches: Matches, database: Database
) -> None:
    numbers = await asyncio.gather(*(add(one) for one in (matches, other_matches, matches)))
    assert numbers == [1, 1, 1]
    async with database.read() as connection:
        counts = [select(func.count()).select_from(table) for table in (STUDIES, CHAPTERS)]
        assert [await connection.scalar(one) for one in counts] == [1, 1]


async def test_chapter_waits_until_its_owner_is_erased(
    matches: Matches, other_matches: Matches, database: Database
) -> None:
    """Both lock the person first, then the study, so neither waits for the other for ever."""
    await add(matches)
    waiting = text("SELECT count(*) FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))")
    async with database.transaction() as connection:
        await personal_data.lock_person(connection, ALICE.account, completely=True)
        adding = asyncio.create_task(
            other_matches.studies.add_chapter(KEY, ALICE.account, "B2", board("B2"), now=NOON)
        )
        while connection.dialect.name == "postgresql" and not await connection.scalar(waiting):
            await asyncio.wait([adding], timeout=0)
            assert not adding.done()
        await remove(connection, KEY)
    with refused("study_unknown"):
        await adding


async def test_nothing_is_added_for_an_account_that_is_gone(matches: Matches) -> None:
    await matches.people.personal_data.erase(ALICE.account, ErasureChoice.RESIGN, now=NOON)
    with refused("signed_out"):
        await add(matches)


async def test_joined_accounts_share_their_studies(matches: Matches) -> None:
    await add(matches)
    await add(matches, key=OTHER, owner=BOB)
    await matches.people.personal_data.join(ALICE.account, BOB.account, now=later(days=1))
    assert {one.key for one in await matches.studies.list_own(BOB.account)} == {KEY, OTHER}
    assert (await load(matches, BOB)).is_own
    await matches.studies.delete(KEY, BOB.account)
