"""Every page of `make screenshots` exists; the pictures themselves are for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.screenshots import PAGES
from tests.web.environment import ALICE, SIGN_IN_SETTINGS, running_web
from tests.web.prepared_matches import prepare_matches
from tests.web.prepared_tournaments import prepare_tournaments

if TYPE_CHECKING:
    from matches import Database


@pytest.mark.long
async def test_every_page_of_the_screenshots_exists(database: Database) -> None:
    async with (
        running_web(database, allow_local_games=True, has_computer=True, **SIGN_IN_SETTINGS) as env,
        env.visitor() as visitor,
    ):
        tournaments = await prepare_tournaments(env)  # takes days, in which clocks of matches run
        matches = tournaments | await prepare_matches(env)
        cookie = {"Cookie": f"session={await env.start_seat_session(ALICE)}"}
        paths = {name: path.format(**matches) for name, path in PAGES.items()}
        statuses = {name: (await visitor.get(path, headers=cookie)).status for name, path in paths.items()}
    assert statuses == dict.fromkeys(PAGES, 200) | {"refused": 404}
