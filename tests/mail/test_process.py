"""A website in a process of its own sends the mails that others write, if it has a mail server."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from matches.posting.letters import LetterKind
from storage import Database
from tests.discord_server.waiting import PATIENCE
from tests.mail.scenario import write
from tests.mail.smtp_server import running_smtp
from tests.processes import running_web_process

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.long
async def test_website_sends_a_letter_that_another_process_wrote(tmp_path: Path, sqlite_url: str) -> None:
    arrived = asyncio.Event()
    settings = {"MAIL_FROM": "Rayuela <play@example.org>", "PUBLIC_URL": "https://rayuela.example"}
    async with running_smtp() as server:
        server.on_stage = lambda stage: arrived.set() if stage == "data" else None
        url = f"smtp://127.0.0.1:{server.port}"
        async with running_web_process(tmp_path, sqlite_url, MAIL_URL=url, **settings):
            async with await Database.open(sqlite_url) as database:
                await write(database, LetterKind.CODE, "a@example.org", code="q", now=datetime.now(UTC))
            async with asyncio.timeout(PATIENCE):
                await arrived.wait()
    assert server.recipients == ["a@example.org"]
    body = server.mails[0].get_body(("plain",))
    assert body is not None
    assert "https://rayuela.example/signin/link/" in body.get_content()
