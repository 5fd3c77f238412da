"""Several bot processes on one database: they start together, and one replaces another while people play."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from signal import SIGTERM
from typing import TYPE_CHECKING

import pytest

from bot.ui import ids
from matches import Database, Matches, Person
from tests.processes import start_bot
from tests.storms.players import is_acknowledged

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from matches import MatchId
    from tests.discord_server import Channel, DiscordServer, Guild, Member

UPLOAD = "PUT /applications/{application_id}/commands"
SHARDS, BUCKETS = 4, 2
START_SECONDS = 60.0
TAKEOVER_SECONDS = (
    30.0  # 10 s until it is due, at most 5 until a process looks; the rest is for slow machines
)
PAIRS = 2
MOVES_BETWEEN = 5  # that are played between two steps of a restart


@asynccontextmanager
async def running_process(
    discord: DiscordServer, url: str, folder: Path, *, spaced: bool = False, **settings: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run the bot as a process; it is killed at the end if it still runs."""
    await asyncio.to_thread(folder.mkdir, exist_ok=True)
    own = {"HEALTH_FILE": str(folder / "health")}
    process = await start_bot(
        discord, url, log=asyncio.subprocess.DEVNULL, settings=own | settings, spaced=spaced
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.long
async def test_four_processes_that_start_at_once_take_turns_to_identify(
    discord: DiscordServer, empty_postgres_url: str, tmp_path: Path
) -> None:
    settings, gateway = discord.settings, discord.gateway
    settings.shards, settings.max_concurrency, settings.identify_seconds = SHARDS, BUCKETS, 5.0
    async with AsyncExitStack() as stack:
        for shard in range(SHARDS):
            await stack.enter_async_context(
                running_process(
                    discord, empty_postgres_url, tmp_path, spaced=True, SHARDS=f"{shard}/{SHARDS}"
                )
            )
        await discord.wait_until(
            lambda: len(gateway.connected_shards) == SHARDS,
            seconds=START_SECONDS,
            what="all shards to connect",
        )
        assert sorted(shard.id for shard in gateway.connected_shards) == [*range(SHARDS)]
    assert (gateway.identified, gateway.hasty) == (SHARDS, 0)
    assert [f"{one.method} {one.route}" for one in discord.requests].count(UPLOAD) == 1


@pytest.mark.long
async def test_turn_of_a_killed_process_is_posted_by_one_with_other_shards_after_seconds(
    discord: DiscordServer, tmp_path: Path
) -> None:
    discord.settings.shards, url = 2, f"sqlite:///{tmp_path / 'rayuela.db'}"
    guild = discord.guild("Salon")
    channel, alice, bob = guild.channel("games"), guild.member("Alice"), guild.member("Bob")
    own = (guild.id >> 22) % 2
    async with AsyncExitStack() as stack:
        processes = [
            await stack.enter_async_context(running_process(discord, url, tmp_path, SHARDS=f"{shard}/2"))
            for shard in range(2)
        ]
        await discord.wait_until(lambda: len(discord.gateway.connected_shards) == 2, seconds=START_SECONDS)
        options = {"opponent": bob, "colour": "black", "board": "9", "start": "facing"}
        await bob.click(await alice.command("challenge", options, channel=channel), "Accept")
        with discord.faults.silence("POST", "/interactions/**") as fault:
            action = asyncio.create_task(alice.command("move", {"move": "C1-D2"}, channel=channel))
            await fault.arrived.wait()
            processes[own].kill()
        killed_at = time.monotonic()
        await channel.wait_for(lambda one: "C1-D2" in one.text, seconds=START_SECONDS)
        assert time.monotonic() - killed_at < TAKEOVER_SECONDS
        discord.advance(discord.settings.interaction_seconds)
        assert (await action).failed
    assert ["C1-D2" in one.text for one in channel.messages].count(True) == 1


@dataclass(slots=True)
class Load:
    """People who play one move after the other; `moves` are those that were acknowledged, by match."""

    discord: DiscordServer
    matches: Matches
    guild: Guild
    channel: Channel
    rng: Random = field(default_factory=lambda: Random(5))
    moves: dict[MatchId, list[str]] = field(default_factory=dict)
    is_over: bool = False

    @property
    def count(self) -> int:
        return sum(map(len, self.moves.values()))

    async def play(self, first: Member, second: Member) -> None:
        """Play a match by command until the load is over. Every move must be acknowledged."""
        people = {ids.stored_id(one.id): one for one in (first, second)}
        match = await self._start(first, second)
        while not self.is_over:
            view = await self.matches.view(match, now=datetime.now(UTC))
            if view.to_move is None or view.position is None:
                match = await self._start(first, second)
                continue
            move = str(self.rng.choice(view.position.legal_moves()))
            options = {"move": move, "match": str(match)}
            reply = await people[view.to_move.person.account].command("move", options, channel=self.channel)
            assert is_acknowledged(reply), reply
            self.moves[match].append(move)
            self.discord.world.changed.notify()

    async def _start(self, first: Member, second: Member) -> MatchId:
        players = [Person(ids.stored_id(one.id), one.name) for one in (first, second)]
        now, challenges = datetime.now(UTC), self.matches.challenges
        made = await challenges.create(
            players[0],
            to=players[1],
            server=ids.stored_id(self.guild.id),
            channel=ids.stored_id(self.channel.id),
            game="morelli",
            options={"size": 9},
            now=now,
        )
        match = (await challenges.accept(made.challenge.id, players[1], now=now)).match.id
        self.moves[match] = []
        return match

    async def wait_for_moves(self) -> None:
        """Wait until some more moves were played."""
        wanted = self.count + MOVES_BETWEEN
        await self.discord.wait_until(lambda: self.count >= wanted, seconds=START_SECONDS, what="moves")


@pytest.mark.long
async def test_rolling_restart_under_load_loses_no_interaction(
    discord: DiscordServer, empty_postgres_url: str, tmp_path: Path
) -> None:
    guild = discord.guild("Salon")
    url, gateway = empty_postgres_url, discord.gateway
    async with await Database.open(url) as database, AsyncExitStack() as stack:
        load = Load(discord, Matches(database), guild, guild.channel("games"))
        running = await stack.enter_async_context(running_process(discord, url, tmp_path))
        await discord.wait_until(lambda: gateway.is_connected and discord.commands, seconds=START_SECONDS)
        async with asyncio.TaskGroup() as players:
            for number in range(PAIRS):
                pair = guild.member(f"Ada {number}"), guild.member(f"Bob {number}")
                players.create_task(load.play(*pair))
            await load.wait_for_moves()
            await stack.enter_async_context(running_process(discord, url, tmp_path))
            await discord.wait_until(
                lambda: gateway.identified == 2, seconds=START_SECONDS, what="the next process to connect"
            )
            await load.wait_for_moves()
            running.send_signal(SIGTERM)
            assert await running.wait() == 0
            await load.wait_for_moves()
            load.is_over = True
        for match, moves in load.moves.items():
            history = await load.matches.views.history(match)
            assert [move.text for move in history.moves] == moves
            turns = [one for one in load.channel.messages if f"#{match}" in one.text and one.attachments]
            assert len({one.id for one in turns}) == len(turns)
