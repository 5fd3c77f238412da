"""Processes that want the same at the same moment, on one database: each thing happens exactly once."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from operator import attrgetter
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import select

from matches import AnnouncementKind as Kind
from matches import (
    Matches,
    MatchId,
    MatchState,
    OfferKind,
    Person,
    Refusal,
    StorageUnavailable,
    Terms,
    TimeControl,
    TimeoutRule,
)
from matches.log_audit import list_match_ids
from storage import Database
from storage.tables import OUTBOX
from tests.cluster import Violation
from tests.cluster.audit import audit_matches, keep_deleted_rows, list_unsent
from tests.cluster.process import ChildProcess, Parent
from tests.matches.scenario import CHANNEL, NOON, SERVER, SMALL, later

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from matches import MatchView
    from tests.storms import Storm

SWEEPS = 5  # of each kind in each process
PACE = TimeControl(timedelta(days=3), timedelta(days=3), timedelta(days=3))  # per turn
REMINDED_AT, FLAGGED_AT = later(days=2, hours=8), later(days=4)
GRACE = timedelta(hours=1)  # after which all announcements are due

AT_ONCE = 8  # actions of a process
NO_OUTAGE = timedelta(days=10_000)
CLAIM_LIMIT = 5
DELIVER = "deliver"


class Action(NamedTuple):
    """What a process shall ask of a service of :class:`Matches`, such as "challenges.accept"."""

    path: str
    subject: int  # the id of a challenge, match or offer, 0 for none
    arguments: tuple[Any, ...]  # after the subject
    options: dict[str, Any]


async def compete(parent: Parent, url: str) -> None:
    """Carry out lists of actions at once, and answer with what came of them: what each process does."""
    async with await Database.open(url) as database:
        matches, free = Matches(database, outage=NO_OUTAGE), asyncio.Semaphore(AT_ONCE)
        parent.send("ready")
        async for actions in parent.requests():
            parent.send(await asyncio.gather(*(_perform(matches, free, action) for action in actions)))


async def _perform(matches: Matches, free: asyncio.Semaphore, action: Action) -> Any:
    """Return "done", the key of a refusal, or the announcements that this process has sent."""
    arguments = (action.subject, *action.arguments) if action.subject else ()
    async with free:
        while True:
            try:
                if action.path == DELIVER:
                    return await _deliver_due(matches, **action.options)
                await attrgetter(action.path)(matches)(*arguments, **action.options)
            except Refusal as refusal:
                return refusal.key
            except StorageUnavailable as error:  # busy: a person would try again
                if error.uncertain:
                    raise
            else:
                return "done"


async def _deliver_due(matches: Matches, now: datetime) -> list[int]:
    """Claim announcements until none is due; return those that this process recorded as sent."""
    sent, outbox = list[int](), matches.announcements
    while rows := await outbox.claim_due("test", now=now, limit=CLAIM_LIMIT):
        for row in rows:
            await outbox.mark_sent(row.id, f"test:post/{row.id}", now=now)
            sent.append(row.id)
    return sent


@dataclass(slots=True)
class Race:
    """The database, and the processes that act on it together."""

    database: Database
    matches: Matches
    racers: list[ChildProcess]
    rng: Random

    async def run(self, *lists: list[Action]) -> list[list[Any]]:
        """Let each process carry out a list, in an order of its own; return the outcomes as listed."""
        orders = [self.rng.sample(range(len(actions)), len(actions)) for actions in lists]
        asking = (
            racer.ask([actions[index] for index in order])
            for racer, actions, order in zip(self.racers, lists, orders, strict=True)
        )
        answers = zip(orders, await asyncio.gather(*asking), strict=True)
        return [
            [outcome for _, outcome in sorted(zip(order, outcomes, strict=True))]
            for order, outcomes in answers
        ]

    async def run_once_each(self, *lists: list[Action]) -> int:
        """Run, and check that exactly one action on each subject is done; return how many were tried."""
        done: Counter[int] = Counter()
        for actions, outcomes in zip(lists, await self.run(*lists), strict=True):
            for action, outcome in zip(actions, outcomes, strict=True):
                done[action.subject] += outcome == "done"
        wrong = {subject: times for subject, times in done.items() if times != 1}
        if wrong:
            raise Violation(f"{lists[0][0].path}: how often each was done: {wrong}")
        return sum(map(len, lists))

    async def run_everywhere(self, path: str, now: datetime) -> list[list[Any]]:
        """Run the same sweep several times in every process."""
        return await self.run(*([Action(path, 0, (), {"now": now})] * SWEEPS for _ in self.racers))

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


async def race(storm: Storm) -> str:
    """Run all races; return the counts. Raises Violation."""
    url = storm.url + ("?timeout=60" if storm.url.startswith("sqlite") else "")
    challenges = storm.challenges
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(await Database.open(url))
        await keep_deleted_rows(database)
        racers = [ChildProcess(f"racer {number}", compete, url) for number in range(storm.processes)]
        for racer in racers:
            stack.callback(racer.kill)
            racer.start()
            await racer.receive()
        one = Race(database, Matches(database, outage=NO_OUTAGE), racers, Random(storm.seed))
        tried = await _accept(one, challenges, storm.accepts)
        ids = await list_match_ids(database)
        if len(ids) != challenges:
            raise Violation(f"{len(ids)} matches began from {challenges} challenges")
        contested = await _play(one, ids, storm.turns)
        await one.run_everywhere("people.reminders.remind", REMINDED_AT)
        reminders = await one.require_one_each(ids, Kind.REMINDED)
        delivered = await _deliver(one, REMINDED_AT + GRACE)
        offers = await _answer_offers(one, ids[::3])
        flags, claims = await _run_out_of_time(one, [match for match in ids if match not in ids[::3]])
        delivered += await _deliver(one, FLAGGED_AT + GRACE)
        await audit_matches(database, one.matches, FLAGGED_AT + GRACE)
    return (
        f"{len(racers)} processes, {tried} accepts of {challenges} challenges, {contested} contested turns, "
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
        people = (Person(f"test:bob{index}", f"Bob {index}") for index in range(accepts))
        challenge = made.challenge.id
        actions += [Action("challenges.accept", challenge, (bob,), {"now": NOON}) for bob in people]
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
                options = {"seen_revision": view.revision, "now": NOON}
                actions.append(Action("play", view.id, (view.to_move.person, [move]), options))
        await one.run_once_each(*lists)
        if any(view.ply != ply for view in await one.views(view.id for view in views)):
            raise Violation(f"a match is not at ply {ply} after its turn")
        contested += len(views)
    return contested


async def _deliver(one: Race, when: datetime) -> int:
    """Let every process send announcements until none is left; each must be sent by one of them."""
    outcomes = await one.run_everywhere(DELIVER, when)
    sent = [row for process in outcomes for rows in process if rows != "done" for row in rows]
    unsent = await list_unsent(one.database)
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
                offer, options = made.match.pending_offer.id, {"accept": True, "now": NOON}
                actions += [Action("offers.answer", offer, (to,), options)] * SWEEPS
    await one.run_once_each(*(actions for _ in one.racers))
    return await one.require_one_each(ids, Kind.AGREED)


async def _run_out_of_time(one: Race, ids: list[MatchId]) -> tuple[int, int]:
    """Let time run out in the other matches, and let the opponents claim where they have to."""
    await one.run_everywhere("clocks.tick", FLAGGED_AT)
    flags = await one.require_one_each(ids, Kind.FLAGGED, Kind.TIMED_OUT)
    actions: list[Action] = []
    for view in await one.views(ids):
        if view.state is MatchState.PLAYING and view.to_move:
            opponent = next(seat.person for seat in view.seats if seat.person != view.to_move.person)
            actions += [Action("clocks.timeouts.claim", view.id, (opponent,), {"now": FLAGGED_AT})] * SWEEPS
    await one.run_once_each(*(actions for _ in one.racers))
    claimed = {MatchId(action.subject) for action in actions}
    return flags, await one.require_one_each(claimed, Kind.CLAIMED)
