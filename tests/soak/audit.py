"""The audit at the end: each match is replayed, each announcement must be posted once, in its place."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from matches import AnnouncementKind as Kind
from matches.log_audit import list_match_ids
from storage.tables import MATCHES, OUTBOX
from tests.soak.cluster import Cluster
from tests.soak.outbox_rows import list_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import RowMapping

    from matches import MatchId
    from tests.soak.environment import SoakEnvironment

MAX_DELAY = timedelta(hours=1)
MAX_ROUNDS = 200
EDITING_KINDS = {
    Kind.DECLINED,
    Kind.WITHDRAWN,
    Kind.EXPIRED,
}  # edit the challenge's post; post only to call somebody
FOLLOWER_MESSAGES = "messages to followers"


async def drain_outbox(env: SoakEnvironment) -> None:
    """End all faults, and run the outbox until it is empty. Raises SimulationFailure if it never is."""
    await env.fault_injector.end_outage()
    await env.runner.start()
    if isinstance(env.runner, Cluster):
        await env.runner.end_replacement()
    env.fault_injector.is_paused = True
    for _ in range(MAX_ROUNDS):
        if not await _unsent(env):
            return
        env.discord.advance(MAX_DELAY.total_seconds())
        await env.runner.tick()
    unsent = [dict(row) for row in await _unsent(env)]
    raise env.log.failure(f"never sent: {unsent}")


async def audit_simulation(env: SoakEnvironment) -> None:
    """Check matches, ratings and announcements, and add counts to the metrics. Raises SimulationFailure."""
    matches, rows = await list_match_ids(env.database), await list_rows(env.database)
    for match in matches:
        found = await env.matches.audit(match)
        if found.difference is not None:
            raise env.log.failure(f"match {match} differs: {found.difference}", match)
    await _check_finished_logs(env)
    ratings = await env.matches.ratings.audit()
    if ratings:
        raise env.log.failure(f"ratings differ: {ratings}")
    _check_posts(env, rows)
    await _check_plies(env, rows, matches)
    errors = env.runner.find_errors() if isinstance(env.runner, Cluster) else []
    if errors:
        raise env.log.failure(f"{len(errors)} errors in the logs, the first: {errors[0]}")
    for row in rows:
        if row["to"] is not None:
            env.metrics.counts[_message_category(row)] += 1
    env.metrics.counts["announcements"] = len(rows)
    env.metrics.posts = env.post_recorder.post_count


async def _check_finished_logs(env: SoakEnvironment) -> None:
    """Check that packing has changed no move of a finished match, and count the packed matches."""
    for match, moves in env.finished_logs.items():
        if (await env.matches.views.history(match)).moves != moves:
            raise env.log.failure(f"match {match} has other moves than at its end", match)
    async with env.database.read() as connection:
        packed = await connection.scalar(select(func.count()).where(MATCHES.c.packed))
    env.metrics.counts["matches packed"] = packed or 0


def _check_posts(env: SoakEnvironment, rows: Iterable[RowMapping]) -> None:
    """Check that each announcement was posted exactly once, in its channel, as its outbox row says."""
    seen, known = env.post_recorder.posts_by_marker, set[str]()
    twice = {marker: posts for marker, posts in seen.items() if len(posts) > 1}
    if twice:
        raise env.log.failure(f"posted twice: {twice}")
    for row in rows:
        known.add(expected_marker(row))
        if row["kind"] in EDITING_KINDS and row["recipients"] == "[]":
            continue
        posts = seen.get(expected_marker(row), [])
        if not _is_posted_correctly(env, row, posts):
            raise env.log.failure(f"announcement {dict(row)} was posted at {posts}", row["match"])
        if posts and f"discord:{posts[0].partition('/')[0]}" not in _allowed_channels(env, row):
            raise env.log.failure(f"announcement {dict(row)} was posted elsewhere: {posts}", row["match"])
    unexpected = [marker for marker in seen if marker not in known]
    if unexpected:
        raise env.log.failure(f"posts without an announcement: {unexpected}")


def _is_posted_correctly(env: SoakEnvironment, row: RowMapping, posts: list[str]) -> bool:
    """Return whether `posts` are what an announcement's row in the outbox allows.

    A dropped announcement may still have been posted once: the bot may have been killed before it could store
    that, and what it would have sent again was no longer needed.
    """
    if row["post"] is not None:
        return posts == [row["post"]]
    return len(posts) <= 1 and _may_be_dropped(env, row)


def _may_be_dropped(env: SoakEnvironment, row: RowMapping) -> bool:
    """Return whether an announcement may be marked as sent without a post: only one to a single person may.

    A move may make a reminder needless; direct messages may be closed; a follower may unfollow.
    """
    return row["to"] is not None and (row["kind"] == Kind.REMINDED or row["to"] in env.unreachable)


async def count_follower_messages(env: SoakEnvironment) -> int:
    """Return how many messages about single matches followers have got."""
    rows = await list_rows(env.database)
    return [_message_category(row) for row in rows if row["to"] is not None].count(FOLLOWER_MESSAGES)


def _message_category(row: RowMapping) -> str:
    if row["post"] is None:
        return "messages that were no longer needed"
    return {Kind.REMINDED: "reminders", Kind.DIGEST: "digests"}.get(row["kind"], FOLLOWER_MESSAGES)


def _allowed_channels(env: SoakEnvironment, row: RowMapping) -> set[str]:
    """Return the channels where an announcement may be posted: for one person, their direct messages."""
    if row["to"] is None:
        return {row["place"]}
    own = f"discord:{env.population.person(row['to']).dm.id}"
    return {own, row["place"]} if row["kind"] == Kind.REMINDED else {own}


def expected_marker(row: RowMapping) -> str:
    """Return the marker that only the post of this announcement carries.

    SQLite gives the number of a deleted row again if it was the last one, so the match belongs to it.
    """
    if row["challenge"] is not None and row["kind"] not in EDITING_KINDS:
        return f"challenge {row['challenge']}"
    if row["kind"] == Kind.CHOOSING and row["to"] is None:
        return f"fists {row['match']}"
    about = "" if row["match"] is None else f" of match {row['match']}"
    return f"announcement {row['id']}{about}"


async def _check_plies(env: SoakEnvironment, rows: Iterable[RowMapping], matches: Iterable[MatchId]) -> None:
    """Check that the announced turns of each match cover every ply of its log, in order, once."""
    announced_plies: Counter[int] = Counter()
    for row in rows:
        match = row["match"]
        if row["to"] is not None:
            continue
        if row["kind"] == Kind.TURN:
            if row["first_ply"] != announced_plies[match] + 1:
                raise env.log.failure(f"{dict(row)} follows ply {announced_plies[match]}", match)
            announced_plies[match] = row["ply"]
        elif row["kind"] == Kind.TAKEN_BACK:
            announced_plies[match] = row["ply"]
    for match in matches:
        view = await env.view(match)
        if announced_plies[match] != view.ply - len(view.unfinished_moves):
            raise env.log.failure(f"plies up to {announced_plies[match]} of {view.ply} are announced", match)


async def _unsent(env: SoakEnvironment) -> list[RowMapping]:
    async with env.database.read() as connection:
        return list((await connection.execute(select(OUTBOX).where(OUTBOX.c.sent_at.is_(None)))).mappings())
