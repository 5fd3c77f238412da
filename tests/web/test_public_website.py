"""``python -m web`` with PUBLIC_URL and no bot: a whole public website, which also does all that is due."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from sqlalchemy import select

from engine.game import Side
from matches import (
    WEBSITE,
    WEBSITE_COVERAGE,
    AnnouncementKind,
    Challenge,
    ChallengeState,
    Database,
    EndReason,
    Matches,
    MatchState,
    MatchView,
    Person,
    Terms,
    TimeoutRule,
    parse_time_control,
)
from matches.platforms import MAIL
from runtime.heartbeat import heartbeat_age
from storage.tables import OUTBOX
from tests.discord_server.waiting import PATIENCE
from tests.games import GAMES
from tests.mail.scenario import ANN, BEN, give_mail
from tests.matches.scenario import SMALL
from tests.processes import free_port, running_web_process
from tests.web.environment import OWN_SITE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

LOCAL_GAME = {"game": "morelli", "screens": "two", "first": "Ann", "second": "Ben"}
THREE_DAYS = Terms(time_control=parse_time_control("3d per move"), timeout_rule=TimeoutRule.LOST)


@pytest.fixture
async def matches(sqlite_url: str) -> AsyncIterator[Matches]:
    """Return the matches of a database in which Ann and Ben have mail addresses."""
    async with await Database.open(sqlite_url) as database:
        await give_mail(database, ANN, BEN)
        yield Matches(database, games=GAMES)


async def make_challenge(matches: Matches, to: Person | None, now: datetime) -> Challenge:
    update = await matches.challenges.create(
        ANN,
        to=to,
        server=WEBSITE,
        channel=WEBSITE,
        game="morelli",
        options=SMALL,
        terms=THREE_DAYS,
        colour=Side.BLACK,
        now=now,
    )
    return update.challenge


async def start_match(matches: Matches, now: datetime) -> MatchView:
    """Start a match that waits for Ann, with three days for each move."""
    challenge = await make_challenge(matches, BEN, now)
    return (await matches.challenges.accept(challenge.id, BEN, now=now)).match


def public_settings() -> dict[str, str]:
    port = free_port()
    mail = {"MAIL_URL": f"smtp://127.0.0.1:{free_port()}", "MAIL_FROM": "Rayuela <play@example.org>"}
    return {"WEB_PORT": str(port), "PUBLIC_URL": f"http://127.0.0.1:{port}", **mail}


async def wait_for(condition: Callable[[], Awaitable[Any]]) -> None:
    """Wait for what another process does."""
    async with asyncio.timeout(PATIENCE):
        while not await condition():  # noqa: ASYNC110 - of another process
            await asyncio.sleep(0.05)


@pytest.mark.long
async def test_lobby_is_there_and_local_games_are_not(tmp_path: Path, sqlite_url: str) -> None:
    async with (
        running_web_process(tmp_path, sqlite_url, **public_settings()) as base,
        aiohttp.ClientSession(base) as visitor,
    ):
        async with visitor.get("/") as page:
            text = await page.text()
            assert "Find an opponent" in text
            assert 'value="two"' not in text
        async with visitor.get("/lobby") as page:
            assert page.status == 200
        await wait_for(lambda: asyncio.to_thread(heartbeat_age, tmp_path / "health"))
        async with visitor.post("/new", data=LOCAL_GAME, headers=OWN_SITE) as page:
            assert "/links" not in page.url.path
            assert "Ben" not in await page.text()


@pytest.mark.long
async def test_website_alone_does_what_is_due(
    tmp_path: Path, sqlite_url: str, matches: Matches, database: Database
) -> None:
    now = datetime.now(UTC)
    old = await make_challenge(matches, None, now - timedelta(days=8))
    late = await start_match(matches, now - timedelta(days=3, hours=1))
    urgent = await start_match(matches, now - timedelta(days=2, hours=23))
    await matches.clocks.heartbeat(now, WEBSITE_COVERAGE)  # a moment ago the website ran

    async def is_expired() -> bool:
        challenge = await matches.challenges.find(old.id, now=now - timedelta(days=8))
        return challenge.state is ChallengeState.EXPIRED

    async def is_over() -> bool:
        return (await matches.view(late.id, now=now)).state is MatchState.OVER

    async def is_reminded() -> bool:
        found = select(OUTBOX.c.id).where(
            OUTBOX.c.kind == AnnouncementKind.REMINDED.value,
            OUTBOX.c.match == urgent.id,
            OUTBOX.c.to == ANN.account,
            OUTBOX.c.platform == MAIL,
        )
        async with database.read() as connection:
            return (await connection.execute(found)).first() is not None

    async with running_web_process(tmp_path, sqlite_url, **public_settings()):
        for condition in (is_expired, is_over, is_reminded):
            await wait_for(condition)
    view = await matches.view(late.id, now=now)
    assert view.result is not None
    assert view.result.reason is EndReason.TIME
    assert (await matches.view(urgent.id, now=now)).state is MatchState.PLAYING


@pytest.mark.long
async def test_nobody_loses_time_while_the_website_is_down_for_a_day(
    tmp_path: Path, sqlite_url: str, matches: Matches
) -> None:
    now = datetime.now(UTC)
    view = await start_match(matches, now - timedelta(days=3, hours=1))
    await matches.clocks.heartbeat(now - timedelta(days=1), WEBSITE_COVERAGE)
    late = await make_challenge(matches, None, now - timedelta(days=8))

    async def is_expired() -> bool:
        challenge = await matches.challenges.find(late.id, now=now - timedelta(days=8))
        return challenge.state is ChallengeState.EXPIRED

    async with running_web_process(tmp_path, sqlite_url, **public_settings()):
        await wait_for(is_expired)  # it comes after the clocks
    assert (await matches.view(view.id, now=now)).state is MatchState.PLAYING
