"""Leases: what one process at a time does, by the clock of the database."""

import asyncio
from datetime import timedelta

import pytest

from matches import Matches
from matches.work.leases import Membership

LONG, NONE = timedelta(minutes=1), timedelta(0)


async def test_lease_is_held_by_one_owner_who_may_prolong_it(
    matches: Matches, other_matches: Matches
) -> None:
    first, second = matches.work.leases, other_matches.work.leases
    assert not await first.claim("identify:0", "a", LONG)
    assert NONE < await second.claim("identify:0", "b", LONG) <= LONG
    assert not await first.claim("identify:0", "a", 2 * LONG)
    assert LONG < await second.claim("identify:0", "b", LONG) <= 2 * LONG
    assert not await second.claim("identify:1", "b", LONG)


async def test_lease_that_has_ended_is_free(matches: Matches, other_matches: Matches) -> None:
    assert not await matches.work.leases.claim("identify:0", "a", NONE)
    assert not await other_matches.work.leases.claim("identify:0", "b", LONG)
    assert await matches.work.leases.claim("identify:0", "a", LONG)


async def test_one_of_several_that_claim_at_once_gets_a_lease(
    matches: Matches, other_matches: Matches
) -> None:
    claims = (
        leases.claim("identify:0", f"{number} {id(leases)}", LONG)
        for number in range(5)
        for leases in (matches.work.leases, other_matches.work.leases)
    )
    assert (await asyncio.gather(*claims)).count(NONE) == 1


@pytest.mark.long
async def test_work_is_run_once_for_a_subject_and_again_for_another(
    matches: Matches, other_matches: Matches
) -> None:
    runs = list[str]()

    async def run(process: Matches, subject: str) -> bool:
        async def work() -> None:
            runs.append(subject)
            await asyncio.sleep(0)

        return await process.work.leases.run_once("commands", subject, work, LONG)

    assert sum(await asyncio.gather(run(matches, "old"), run(other_matches, "old"))) == 1
    assert not await run(other_matches, "old")
    assert await run(other_matches, "new")
    assert runs == ["old", "new"]


async def test_work_that_failed_is_run_again(matches: Matches) -> None:
    async def fail() -> None:
        raise OSError("Discord does not answer")

    async def succeed() -> None:
        pass

    with pytest.raises(OSError, match="does not answer"):
        await matches.work.leases.run_once("commands", "new", fail, NONE)
    assert await matches.work.leases.run_once("commands", "new", succeed, LONG)


async def test_members_of_a_group_see_each_other(matches: Matches, other_matches: Matches) -> None:
    first, second = matches.work.leases, other_matches.work.leases
    assert await first.join("requests", "a", 4, LONG) == Membership(0, is_new=True)
    assert await second.join("requests", "b", 1, LONG) == Membership(4, is_new=True)
    assert await first.join("requests", "a", 4, LONG) == Membership(1, is_new=False)
    assert await first.join("others", "a", 4, LONG) == Membership(0, is_new=True)
    await second.leave("requests", "b", 1)
    assert await first.join("requests", "a", 4, LONG) == Membership(0, is_new=False)


async def test_member_that_does_not_come_back_is_forgotten(matches: Matches, other_matches: Matches) -> None:
    await other_matches.work.leases.join("requests", "b", 4, NONE)
    assert (await matches.work.leases.join("requests", "a", 4, LONG)).others == 0


async def test_work_that_fails_keeps_nobody_from_trying_again(
    matches: Matches, other_matches: Matches
) -> None:
    ran = list[str]()

    async def fail() -> None:
        raise OSError("no network")

    async def succeed() -> None:
        ran.append("b")

    with pytest.raises(OSError, match="no network"):
        await matches.work.leases.run_once("commands:1", "all", fail, LONG)
    assert await other_matches.work.leases.claim("commands:1", "c", NONE) == NONE
    assert await other_matches.work.leases.run_once("commands:1", "all", succeed, LONG)
    assert ran == ["b"]
