"""Backups, restores and copies by processes that are killed: what is there then is whole, or refused."""

from __future__ import annotations

import asyncio
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from backups.files import fits_name, list_backups
from matches.log_audit import audit_match, list_match_ids
from storage import Database, StorageError
from tests.databases import RECREATE_SCHEMA, execute_statements
from tests.matches import schema_snapshots
from tests.processes import ROOT
from tests.storms import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable


async def kill_backups(url: str, folder: Path, seed: int, kills: Iterable[int]) -> str:
    """Kill commands at random moments; return the counts. Raises Violation.

    On SQLite these are backups and restores, on PostgreSQL backups, and copies to it.
    """
    storm = _Storm(Random(seed), url, folder)
    await storm.prepare()
    names = [*storm.commands]
    done = finished = 0
    for done in kills:  # noqa: B007 - the last one counts
        name = storm.rng.choice(names)
        finished += await storm.kill(name)
        await storm.check(name)
    return f"{done} commands killed ({', '.join(names)}), {finished} of them too late; all databases whole"


@dataclass(slots=True)
class _Storm:
    rng: Random
    url: str
    folder: Path
    seconds: dict[str, float] = field(default_factory=dict)  # that each command takes

    @property
    def backups(self) -> Path:
        return self.folder / "backups"

    @property
    def is_sqlite(self) -> bool:
        return self.url.startswith("sqlite")

    @property
    def source_url(self) -> str:
        """The URL of the SQLite database with matches in every state."""
        return f"sqlite:///{self.folder / 'source.db'}"

    @property
    def commands(self) -> dict[str, tuple[str, ...]]:
        """The arguments of each command, by its name."""
        database = ("--database", self.url)
        backup = ("backup", str(self.backups), *database)
        if not self.is_sqlite:
            return {"copy": ("copy", self.source_url, self.url), "backup": backup}
        files = list_backups(self.backups)
        file = str(files[0].path) if files else ""
        return {"backup": backup, "restore": ("restore", file, "--replace", *database)}

    async def prepare(self) -> None:
        """Fill the database, and run every command once to its end."""
        snapshot = max(schema_snapshots.SNAPSHOTS.glob("*.json"))
        await schema_snapshots.restore(snapshot, self.source_url, self.folder)
        await _open(self.source_url)
        if self.is_sqlite:
            await schema_snapshots.restore(snapshot, self.url, self.folder)
            await _open(self.url)
        for name in self.commands:
            began = time.monotonic()
            process = await self._start(name)
            if await process.wait() != 0:
                raise Violation(f"{name} failed although nobody killed it")
            self.seconds[name] = time.monotonic() - began
            await self.check(name)

    async def _start(self, name: str) -> asyncio.subprocess.Process:
        if name == "copy":
            await execute_statements(self.url, *RECREATE_SCHEMA)
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "storage", *self.commands[name]),
            cwd=ROOT,
            stdout=asyncio.subprocess.DEVNULL,
        )

    async def kill(self, name: str) -> bool:
        """Kill a command at a random moment; return whether it had ended."""
        process = await self._start(name)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), self.rng.uniform(0.3, 1.1) * self.seconds[name])
        has_ended = process.returncode is not None
        if not has_ended:
            process.kill()
        if await process.wait() > 0:
            raise Violation(f"{name} failed although nobody killed it")
        return has_ended

    async def check(self, name: str) -> None:
        """Check that the database is whole, or an unfinished copy, and that every backup is whole.

        What a restore put aside is whole, too; it is deleted.
        """
        expected = await _open(self.source_url)
        try:
            found = await _open(self.url)
        except StorageError as error:
            if name != "copy" or "unfinished copy" not in str(error):
                raise Violation(f"after {name}: {error}") from error
            process = await self._start("copy")
            found = expected if await process.wait() == 0 else -1
        untouched = name == "copy" and found == 0
        if found != expected and not untouched:
            raise Violation(f"after {name} there are {found} matches of {expected}")
        if untouched and await (await self._start("copy")).wait() != 0:
            raise Violation("a copy failed although nobody killed it")
        for backup in list_backups(self.backups):
            if not fits_name(backup.path):
                raise Violation(f"{backup.path.name} is not whole")
        aside = self.folder / f"{Path(self.url).name}.replaced"
        if aside.exists():
            if await _open(f"sqlite:///{aside}") != expected:
                raise Violation("the database that was put aside is not whole")
            aside.unlink()


async def _open(url: str) -> int:
    """Open a database and replay its matches; return their number. Raises StorageError, Violation."""
    async with await Database.open(url) as database:
        matches = await list_match_ids(database)
        audits = [await audit_match(database, match) for match in matches]
    if wrong := [audit for audit in audits if audit.difference]:
        raise Violation(f"matches do not replay: {wrong}")
    return len(matches)
