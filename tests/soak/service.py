"""What each process of a simulation runs: a bot, a worker or a website, on the simulated clock.

It does what its role says, but nothing by itself: each request of its parent is answered as soon as it is
carried out. The first answer comes without being asked, when it is ready.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from bot import app as bot_app
from bot.outbox.pace import RequestPace
from matches import Database
from runtime import logs
from runtime.role import Role
from tests.discord_connector import connector_for
from tests.soak.clock import ClockReader
from tests.soak.plan import OUTAGE_THRESHOLD, RESPONSE_TIMEOUT
from web import app as web_app
from web.context import CONTEXT
from web.server.limits import RequestLimiter
from web.settings import WebSettings

if TYPE_CHECKING:
    import socket
    from pathlib import Path

    from aiohttp import web

    from bot.client import Rayuela
    from bot.shard_range import ShardRange
    from tests.cluster.process import Parent

SECRET = "a secret that all processes of the simulated cluster share"  # noqa: S105 - protects nothing


@dataclass(frozen=True, slots=True)
class ServicePlan:
    """What a process needs to know: `listener` if it is the website, `public_url` if there is one."""

    database_url: str
    discord_token: str
    discord_port: int
    ca_file: str
    clock_file: Path
    pack_after: timedelta
    public_url: str | None
    role: Role = Role.ALL
    shards: ShardRange | None = None
    listener: socket.socket | None = None
    seed: int = 0


async def serve(parent: Parent, plan: ServicePlan) -> None:
    """Run the process until it is told to stop; its seed decides everything random."""
    logs.configure("INFO")
    rng = Random(plan.seed)
    with patch.object(secrets, "choice", rng.choice), patch.object(secrets, "randbelow", rng.randrange):
        async with await Database.open(plan.database_url) as database:
            website = None if plan.public_url is None else build_website(plan, plan.public_url, database)
            if plan.listener is not None and website is not None:
                async with web_app.serve(website, plan.listener):
                    parent.send("ready")
                    async for _ in parent.requests():
                        parent.send("done")  # a website has nothing to do for the others
            else:
                await serve_bot(parent, plan, database, website)


def build_website(plan: ServicePlan, public_url: str, database: Database) -> web.Application:
    """Return the website, which nobody slows down; a bot only takes its links from it."""
    return web_app.build(
        database,
        WebSettings(public_url=public_url),
        SECRET,
        now=ClockReader(plan.clock_file),
        request_limiter=RequestLimiter(rate=1e6, burst=10**6),
    )


NO_LIMIT = 1e9  # requests in a second: a year passes in minutes


async def serve_bot(
    parent: Parent, plan: ServicePlan, database: Database, website: web.Application | None
) -> None:
    """Run a bot or a worker."""
    client = bot_app.build_client(
        database,
        connector=connector_for(plan.discord_port, plan.ca_file),
        now=ClockReader(plan.clock_file),
        response_timeout=RESPONSE_TIMEOUT,
        send_timeout=RESPONSE_TIMEOUT,
        outage=OUTAGE_THRESHOLD,
        seat_links=None if website is None else web_app.WebSeatLinks(website[CONTEXT]),
        role=plan.role,
        shards=plan.shards,
        identify_interval=timedelta(0),
        pace=RequestPace(NO_LIMIT),
    )
    client.matches.work.packing.delay = plan.pack_after
    async with client:
        connection = asyncio.create_task(client.start(plan.discord_token))
        ready = asyncio.create_task(client.is_prepared.wait())
        await asyncio.wait({connection, ready}, return_when=asyncio.FIRST_COMPLETED)
        if connection.done():
            connection.result()
        if client.role.has_gateway:
            await client.wait_until_ready()
        parent.send("ready")
        async for command, *values in parent.requests():
            parent.send(await perform(client, command, *values))
        await client.close()
        await connection


async def perform(client: Rayuela, command: str, value: Any = None) -> Any:
    """Do what is due, finish what follows answers, or set the time for an answer."""
    match command:
        case "tick":
            await client.outbox.run_once()
        case "idle":
            await client.in_flight.wait_until_idle()
        case "timeout":
            client.response_timeout = value
        case _:
            raise ValueError(command)
    return "done"
