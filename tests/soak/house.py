"""The bot in this process: started, stopped, killed; its clock is that of the simulation."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bot import app
from bot.client import Rayuela
from engine import GAMES
from matches import Matches, Store
from words import Words

if TYPE_CHECKING:
    from collections.abc import Coroutine, Generator
    from contextvars import Context
    from pathlib import Path

    from tests.discord_server import DiscordServer

PATIENCE = 60.0  # seconds: the load of the machine must not decide a story
TICK = timedelta(hours=2)  # how often the bot looks after what time brings, here
OUTAGE = TICK + timedelta(minutes=30)

_OF_THE_BOT: ContextVar[set[asyncio.Task[Any]] | None] = ContextVar("of_the_bot", default=None)


def _task(
    loop: asyncio.AbstractEventLoop,
    coro: Coroutine[Any, Any, Any] | Generator[Any, None, Any],
    context: Context | None = None,
) -> asyncio.Task[Any]:
    """Make a task; one that the bot makes is noted, to be killed with it."""
    made = asyncio.Task(coro, loop=loop, context=context)
    tasks = _OF_THE_BOT.get()
    if tasks is not None:
        tasks.add(made)
        made.add_done_callback(tasks.discard)
    return made


class House:
    """The bot over one database, up or down."""

    def __init__(self, discord: DiscordServer, database: Path) -> None:
        self._discord = discord
        self._address = f"sqlite+aiosqlite:///{database}"
        self._tasks: set[asyncio.Task[Any]] = set()
        self._store: Store | None = None
        self._client: Rayuela | None = None
        self.starts = 0
        asyncio.get_running_loop().set_task_factory(_task)

    @property
    def address(self) -> str:
        return self._address

    @property
    def is_up(self) -> bool:
        return self._client is not None

    @property
    def bot(self) -> Rayuela:
        if self._client is None:
            raise RuntimeError("the bot is down")
        return self._client

    async def start(self) -> None:
        known = self._discord.gateway.identified
        self._store = await Store.open(self._address)
        self._client = Rayuela(
            matches=Matches(self._store, outage=OUTAGE),
            games=GAMES,
            words=Words.load(),
            makers=app.PARTS,
            now=self._discord.world.clock.now,
            connector=self._discord.connector(),
            patience=PATIENCE,
            sending=PATIENCE,
        )
        token = _OF_THE_BOT.set(self._tasks)
        try:
            self._tasks.add(asyncio.create_task(self._client.start(self._discord.token)))
        finally:
            _OF_THE_BOT.reset(token)
        await self._discord.wait_until(
            lambda: self._discord.gateway.identified > known, seconds=PATIENCE, what="the bot to connect"
        )
        await self._client.wait_until_ready()
        self._discord.gateway.expire()
        self.starts += 1
        await self.tick()

    async def stop(self) -> None:
        """Stop as asked to by the system: the turns in hand are finished."""
        await self.bot.close()
        await self._gone()

    async def kill(self, *doing: asyncio.Task[Any]) -> None:
        """Stop in the midst of everything, `doing` too; nothing is finished."""
        client = self.bot
        self._tasks.update(doing)
        await self._end_tasks()
        self._discord.gateway.lose()
        await client.http.close()
        await self._gone()

    async def tick(self) -> None:
        """Have the bot do what it does every few seconds."""
        await self.bot.outbox.tick()

    async def quiet(self) -> None:
        """Wait until the bot has done all that follows its answers."""
        await self.bot.hands.idle()

    async def _end_tasks(self) -> None:
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _gone(self) -> None:
        await self._end_tasks()
        if self._store is not None:
            await self._store.close()
        self._store = self._client = None
