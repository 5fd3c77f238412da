"""A server, a channel, people and the bot over a real database: where the stories play."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bot import app
from bot.client import SEND_TIMEOUT
from tests.discord_server import Channel, DiscordServer, Guild, Member, Message, Reply
from tests.games import GAMES, RULE_BOOKS, TEXTS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from bot.client import Rayuela
    from matches import Database

# How long this Discord waits for an answer, and a bot for Discord: a loaded machine must not decide a story.
RESPONSE_TIMEOUT = 30.0
NO_OUTAGE = timedelta(days=10_000)


@asynccontextmanager
async def running_bot(
    discord: DiscordServer,
    database: Database,
    *,
    response_timeout: float = RESPONSE_TIMEOUT,
    send_timeout: float = SEND_TIMEOUT,
    outage: timedelta = NO_OUTAGE,
) -> AsyncIterator[Rayuela]:
    """Run a bot over an open store; its clock is that of this Discord, and leaps of it are no outage."""
    client = app.build_client(
        database,
        games=GAMES,
        texts=TEXTS,
        rule_books=RULE_BOOKS,
        connector=discord.connector(),
        now=discord.world.clock.now,
        response_timeout=response_timeout,
        send_timeout=send_timeout,
        outage=outage,
    )
    async with connected_client(discord, client):
        yield client


@asynccontextmanager
async def connected_client(discord: DiscordServer, client: Rayuela) -> AsyncIterator[None]:
    """Connect a bot for the block."""
    known = discord.gateway.identified
    async with client:
        running = asyncio.create_task(client.start(discord.token))
        await discord.wait_until(lambda: discord.gateway.identified > known, what="the bot to connect")
        yield
        await client.close()
        await running


@dataclass(slots=True)
class BotEnvironment:
    """Two people in a channel where the bot is; what they do in one line each."""

    discord: DiscordServer
    guild: Guild
    channel: Channel
    alice: Member
    bob: Member
    bot: Rayuela
    database: Database

    @property
    def latest_message(self) -> Message:
        """The last message that all can read."""
        return self.channel.messages[-1]

    async def make_challenge(self, **options: Any) -> Reply:
        """Alice challenges Bob, as Black unless said otherwise."""
        return await self.alice.command(
            "challenge", {"opponent": self.bob, "colour": "black", **options}, channel=self.channel
        )

    async def start_match(self, **options: Any) -> Message:
        """Alice, Black, challenges Bob; he accepts; give the board's post. Facing on 9 x 9 unless said."""
        given: Mapping[str, Any] = {"opponent": self.bob, "board": "9", "start": "facing", **options}
        reply = await given["opponent"].click(await self.make_challenge(**given), "Accept")
        return await self.wait_for_board(after=reply)

    async def wait_for_board(self, *, after: Message | Reply) -> Message:
        """Wait for the next post with a button of its own that comes after a message."""
        seen = after.shown if isinstance(after, Reply) else after
        return await self.channel.wait_for(lambda one: one.id > seen.id and bool(one.buttons))

    async def move(self, person: Member, text: str, **options: Any) -> Reply:
        """Play by command."""
        return await person.command("move", {"move": text, **options}, channel=self.channel)

    async def submit_move(self, person: Member, board: Message | Reply, text: str) -> Reply:
        """Play by the button Move and its form."""
        return await person.submit(await person.click(board, "Move"), {"Your move": text})

    async def advance_time(self, **amount: float) -> None:
        """Let time pass, and the bot do what it has brought."""
        self.discord.advance(timedelta(**amount).total_seconds())
        await self.bot.outbox.run_once()

    async def wait_until_idle(self) -> None:
        """Wait until the bot has done all that follows its answers."""
        await self.bot.in_flight.wait_until_idle()

    def request_routes(self) -> list[str]:
        """Return method and path of the bot's requests so far."""
        return [f"{one.method} {one.route}" for one in self.discord.requests]
