"""Invitations by mail: one in thirty days to an address, none to one that refuses them."""

import asyncio

from matches import Matches, Person
from matches.invitations import PAUSE, address_digest
from tests.matches.scenario import NOON, later

ADDRESS = "c@example.org"
INVITERS = [Person(f"web:{number:024}", f"Inviter {number}") for number in range(6)]


async def invite(matches: Matches, by: Person, days: float = 0) -> None:
    await matches.invitations.create(by, ADDRESS, game="morelli", now=later(days=days))


async def count_letters(matches: Matches, days: float = 0) -> int:
    claimed = await matches.posting.letters.claim_due(now=later(days=days))
    assert {one.address for one in claimed} <= {ADDRESS}
    for one in claimed:
        await matches.posting.letters.mark_sent(one.id, now=later(days=days))
    return len(claimed)


async def test_of_several_who_invite_an_address_at_once_one_does(
    matches: Matches, other_matches: Matches
) -> None:
    both = (matches, other_matches)
    await asyncio.gather(*(invite(both[number % 2], one) for number, one in enumerate(INVITERS)))
    assert await count_letters(matches) == 1


async def test_address_is_invited_again_after_thirty_days(matches: Matches) -> None:
    sent = []
    for number, days in enumerate((0, 1, PAUSE.days - 1, PAUSE.days, PAUSE.days + 1)):
        await invite(matches, INVITERS[number], days)
        sent.append(await count_letters(matches, days))
    assert sent == [1, 0, 0, 1, 0]


async def test_address_that_refuses_is_never_invited_again(matches: Matches) -> None:
    for _ in range(2):
        await matches.invitations.refuse(address_digest(ADDRESS), now=NOON)
    for number, days in enumerate((0, 40, 400)):
        await matches.posting.letters.delete_old(now=later(days=days))
        await invite(matches, INVITERS[number], days)
        assert await count_letters(matches, days) == 0
