"""The reckoning: every match replayed, every announcement where it belongs, once."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from matches import AnnouncementKind as Kind
from matches.replays import all_matches
from storage import Store
from storage.tables import OUTBOX

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import RowMapping

    from matches import MatchId
    from tests.soak.stage import Stage

LONGEST_DELAY = timedelta(hours=1)
ROUNDS = 200
CHANGES = {Kind.DECLINED, Kind.WITHDRAWN, Kind.LAPSED}  # tell by changing the challenge's post


async def settle(stage: Stage) -> None:
    """Let the weather be good, and give the outbox the time it needs."""
    stage.weather.end_outage()
    if not stage.house.is_up:
        await stage.house.start()
    stage.weather.calm = True
    for _ in range(ROUNDS):
        if not await _unsent(stage.house.address):
            return
        stage.discord.advance(LONGEST_DELAY.total_seconds())
        await stage.house.tick()
    left = [dict(row) for row in await _unsent(stage.house.address)]
    raise stage.story.fail(f"these are never announced: {left}")


async def reckon(stage: Stage) -> None:
    """Hold the year to what it must leave behind. Raises Soaked."""
    async with await Store.open(stage.house.address) as store:
        matches = await all_matches(store)
        async with store.reading() as connection:
            rows = (await connection.execute(select(OUTBOX).order_by(OUTBOX.c.id))).mappings().all()
    for match in matches:
        found = await stage.eye.audit(match)
        if found.difference is not None:
            raise stage.story.fail(f"match {match} differs: {found.difference}", match)
    ratings = await stage.eye.ratings.audit()
    if ratings:
        raise stage.story.fail(f"ratings differ: {ratings}")
    _posts(stage, rows)
    await _plies(stage, rows, matches)
    for row in rows:
        if row["to"] is not None:
            stage.figures.deeds[_letter(row)] += 1
    stage.figures.deeds["announcements"] = len(rows)
    stage.figures.posts = stage.witness.posts


def _posts(stage: Stage, rows: Iterable[RowMapping]) -> None:
    """Hold each announcement to one post that ever carried its mark, in its place, at the reference noted."""
    seen, known = stage.witness.seen, set[str]()
    for row in rows:
        known.add(own_mark(row))
        if row["kind"] in CHANGES:
            continue
        posts = seen.get(own_mark(row), [])
        expected = [] if row["post"] is None else [row["post"]]
        if posts != expected or (not posts and not _may_be_dropped(stage, row)):
            raise stage.story.fail(
                f"announcement {dict(row)} was posted at {posts}, not {expected}", row["match"]
            )
        if posts and f"discord:{posts[0].partition('/')[0]}" not in _places(stage, row):
            raise stage.story.fail(f"announcement {dict(row)} stands elsewhere: {posts}", row["match"])
    strange = [mark for mark in seen if mark not in known]
    if strange:
        raise stage.story.fail(f"posts that no announcement asked for: {strange}")


def _may_be_dropped(stage: Stage, row: RowMapping) -> bool:
    """Say whether an announcement may count as sent and stand nowhere: only what is for one person may.

    A reminder may be overtaken by a move; who takes no letters, or follows a match no longer, gets none.
    """
    return row["to"] is not None and (row["kind"] == Kind.REMINDED or row["to"] in stage.hidden)


def _letter(row: RowMapping) -> str:
    if row["post"] is None:
        return "letters that nobody needed"
    return {Kind.REMINDED: "reminders", Kind.DIGEST: "digests"}.get(row["kind"], "letters to followers")


def _places(stage: Stage, row: RowMapping) -> set[str]:
    """Give where an announcement may stand: what is for one person in their own conversation."""
    if row["to"] is None:
        return {row["place"]}
    own = f"discord:{stage.cast.person(row['to']).dm.id}"
    return {own, row["place"]} if row["kind"] == Kind.REMINDED else {own}


def own_mark(row: RowMapping) -> str:
    """Give what the post of an announcement, and no other, carries."""
    if row["challenge"] is not None:
        return f"challenge {row['challenge']}"
    if row["kind"] == Kind.FISTS and row["to"] is None:
        return f"fists {row['match']}"
    return f"announcement {row['id']}"


async def _plies(stage: Stage, rows: Iterable[RowMapping], matches: Iterable[MatchId]) -> None:
    """Hold the announced turns of each match to telling every ply of its log, in order, once."""
    told: Counter[int] = Counter()
    for row in rows:
        match = row["match"]
        if row["to"] is not None:
            continue
        if row["kind"] == Kind.TURN:
            if row["first_ply"] != told[match] + 1:
                raise stage.story.fail(f"{dict(row)} goes on from ply {told[match]}", match)
            told[match] = row["ply"]
        elif row["kind"] == Kind.TAKEN_BACK:
            told[match] = row["ply"]
    for match in matches:
        view = await stage.view(match)
        if told[match] != view.ply - len(view.run):
            raise stage.story.fail(f"plies up to {told[match]} of {view.ply} are announced", match)


async def _unsent(address: str) -> list[RowMapping]:
    async with await Store.open(address) as store, store.reading() as connection:
        return list((await connection.execute(select(OUTBOX).where(OUTBOX.c.sent_at.is_(None)))).mappings())
