"""The worker: it answers what the computer owes, whatever happens to it."""

import asyncio
import os
import signal
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ai.kernel import Kernel
from ai.levels import Level
from ai.search import Opponent
from ai.worker import worker as worker_module
from ai.worker.worker import Worker, find_strength
from engine import GAMES
from engine.game import Position, Side
from matches import (
    FIXED_LEVELS,
    AnalysisStatus,
    GameAnalysis,
    Matches,
    MatchState,
    MatchView,
    OfferKind,
    Person,
    computer_level,
)
from matches.computer.service import LEASE
from runtime import worker_process
from runtime.settings import DatabaseSettings
from runtime.steps import Steps
from runtime.worker_process import WorkerProcess, can_work, computer_worker, work_for_computer
from tests.discord_server.waiting import PATIENCE
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    FISTS,
    SERVER,
    SMALL,
    legal_move,
    play_move,
    start_match,
)


class BrokenOpponent(Opponent):
    """An opponent whose search fails."""

    def choose_move(self, _position: Position, _level: Level, _seed: int, *, share: float = 0.0) -> str:  # noqa: ARG002
        raise RuntimeError("broken")


class SlowOpponent(Opponent):
    """An opponent that searches until it may answer."""

    def __init__(self, kernel: Kernel | None) -> None:
        super().__init__(kernel)
        self.is_searching, self.may_answer = threading.Event(), threading.Event()

    def choose_move(
        self,
        position: Position,
        _level: Level,
        seed: int,
        *,
        share: float = 0.0,  # noqa: ARG002
    ) -> str:
        self.is_searching.set()
        self.may_answer.wait(PATIENCE)
        return super().choose_move(position, Level.BEGINNER, seed)


def now() -> datetime:
    return datetime.now(UTC)


async def start(
    matches: Matches,
    *,
    by: Person = ALICE,
    colour: Side = Side.WHITE,
    fists: bool = False,
    level: str = "beginner",
) -> MatchView:
    """Start a match, by default of Alice, by default with the computer to move."""
    update = await matches.computer.start(
        by,
        level=level,
        server=SERVER,
        channel=CHANNEL,
        game="morelli",
        options=FISTS if fists else SMALL,
        colour=colour,
        now=now(),
    )
    return update.match


async def work(worker: Worker) -> None:
    """Do everything that is due now."""
    while await worker.work_once():
        await worker.finish()


def test_levels_are_those_of_the_search() -> None:
    assert tuple(level.value for level in Level) == FIXED_LEVELS


@pytest.mark.parametrize(
    ("level", "strength"),
    [("club", (Level.CLUB, 0.0)), ("club+", (Level.CLUB, 0.5)), ("gone", (Level.CLUB, 0.0))],
)
async def test_half_a_level_is_half_of_the_way_to_the_next(
    matches: Matches, level: str, strength: tuple[Level, float]
) -> None:
    await start(matches)
    (task,) = await matches.computer.claim(now=now())
    assert find_strength(replace(task, level=level)) == strength


@pytest.mark.long
async def test_worker_picks_moves_and_answers_offers(matches: Matches) -> None:
    worker = Worker(matches, GAMES, Opponent.start(), now)
    chosen = await start(matches, fists=True)
    moved = await start(matches)
    began = now()
    await work(worker)
    assert now() - began >= timedelta(seconds=1)  # a human pace
    moved = await matches.view(moved.id, now=now())
    assert (moved.ply, moved.to_move) == (1, moved.seats[1])
    chosen = await matches.view(chosen.id, now=now())
    assert [computer_level(one.account) for one in chosen.picked_by] == ["beginner"]
    assert (await matches.pick(chosen.id, ALICE, "LR", now=now())).match.state is MatchState.PLAYING
    await matches.offers.make(moved.id, ALICE, OfferKind.END, now=now())
    await work(worker)
    answered = await matches.view(moved.id, now=now())
    assert (answered.pending_offer, answered.ply) == (None, 1)
    assert not await matches.computer.is_thinking()


@pytest.mark.long
async def test_people_take_turns_however_many_matches_they_play(matches: Matches) -> None:
    worker = Worker(matches, GAMES, Opponent.start(), lambda: now() + timedelta(seconds=2))
    people = (ALICE, ALICE, ALICE, BOB, BOB, CAROL)
    waiting = [(await start(matches, by=person)).id for person in people]
    answered = []
    while await worker.work_once():
        await worker.finish()
        answered += [
            (number, people[number].name)
            for number, match in enumerate(waiting)
            if (await matches.view(match, now=now())).ply and (number, people[number].name) not in answered
        ]
    assert answered == [(0, "Alice"), (3, "Bob"), (5, "Carol"), (1, "Alice"), (4, "Bob"), (2, "Alice")]


async def test_search_that_fails_is_replaced(matches: Matches) -> None:
    later = [now()]
    worker = Worker(matches, GAMES, BrokenOpponent(None), lambda: later[0])
    view = await start(matches)
    later[0] = now() + timedelta(seconds=2)
    await work(worker)
    assert (await matches.view(view.id, now=now())).ply == 0
    later[0] += LEASE
    await work(worker)
    assert (await matches.view(view.id, now=now())).ply == 1


