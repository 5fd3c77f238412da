"""Matches that are played by command on a real bot process, while it is killed or loses its database.

Every acknowledged move must be in the log, every announcement posted exactly once in its channel, every match
must replay, and the bot's log must be free of tracebacks.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import text

from matches import Matches, MatchId, Person, StorageUnavailable
from storage import Database
from tests.discord_server import DiscordServer
from tests.processes import start_bot
from tests.soak.post_recorder import PostRecorder
from tests.storms import Violation
from tests.storms.audit import check_logs, check_posts, check_turns, load_outbox

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
    from pathlib import Path

    from matches import MatchView
    from tests.discord_server import Channel, Guild, Member, Reply

T = TypeVar("T")

MATCHES_PER_CHANNEL = 4
MAX_UPTIME = 15.0  # seconds until a kill, after the bot has connected, even if it answers too little
MAX_DELAY = 0.5  # seconds from the last awaited answer to the kill
MAX_PAUSE = 1.0  # seconds between two attacks on the connections
CLOCK_LEAD = 30.0  # seconds that each process's clock is ahead of the last one's, so that leases end
RETRY_LEAD = 3600.0  # the same for the last processes: every retry is due
DRAIN_ROUNDS = 5
DRAIN_SECONDS = 120.0  # for each
START_SECONDS = 120.0
TERMINATE = text(
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.5"
)


@dataclass(slots=True)
class Storm:
    """A loopback Discord, the database of its bot, and the moves that the bot has acknowledged."""

    discord: DiscordServer
    database: Database
    url: str
    log_file: Path
    rng: Random
    recorder: PostRecorder
    guild: Guild
    acknowledged: dict[MatchId, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    lead: float = 0.0
    is_over: bool = False

    @property
    def matches(self) -> Matches:
        return Matches(self.database)

    @property
    def answers(self) -> int:
        """How many moves were acknowledged."""
        return sum(map(len, self.acknowledged.values()))

    @asynccontextmanager
    async def running_bot(self, lead: float = CLOCK_LEAD) -> AsyncIterator[None]:
        """Run the bot, connected, inside this context, and kill it at the end."""
        self.lead += lead
        known = self.discord.gateway.identified
        with self.log_file.open("ab") as log:
            process = await start_bot(
                self.discord,
                self.url,
                ahead=self.lead,
                log=log,
                settings={"HEALTH_FILE": str(self.log_file.with_name("health"))},
            )
        try:
            await self.discord.wait_until(
                lambda: self.discord.gateway.identified > known and self.discord.commands,
                seconds=START_SECONDS,
                what="the bot to connect",
            )
            yield
        finally:
            if process.returncode is not None:
                raise Violation(f"the bot ended by itself with status {process.returncode}")
            process.kill()
            await process.wait()
            await self.discord.wait_until(lambda: not self.discord.gateway.is_connected)
            self.discord.gateway.delete_disconnected()

    async def play(self, pair: tuple[Member, Member], channel: Channel) -> None:
        """Play one match after the other, until the storm is over."""
        people = {f"discord:{one.id}": one for one in pair}
        view = await insist(lambda: self._start_match(pair, channel))
        await self.discord.wait_until(
            lambda: self.discord.commands, seconds=START_SECONDS, what="the bot to register its commands"
        )
        while not self.is_over:
            if view.to_move is None or view.position is None:
                view = await insist(lambda: self._start_match(pair, channel))
                continue
            move = str(self.rng.choice(view.position.legal_moves()))
            reply = await people[view.to_move.person.account].command(
                "move", {"move": move, "match": str(view.id)}, channel=channel
            )
            if is_acknowledged(reply):
                self.acknowledged[view.id][view.ply + 1] = move
            elif reply.failed:
                await self.discord.wait_until(
                    lambda: self.is_over or self.discord.gateway.is_connected,
                    seconds=START_SECONDS,
                    what="the bot to connect again",
                )
            match = view.id
            view = await insist(lambda: self.matches.view(match, now=datetime.now(UTC)))  # noqa: B023

    async def _start_match(self, pair: tuple[Member, Member], channel: Channel) -> MatchView:
        """Start a match without the bot, which finds its announcements in the outbox."""
        first, second = (Person(f"discord:{one.id}", one.name) for one in pair)
        now, challenges = datetime.now(UTC), self.matches.challenges
        made = await challenges.create(
            first,
            to=second,
            server=f"discord:{self.guild.id}",
            channel=f"discord:{channel.id}",
            game="morelli",
            options={"size": 9},
            now=now,
        )
        return (await challenges.accept(made.challenge.id, second, now=now)).match

    async def drain(self) -> None:
        """Let the bot send the rest of the outbox."""
        for _ in range(DRAIN_ROUNDS):
            async with self.running_bot(RETRY_LEAD):
                end = asyncio.get_running_loop().time() + DRAIN_SECONDS
                while asyncio.get_running_loop().time() < end:
                    if all(row["sent_at"] is not None for row in await load_outbox(self.database)):
                        return
                    await asyncio.sleep(0.3)
        unsent = [dict(row) for row in await load_outbox(self.database) if not row["sent_at"]]
        raise Violation(f"{len(unsent)} announcements were never sent, the first: {unsent[:3]}")

    async def check(self) -> str:
        """Check everything; return the counts. Raises Violation."""
        plies = await check_turns(self.database, self.matches, self.acknowledged)
        announcements = await check_posts(self.database, self.recorder)
        check_logs([self.log_file])
        counts = f"{self.answers} acknowledged moves of {plies} in the logs"
        return f"{counts}, {announcements} announcements posted once"


async def insist(action: Callable[[], Awaitable[T]]) -> T:
    """Repeat what the attacks on the database have interrupted."""
    while True:
        try:
            return await action()
        except StorageUnavailable:
            await asyncio.sleep(0.1)


def is_acknowledged(reply: Reply) -> bool:
    """Return whether a player was told that the move is saved: by its board, or by a private sentence."""
    return reply.message is not None and (not reply.message.ephemeral or "**was** saved" in reply.text)


@asynccontextmanager
async def _storm(url: str, folder: Path, seed: int, matches: int) -> AsyncIterator[Storm]:
    async with DiscordServer(check=False) as discord, await Database.open(url) as database:
        recorder, guild = PostRecorder(discord.world), discord.guild("Salon")
        storm = Storm(discord, database, url, folder / "bot.log", Random(seed), recorder, guild)
        channels = [guild.channel(f"games-{number}") for number in range(-(-matches // MATCHES_PER_CHANNEL))]
        pairs = [(guild.member(f"Ada {number}"), guild.member(f"Bob {number}")) for number in range(matches)]
        async with asyncio.TaskGroup() as players:
            for number, pair in enumerate(pairs):
                players.create_task(storm.play(pair, channels[number % len(channels)]))
            yield storm
            storm.is_over = True
            discord.world.changed.notify()
        await storm.drain()


async def kill_bots(url: str, folder: Path, seed: int, matches: int, kills: Iterable[int]) -> str:
    """Kill the bot again and again while matches are played; return the counts. Raises Violation."""
    done = 0
    async with _storm(url, folder, seed, matches) as storm:
        for done in kills:  # noqa: B007 - the last one counts
            async with storm.running_bot():
                wanted = storm.answers + storm.rng.randint(0, 2 * matches)
                with suppress(TimeoutError):
                    await storm.discord.wait_until(lambda: storm.answers >= wanted, seconds=MAX_UPTIME)  # noqa: B023
                await asyncio.sleep(storm.rng.uniform(0, MAX_DELAY))
    return f"{done} kills, {matches} matches at once, {await storm.check()}"


async def terminate_backends(url: str, folder: Path, seed: int, matches: int, attacks: Iterable[int]) -> str:
    """Terminate the connections to PostgreSQL again and again, and play on; return the counts.

    Raises Violation.
    """
    terminated = 0
    async with _storm(url, folder, seed, matches) as storm, storm.running_bot():
        for _ in attacks:
            await asyncio.sleep(storm.rng.uniform(0, MAX_PAUSE))
            async with storm.database.read() as connection:
                terminated += (await connection.execute(TERMINATE)).scalar_one()
    return f"{terminated} connections terminated, {matches} matches at once, {await storm.check()}"
