"""Keys of an installation when several processes need one at once."""

import asyncio

from matches import Matches
from tests.matches.scenario import NOON


async def test_all_processes_get_the_key_that_was_stored_first(
    matches: Matches, other_matches: Matches
) -> None:
    made: list[str] = []

    async def make() -> str:
        await both_began.wait()
        made.append(f"key {len(made)}")
        return made[-1]

    both_began = asyncio.Barrier(2)
    stores = [one.work.installation_keys for one in (matches, other_matches)]
    found = await asyncio.gather(*(one.find_or_make("vapid", make, now=NOON) for one in stores))
    assert len(made) == 2
    assert found[0] == found[1]
    assert await stores[1].find_or_make("vapid", make, now=NOON) == found[0]
