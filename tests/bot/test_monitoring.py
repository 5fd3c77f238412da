"""What operators see: figures, readiness, and a turn that is followed in the log."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
import structlog
from sqlalchemy import update

from bot.monitoring import watch_bot
from bot.shard_range import ShardRange
from metrics.address import Address
from metrics.monitor import Monitor, serve_monitor
from runtime import logs
from storage import Database, StorageUnavailable
from storage.tables import MATCHES
from tests.bot.environment import BotEnvironment, running_bot, set_no_clock
from tests.bot.test_outbox import start_match
from tests.databases import cached_engine
from tests.metrics.figures import read_figures, read_status

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from tests.discord_server import DiscordServer

ANSWERS = "/interactions/**"
POSTS = "/channels/*/messages"
READY = {"database": True, "gateway": True, "outbox": True}
CONNECTED = "rayuela_gateway_connected"
STUCK_SECONDS = 200.0


@pytest.fixture
async def monitor() -> AsyncIterator[Monitor]:
    async with serve_monitor(Address("127.0.0.1", 0)) as serving:
        yield serving


@pytest.fixture
async def watched(
    discord: DiscordServer, database_file: Path, monitor: Monitor
) -> AsyncIterator[BotEnvironment]:
    """Run the bot, watched by a monitor, in a guild with a channel and two members."""
    guild = discord.guild("Salon")
    channel, alice, bob = guild.channel("games"), guild.member("Alice"), guild.member("Bob")
    set_no_clock(database_file, guild)
    async with (
        Database(cached_engine(f"sqlite:///{database_file}"), monitor.metrics) as database,
        running_bot(discord, database) as bot,
    ):
        watch_bot(monitor, bot)
        yield BotEnvironment(discord, guild, channel, alice, bob, bot, database)


@pytest.fixture
def log_stream() -> Iterator[io.StringIO]:
    """Capture the log."""
    stream, root = io.StringIO(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logs.configure("INFO", stream=stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.mark.long
async def test_figures_after_a_turn(watched: BotEnvironment, monitor: Monitor) -> None:
    await watched.start_match()
    before = await read_figures(monitor)
    await watched.move(watched.alice, "C1-D2")
    await watched.wait_until_idle()
    after = await read_figures(monitor)
    assert ("rayuela_turns_total", frozenset({("game", "morelli")})) not in before.values
    assert after.value("turns_total", game="morelli") == 1
    stages = ("interaction", "match_lock", "picture", "answer", "post")
    counts = [[one.value("stage_seconds_count", stage=stage) for stage in stages] for one in (before, after)]
    grown = {stage: new - old for stage, old, new in zip(stages, *counts, strict=True)}
    assert grown == {"interaction": 1, "match_lock": 1, "picture": 1, "answer": 1, "post": 0}
    assert after.value("stage_seconds_count", stage="transaction") >= 2
    assert after.value("interactions_total", kind="application_command", outcome="done") == 2
    assert after.value("posts_total", kind="turn", outcome="sent") == 1
    assert after.value("discord_requests_total", purpose="answer", status="200") >= 2
    assert after.value("gateway_connected", shard="0") == 1
    gauges = ("database_up", "outbox_waiting", "outbox_tried", "outbox_oldest_seconds", "analyses_open")
    assert [after.value(name) for name in gauges] == [1, 0, 0, 0, 0]


@pytest.mark.long
async def test_figures_name_nobody(watched: BotEnvironment, monitor: Monitor) -> None:
    board = await watched.start_match()
    await watched.move(watched.alice, "C1-D2")
    text = (await read_figures(monitor)).text
    private = (watched.alice.id, watched.bob.id, watched.guild.id, watched.channel.id, board.id)
    assert [found for found in (*map(str, private), "Alice", "Bob", "Salon") if found in text] == []


@pytest.mark.long
async def test_refusals_and_rate_limits_are_counted(watched: BotEnvironment, monitor: Monitor) -> None:
    await watched.start_match()
    await watched.move(watched.bob, "A2-B3")  # it is not Bob's turn
    watched.discord.faults.rate_limit("POST", ANSWERS)
    await watched.move(watched.alice, "C1-D2")
    figures = await read_figures(monitor)
    assert figures.value("interactions_total", kind="application_command", outcome="refused") == 1
    assert figures.value("discord_requests_total", purpose="answer", status="429") == 1
    assert figures.value("discord_rate_limits_total", scope="user") == 1
    # Prometheus sees the first one only as an increase from 0.
    assert figures.value("discord_rate_limits_total", scope="global") == 0
    assert figures.value("turns_total", game="morelli") == 1


async def test_not_ready_without_the_gateway(watched: BotEnvironment, monitor: Monitor) -> None:
    assert await read_status(monitor, "/readyz") == (200, READY)
    watched.bot.gateway.set_connected(0, is_connected=False)
    assert await read_status(monitor, "/readyz") == (503, {**READY, "gateway": False})
    assert (await read_figures(monitor)).value("gateway_connected", shard="0") == 0
    assert await read_status(monitor, "/healthz") == (200, {"alive": True})


@pytest.mark.long
@pytest.mark.usefixtures("watched")
async def test_not_ready_without_the_database(monitor: Monitor, database_file: Path) -> None:
    for file in database_file.parent.glob(f"{database_file.name}*"):
        file.unlink()
    assert await read_status(monitor, "/readyz") == (503, {**READY, "database": False, "outbox": False})
    figures = await read_figures(monitor)
    assert figures.value("database_up") == 0
    assert figures.value("database_failures_total") > 0
    assert await read_status(monitor, "/healthz") == (200, {"alive": True})


@pytest.mark.long
async def test_not_ready_while_nobody_takes_what_is_due(watched: BotEnvironment, monitor: Monitor) -> None:
    await start_match(watched, watched.channel)
    watched.discord.advance(STUCK_SECONDS)
    assert await read_status(monitor, "/readyz") == (503, {**READY, "outbox": False})
    assert (await read_figures(monitor)).value("outbox_oldest_seconds") > 120
    await watched.bot.outbox.run_once()
    assert await read_status(monitor, "/readyz") == (200, READY)


@pytest.mark.long
async def test_announcement_that_discord_refuses_is_not_stuck(
    watched: BotEnvironment, monitor: Monitor
) -> None:
    """It is tried again later, and what comes after it in its match has to wait for it."""
    view = await start_match(watched, watched.channel)
    mover = view.to_move
    assert mover is not None
    await watched.bot.matches.play(view.id, mover.person, ["C1-D2"], now=watched.bot.now())
    with watched.discord.faults.refuse("POST", POSTS, status=400, times=None):
        for _ in range(4):
            await watched.advance_time(seconds=STUCK_SECONDS / 4)
        assert await read_status(monitor, "/readyz") == (200, READY)
        assert (await read_figures(monitor)).value("posts_total", kind="challenged", outcome="failed") >= 2
        assert (await read_figures(monitor)).value("outbox_tried") >= 1


def lines_with(stream: io.StringIO, key: str, value: object) -> list[dict[str, Any]]:
    """Return the lines of a log that hold a value, in order."""
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    return [line for line in lines if line.get(key) == value]


@pytest.mark.long
async def test_turn_is_followed_by_its_interaction_from_client_to_client(
    discord: DiscordServer, env: BotEnvironment, log_stream: io.StringIO, database_file: Path
) -> None:
    """Discord refuses the answer to a turn, and another client on the same database posts it."""
    await env.start_match()
    with env.discord.faults.refuse("POST", ANSWERS, status=400):
        assert env.bot.texts("error.not_posted") in (await env.move(env.alice, "C1-D2")).text
    await env.bot.close()
    discord.advance(30)
    async with (
        Database(cached_engine(f"sqlite:///{database_file}")) as database,
        running_bot(discord, database) as other,
    ):
        await other.outbox.run_once()
    with closing(sqlite3.connect(database_file)) as connection:
        ((number, match, interaction, post),) = connection.execute(
            "SELECT id, match, request, post FROM outbox WHERE kind = 'turn'"
        )
    found = lines_with(log_stream, "interaction", interaction) + lines_with(
        log_stream, "request", interaction
    )
    assert [line["event"] for line in found] == ["change.committed", "post.unreached", "announcement.sent"]
    assert [(line["match"], line.get("announcement", number)) for line in found] == [(match, number)] * 3
    assert str(found[-1]["message"]) in post


async def test_error_of_a_command_before_its_change_is_logged_with_the_match_that_it_found(
    env: BotEnvironment, log_stream: io.StringIO
) -> None:
    await env.start_match()
    async with env.database.transaction() as connection:
        await connection.execute(update(MATCHES).values(position="not a position"))
    reply = await env.alice.command("resign", {}, channel=env.channel)
    (line,) = lines_with(log_stream, "event", "answer.failed")
    assert line["number"] in re.findall(r"\w+", reply.text)
    assert line["match"] == 1


async def test_answered_turn_is_logged_with_its_post(env: BotEnvironment, log_stream: io.StringIO) -> None:
    board = await env.start_match()
    await env.submit_move(env.alice, board, "C1-D2")
    await env.wait_until_idle()
    (committed,) = lines_with(log_stream, "kind", "turn")
    found = lines_with(log_stream, "interaction", committed["interaction"])
    assert [line["event"] for line in found] == ["change.committed", "announcement.answered"]
    assert found[-1]["message"] == env.latest_message.id
    assert {line["match"] for line in found} == {1}


@pytest.mark.long
async def test_each_shard_of_a_process_is_shown(
    discord: DiscordServer, database_file: Path, monitor: Monitor
) -> None:
    discord.settings.shards = 3
    async with (
        Database(cached_engine(f"sqlite:///{database_file}"), monitor.metrics) as database,
        running_bot(discord, database, shards=ShardRange(1, 2, 3)) as bot,
    ):
        watch_bot(monitor, bot)
        await discord.wait_until(lambda: len(discord.gateway.connected_shards) == 2)
        await bot.wait_until_ready()
        assert await read_status(monitor, "/readyz") == (200, READY)
        bot.gateway.set_connected(2, is_connected=False)
        assert await read_status(monitor, "/readyz") == (503, {**READY, "gateway": False})
        figures = await read_figures(monitor)
    shards = {labels: value for (name, labels), value in figures.values.items() if name == CONNECTED}
    assert shards == {frozenset({("shard", "1")}): 1, frozenset({("shard", "2")}): 0}


STEPS = (
    *("heartbeat", "vacations", "timeouts", "untold", "challenges", "reminders", "digests", "requests"),
    *("health_file", "edit_outdated_posts", "archive_threads", "open_channels", "lost_places"),
    *("pack_matches", "send_notices", "recompute_ratings", "delete_old_data", "delete_old_sessions"),
)


@pytest.mark.parametrize("broken", [step for step in STEPS if step != "health_file"])
async def test_step_that_fails_is_counted_and_keeps_no_other_from_running(
    watched: BotEnvironment, monitor: Monitor, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    await watched.bot.wait_until_ready()
    matches, outbox = watched.bot.matches, watched.bot.outbox
    owner, method = {
        "heartbeat": (matches.clocks, "heartbeat"),
        "vacations": (matches.clocks.vacations, "sweep"),
        "timeouts": (matches.clocks.timeouts, "sweep"),
        "untold": (matches.posting.places, "list_untold"),
        "challenges": (matches.challenges, "expire"),
        "reminders": (matches.people.reminders, "remind"),
        "digests": (matches.people.following, "announce_digests"),
        "requests": (matches.work.requests, "forget_old"),
        "edit_outdated_posts": (matches.posting.outdated_posts, "list"),
        "archive_threads": (matches.posting.threads, "list_finished"),
        "open_channels": (outbox.open_channels, "retry"),
        "lost_places": (outbox.lost_places, "retry"),
        "pack_matches": (matches.work.packing, "pack"),
        "send_notices": (matches.conditionals, "claim_notices"),
        "recompute_ratings": (matches.ratings, "recompute"),
        "delete_old_data": (matches.people.personal_data, "delete_old"),
        "delete_old_sessions": (matches.people.sessions, "delete_expired"),
    }[broken]

    async def fail(*_: Any, **__: Any) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(owner, method, fail)
    with pytest.raises(ValueError, match="broken"):
        await outbox.run_once()
    figures = await read_figures(monitor)
    failing = {step: figures.value("step_failing", step=step) for step in STEPS}
    assert failing == {step: float(step == broken) for step in STEPS}
    assert figures.value("step_failures_total", step=broken) == 1


@pytest.mark.long
async def test_reminders_are_sent_though_the_health_file_cannot_be_written(
    watched: BotEnvironment, monitor: Monitor, log_stream: io.StringIO
) -> None:
    def fail() -> None:
        raise PermissionError(13, "Permission denied")

    await watched.start_match(time_control="4d")
    watched.discord.advance(3 * 24 * 3600)
    stop = asyncio.Event()
    running = asyncio.create_task(watched.bot.outbox.run(stop, fail))
    await watched.discord.wait_until(lambda: watched.alice.dms, what="the reminder")
    stop.set()
    await running
    assert (await read_figures(monitor)).value("step_failing", step="health_file") == 1
    lines = [json.loads(line) for line in log_stream.getvalue().splitlines()]
    (failure,) = [line for line in lines if line["event"] == "step.failed"]
    assert (failure["step"], failure["level"]) == ("health_file", "warning")


@pytest.mark.long
async def test_process_is_not_healthy_while_the_database_is_away(
    watched: BotEnvironment, database_file: Path
) -> None:
    await watched.bot.wait_until_ready()
    alive, away = list[int](), database_file.with_suffix(".away")
    await watched.bot.outbox._sweep(lambda: alive.append(1))
    assert alive == [1]
    watched.discord.advance(60)  # a heartbeat is written
    os.rename(database_file, away)  # noqa: PTH104 - quick
    errors = await watched.bot.outbox._sweep(lambda: alive.append(1))
    assert {type(error) for error in errors} == {StorageUnavailable}
    assert alive == [1]
    watched.discord.advance(60)  # a heartbeat is written
    os.rename(away, database_file)  # noqa: PTH104 - quick
