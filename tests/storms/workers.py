"""Workers of the computer that are killed while people play: no move is lost, and none is made twice."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING

from ai.search import Opponent
from ai.worker.worker import Worker
from engine import GAMES
from matches import Database, Matches, MatchState, Person, StorageUnavailable
from tests.cluster import Violation
from tests.cluster.audit import audit_matches, keep_deleted_rows
from tests.cluster.process import ChildProcess, Parent
from tests.soak.playing import random_turn

if TYPE_CHECKING:
    from matches import MatchId, MatchView
    from tests.storms import Storm
SPEED = 5.0  # of the clock: a lease of ten seconds lasts two seconds
LONGEST_LIFE = 0.8  # seconds from a worker's start to its end
PATIENCE = 60.0  # seconds for the last answers
LEVEL = "casual"


def fast_time(epoch: float) -> datetime:
    """Return the time of a clock that runs SPEED times as fast since `epoch`, in seconds since 1970 UTC."""
    return datetime.fromtimestamp(epoch + (time.time() - epoch) * SPEED, UTC)


async def work(parent: Parent, url: str, epoch: float) -> None:
    """Work for the computer, on the fast clock: what each process does that is killed."""
    async with await Database.open(url, only_current=True) as database:
        matches = Matches(database, games=GAMES)
        worker = Worker(matches, GAMES, Opponent.start(), lambda: fast_time(epoch))
        parent.send("ready")
        await worker.run(asyncio.Event())


@dataclass(slots=True)
class People:
    """One person against the computer in each match, who plays random moves at once."""

    matches: Matches
    epoch: float
    rng: Random
    accounts: dict[MatchId, Person] = field(default_factory=dict)
    moves: dict[MatchId, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    """The acknowledged moves by match and ply."""

    def now(self) -> datetime:
        return fast_time(self.epoch)

    async def start(self, number: int) -> None:
        """Start a match, of each game in turn."""
        person, games = Person(f"test:{number}", f"Ada {number}"), list(GAMES)
        table, game = f"test:{number}", games[number % len(games)]
        update = await self.matches.computer.start(
            person, level=LEVEL, server="test:server", channel=table, game=game, now=self.now()
        )
        self.accounts[update.match.id] = person

    async def view(self, match: MatchId) -> MatchView:
        return await self.matches.view(match, readers=(self.accounts[match].account,), now=self.now())

    async def play(self, match: MatchId) -> None:
        """Play what is due in a match."""
        view, person = await self.view(match), self.accounts[match]
        if view.state is MatchState.OVER or person not in view.waits_for:
            return
        choice = GAMES[view.game].simultaneous_choice
        if view.position is None:
            assert choice is not None
            await self.matches.pick(match, person, self.rng.choice(choice.picks), now=self.now())
            return
        texts = random_turn(view.position, self.rng)
        await self.matches.play(match, person, texts, seen_revision=view.revision, now=self.now())
        self.moves[match] |= dict(enumerate(texts, view.ply + 1))

    async def play_all(self, stop: asyncio.Event) -> None:
        """Play in every match until the event is set. No move is cut off between its commit and its count."""
        while not stop.is_set():
            for match in self.accounts:
                try:
                    await self.play(match)
                except StorageUnavailable as error:
                    if error.uncertain:
                        raise
            await asyncio.sleep(0.05)

    async def wait_for_answers(self) -> None:
        """Wait until the computer owes nothing. Raises Violation after PATIENCE."""
        end = time.monotonic() + PATIENCE
        for match, person in self.accounts.items():
            while (
                view := await self.view(match)
            ).state is not MatchState.OVER and person not in view.waits_for:
                if time.monotonic() > end:
                    raise Violation(f"no answer in {match}", match)
                await asyncio.sleep(0.1)


async def kill_workers(storm: Storm) -> str:
    """Kill workers at random points; return the counts. Raises Violation."""
    rng, epoch, done = Random(storm.seed), time.time(), 0
    worker = ChildProcess("the worker", work, storm.url, epoch)
    async with await Database.open(storm.url) as database:
        await keep_deleted_rows(database)
        people = People(Matches(database, games=GAMES), epoch, Random(storm.seed))
        for number in range(storm.matches):
            await people.start(number)
        stop = asyncio.Event()
        playing = asyncio.create_task(people.play_all(stop))
        for done in storm.attempts(storm.kills):  # noqa: B007 - the last one counts
            await _start(worker)
            await asyncio.sleep(rng.uniform(0, LONGEST_LIFE))
            await _kill(worker)
        stop.set()
        await playing
        await _start(worker)
        await people.wait_for_answers()
        await _kill(worker)
        plies = await _audit(database, people)
    return f"{done} kills, {storm.matches} matches at once, {plies} plies"


async def _start(worker: ChildProcess) -> None:
    worker.start()
    await worker.receive()


async def _kill(worker: ChildProcess) -> None:
    if not worker.kill():
        raise Violation(f"the worker ended by itself with status {await worker.wait()}")
    await worker.wait()


async def _audit(database: Database, people: People) -> int:
    """Audit all matches, and that a person has played only what was acknowledged; return the plies."""
    plies = await audit_matches(database, people.matches, people.now(), people.moves)
    for match, person in people.accounts.items():
        log = (await people.matches.views.history(match)).moves
        played = {move.ply: move.text for move in log if move.person == person}
        if played != people.moves[match]:
            raise Violation(f"match {match}: acknowledged were {people.moves[match]}, in the log is {played}")
    return plies
