"""The audit: every match replays, every announcement was posted once, and no log has an unexplained error."""

from __future__ import annotations

import json
from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING

from sqlalchemy import column, select, table, union_all

from matches import AnnouncementKind as Kind
from matches.log_audit import audit_match, list_match_ids
from storage import Database
from storage.tables import OUTBOX
from tests.cluster import Violation
from tests.cluster.posts import EDITING_KINDS, expected_marker

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from datetime import datetime

    from sqlalchemy import RowMapping

    from matches import Matches, MatchId
    from tests.cluster.posts import PostRecorder
    from tests.cluster.process import ChildProcess

DELETED = table("deleted_outbox", *(column(one.name, one.type) for one in OUTBOX.c))
_NAMES = ", ".join(f'"{one.name}"' for one in OUTBOX.c)
_VALUES = ", ".join(f'OLD."{one.name}"' for one in OUTBOX.c)
_COPY = f"INSERT INTO deleted_outbox ({_NAMES}) VALUES ({_VALUES})"  # noqa: S608 - our own names
_CREATE = "CREATE TABLE deleted_outbox AS SELECT * FROM outbox WHERE 1 = 0"
_TRIGGERS = {
    "sqlite": (f"CREATE TRIGGER copy_deleted AFTER DELETE ON outbox BEGIN {_COPY}; END",),
    "postgresql": (
        f"CREATE FUNCTION copy() RETURNS trigger AS $$BEGIN {_COPY}; RETURN NULL; END$$ LANGUAGE plpgsql",
        "CREATE TRIGGER copy_deleted AFTER DELETE ON outbox FOR EACH ROW EXECUTE FUNCTION copy()",
    ),
}


async def keep_deleted_rows(database: Database) -> None:
    """Let a new database copy the rows of the outbox that are deleted, so that they can be audited too."""
    async with database.transaction() as connection:
        for statement in (_CREATE, *_TRIGGERS[connection.dialect.name]):
            await connection.exec_driver_sql(statement)


async def list_rows(database: Database) -> list[RowMapping]:
    """Return all rows that the outbox has and had since :func:`keep_deleted_rows`, oldest first."""
    every = union_all(select(OUTBOX), select(DELETED)).subquery()
    async with database.read() as connection:
        return list((await connection.execute(select(every).order_by(every.c.id))).mappings())


async def list_unsent(database: Database) -> list[RowMapping]:
    """Return the rows of the outbox that were not sent yet, oldest first."""
    unsent = select(OUTBOX).where(OUTBOX.c.sent_at.is_(None)).order_by(OUTBOX.c.id)
    async with database.read() as connection:
        return list((await connection.execute(unsent)).mappings())


async def replay_all(url: str) -> int:
    """Open a database and replay its matches; return their number. Raises StorageError, Violation."""
    async with await Database.open(url) as database:
        audits = [await audit_match(database, match) for match in await list_match_ids(database)]
    if wrong := [audit for audit in audits if audit.difference]:
        raise Violation(f"matches do not replay: {wrong}")
    return len(audits)


async def audit_matches(
    database: Database,
    matches: Matches,
    now: datetime,
    acknowledged: Mapping[MatchId, Mapping[int, str]] = MappingProxyType({}),
    attempted: Mapping[tuple[MatchId, int], Collection[str]] | None = None,
) -> int:
    """Check that matches replay and ratings are right, and that each ply was announced once, in order.

    The moves of `acknowledged`, by ply, must be in the logs, and the moves of the logs in `attempted`, unless
    that is None. Returns the number of plies. Raises Violation.
    """
    announced, plies = _count_announced_plies(await list_rows(database)), 0
    for match in await list_match_ids(database):
        if (difference := (await matches.audit(match)).difference) is not None:
            raise Violation(f"match {match} differs: {difference}", match)
        logged = {move.ply: move.text for move in (await matches.views.history(match)).moves}
        known = acknowledged.get(match, {})
        if lost := {ply: move for ply, move in known.items() if logged.get(ply) != move}:
            raise Violation(f"match {match}: acknowledged and not in the log: {lost}", match)
        for ply, move in logged.items():
            if attempted is not None and move not in attempted[match, ply]:
                raise Violation(f"match {match}: nobody asked for {move} as ply {ply}", match)
        view = await matches.view(match, now=now)
        if announced[match] != view.ply - len(view.unfinished_moves):
            raise Violation(f"match {match}: {announced[match]} of {view.ply} plies are announced", match)
        plies += len(logged)
    if differences := await matches.ratings.audit():
        raise Violation(f"ratings differ: {differences}")
    return plies


def _count_announced_plies(rows: Iterable[RowMapping]) -> Counter[MatchId]:
    """Return how many plies of each match were announced in public, once and in order. Raises Violation."""
    announced: Counter[MatchId] = Counter()
    for row in rows:
        match = row["match"]
        if row["to"] is not None or row["kind"] not in {Kind.TURN, Kind.TAKEN_BACK}:
            continue
        if row["kind"] == Kind.TURN and row["first_ply"] != announced[match] + 1:
            raise Violation(f"{dict(row)} follows ply {announced[match]}", match)
        announced[match] = row["ply"]
    return announced


def audit_posts(
    rows: Iterable[RowMapping],
    recorder: PostRecorder,
    list_channels: Callable[[RowMapping], Collection[str]] = lambda row: {row["place"]},
    may_be_dropped: Callable[[RowMapping], bool] = lambda _row: False,
) -> None:
    """Check that each announcement was posted exactly once, as its row says, and nothing else was.

    It must be in one of the channels that `list_channels` returns for its row. One that `may_be_dropped` may
    have no post, or one that the row does not name: the bot may have been killed before it could store that,
    and what it would have sent again was no longer needed. Raises Violation.
    """
    seen, known = recorder.posts_by_marker, set[str]()
    if twice := {marker: posts for marker, posts in seen.items() if len(posts) > 1}:
        raise Violation(f"posted twice: {twice}")
    for row in rows:
        known.add(expected_marker(row))
        if row["kind"] in EDITING_KINDS and row["recipients"] == "[]":
            continue
        posts = seen.get(expected_marker(row), [])
        if posts != [row["post"]] and not (row["post"] is None and may_be_dropped(row)):
            raise Violation(f"announcement {dict(row)} was posted at {posts}", row["match"])
        if posts and f"discord:{posts[0].partition('/')[0]}" not in list_channels(row):
            raise Violation(f"announcement {dict(row)} was posted elsewhere: {posts}", row["match"])
    if unexpected := seen.keys() - known:
        raise Violation(f"posts without an announcement: {unexpected}")


def audit_logs(processes: Iterable[ChildProcess], expected: Collection[str] = ()) -> None:
    """Check that no log has a traceback, or an error that is not one of `expected`. Raises Violation."""
    for process in processes:
        for line in process.log.read_text().splitlines() if process.log else ():
            entry = json.loads(line) if line.startswith("{") else {}
            is_error = entry.get("level") in {"error", "critical"} or "Traceback" in line
            if is_error and entry.get("event") not in expected:
                raise Violation(f"an error of {process.name}: {line}")
