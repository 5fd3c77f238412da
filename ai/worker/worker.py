"""Takes what the computer has to do, one thing after the other, and answers as any player does."""

from __future__ import annotations

import asyncio
import secrets
import threading
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import structlog

from ai.levels import LONG_LEVELS, Level
from ai.search import Opponent
from ai.worker.analyses import advance_analysis
from ai.worker.assessments import assess_next
from ai.worker.endings import accepts_offer, choose_offer, resigns
from ai.worker.puzzles import check_report, look_for_puzzles
from engine import get_game
from matches import MatchState, MoveRefused, Refusal, StorageUnavailable, level_strength
from runtime.steps import Steps

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Mapping
    from datetime import datetime, timedelta
    from typing import Any

    from engine.game import Game, Position
    from matches import (
        ComputerTask,
        Matches,
        MatchId,
        MatchUpdate,
        MatchView,
        Offer,
        OfferKind,
        PuzzleLook,
        PuzzleReport,
    )

log = structlog.stdlib.get_logger(__name__)

POLL_SECONDS = 0.2  # between two looks while nothing is due
ATTEMPTS, RETRY_SECONDS = 5, 1.0  # at an answer that a busy database does not take; then its lease ends
RENEW_SECONDS = 3.0  # between two renewals of a lease, which lasts longer
MAX_SERVED = 100  # people whose turn to be served is remembered
SEEDS_PER_MATCH = 1_000_003


@dataclass(frozen=True, slots=True)
class Answer:
    """What the computer does: a `pick`, `moves` of one turn, or to accept or decline an offer (`accept`).

    Instead of a turn it may resign, and after it make an offer.
    """

    pick: str = ""
    moves: tuple[str, ...] = ()
    accept: bool = False
    resigns: bool = False
    offer: OfferKind | None = None


