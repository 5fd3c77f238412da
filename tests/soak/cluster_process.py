"""``python -m tests.soak.cluster_process JSON``: one process of a cluster, on the simulated clock.

It does what its role says, but nothing by itself: each line on its standard input is a command, answered by a
line as soon as it is carried out. The first line, "ready", comes without being asked.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from bot import app as bot_app
from bot.shard_range import parse_shard_range
from matches import Database
from runtime import logs
from runtime.role import Role
from tests.discord_connector import connector_for
from tests.soak.bot_runner import OUTAGE_THRESHOLD, RESPONSE_TIMEOUT
from tests.soak.clock import ClockReader
from web import app as web_app
from web.context import CONTEXT
from web.server.limits import RequestLimiter
from web.settings import WebSettings

if TYPE_CHECKING:
    from aiohttp import web

    from bot.client import Rayuela

SECRET = "a secret that all processes of the simulated cluster share"  # noqa: S105 - protects nothing


@dataclass(frozen=True, slots=True)
class ProcessPlan:
    """What a process needs to know. `shards` are as in SHARDS, `web_socket` is the one that it listens on."""

    role: str
    database_url: str
    discord_token: str
    discord_port: int
    ca_file: str
    clock_file: str
    public_url: str
    pack_after_seconds: float
    shards: str | None = None
    web_socket: int | None = None

    def to_json(self) -> str:
        return json.dumps(asdict(self))


def print_line(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main(plan: ProcessPlan) -> None:
    """Run the process until it is told to stop."""
    async with await Database.open(plan.database_url) as database:
        website = build_website(plan, database)
        if plan.role == Role.WEB.value:
            with socket.socket(fileno=plan.web_socket) as listener:
                async with web_app.serve(website, listener):
                    print_line("ready")
                    await obey(None)
        else:
            await run_bot(plan, database, website)


def build_website(plan: ProcessPlan, database: Database) -> web.Application:
    """Return the website, which nobody slows down; a bot only takes its links from it."""
    settings = WebSettings(public_url=plan.public_url)
    return web_app.build(
        database,
        settings,
        SECRET,
        now=ClockReader(Path(plan.clock_file)),
        request_limiter=RequestLimiter(rate=1e6, burst=10**6),
    )


async def run_bot(plan: ProcessPlan, database: Database, website: web.Application) -> None:
    """Run a bot or a worker."""
    client = bot_app.build_client(
        database,
        connector=connector_for(plan.discord_port, plan.ca_file),
        now=ClockReader(Path(plan.clock_file)),
        response_timeout=RESPONSE_TIMEOUT,
        send_timeout=RESPONSE_TIMEOUT,
        outage=OUTAGE_THRESHOLD,
        seat_links=web_app.WebSeatLinks(website[CONTEXT]),
        role=Role(plan.role),
        shards=None if plan.shards is None else parse_shard_range(plan.shards),
        identify_interval=timedelta(0),
    )
    client.matches.work.packing.delay = timedelta(seconds=plan.pack_after_seconds)
    async with client:
        connection = asyncio.create_task(client.start(plan.discord_token))
        ready = asyncio.create_task(client.can_work.wait())
        await asyncio.wait({connection, ready}, return_when=asyncio.FIRST_COMPLETED)
        if connection.done():
            connection.result()
        if client.role.has_gateway:
            await client.wait_until_ready()
        print_line("ready")
        await obey(client)
        await client.close()
        await connection


async def obey(client: Rayuela | None) -> None:
    """Carry out commands until "stop"; a website has nothing to do for the others."""
    while (command := (await asyncio.to_thread(sys.stdin.readline)).split()) and command[0] != "stop":
        if client is not None:
            await perform(client, *command)
        print_line("done")


async def perform(client: Rayuela, command: str, value: str = "") -> None:
    """Carry out a command: do what is due, finish what follows answers, or set the time for an answer."""
    if command == "tick":
        await client.outbox.run_once()
    elif command == "idle":
        await client.in_flight.wait_until_idle()
    elif command == "timeout":
        client.response_timeout = float(value)
    else:
        raise ValueError(command)


if __name__ == "__main__":
    logs.configure("INFO")
    asyncio.run(main(ProcessPlan(**json.loads(sys.argv[1]))))
