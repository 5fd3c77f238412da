"""Backups, restores and copies by processes that are killed: what is there then is whole, or refused."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from backups.files import fits_name, list_backups
from storage import StorageError
from tests.cluster import Violation
from tests.cluster.audit import replay_all
from tests.cluster.process import ChildProcess, run_module
from tests.databases import RECREATE_SCHEMA, execute_statements
from tests.matches import schema_snapshots

if TYPE_CHECKING:
    from tests.storms import Storm


async def kill_backups(storm: Storm) -> str:
    """Kill commands at random moments; return the counts. Raises Violation.

    On SQLite these are backups and restores, on PostgreSQL backups, and copies to it.
    """
    attack = _Attack(Random(storm.seed), storm.url, storm.folder)
    await attack.prepare()
    names = [*attack.commands]
    done = finished = 0
    for done in storm.attempts(storm.kills):  # noqa: B007 - the last one counts
        name = attack.rng.choice(names)
        finished += await attack.kill(name)
        await attack.check(name)
    return f"{done} commands killed ({', '.join(names)}), {finished} of them too late; all databases whole"


@dataclass(slots=True)
class _Attack:
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
        await replay_all(self.source_url)
        if self.is_sqlite:
            await schema_snapshots.restore(snapshot, self.url, self.folder)
            await replay_all(self.url)
        for name in self.commands:
            process, began = await self._start(name), time.monotonic()
            await process.finish()
            self.seconds[name] = time.monotonic() - began
            await self.check(name)

    async def _start(self, name: str) -> ChildProcess:
        if name == "copy":
            await execute_statements(self.url, *RECREATE_SCHEMA)
        process = ChildProcess(name, run_module, "storage", *self.commands[name])
        process.start()
        return process

    async def kill(self, name: str) -> bool:
        """Kill a command at a random moment; return whether it had ended."""
        process = await self._start(name)
        return not await process.kill_after(self.rng.uniform(0.3, 1.1) * self.seconds[name])

    async def check(self, name: str) -> None:
        """Check that the database is whole, or an unfinished copy, and that every backup is whole.

        What a restore put aside is whole, too; it is deleted.
        """
        expected = await replay_all(self.source_url)
        try:
            found = await replay_all(self.url)
        except StorageError as error:
            if name != "copy" or "unfinished copy" not in str(error):
                raise Violation(f"after {name}: {error}") from error
            process = await self._start("copy")
            found = expected if await process.wait() == 0 else -1
        untouched = name == "copy" and found == 0
        if found != expected and not untouched:
            raise Violation(f"after {name} there are {found} matches of {expected}")
        if untouched:
            await (await self._start("copy")).finish()
        for backup in list_backups(self.backups):
            if not fits_name(backup.path):
                raise Violation(f"{backup.path.name} is not whole")
        aside = self.folder / f"{Path(self.url).name}.replaced"
        if aside.exists():
            if await replay_all(f"sqlite:///{aside}") != expected:
                raise Violation("the database that was put aside is not whole")
            aside.unlink()
