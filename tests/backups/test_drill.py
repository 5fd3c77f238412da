"""What docs/operating.md says about backups, carried out literally."""

import asyncio
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy.engine import URL

from matches import Database, Matches
from matches.personal_data.values import ErasureChoice
from tests.backups.files import ROOT, count_plies, file_names, play, play_in, run_commands
from tests.databases import execute_statements, migrate_database
from tests.matches.scenario import ALICE, BOB, CAROL, NOON, start_match

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("postgresql")]
OPERATING = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
DOCUMENTED_POSTGRES = "postgresql+asyncpg://user@host/name"


def documented_commands(heading: str) -> list[list[str]]:
    """Return the commands of each block below a heading."""
    section = OPERATING.split(f"### {heading}\n")[1].split("\n#")[0]
    return [block.strip().splitlines() for block in re.findall(r"```\n(.*?)```", section, re.DOTALL)]


@pytest.fixture
def new_postgres(postgres_server: URL) -> Iterator[URL]:
    """Return the URL of a database that does not exist; it and the one that it replaced are dropped."""
    url = postgres_server.set(drivername="postgresql+asyncpg", database=f"rayuela_test_{uuid4().hex}")
    yield url
    for suffix in ("", "_replaced"):
        drop = f"DROP DATABASE IF EXISTS {url.database}{suffix} WITH (FORCE)"
        asyncio.run(execute_statements(postgres_server, drop))


def for_server(commands: list[str], url: URL) -> list[str]:
    """Return documented commands with the address of a server and the name of a database on it."""
    address = url.render_as_string(hide_password=False)
    options = f"--host={url.host} --port={url.port or 5432} --username={url.username} {url.database}"
    return [
        command.replace(DOCUMENTED_POSTGRES, address).replace("--host=host --username=user name", options)
        for command in commands
    ]


async def erase_carol(url: str) -> None:
    """Erase a player who is in the backup."""
    async with await Database.open(url) as database:
        await Matches(database).people.personal_data.erase(CAROL.account, ErasureChoice.RESIGN, now=NOON)


async def test_sqlite_is_backed_up_and_restored(tmp_path: Path) -> None:
    (back_up,) = documented_commands("Backups")
    restore, delete_old, *_docker = documented_commands("Restore a backup: SQLite")
    used = tmp_path / "data" / "rayuela.db"
    url = f"sqlite:///{used}"
    async with await Database.open(url) as database:
        matches = Matches(database)
        match = await play(matches, 2)
        await start_match(matches, by=CAROL, to=BOB)
        assert "matches: 2, replayed: 2." in await run_commands(tmp_path, back_up)
        await play(matches, 5, match)
    await erase_carol(url)
    printed = await run_commands(tmp_path, restore)
    assert "match 1: 2 moves, agrees" in printed
    assert "Erased again: 1." in printed
    assert await count_plies(url) == 2
    assert await count_plies(f"{url}.replaced") == 7
    with closing(sqlite3.connect(used)) as connection:
        found = connection.execute("SELECT count(*) FROM people WHERE account = ?", (CAROL.account,))
        assert found.fetchone() == (0,)
    await run_commands(tmp_path, delete_old)
    assert file_names(used.parent) == ["backups", "rayuela.db"]


async def test_an_installation_moves_to_postgresql_and_is_restored_there(
    tmp_path: Path, new_postgres: URL
) -> None:
    if not shutil.which("pg_dump"):
        pytest.skip("the programs of PostgreSQL are not in the path")
    (back_up,) = documented_commands("Backups")
    (move,) = documented_commands("Move to PostgreSQL")
    restore, drop_old = documented_commands("Restore a backup: PostgreSQL")
    old, new = (
        f"sqlite:///{tmp_path / 'data' / 'rayuela.db'}",
        new_postgres.render_as_string(hide_password=False),
    )
    match = await play_in(old, 2)
    await migrate_database(old)
    printed = await run_commands(tmp_path, for_server(move, new_postgres))
    assert printed.endswith("Copied completely. Set DATABASE_URL to the new database, and start the bot.\n")
    async with await Database.open(new) as database:
        matches = Matches(database)
        await play(matches, 1, match)
        await start_match(matches, by=ALICE, to=CAROL)
    await run_commands(tmp_path, back_up, DATABASE_URL=new)
    await play_in(new, 4, match)
    await erase_carol(new)
    printed = await run_commands(tmp_path, for_server(restore, new_postgres), DATABASE_URL=new)
    assert "match 1: 3 moves, agrees" in printed
    assert "Erased again: 1." in printed
    assert await count_plies(new, match) == 3
    await run_commands(tmp_path, for_server(drop_old, new_postgres))
