"""Workers of the computer that are killed while people play: no move is lost, and none is made twice."""

from __future__ import annotations

import asyncio
import time
from random import Random
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from engine import GAMES
from matches import AnnouncementKind, Database, Matches, MatchState, Person, StorageUnavailable, is_computer
from storage.tables import OUTBOX
from tests.processes import run_script
from tests.storms import Violation
from tests.storms.worker_process import fast_time

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from matches import MatchId, MatchView

WORKER = "tests.storms.worker_process"
SPEED = 5.0  # of the clock: a lease of ten seconds lasts two seconds
LONGEST_LIFE = 0.8  # seconds from a worker's start to its end
PATIENCE = 60.0  # seconds for the last answers
LEVEL = "casual"


class People:
    """One person against the computer in each match, who plays random moves at once."""

    def __init__(self, matches: Matches, epoch: float, seed: int) -> None:
        self._matches = matches
        self._epoch = epoch
        self._rng = Random(seed)
        self.moves: dict[MatchId, int] = {}
        """The acknowledged moves by match."""
        self.accounts: dict[MatchId, Person] = {}

    def now(self) -> datetime:
        return fast_time(self._epoch, SPEED)

    async def start(self, number: int) -> None:
        person = Person(f"test:{number}", f"Ada {number}")
        games = list(GAMES)
        update = await self._matches.computer.start(
            person,
            level=LEVEL,
            server="test:server",
            channel=f"test:{number}",
            game=games[number % len(games)],
            now=self.now(),
        )
        self.accounts[update.match.id], self.moves[update.match.id] = person, 0

    async def view(self, match: MatchId) -> MatchView:
        return await self._matches.view(match, readers=(self.accounts[match].account,), now=self.now())

    async def play(self, match: MatchId) -> bool:
        """Play what is due in a match; return whether nothing is left to wait for."""
        view, person = await self.view(match), self.accounts[match]
        if view.state is MatchState.OVER:
            return True
        if person not in view.waits_for:
            return False
        choice = GAMES[view.game].simultaneous_choice
        if view.position is None:
            assert choice is not None
            await self._matches.pick(match, person, self._rng.choice(choice.picks), now=self.now())
            return False
        position, texts = view.position, []
        for _ in range(position.moves_due):
            move = self._rng.choice(position.legal_moves())
            texts.append(str(move))
            position = position.play(move)
        await self._matches.play(match, person, texts, seen_revision=view.revision, now=self.now())
        self.moves[match] += len(texts)
        return False

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

    async def is_answered(self, match: MatchId) -> bool:
        view = await self.view(match)
        return view.state is MatchState.OVER or self.accounts[match] in view.waits_for


async def kill_workers(url: str, seed: int, count: int, kills: Iterable[int]) -> str:
    """Kill workers at random points; return the counts. Raises Violation."""
    rng, epoch, done = Random(seed), time.time(), 0
    async with await Database.open(url) as database:
        people = People(Matches(database, games=GAMES), epoch, seed)
        for number in range(count):
            await people.start(number)
        stop = asyncio.Event()
        playing = asyncio.create_task(people.play_all(stop))
        for done in kills:  # noqa: B007 - the last one counts
            async with run_script(WORKER, url, str(epoch), str(SPEED)) as worker:
                await worker.read_line()
                await asyncio.sleep(rng.uniform(0, LONGEST_LIFE))
                await worker.kill()
        stop.set()
        await playing
        async with run_script(WORKER, url, str(epoch), str(SPEED)):
            await _wait_for_answers(people)
        answers = await _check(database, people)
    turns = sum(people.moves.values())
    return f"{done} kills, {count} matches at once, {turns} moves of people, {answers} turns of the computer"


async def _wait_for_answers(people: People) -> None:
    end = time.monotonic() + PATIENCE
    waiting = list(people.accounts)
    while waiting := [match for match in waiting if not await people.is_answered(match)]:
        if time.monotonic() > end:
            raise Violation(f"no answer in {waiting}")
        await asyncio.sleep(0.1)


async def _check(database: Database, people: People) -> int:
    """Check logs and announcements of all matches; return the number of the computer's turns."""
    matches, answers = Matches(database, games=GAMES), 0
    for match, person in people.accounts.items():
        difference = (await matches.audit(match)).difference
        if difference is not None:
            raise Violation(f"match {match}: {difference}")
        log = (await matches.views.history(match)).moves
        played = sum(move.person == person for move in log)
        if played != people.moves[match]:
            raise Violation(f"match {match}: {people.moves[match]} acknowledged moves, {played} in the log")
        turns = {move.turn for move in log if is_computer(move.person.account)}
        async with database.read() as connection:
            query = select(func.count()).where(
                OUTBOX.c.match == match,
                OUTBOX.c.kind == AnnouncementKind.TURN,
                OUTBOX.c.by.startswith("computer:"),
            )
            announced = (await connection.execute(query)).scalar_one()
        if announced != len(turns):
            raise Violation(f"match {match}: {len(turns)} turns of the computer, {announced} announcements")
        answers += len(turns)
    return answers
