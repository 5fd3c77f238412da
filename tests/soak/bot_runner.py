"""The bot in this process: started, stopped and killed; it uses the clock of the simulation."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bot import app
from bot.client import Rayuela
from engine import GAMES
from i18n import Texts
from matches import Database, Matches

if TYPE_CHECKING:
    from collections.abc import Coroutine, Generator
    from contextvars import Context

    from tests.discord_server import DiscordServer
    from tests.soak.cost_meter import CostMeter

RESPONSE_TIMEOUT = 60.0  # seconds: the load of the machine must not change what happens
TICK_INTERVAL = timedelta(hours=2)  # simulated time between two runs of the outbox and the clocks
OUTAGE_THRESHOLD = TICK_INTERVAL + timedelta(minutes=30)

_BOT_TASKS: ContextVar[set[asyncio.Task[Any]] | None] = ContextVar("bot_tasks", default=None)


def _create_task(
    loop: asyncio.AbstractEventLoop,
    coro: Coroutine[Any, Any, Any] | Generator[Any, None, Any],
    context: Context | None = None,
) -> asyncio.Task[Any]:
    """Make a task; the tasks of the bot are noted, so that :meth:`BotRunner.kill` can cancel them."""
    task = asyncio.Task(coro, loop=loop, context=context)
    tasks = _BOT_TASKS.get()
    if tasks is not None:
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    return task


class BotRunner:
    """The bot on one database, running or not; `meter` counts the work of its database."""

    has_website = False
    is_doubled = False

    def __init__(
        self, discord: DiscordServer, database_url: str, meter: CostMeter, pack_after: timedelta
    ) -> None:
        self._discord = discord
        self._pack_after = pack_after
        self._meter = meter
        self._database_url = database_url
        self._tasks: set[asyncio.Task[Any]] = set()
        self._database: Database | None = None
        self._client: Rayuela | None = None
        asyncio.get_running_loop().set_task_factory(_create_task)

    @property
    def is_up(self) -> bool:
        return self._client is not None

    @property
    def is_complete(self) -> bool:
        return self.is_up

    def answers(self, _server: int | None) -> bool:
        """Return whether anybody answers in a server."""
        return self.is_up

    @property
    def bot(self) -> Rayuela:
        if self._client is None:
            raise RuntimeError("the bot is down")
        return self._client

    async def start(self) -> None:
        """Start it, unless it runs."""
        if self.is_up:
            return
        known = self._discord.gateway.identified
        self._database = await Database.open(self._database_url)
        await self._meter.attach(self._database)
        texts = Texts.load()
        self._client = Rayuela(
            matches=Matches(self._database, outage=OUTAGE_THRESHOLD),
            games=GAMES,
            texts=texts,
            features=app.build_features(texts, GAMES),
            now=self._discord.world.clock.now,
            connector=self._discord.connector(),
            response_timeout=RESPONSE_TIMEOUT,
            send_timeout=RESPONSE_TIMEOUT,
            identify_interval=timedelta(0),
        )
        self._client.matches.work.packing.delay = self._pack_after
        token = _BOT_TASKS.set(self._tasks)
        try:
            self._tasks.add(asyncio.create_task(self._client.start(self._discord.token)))
        finally:
            _BOT_TASKS.reset(token)
        await self._discord.wait_until(
            lambda: self._discord.gateway.identified > known,
            seconds=RESPONSE_TIMEOUT,
            what="the bot to connect",
        )
        await self._client.wait_until_ready()
        self._discord.gateway.delete_disconnected()
        await self.tick()

    async def restart(self) -> None:
        """Start it after it was killed."""
        await self.start()

    async def stop(self) -> str:
        """Stop as a service manager stops it: turns in progress are finished. Return what was stopped."""
        await self.bot.close()
        await self._clean_up()
        return "bot"

    async def close(self) -> None:
        """Stop it if it runs."""
        if self.is_up:
            await self.stop()

    async def kill_answering(self, _server: int | None) -> str:
        """Kill it while it answers; return what was killed."""
        await self._kill()
        return "bot"

    async def kill_posting(self, ticking: asyncio.Task[None]) -> str:
        """Kill it while it sends the outbox in a task; return what was killed."""
        await self._kill(ticking)
        return "bot"

    async def set_response_timeout(self, seconds: float) -> None:
        """Set how long an answer may take to reach Discord."""
        self.bot.response_timeout = seconds

    async def _kill(self, *actions: asyncio.Task[Any]) -> None:
        """Cancel everything at once, `actions` too; nothing is finished."""
        client = self.bot
        self._tasks.update(actions)
        await self._end_tasks()
        _stop_heartbeats(client)
        self._discord.gateway.drop_connections()
        await client.http.close()
        await self._clean_up()

    async def tick(self) -> None:
        """Run the outbox and the clocks once, as the bot does every few seconds."""
        await self.bot.outbox.run_once()

    async def wait_until_idle(self) -> None:
        """Wait until the bot has finished the work that follows its answers."""
        await self.bot.in_flight.wait_until_idle()

    async def _end_tasks(self) -> None:
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _clean_up(self) -> None:
        await self._end_tasks()
        if self._database is not None:
            await self._database.close()
        self._database = self._client = None


def _stop_heartbeats(client: Rayuela) -> None:
    """End discord.py's heartbeat threads: a cancelled client leaves them running until the loop is closed."""
    for shard in client.shards.values():
        keep_alive = shard._parent.ws._keep_alive
        if keep_alive is not None:
            keep_alive.stop()
