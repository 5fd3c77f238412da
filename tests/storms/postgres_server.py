"""A PostgreSQL server of its own in a temporary folder, which can be restarted; from Debian's package."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import socket
import tempfile
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PROGRAMS = Path("/usr/lib/postgresql")
PORTS = (20_000, 32_000)  # below those that systems give to connections
USER = "postgres"  # of the server, which refuses to run as root


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A running server; its only database is `postgres`. Commits are durable, as by default."""

    port: int
    folder: Path

    async def restart(self, mode: str) -> None:
        """Restart it; `mode` is that of pg_ctl: `fast` ends all connections, `immediate` is a crash."""
        await self._control("restart", "-m", mode)

    async def _control(self, action: str, *arguments: str) -> None:
        log = ("-l", str(self.folder / "log"))
        await _run("pg_ctl", action, *arguments, "--wait", "-s", "-D", str(self.folder / "data"), *log)


def is_postgres_installed() -> bool:
    """Return whether Debian's package is there."""
    return any(PROGRAMS.glob("*/bin/initdb"))


def free_port() -> int:
    """Return a port of 127.0.0.1 that nothing listens on, and that no connection gets from the system.

    So a process that is started again finds it free.
    """
    while True:
        port = random.randrange(*PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@asynccontextmanager
async def running_postgres() -> AsyncIterator[PostgresServer]:
    """Run a new server inside this context."""
    with tempfile.TemporaryDirectory(prefix="rayuela-postgres-") as name:
        folder = Path(name)
        if os.geteuid() == 0:
            shutil.chown(folder, USER)
        server = PostgresServer(free_port(), folder)
        await _run("initdb", "--auth=trust", f"--username={USER}", "-D", str(folder / "data"))
        with (folder / "data" / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.write(
                f"port = {server.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n"
            )
        await server._control("start")
        try:
            yield server
        finally:
            await server._control("stop", "-m", "immediate")


async def _run(program: str, *arguments: str) -> None:
    as_user = ("runuser", "-u", USER, "--") if os.geteuid() == 0 else ()
    process = await asyncio.create_subprocess_exec(
        *as_user, str(_program(program)), *arguments, cwd="/", stdout=asyncio.subprocess.DEVNULL
    )
    if status := await process.wait():
        raise RuntimeError(f"{program} ended with status {status}")


def _program(name: str) -> Path:
    """Return the path of a program of the newest version."""
    return max(PROGRAMS.glob(f"*/bin/{name}"), key=lambda path: int(path.parent.parent.name))