@dataclass(slots=True)
class Worker:
    """A worker over the matches of a database; `games` are the games that can be played, by name.

    It thinks about one thing at a time, in a thread, so that leases are renewed and answers given meanwhile.
    Beside that it thinks about one thing of a level that thinks long, so that nobody else waits for it. While
    nothing at all is to do, it checks what was reported about puzzles and looks for new ones in finished
    matches, until there is something.
    `now` returns the current time, aware. `idle_limit`: how long it may have nothing to do before it ends,
    None for ever.
    """

    matches: Matches
    games: Mapping[str, Game]
    opponent: Opponent
    now: Callable[[], datetime]
    idle_limit: timedelta | None = None
    _long_opponent: Opponent | None = None
    _long_thought: asyncio.Task[None] | None = None
    _look: asyncio.Task[None] | None = None
    _stop_look: threading.Event = field(default_factory=threading.Event)
    _fallback: Opponent = field(default_factory=lambda: Opponent(None))
    _failed: set[MatchId] = field(default_factory=set)
    _served: list[str] = field(default_factory=list)
    _started: set[asyncio.Task[None]] = field(default_factory=set)
    _steps: Steps = field(init=False)

    def __post_init__(self) -> None:
        self._steps = Steps(self.matches.metrics, (StorageUnavailable,))

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set or the limit is reached, and give the last answers. Never raises."""
        loop, is_restored = asyncio.get_running_loop(), False
        idle_since = loop.time()
        while not stop.is_set():
            is_restored = is_restored or await self._try("computer_restore", self._restore)
            if (
                await self._try("computer_answers", self._answer_next)
                or await self._try("assessments", self._assess_next)
                or await self._try("analyses", self._analyse_next)
                or await self._try("puzzles", self._look_next)
            ):
                idle_since = loop.time()
                continue
            if _is_running(self._look):
                idle_since = loop.time()
            if self.idle_limit is not None and loop.time() - idle_since > self.idle_limit.total_seconds():
                break
            try:
                await asyncio.wait_for(stop.wait(), POLL_SECONDS)
            except TimeoutError:
                continue
        self._stop_look.set()
        await self.finish()

    async def work_once(self) -> bool:
        """Take one thing to do and think about it; return whether there was one. The answer follows.

        While nothing is owed in any match, assess a board of a tournament, take a step of an analysis, or
        begin one of a look for puzzles.
        """
        return (
            await self._answer_next()
            or await self._assess_next()
            or await self._analyse_next()
            or await self._look_next()
        )

    async def _restore(self) -> bool:
        await self.matches.computer.restore(now=self.now())
        return True

    async def _assess_next(self) -> bool:
        return self._stop_look_if(await assess_next(self.matches, self.opponent, self.now))

    async def _analyse_next(self) -> bool:
        return self._stop_look_if(await advance_analysis(self.matches, self.opponent, self.now))

    def _stop_look_if(self, has_work: bool) -> bool:
        if has_work:
            self._stop_look.set()
        return has_work

    async def _look_next(self) -> bool:
        """Check a report about a puzzle, or begin a step of a look for puzzles, unless one is under way.

        That is done with the opponent of long thoughts.
        """
        if _is_running(self._look) or _is_running(self._long_thought):
            return False
        report = await self.matches.puzzles.claim_report(now=self.now())
        look = None if report is not None else await self.matches.game_analyses.claim_look(now=self.now())
        if report is None and look is None:
            return False
        self._stop_look.clear()
        self._look = self._start(self._work_on_puzzles(look, report))
        return True

    async def _work_on_puzzles(self, look: PuzzleLook | None, report: PuzzleReport | None) -> None:
        opponent, stop = await self._find_long_opponent(), self._stop_look
        if report is not None:
            work = partial(check_report, self.matches, report, opponent, stop, self.now)
            await self._steps.run("puzzle_report", work)
        if look is not None:
            work = partial(look_for_puzzles, self.matches, look, opponent, stop, self.now)
            await self._steps.run("puzzle_look", work)

    async def _find_long_opponent(self) -> Opponent:
        if self._long_opponent is None:
            self._long_opponent = await asyncio.to_thread(self.opponent.start_another)
        return self._long_opponent

    async def _answer_next(self) -> bool:
        is_busy = _is_running(self._long_thought)
        tasks = await self.matches.computer.claim(
            now=self.now(), served=self._served, without=LONG_LEVELS if is_busy else ()
        )
        if not tasks and not is_busy:  # otherwise some may wait for the long thought
            self._served.clear()
        for task in tasks:
            self._stop_look.set()
            self._note_served(task)
            if task.level in LONG_LEVELS:
                self._long_thought = self._start(self._answer_long(task))
            else:
                await self._answer(task, self.opponent)
        return bool(tasks)

    async def _answer_long(self, task: ComputerTask) -> None:
        """Answer with an opponent of its own, because a kernel thinks about one position at a time."""
        if self._look is not None:
            await asyncio.wait((self._look,))
        await self._answer(task, await self._find_long_opponent())

    async def _answer(self, task: ComputerTask, opponent: Opponent) -> None:
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._start(self._keep_lease(task, answered))
        answer = await self._think(task, opponent)
        if answer is None:
            answered.set_result(None)
        else:
            self._start(self._give(task, answer, answered))

    def _note_served(self, task: ComputerTask) -> None:
        """Put the person who waits for a task at the end of those that were served since all were."""
        opponent = task.view.opponent(task.person.account)
        account = "" if opponent is None else opponent.person.account
        self._served = [*(each for each in self._served if each != account), account][-MAX_SERVED:]

    async def finish(self) -> None:
        """Wait until all answers are given."""
        while self._started:
            await asyncio.wait(self._started)

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        started = asyncio.create_task(work)
        self._started.add(started)
        started.add_done_callback(self._started.discard)
        return started

    async def _keep_lease(self, task: ComputerTask, answered: asyncio.Future[None]) -> None:
        """Renew the lease until it is `answered` or the lease is lost.

        So no other worker takes what this one still thinks about, and one that is killed is soon replaced.
        """
        held: ComputerTask | None = task
        while held is not None:
            await asyncio.wait((answered,), timeout=RENEW_SECONDS)
            if answered.done():
                return
            try:
                held = await self.matches.computer.renew(held, now=self.now())
            except StorageUnavailable as error:
                log.warning("computer.storage", match=task.view.id, error=str(error))

    async def _think(self, task: ComputerTask, opponent: Opponent) -> Answer | None:
        """Return the answer, or None if thinking failed: then the match is due again when its lease ends."""
        opponent = self._fallback if task.view.id in self._failed else opponent
        try:
            answer = await asyncio.to_thread(decide, opponent, self.games, task)
        except Exception:
            log.exception("computer.failed", match=task.view.id, ply=task.view.ply)
            self._failed.add(task.view.id)
            return None
        self._failed.discard(task.view.id)
        return answer

    async def _give(self, task: ComputerTask, answer: Answer, answered: asyncio.Future[None]) -> None:
        try:
            await self._try_to_give(task, answer)
        finally:
            answered.set_result(None)

    async def _try_to_give(self, task: ComputerTask, answer: Answer) -> None:
        await asyncio.sleep(max(0.0, (task.answer_from - self.now()).total_seconds()))
        for _ in range(ATTEMPTS):
            try:
                await self._act(task, answer)
            except StorageUnavailable as error:
                log.warning("computer.storage", match=task.view.id, error=str(error))
                await asyncio.sleep(RETRY_SECONDS)
                continue
            except MoveRefused:
                log.exception("computer.failed", match=task.view.id, ply=task.view.ply)
                self._failed.add(task.view.id)
            except Refusal as refusal:  # the match went on without this answer
                log.debug("computer.late", match=task.view.id, refusal=refusal.key)
            except Exception:
                log.exception("computer.failed", match=task.view.id, ply=task.view.ply)
            return

    async def _act(self, task: ComputerTask, answer: Answer) -> None:
        view, matches, now = task.view, self.matches, self.now()
        offer = opponents_offer(task)
        if answer.pick:
            await matches.pick(view.id, task.person, answer.pick, now=now)
        elif offer is not None:
            await matches.offers.answer(offer.id, task.person, accept=answer.accept, now=now)
        elif answer.resigns:
            update = await matches.resign(view.id, task.person, seen_revision=view.revision, now=now)
            _log_change(update, "resignation")
        else:
            update = await matches.play(
                view.id, task.person, answer.moves, seen_revision=view.revision, latest_only=True, now=now
            )
            _log_change(update, "turn")
            await self._offer(task, answer, update.match)

    async def _offer(self, task: ComputerTask, answer: Answer, after: MatchView) -> None:
        """Make the offer of an answer, unless the opponent has already replied with a conditional move."""
        is_answered = after.ply > task.view.ply + len(answer.moves)
        if answer.offer is None or is_answered or after.state is not MatchState.PLAYING:
            return
        try:
            update = await self.matches.offers.make(
                after.id, task.person, answer.offer, seen_revision=after.revision, now=self.now()
            )
            _log_change(update, "offer")
        except StorageUnavailable as error:  # the turn is played; the offer can wait
            log.warning("computer.storage", match=after.id, error=str(error))

    async def _try(self, step: str, work: Callable[[], Awaitable[bool]]) -> bool:
        """Run a step; return its result, False if it failed."""
        result = False

        async def run() -> None:
            nonlocal result
            result = await work()

        await self._steps.run(step, run)
        return result


def _is_running(task: asyncio.Task[None] | None) -> bool:
    return task is not None and not task.done()


def _log_change(update: MatchUpdate, kind: str) -> None:
    announcement = None if update.announcement is None else update.announcement.id
    log.info("change.committed", match=update.match.id, announcement=announcement, kind=kind)


def decide(opponent: Opponent, games: Mapping[str, Game], task: ComputerTask) -> Answer:
    """Return what the computer does. Takes as long as its level thinks."""
    view, (level, share) = task.view, find_strength(task)
    if view.state is MatchState.CHOOSING or view.position is None:
        choice = get_game(view.game, view.rules_version, games).simultaneous_choice
        return Answer(pick=secrets.choice(choice.picks) if choice else "")
    seed = view.id * SEEDS_PER_MATCH + view.revision
    offer = opponents_offer(task)
    if offer is not None:
        return Answer(accept=accepts_offer(opponent, games, task, view.position, seed))
    if resigns(opponent, games, task, level, seed):
        return Answer(resigns=True)
    moves, after = choose_turn(opponent, view.position, level, seed, share)
    return Answer(moves=moves, offer=choose_offer(opponent, games, task, after, seed))


def choose_turn(
    opponent: Opponent, position: Position, level: Level, seed: int, share: float = 0.0
) -> tuple[tuple[str, ...], Position]:
    """Return the moves of a whole turn, and the position after it; `share` is as for `choose_move`."""
    moves: list[str] = []
    for _ in range(position.moves_due):
        moves.append(opponent.choose_move(position, level, seed, share=share))
        position = position.play(position.parse(moves[-1]))
    return tuple(moves), position


def find_strength(task: ComputerTask) -> tuple[Level, float]:
    """Return the level of a task and the share of the way to the next one.

    An adaptive opponent plays with the strength that the terms of the match say; a level that is unknown, of
    another version, as the middle one.
    """
    fixed = level_strength(task.level)
    strength = task.view.terms.strength if fixed is None else fixed
    if strength is None:
        return Level.CLUB, 0.0
    return tuple(Level)[int(strength)], strength % 1


def opponents_offer(task: ComputerTask) -> Offer | None:
    """Return the offer that the computer has to answer, or None."""
    offer = task.view.pending_offer
    return None if offer is None or offer.by.account == task.person.account else offer
