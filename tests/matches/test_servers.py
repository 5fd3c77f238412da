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
    await matches.servers.set_threads(SERVER, ALICE, on=True, now=NOON)
    await matches.servers.set_default_game(SERVER, BOB, "morphos", now=NOON)
    changed = await matches.servers.set_default_time_control(SERVER, ALICE, SLOW, now=NOON)
    assert changed == ServerSettings(threads=True, game="morphos", time_control=SLOW)
    assert await other_matches.servers.settings(SERVER, now=NOON) == changed


async def test_settings_can_be_reset(matches: Matches) -> None:
    await matches.servers.set_threads(SERVER, ALICE, on=True, now=NOON)
    await matches.servers.set_default_game(SERVER, ALICE, "morphos", now=NOON)
    await matches.servers.set_threads(SERVER, ALICE, on=False, now=NOON)
    assert await matches.servers.set_default_game(SERVER, ALICE, None, now=NOON) == ServerSettings()


async def test_two_who_change_settings_at_once_keep_both_changes(
    matches: Matches, other_matches: Matches
) -> None:
    await asyncio.gather(
        matches.servers.set_threads(SERVER, ALICE, on=True, now=NOON),
        other_matches.servers.set_default_game(SERVER, BOB, "morphos", now=NOON),
    )
    found = await matches.servers.settings(SERVER, now=NOON)
    assert found == ServerSettings(threads=True, game="morphos")


async def test_servers_have_settings_of_their_own(matches: Matches) -> None:
    await matches.servers.set_threads(SERVER, ALICE, on=True, now=NOON)
    assert await matches.servers.settings("test:other", now=NOON) == ServerSettings()


async def test_unknown_game_is_refused(matches: Matches) -> None:
    with refused("game_unknown"):
        await matches.servers.set_default_game(SERVER, ALICE, "go", now=NOON)
    assert await matches.servers.settings(SERVER, now=NOON) == ServerSettings()
