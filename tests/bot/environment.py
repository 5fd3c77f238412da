"""The environment of the bot's tests: a guild, a channel, two members and the bot with a real database."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bot import app
from bot.client import SEND_TIMEOUT
from bot.outbox.pace import RequestPace
from bot.ui import ids
from runtime.role import Role
from tests.discord_server import Channel, DiscordServer, Guild, Member, Message, Reply
from tests.games import GAMES, READER_TEXTS, RULE_BOOKS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from bot.client import Rayuela
    from bot.shard_range import ShardRange
    from i18n import Texts
    from matches import Database

# Timeout of the loopback Discord and of the bot; long, so that a loaded machine does not decide a test.
RESPONSE_TIMEOUT = 30.0
NO_OUTAGE = timedelta(days=10_000)
NO_INTERVAL = timedelta(0)
NO_LIMIT = 1e9  # requests in a second


@asynccontextmanager
async def running_bot(
    discord: DiscordServer,
    database: Database,
    *,
    response_timeout: float = RESPONSE_TIMEOUT,
    send_timeout: float = SEND_TIMEOUT,
    outage: timedelta = NO_OUTAGE,
    shards: ShardRange | None = None,
    role: Role = Role.ALL,
    texts: Texts = READER_TEXTS,
    pace: RequestPace | None = None,
) -> AsyncIterator[Rayuela]:
    """Run a bot on an open database with the clock of `discord`; jumps of that clock are not outages.

    It opens its sessions, and sends its requests, at once, as this Discord allows.
    """
    client = app.build_client(
        database,
        games=GAMES,
        texts=texts,
        rule_books=RULE_BOOKS,
        connector=discord.connector(),
        now=discord.world.clock.now,
        response_timeout=response_timeout,
        send_timeout=send_timeout,
        outage=outage,
        role=role,
        shards=shards,
        identify_interval=NO_INTERVAL,
        pace=RequestPace(NO_LIMIT) if pace is None else pace,
    )
    async with connected_client(discord, client):
        yield client


def set_no_clock(file: Path, guild: Guild) -> None:
    """Store in a database that a guild's matches have no clock unless they ask for one."""
    server = ids.stored_id(guild.id)
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("INSERT INTO servers (server, met_at) VALUES (?, 0)", (server,))
        database.execute(
            "INSERT INTO server_settings (server, text, changed_at) VALUES (?, '{}', 0)", (server,)
        )


@asynccontextmanager
async def connected_client(discord: DiscordServer, client: Rayuela) -> AsyncIterator[None]:
    """Keep a bot connected inside this context."""
    known = discord.gateway.identified
    async with client:
        running = asyncio.create_task(client.start(discord.token))
        if client.role.has_gateway:
            await discord.wait_until(
                lambda: client.shard_ids and discord.gateway.identified >= known + len(client.shard_ids),
                what="the bot to connect",
            )
        else:
            await client.is_prepared.wait()
        yield
        await client.close()
        await running


@dataclass(slots=True)
class BotEnvironment:
    """Two members in a channel with the bot, and shortcuts for what they do."""

    discord: DiscordServer
    guild: Guild
    channel: Channel
    alice: Member
    bob: Member
    bot: Rayuela
    database: Database

    @property
    def latest_message(self) -> Message:
        """The latest message that everybody can read."""
        return self.channel.messages[-1]

    async def make_challenge(self, **options: Any) -> Reply:
        """Challenge Bob as Alice, by default as Black."""
        return await self.alice.command(
            "challenge", {"opponent": self.bob, "colour": "black", **options}, channel=self.channel
        )

    async def start_match(self, **options: Any) -> Message:
        """Start a match, by default with Alice as Black on 9 x 9, facing; return the board post.

        The bot has recorded the post: otherwise it would go on to send it, also to another place.
        """
        values: Mapping[str, Any] = {"opponent": self.bob, "board": "9", "start": "facing", **options}
        reply = await values["opponent"].click(await self.make_challenge(**values), "Accept")
        board = await self.wait_for_board(after=reply)
        await self.wait_until_idle()
        return board

    async def wait_for_board(self, *, after: Message | Reply) -> Message:
        """Wait for the next post with buttons after a message."""
        message = after.shown if isinstance(after, Reply) else after
        return await self.channel.wait_for(lambda one: one.id > message.id and bool(one.buttons))

    async def move(self, person: Member, text: str, **options: Any) -> Reply:
        """Play by command."""
        return await person.command("move", {"move": text, **options}, channel=self.channel)

    async def submit_move(self, person: Member, board: Message | Reply, text: str) -> Reply:
        """Play with the button Move and its modal."""
        return await person.submit(await person.click(board, "Move"), {"Your move": text})

    async def advance_time(self, **amount: float) -> None:
        """Advance the clock and run the outbox once."""
        self.discord.advance(timedelta(**amount).total_seconds())
        await self.bot.outbox.run_once()

    async def wait_until_idle(self) -> None:
        """Wait until the bot has finished all work that follows its responses."""
        await self.bot.in_flight.wait_until_idle()

    def request_routes(self) -> list[str]:
        """Return method and route of the bot's requests so far."""
        return [f"{one.method} {one.route}" for one in self.discord.requests]


def labels(message: Message | Reply) -> list[str | None]:
    """Return the labels of the buttons of a post."""
    return [button.label for button in message.buttons]
