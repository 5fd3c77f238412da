"""What a process with the default settings does not load: it would keep the memory as long as it runs."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from storage import Database
from tests.processes import ROOT

if TYPE_CHECKING:
    from pathlib import Path

LARGE = {
    *("aiosmtpd", "imap_tools", "mail.receiving.receiver"),
    *("ai.search", "aiosmtplib", "alembic", "asyncpg", "prometheus_client"),
    *("sqlalchemy.dialects.postgresql", "wasmtime"),
    *("cryptography", "pywebpush", "requests", "urllib3"),
    *("cbor2", "webauthn"),
}


@pytest.mark.long
async def test_bot_and_website_on_a_current_database_load_nothing_large(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'rayuela.db'}"
    async with await Database.open(url):
        pass
    program = (
        "import asyncio, sys, bot.__main__, web.__main__, storage;"
        f"asyncio.run(asyncio.run(storage.Database.open({url!r})).close());"
        "print(*sys.modules, sep='\\n')"
    )
    done = subprocess.run(  # noqa: S603, ASYNC221 - this interpreter; nothing else runs in this test
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert LARGE & set(done.stdout.split()) == set()
