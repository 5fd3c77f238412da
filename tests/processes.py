"""Second processes for tests: a script of ours, told apart by the lines that it prints, or the bot."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from signal import SIGKILL, SIGTERM
from typing import IO

from tests.discord_server import DiscordServer

ROOT = Path(__file__).resolve().parent.parent


class ScriptProcess:
    """A running Python that says how far it has come."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def read_line(self) -> str:
        """Wait for its next line, empty at its end."""
        assert self._process.stdout is not None
        return (await self._process.stdout.readline()).decode().strip()

    def send_line(self, line: str) -> None:
        """Send it a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    async def kill(self) -> None:
        """End it at once, as a power cut would, unless it has ended."""
        with suppress(ProcessLookupError):
            self._process.send_signal(SIGKILL)
        await self._process.wait()

    async def wait_for_exit(self) -> int:
        """Wait for its end and give the exit code."""
        return await self._process.wait()


@asynccontextmanager
async def run_script(module: str, *arguments: str) -> AsyncIterator[ScriptProcess]:
    """Run ``python -m MODULE ARGUMENTS`` from the root; killed at the end if it still runs."""
    started = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        *arguments,
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield ScriptProcess(started)
    finally:
        if started.returncode is None:
            started.kill()
        await started.communicate()


async def start_bot(
    discord: DiscordServer,
    database_url: str,
    *,
    ahead: float = 0,
    log: IO[bytes] | int = asyncio.subprocess.PIPE,
    settings: Mapping[str, str],
    spaced: bool = False,
    folder: Path = ROOT,
    python: str = sys.executable,
) -> asyncio.subprocess.Process:
    """Start the bot on a loopback Discord, its clock `ahead` seconds ahead; it writes JSON lines to `log`.

    `settings` are further ones in its environment. With `spaced` it opens its sessions as the real Discord
    demands it, five seconds apart. `folder` may hold another version, run by its own `python`.
    """
    return await asyncio.create_subprocess_exec(
        *(python, "-m", *bot_arguments(discord, ahead=ahead)),
        *(("spaced",) if spaced else ()),
        cwd=folder,
        env=os.environ | bot_environment(discord, database_url) | dict(settings),
        stderr=log,
    )


def bot_arguments(discord: DiscordServer, *, ahead: float = 0) -> tuple[str, ...]:
    """Return the module that runs the bot on a loopback Discord, and its arguments."""
    return ("tests.bot.bot_process", str(discord.port), str(discord.ca_file), str(ahead))


def bot_environment(discord: DiscordServer, database_url: str) -> dict[str, str]:
    """Return the settings of a bot on a loopback Discord."""
    return {
        "DISCORD_TOKEN": discord.token,
        "DATABASE_URL": database_url,
        "LOG_LEVEL": "DEBUG",
        "PYTHONWARNINGS": "ignore",
        "WEB_PORT": "0",
    }


def free_port() -> int:
    """Return a port of 127.0.0.1 that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


@asynccontextmanager
async def running_web_process(folder: Path, database_url: str, **settings: str) -> AsyncIterator[str]:
    """Run ``python -m web`` in a folder; return its address. It must stop cleanly at the end."""
    own = {"DATABASE_URL": database_url, "WEB_PORT": "0", "HEALTH_FILE": str(folder / "health")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "web"),
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | own | settings,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        yield (await process.stdout.readline()).decode().split()[-1]
        process.send_signal(SIGTERM)
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
