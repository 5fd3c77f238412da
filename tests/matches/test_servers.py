"""Settings of a server: kept, changed one at a time, each server's own."""

import asyncio
from datetime import timedelta

import pytest

from matches import GameUnknown, Matches, Pace, ServerSettings
from tests.matches.story import ALICE, BOB, NOON, SERVER

SLOW = Pace.per_move(timedelta(days=3))


async def test_server_that_settled_nothing_has_the_usual_settings(matches: Matches) -> None:
    assert await matches.servers.settings(SERVER, now=NOON) == ServerSettings()


async def test_settings_are_changed_one_at_a_time(matches: Matches, elsewhere: Matches) -> None:
    await matches.servers.use_threads(SERVER, ALICE, on=True, now=NOON)
    await matches.servers.default_game(SERVER, BOB, "morphos", now=NOON)
    told = await matches.servers.default_pace(SERVER, ALICE, SLOW, now=NOON)
    assert told == ServerSettings(threads=True, game="morphos", pace=SLOW)
    assert await elsewhere.servers.settings(SERVER, now=NOON) == told


async def test_settings_are_taken_back(matches: Matches) -> None:
    await matches.servers.use_threads(SERVER, ALICE, on=True, now=NOON)
    await matches.servers.default_game(SERVER, ALICE, "morphos", now=NOON)
    await matches.servers.use_threads(SERVER, ALICE, on=False, now=NOON)
    assert await matches.servers.default_game(SERVER, ALICE, None, now=NOON) == ServerSettings()


async def test_two_who_change_settings_at_once_keep_both_changes(
    matches: Matches, elsewhere: Matches
) -> None:
    await asyncio.gather(
        matches.servers.use_threads(SERVER, ALICE, on=True, now=NOON),
        elsewhere.servers.default_game(SERVER, BOB, "morphos", now=NOON),
    )
    found = await matches.servers.settings(SERVER, now=NOON)
    assert found == ServerSettings(threads=True, game="morphos")


async def test_servers_have_settings_of_their_own(matches: Matches) -> None:
    await matches.servers.use_threads(SERVER, ALICE, on=True, now=NOON)
    assert await matches.servers.settings("test:other", now=NOON) == ServerSettings()


async def test_unknown_game_is_refused(matches: Matches) -> None:
    with pytest.raises(GameUnknown):
        await matches.servers.default_game(SERVER, ALICE, "go", now=NOON)
    assert await matches.servers.settings(SERVER, now=NOON) == ServerSettings()
