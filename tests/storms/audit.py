"""The audit after a storm of processes: nothing is lost, nothing doubled, and no log has a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from matches import AnnouncementKind
from matches.log_audit import list_match_ids
from storage.tables import OUTBOX
from tests.soak.audit import EDITING_KINDS, expected_marker
from tests.storms import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from sqlalchemy import RowMapping

    from matches import Matches, MatchId
    from storage import Database
    from tests.soak.post_recorder import PostRecorder


async def load_outbox(database: Database) -> list[RowMapping]:
    """Return all rows of the outbox, oldest first."""
    async with database.read() as connection:
        return list((await connection.execute(select(OUTBOX).order_by(OUTBOX.c.id))).mappings())


async def check_turns(
    database: Database, matches: Matches, acknowledged: Mapping[MatchId, Mapping[int, str]]
) -> int:
    """Check that the moves that were acknowledged, by ply, are in the logs, and that these replay.

    Every ply must be announced once. Returns the number of plies. Raises Violation.
    """
    rows, plies = await load_outbox(database), 0
    for match in await list_match_ids(database):
        logged = {move.ply: move.text for move in (await matches.views.history(match)).moves}
        known = acknowledged.get(match, {})
        lost = {ply: move for ply, move in known.items() if logged.get(ply) != move}
        if lost:
            raise Violation(f"match {match}: acknowledged and not in the log: {lost}")
        if (difference := (await matches.audit(match)).difference) is not None:
            raise Violation(f"match {match} differs: {difference}")
        announced = [
            ply
            for row in rows
            if row["match"] == match and row["kind"] == AnnouncementKind.TURN
            for ply in range(row["first_ply"], row["ply"] + 1)
        ]
        if announced != list(range(1, len(logged) + 1)):
            raise Violation(f"match {match}: {len(logged)} plies, announced were {announced}")
        plies += len(logged)
    return plies


async def check_posts(database: Database, recorder: PostRecorder) -> int:
    """Check that every announcement was posted once, in its channel, and nothing else was.

    Returns the number of announcements. Raises Violation.
    """
    rows = await load_outbox(database)
    if unknown := recorder.posts_by_marker.keys() - set(map(expected_marker, rows)):
        raise Violation(f"posts without an announcement: {unknown}")
    for row in rows:
        posts = recorder.posts_by_marker[expected_marker(row)]
        wrong_channel = any(f"discord:{post.partition('/')[0]}" != row["place"] for post in posts)
        if row["kind"] not in EDITING_KINDS and (posts != [row["post"]] or wrong_channel):
            raise Violation(f"{dict(row)} was posted at {posts}")
    return len(rows)


def check_logs(logs: Iterable[Path]) -> None:
    """Raise Violation for a traceback in a log."""
    for log in logs:
        tracebacks = [line for line in log.read_text().splitlines() if "Traceback" in line]
        if tracebacks:
            raise Violation(f"{len(tracebacks)} tracebacks in {log.name}, the first: {tracebacks[0]}")
