"""A server, a channel, people and the bot over a real database: where the stories play."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bot import app
from bot.client import SENDING
from tests.discord_server import Channel, DiscordServer, Guild, Member, Message, Reply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from bot.client import Rayuela
    from matches import Store

# How long this Discord waits for an answer, and a bot for Discord: a loaded machine must not decide a story.
WAITS = 30.0
ALWAYS_UP = timedelta(days=10_000)


@asynccontextmanager
async def bot_over(
    discord: DiscordServer,
    store: Store,
    *,
    patience: float = WAITS,
    sending: float = SENDING,
    outage: timedelta = ALWAYS_UP,
) -> AsyncIterator[Rayuela]:
    """Run a bot over an open store; its clock is that of this Discord, and leaps of it are no outage."""
    client = app.build(
        store,
        connector=discord.connector(),
        now=discord.world.clock.now,
        patience=patience,
        sending=sending,
        outage=outage,
    )
    async with connected(discord, client):
        yield client


@asynccontextmanager
async def connected(discord: DiscordServer, client: Rayuela) -> AsyncIterator[None]:
    """Connect a bot for the block."""
    known = discord.gateway.identified
    async with client:
        running = asyncio.create_task(client.start(discord.token))
        await discord.wait_until(lambda: discord.gateway.identified > known, what="the bot to connect")
        yield
        await client.close()
        await running


@dataclass(slots=True)
class Stage:
    """Two people in a channel where the bot is; what they do in one line each."""

    discord: DiscordServer
    guild: Guild
    channel: Channel
    alice: Member
    bob: Member
    bot: Rayuela
    store: Store

    @property
    def latest(self) -> Message:
        """The last message that all can read."""
        return self.channel.messages[-1]

    async def challenge(self, **options: Any) -> Reply:
        """Alice challenges Bob, as Black unless said otherwise."""
        return await self.alice.command(
            "challenge", {"opponent": self.bob, "colour": "black", **options}, channel=self.channel
        )

    async def start(self, **options: Any) -> Message:
        """Alice, Black, challenges Bob; he accepts; give the board's post. Facing on 9 x 9 unless said."""
        asked: Mapping[str, Any] = {"opponent": self.bob, "board": "9", "start": "facing", **options}
        reply = await asked["opponent"].click(await self.challenge(**asked), "Accept")
        return await self.board(after=reply)

    async def board(self, *, after: Message | Reply) -> Message:
        """Wait for the next post with a button of its own that comes after a message."""
        seen = after.shown if isinstance(after, Reply) else after
        return await self.channel.wait_for(lambda one: one.id > seen.id and bool(one.buttons))

    async def move(self, person: Member, text: str, **options: Any) -> Reply:
        """Play by command."""
        return await person.command("move", {"move": text, **options}, channel=self.channel)

    async def type(self, person: Member, board: Message | Reply, text: str) -> Reply:
        """Play by the button Move and its form."""
        return await person.submit(await person.click(board, "Move"), {"Your move": text})

    async def pass_time(self, **amount: float) -> None:
        """Let time pass, and the bot do what it has brought."""
        self.discord.advance(timedelta(**amount).total_seconds())
        await self.bot.outbox.tick()

    async def quiet(self) -> None:
        """Wait until the bot has done all that follows its answers."""
        await self.bot.hands.idle()

    def requests(self) -> list[str]:
        """Give method and path of the bot's requests so far."""
        return [f"{one.method} {one.route}" for one in self.discord.requests]
