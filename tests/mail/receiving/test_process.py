"""A process of its own receives mail and answers it; a website does both if it does everything."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parseaddr
from signal import SIGTERM
from typing import TYPE_CHECKING

import pytest

from mail.reply_addresses import ReplyAddresses
from matches import Matches
from matches.platforms import WEBSITE
from storage import Database
from tests.discord_server.waiting import PATIENCE
from tests.games import GAMES
from tests.mail.mail_servers import find_port, wait_for_port
from tests.mail.receiving.scenario import pen_of
from tests.mail.receiving.test_lmtp import connected
from tests.mail.scenario import ANN, BEN, address_of, give_mail
from tests.mail.smtp_server import running_smtp
from tests.matches.scenario import legal_move, player_to_move, start_match
from tests.processes import ROOT, running_web_process

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

SECRET = "a secret that several processes share"  # noqa: S105 - it opens nothing


@asynccontextmanager
async def running_mail_process(folder: Path, database_url: str, **settings: str) -> AsyncIterator[None]:
    """Run ``python -m runtime`` with ROLE=mail in a folder. It must stop cleanly at the end."""
    own = {"DATABASE_URL": database_url, "HEALTH_FILE": str(folder / "health"), "ROLE": "mail"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "runtime"),
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | own | settings,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert (await process.stdout.readline()).decode() == "Mail to play@example.org is received.\n"
        yield
        process.send_signal(SIGTERM)
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.long
@pytest.mark.parametrize("role", ["mail", "all"])
async def test_move_by_mail_is_played_and_answered(tmp_path: Path, sqlite_url: str, role: str) -> None:
    port, arrived = find_port(), asyncio.Event()
    replies = ReplyAddresses("play@example.org", SECRET)
    async with await Database.open(sqlite_url) as database, running_smtp() as server:
        await give_mail(database, ANN, BEN)
        matches = Matches(database, games=GAMES)
        view = await start_match(matches, {}, game="morabaraba", by=ANN, to=BEN, channel=WEBSITE)
        for person in (ANN, BEN):
            await matches.people.notices.mark_seen(person.account, view.id, now=datetime.now(UTC))
        mover = ANN if player_to_move(view).account == ANN.account else BEN
        to = replies.match_address(view.id, view.revision, mover.account)
        server.on_stage = lambda stage: arrived.set() if stage == "data" else None
        settings = {
            "MAIL_URL": f"smtp://127.0.0.1:{server.port}",
            "MAIL_FROM": "Rayuela <play@example.org>",
            "MAIL_IN": f"lmtp://127.0.0.1:{port}",
            "MAIL_REPLY_TO": "play@example.org",
            "MAIL_AUTHSERV_ID": "mx.example.org",
            "PUBLIC_URL": "https://rayuela.example",
            "WEB_SECRET": SECRET,
        }
        running = running_mail_process if role == "mail" else running_web_process
        async with running(tmp_path, sqlite_url, **settings), asyncio.timeout(PATIENCE):
            await wait_for_port(port)
            async with connected(port) as client:
                assert await client.begin(to) == ["250 2.1.5 OK"]
                assert await client.send(pen_of(mover).write(to, legal_move(view))) == "250 2.0.0 OK"
            assert (await matches.view(view.id, now=datetime.now(UTC))).ply == 1
            await arrived.wait()
    assert address_of(mover) in server.recipients
    answer = server.mails[server.recipients.index(address_of(mover))]
    assert answer["In-Reply-To"] == f"<{mover.name.lower()}.1@mail.example>"
    assert replies.read(parseaddr(str(answer["Reply-To"]))[1]) is not None


@pytest.mark.long
async def test_missing_setting_is_said_in_one_sentence(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "mail"),
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "WEB_SECRET": SECRET},
        stderr=asyncio.subprocess.PIPE,
    )
    _, errors = await process.communicate()
    assert process.returncode == 2
    assert errors.decode().startswith("MAIL_IN must be set for ROLE=mail: ")
    assert len(errors.decode().splitlines()) == 1
