"""The audit at the end of a simulation: `tests.cluster.audit`, and that packing has changed no match."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from matches import AnnouncementKind as Kind
from storage.tables import MATCHES
from tests.cluster import Violation
from tests.cluster.audit import audit_logs, audit_matches, audit_posts, list_rows, list_unsent

if TYPE_CHECKING:
    from sqlalchemy import RowMapping

    from tests.soak.environment import SoakEnvironment

MAX_DELAY = timedelta(hours=1)
MAX_ROUNDS = 200
FOLLOWER_MESSAGES = "messages to followers"
EXPECTED_ERRORS = {"answer.failed"}  # Discord was kept from getting a private answer


async def drain_outbox(env: SoakEnvironment) -> None:
    """End all faults, and run the outbox until it is empty. Raises Violation if it never is."""
    await env.fault_injector.end_outage()
    await env.cluster.start()
    await env.cluster.end_replacement()
    env.fault_injector.is_paused = True
    for _ in range(MAX_ROUNDS):
        if not await list_unsent(env.database):
            return
        env.discord.advance(MAX_DELAY.total_seconds())
        await env.cluster.ask("tick")
    raise Violation(f"never sent: {[dict(row) for row in await list_unsent(env.database)]}")


async def audit_simulation(env: SoakEnvironment) -> None:
    """Check matches, ratings, announcements and logs, and count announcements. Raises Violation."""
    rows = await list_rows(env.database)
    await audit_matches(env.database, env.matches, env.now)
    await _audit_finished_logs(env)
    audit_posts(
        rows,
        env.post_recorder,
        lambda row: _list_channels(env, row),
        lambda row: _may_be_dropped(env, row),
    )
    audit_logs(env.cluster.processes, EXPECTED_ERRORS)
    for row in rows:
        if row["to"] is not None:
            env.count(_message_category(row))
    env.count("announcements", len(rows))
    env.count("posts", env.post_recorder.post_count)


async def _audit_finished_logs(env: SoakEnvironment) -> None:
    """Check that packing has changed no move of a finished match, and count the packed matches."""
    for match, moves in env.finished_logs.items():
        if (await env.matches.views.history(match)).moves != moves:
            raise Violation(f"match {match} has other moves than at its end", match)
    async with env.database.read() as connection:
        packed = await connection.scalar(select(func.count()).where(MATCHES.c.packed))
    env.count("matches packed", packed or 0)


def _list_channels(env: SoakEnvironment, row: RowMapping) -> set[str]:
    """Return the channels where an announcement may be posted: for one person, their direct messages."""
    if row["to"] is None:
        return {row["place"]}
    own = f"discord:{env.population.person(row['to']).dm.id}"
    return {own, row["place"]} if row["kind"] == Kind.REMINDED else {own}


def _may_be_dropped(env: SoakEnvironment, row: RowMapping) -> bool:
    """Return whether an announcement may be marked as sent without a post: only one to a single person may.

    A move may make a reminder needless; direct messages may be closed; a follower may unfollow.
    """
    return row["to"] is not None and (row["kind"] == Kind.REMINDED or row["to"] in env.unreachable)


async def has_reached_minimums(env: SoakEnvironment) -> bool:
    """Return whether as much has happened as the plan demands."""
    messages = [_message_category(row) for row in await list_rows(env.database) if row["to"] is not None]
    counts = {**env.counts, FOLLOWER_MESSAGES: messages.count(FOLLOWER_MESSAGES)}
    return all(counts.get(what, 0) >= number for what, number in env.plan.minimums.items())


def _message_category(row: RowMapping) -> str:
    if row["post"] is None:
        return "messages that were no longer needed"
    return {Kind.REMINDED: "reminders", Kind.DIGEST: "digests"}.get(row["kind"], FOLLOWER_MESSAGES)
