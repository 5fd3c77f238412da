"""Settings of a server: stored, changed one at a time, separate for each server."""

import asyncio
from datetime import timedelta

from matches import Matches, ServerSettings, TimeControl
from tests.matches.scenario import ALICE, BOB, NOON, SERVER
from tests.refusals import refused

SLOW = TimeControl.per_move(timedelta(days=3))


async def test_server_that_set_nothing_has_the_default_settings(matches: Matches) -> None:
    assert await matches.servers.settings(SERVER, now=NOON) == ServerSettings()


async def test_settings_are_changed_one_at_a_time(matches: Matches, other_matches: Matches) -> None:
    await matches.servers.change(SERVER, ALICE, threads=True, now=NOON)
    await matches.servers.change(SERVER, BOB, game="morphos", now=NOON)
    changed = await matches.servers.change(SERVER, ALICE, time_control=SLOW, now=NOON)
    assert changed == ServerSettings(threads=True, game="morphos", time_control=SLOW)
    assert await other_matches.servers.settings(SERVER, now=NOON) == changed


async def test_settings_can_be_reset(matches: Matches) -> None:
    await matches.servers.change(SERVER, ALICE, threads=True, now=NOON)
    await matches.servers.change(SERVER, ALICE, game="morphos", now=NOON)
    await matches.servers.change(SERVER, ALICE, threads=False, now=NOON)
    assert await matches.servers.change(SERVER, ALICE, game=None, now=NOON) == ServerSettings()


async def test_two_who_change_settings_at_once_keep_both_changes(
    matches: Matches, other_matches: Matches
) -> None:
    await asyncio.gather(
        matches.servers.change(SERVER, ALICE, threads=True, now=NOON),
        other_matches.servers.change(SERVER, BOB, game="morphos", now=NOON),
    )
    found = await matches.servers.settings(SERVER, now=NOON)
    assert found == ServerSettings(threads=True, game="morphos")


async def test_servers_have_settings_of_their_own(matches: Matches) -> None:
    await matches.servers.change(SERVER, ALICE, threads=True, now=NOON)
    assert await matches.servers.settings("test:other", now=NOON) == ServerSettings()


async def test_unknown_game_is_refused(matches: Matches) -> None:
    with refused("game_unknown"):
        await matches.servers.change(SERVER, ALICE, game="go", now=NOON)
    assert await matches.servers.settings(SERVER, now=NOON) == ServerSettings()