@pytest.mark.long
async def test_slow_search_is_not_begun_by_another_worker(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The clock runs fast, so that a lease is short.
    speed, began = 20.0, now()
    monkeypatch.setattr(worker_module, "RENEW_SECONDS", 3 / speed)

    def fast_now() -> datetime:
        return began + speed * (now() - began)

    view, slow = await start(matches), SlowOpponent(None)
    worker = Worker(matches, GAMES, slow, fast_now)
    working = asyncio.create_task(worker.work_once())
    assert await asyncio.to_thread(slow.is_searching.wait, PATIENCE)
    end = fast_now() + 3 * LEASE
    while fast_now() < end:
        assert await matches.computer.claim(now=fast_now()) == ()
        await asyncio.sleep(0.02)
    slow.may_answer.set()
    assert await working
    await worker.finish()
    assert (await matches.view(view.id, now=now())).ply == 1
    assert not await matches.computer.is_thinking()


@pytest.mark.long
async def test_long_thoughts_delay_only_each_other(matches: Matches, monkeypatch: pytest.MonkeyPatch) -> None:
    slow, later, quick = SlowOpponent(None), now() + timedelta(seconds=2), Opponent.start()
    monkeypatch.setattr(quick, "start_another", lambda: slow)
    worker = Worker(matches, GAMES, quick, lambda: later)
    first, second = [await start(matches, level="master") for _ in range(2)]
    third = await start(matches, by=BOB, level="master")
    others = [await start(matches), await start(matches, by=BOB)]

    async def plies(*views: MatchView) -> list[int]:
        return [(await matches.view(view.id, now=now())).ply for view in views]

    assert await worker.work_once()
    assert await asyncio.to_thread(slow.is_searching.wait, PATIENCE)
    while await worker.work_once():
        pass
    for _ in range(100):
        if await plies(*others) == [1, 1]:
            break
        await asyncio.sleep(0.01)
    assert await plies(first, second, *others) == [0, 0, 1, 1]
    slow.may_answer.set()
    await worker.finish()
    assert await worker.work_once()
    await worker.finish()
    assert await plies(first, second, third) == [1, 0, 1]  # another person's before the second of the same
    await work(worker)
    assert await plies(first, second, third) == [1, 1, 1]


@pytest.mark.long
async def test_analyses_are_done_while_nobody_waits_for_a_move(matches: Matches) -> None:
    worker = Worker(matches, GAMES, Opponent.start(), now)
    over = await start_match(matches, {}, game="morabaraba")
    for text in ("D2", "D6", "A1", "B2"):
        over = (await play_move(matches, over, text)).match
    await matches.resign(over.id, ALICE, now=now())
    replay = await matches.replay(over.id, now=now())
    await matches.game_analyses.request(replay, ALICE, now=now())
    owed = await start(matches)
    assert await worker.work_once()
    assert await matches.game_analyses.get(replay) == GameAnalysis(AnalysisStatus.WAITING)
    await work(worker)
    assert (await matches.view(owed.id, now=now())).ply == 1
    analysis = await matches.game_analyses.get(replay)
    assert analysis is not None
    assert (analysis.status, len(analysis.chances)) == (AnalysisStatus.COMPLETE, 5)
    assert analysis.simulations >= 6400
    assert not await matches.computer.is_thinking()


def children() -> list[int]:
    """Return the running children of this process."""
    return [int(one) for one in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


async def wait_for_answer(matches: Matches, view: MatchView) -> MatchView:
    """Wait until it is Alice's turn."""
    async with asyncio.timeout(PATIENCE):
        while view.to_move is None or view.to_move.person != ALICE:
            await asyncio.sleep(0.05)
            view = await matches.view(view.id, now=now())
    return view


@pytest.mark.long
async def test_killed_worker_is_replaced_and_ends_with_its_parent(
    matches: Matches, database_url: str
) -> None:
    view = await start(matches)
    worker_to_start, before = computer_worker(DatabaseSettings(database_url=database_url)), children()
    async with work_for_computer(matches.computer, matches.on_commit, worker_to_start, now, Steps()):
        view = await wait_for_answer(matches, view)
        (worker,) = set(children()) - set(before)
        os.kill(worker, signal.SIGKILL)
        view = (await play_move(matches, view, now=now())).match
        view = await wait_for_answer(matches, view)
        (replacement,) = set(children()) - set(before)
        assert replacement != worker
    assert (view.ply, (await matches.audit(view.id)).difference) == (3, None)
    assert children() == before
    assert legal_move(view)


@pytest.mark.long
async def test_nothing_is_expected_of_a_worker_that_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not can_work(computer_worker(DatabaseSettings(computer=False)))
    monkeypatch.setattr(worker_process, "FIRST_PAUSE", 0.0)
    worker = WorkerProcess(("tests.no_such_module",), {})
    while can_work(worker):
        await worker.ensure_running()
        for _ in range(1000):
            if worker.process_id is not None:
                await asyncio.sleep(0.01)
    monkeypatch.setattr(worker_process, "FAILURE_SECONDS", 0.0)
    assert can_work(worker)  # after a while it may be expected to work again
