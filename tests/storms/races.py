"""Processes that want the same at the same moment, on one database: each thing happens exactly once."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from matches import AnnouncementKind as Kind
from matches import Matches, MatchId, MatchState, OfferKind, Person, Terms, TimeControl, TimeoutRule
from matches.log_audit import list_match_ids
from storage import Database
from storage.tables import OUTBOX
from tests.matches.scenario import CHANNEL, NOON, SERVER, SMALL, later
from tests.processes import ScriptProcess, run_script
from tests.storms import Violation
from tests.storms.racer_process import NO_OUTAGE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from matches import MatchView

RACER = "tests.storms.racer_process"
SWEEPS = 5  # of each kind in each process
PACE = TimeControl(timedelta(days=3), timedelta(days=3), timedelta(days=3))  # per turn
REMINDED_AT, FLAGGED_AT = later(days=2, hours=8), later(days=4)
GRACE = timedelta(hours=1)  # after which all announcements are due

Action = tuple[Any, ...]


@dataclass(slots=True)
class Race:
    """The database, and the processes that act on it together."""

    database: Database
    matches: Matches
    racers: list[ScriptProcess]
    rng: Random

    async def run(self, *lists: list[Action]) -> list[list[Any]]:
        """Let each process carry out a list, in an order of its own; return the outcomes as listed."""
        orders = [self.rng.sample(range(len(actions)), len(actions)) for actions in lists]
        for racer, actions, order in zip(self.racers, lists, orders, strict=True):
            racer.send_line(json.dumps([actions[index] for index in order]))
        found = []
        for racer, order in zip(self.racers, orders, strict=True):
            outcomes = json.loads(await racer.read_line())
            found.append([outcome for _, outcome in sorted(zip(order, outcomes, strict=True))])
        return found

    async def run_once_each(self, *lists: list[Action]) -> int:
        """Run, and check that exactly one action on each subject is done; return how many were tried."""
        done: Counter[int] = Counter()
        for actions, outcomes in zip(lists, await self.run(*lists), strict=True):
            for action, outcome in zip(actions, outcomes, strict=True):
                done[action[1]] += outcome == "done"
        wrong = {subject: times for subject, times in done.items() if times != 1}
        if wrong:
            raise Violation(f"{lists[0][0][0]}: how often each was done: {wrong}")
        return sum(map(len, lists))

    async def run_everywhere(self, name: str, now: str) -> list[list[Any]]:
        """Run the same sweep several times in every process."""
        return await self.run(*([(name, 0, now)] * SWEEPS for _ in self.racers))

    async def views(self, ids: Iterable[MatchId]) -> list[MatchView]:
        return [await self.matches.view(match, now=NOON) for match in ids]

    async def count(self, *kinds: Kind) -> Counter[int]:
        """Return how many announcements of these kinds each match has."""
        async with self.database.read() as connection:
            rows = await connection.execute(select(OUTBOX.c.match).where(OUTBOX.c.kind.in_(kinds)))
            return Counter(rows.scalars())

    async def require_one_each(self, ids: Iterable[MatchId], *kinds: Kind) -> int:
        """Check that each of the matches, and no other, has one such announcement."""
        wanted, found = Counter({int(match): 1 for match in ids}), await self.count(*kinds)
        if found != wanted:
            raise Violation(f"{kinds}: {found - wanted} too many, {wanted - found} missing")
        return found.total()


async def race(url: str, seed: int, processes: int, challenges: int, accepts: int, turns: int) -> str:
    """Run all races; return the counts. Raises Violation.

    `accepts` people of each process accept each challenge, and each match has `turns` contested turns.
    """
    url += "?timeout=60" if url.startswith("sqlite") else ""
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(await Database.open(url))
        racers = [await stack.enter_async_context(run_script(RACER, url)) for _ in range(processes)]
        for racer in racers:
            await racer.read_line()
        one = Race(database, Matches(database, outage=NO_OUTAGE), racers, Random(seed))
        tried = await _accept(one, challenges, accepts)
        ids = await list_match_ids(database)
        if len(ids) != challenges:
            raise Violation(f"{len(ids)} matches began from {challenges} challenges")
        contested = await _play(one, ids, turns)
        await one.run_everywhere("remind", REMINDED_AT.isoformat())
        reminders = await one.require_one_each(ids, Kind.REMINDED)
        delivered = await _deliver(one, REMINDED_AT + GRACE)
        offers = await _answer_offers(one, ids[::3])
        flags, claims = await _run_out_of_time(one, [match for match in ids if match not in ids[::3]])
        delivered += await _deliver(one, FLAGGED_AT + GRACE)
        for match in ids:
            if (difference := (await one.matches.audit(match)).difference) is not None:
                raise Violation(f"match {match} differs: {difference}")
        if differences := await one.matches.ratings.audit():
            raise Violation(f"ratings differ: {differences}")
    return (
        f"{processes} processes, {tried} accepts of {challenges} challenges, {contested} contested turns, "
        f"{reminders} reminders, {flags} flags, {claims} claims, {offers} accepted offers, "
        f"{delivered} announcements: exactly once"
    )


async def _accept(one: Race, challenges: int, accepts: int) -> int:
    actions: list[Action] = []
    for number in range(challenges):
        rule = TimeoutRule.CLAIM if number % 2 else TimeoutRule.LOST
        made = await one.matches.challenges.create(
            Person(f"test:ada{number}", f"Ada {number}"),
            server=SERVER,
            channel=f"{CHANNEL}{number % 5}",
            game="morelli",
            options=SMALL,
            terms=Terms(PACE, rule),
            now=NOON,
        )
        actions += [("accept", made.challenge.id, f"test:bob{index}") for index in range(accepts)]
    return await one.run_once_each(*(actions for _ in one.racers))


async def _play(one: Race, ids: tuple[MatchId, ...], turns: int) -> int:
    """Let every process play another move in each match, again and again; return the number of turns."""
    contested = 0
    for ply in range(1, turns + 1):
        views = [view for view in await one.views(ids) if view.to_move and view.position]
        lists: list[list[Action]] = [[] for _ in one.racers]
        for view in views:
            if view.to_move is None or view.position is None:
                continue
            for actions in lists:
                move = str(one.rng.choice(view.position.legal_moves()))
                actions.append(("play", view.id, view.to_move.person.account, move, view.revision))
        await one.run_once_each(*lists)
        if any(view.ply != ply for view in await one.views(view.id for view in views)):
            raise Violation(f"a match is not at ply {ply} after its turn")
        contested += len(views)
    return contested


async def _deliver(one: Race, when: datetime) -> int:
    """Let every process send announcements until none is left; each must be sent by one of them."""
    outcomes = await one.run_everywhere("deliver", when.isoformat())
    sent = [row for process in outcomes for rows in process if rows != "done" for row in rows]
    async with one.database.read() as connection:
        unsent = (await connection.execute(select(OUTBOX.c.id).where(OUTBOX.c.sent_at.is_(None)))).all()
    if len(sent) != len(set(sent)) or unsent:
        raise Violation(f"{len(sent)} sent, {len(sent) - len(set(sent))} of them again, {len(unsent)} unsent")
    return len(sent)


async def _answer_offers(one: Race, ids: tuple[MatchId, ...]) -> int:
    actions: list[Action] = []
    for view in await one.views(ids):
        by, to = (seat.person for seat in view.seats)
        if view.state is MatchState.PLAYING:
            made = await one.matches.offers.make(view.id, by, OfferKind.END, now=NOON)
            if made.match.pending_offer is not None:
                actions += [("answer", made.match.pending_offer.id, to.account)] * SWEEPS
    await one.run_once_each(*(actions for _ in one.racers))
    return await one.require_one_each(ids, Kind.AGREED)


async def _run_out_of_time(one: Race, ids: list[MatchId]) -> tuple[int, int]:
    """Let time run out in the other matches, and let the opponents claim where they have to."""
    when = FLAGGED_AT.isoformat()
    await one.run_everywhere("tick", when)
    flags = await one.require_one_each(ids, Kind.FLAGGED, Kind.TIMED_OUT)
    actions: list[Action] = []
    for view in await one.views(ids):
        if view.state is MatchState.PLAYING and view.to_move:
            opponent = next(seat.person for seat in view.seats if seat.person != view.to_move.person)
            actions += [("claim", view.id, opponent.account, when)] * SWEEPS
    await one.run_once_each(*(actions for _ in one.racers))
    claimed = {MatchId(action[1]) for action in actions}
    return flags, await one.require_one_each(claimed, Kind.CLAIMED)
