"""Puzzles for every front end: the next one, attempts, ratings, reports, and that of a day."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import TYPE_CHECKING

from engine.game import GameError
from matches.audience import PUBLIC
from matches.errors import Refusal
from matches.game_analysis.service import check_not_under_way
from matches.personal_data.stand_ins import is_deleted
from matches.preferences.service import load_preferences
from matches.puzzles import choosing
from matches.puzzles.first_set import first_set_folder, read_first_set
from matches.puzzles.rating import rate_attempt
from matches.puzzles.solving import follow_turns
from matches.puzzles.values import (
    SEEN_LENGTH,
    Attempt,
    AttemptResult,
    PastAttempt,
    PuzzleChoice,
    PuzzleReport,
    PuzzleVerdict,
    SolverRating,
    StoredPuzzle,
    Withdrawal,
    new_row,
)
from matches.times import to_millis
from matches.values import MatchId, MatchState
from storage.match import matches
from storage.people import people, personal_data
from storage.puzzle import attempts, mails, puzzles
from storage.puzzle.puzzles import Excluded

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date, datetime
    from importlib.resources.abc import Traversable

    from engine.game import Game
    from engine.puzzle import Puzzle
    from matches.values import Person
    from storage import Connection, Database
    from storage.puzzle.puzzles import PuzzleRow

MAX_REPORTS_PER_DAY = 10  # by one person
CHECK_LEASE = timedelta(minutes=10)  # after which a report that a worker did not finish is checked again
HISTORY = 20
DAY = timedelta(days=1)
ANY = PuzzleChoice()


class Puzzles:
    """The puzzles of a database.

    A puzzle from a match exists for nobody while not everybody can see that match, and never for its players,
    who know it. None of its names is shown. The first attempt of a person at a puzzle is rated, in one
    transaction; looking at a hint or the solution before is an attempt that failed. Whoever has no account
    solves without a rating, and the front end remembers what they have seen.

    `first_set` is the folder of the shipped puzzles, `chance` decides among several that fit.
    """

    def __init__(
        self,
        database: Database,
        games: Mapping[str, Game],
        *,
        first_set: Traversable | None = None,
        chance: random.Random | None = None,
    ) -> None:
        self._database = database
        self._games = games
        self._first_set = first_set_folder() if first_set is None else first_set
        self._chance = random.SystemRandom() if chance is None else chance

    async def read_first_set(self, *, now: datetime) -> None:
        """Read the shipped puzzles into the database, if their files are not those that were read last."""
        await read_first_set(self._database, self._first_set, self._games, now)

    async def list_games(self) -> tuple[str, ...]:
        """Return the games that have puzzles."""
        async with self._database.read() as connection:
            return tuple(await puzzles.list_games(connection, self._games))

    async def list_themes(self, game: str) -> tuple[str, ...]:
        """Return the keys of the themes that puzzles of a game have, sorted."""
        async with self._database.read() as connection:
            return tuple(await puzzles.list_themes(connection, game))

    async def next(
        self, account: str | None, choice: PuzzleChoice = ANY, *, seen: Collection[str] = ()
    ) -> StoredPuzzle | None:
        """Return a puzzle near the rating of an account that it has not tried; None if there is none left.

        None whose key begins as one of `seen` does, in its first SEEN_LENGTH signs: those are puzzles that
        somebody without an account (None) has seen, or that were sent by mail. Changes nothing.
        """
        games = [game for game in self._games if choice.game in {"", game}]
        async with self._database.read() as connection:
            rows = [] if account is None else await attempts.list_ratings(connection, account)
            key = await choosing.choose_near(
                connection,
                games=games,
                theme=choice.theme,
                ratings={row.game: SolverRating.from_row(row).rating.rating for row in rows},
                default=choosing.FIRST_RATING,
                excluded=Excluded(account),
                seen={one[:SEEN_LENGTH] for one in seen},
                chance=self._chance,
            )
            return None if key is None else await self._load(connection, key)

    async def get(self, key: str) -> StoredPuzzle:
        """Return a puzzle. Raises `puzzle_unknown`, and `puzzle_withdrawn` if nobody gets it any more."""
        async with self._database.read() as connection:
            return await self._load(connection, key)

    async def attempt(
        self, key: str, person: Person | None, turns: Sequence[str], *, now: datetime
    ) -> AttemptResult:
        """Judge all turns of a solver since the start of a puzzle, each a move as typed.

        With the first wrong turn, and with the last right one, the attempt of a `person` ends: it is rated
        unless there was one before, or the person has played the match of the puzzle. `person` is None for
        somebody without an account. Repeating a call changes nothing.

        Raises GameError for a move that is not legal, `puzzle_unknown`, `puzzle_withdrawn`.
        """
        stored = await self.get(key)
        progress = follow_turns(stored.puzzle, turns)
        if person is None:
            return AttemptResult(progress)
        if progress.verdict is PuzzleVerdict.OPEN:
            return AttemptResult(progress, await self.find_attempt(key, person.account))
        attempt, is_new = await self._end_attempt(
            key, person, is_solved=progress.verdict is PuzzleVerdict.SOLVED, now=now
        )
        return AttemptResult(progress, attempt, is_new)

    async def reveal(self, key: str, person: Person, *, now: datetime) -> Attempt | None:
        """Note that a person looks at a hint or the solution: an attempt that failed, unless there was one.

        Returns the first attempt; None for a player of the puzzle's match. Raises `puzzle_unknown`,
        `puzzle_withdrawn`.
        """
        return (await self._end_attempt(key, person, is_solved=False, now=now))[0]

    async def find_attempt(self, key: str, account: str) -> Attempt | None:
        """Return the first attempt of an account at a puzzle, None if there is none."""
        async with self._database.read() as connection:
            row = await attempts.find(connection, account, key)
        return None if row is None else Attempt.from_row(row)

    async def list_ratings(self, account: str) -> tuple[SolverRating, ...]:
        """Return the ratings of an account at the puzzles of each game that it has solved some of."""
        async with self._database.read() as connection:
            return tuple(map(SolverRating.from_row, await attempts.list_ratings(connection, account)))

    async def find_rating(self, account: str, game: str) -> SolverRating | None:
        """Return the rating of an account at the puzzles of a game, None without any."""
        return next((one for one in await self.list_ratings(account) if one.game == game), None)

    async def list_history(
        self, account: str, *, game: str | None = None, before: datetime | None = None, limit: int = HISTORY
    ) -> tuple[PastAttempt, ...]:
        """Return at most `limit` attempts of an account from before a time, the newest first."""
        until = None if before is None else to_millis(before)
        async with self._database.read() as connection:
            rows = await attempts.list_newest(connection, account, game, until, limit)
        return tuple(PastAttempt(row.game, Attempt.from_row(row)) for row in rows)

    async def report(self, key: str, person: Person, turns: Sequence[str], *, now: datetime) -> None:
        """Report that the last of `turns` solves a puzzle too: a search checks that (:meth:`claim_report`).

        The turns are those of a solver since the start, the last one wrong. A person reports a puzzle once.

        Raises `puzzle_unknown`, `puzzle_withdrawn`, `no_second_solution`, `not_tried`,
        `too_many_puzzle_reports`.
        """
        stored = await self.get(key)
        try:
            progress = follow_turns(stored.puzzle, turns)
        except GameError as error:
            raise Refusal("no_second_solution") from error
        if progress.verdict is not PuzzleVerdict.WRONG:
            raise Refusal("no_second_solution")
        text, millis = " ".join((*progress.found, progress.wrong)), to_millis(now)
        async with self._database.transaction() as connection:
            await people.save(connection, person.account, person.name, millis)
            await _find_shown(connection, key, lock=True)
            if await attempts.find(connection, person.account, key) is None:
                raise Refusal("not_tried")
            if await attempts.has_report(connection, key, person.account):
                return
            day = await attempts.count_reports_by(connection, person.account, to_millis(now - DAY))
            if day >= MAX_REPORTS_PER_DAY:
                raise Refusal("too_many_puzzle_reports", limit=MAX_REPORTS_PER_DAY)
            work_at = None if await attempts.is_checked(connection, key, text) else millis
            await attempts.add_report(connection, key, person.account, text, millis, work_at=work_at)

    async def claim_report(self, *, now: datetime) -> PuzzleReport | None:
        """Claim a report that nobody has checked, for CHECK_LEASE; None if there is none now."""
        millis = to_millis(now)
        async with self._database.read() as connection:
            row = await attempts.find_due_report(connection, millis)
        if row is None:
            return None
        async with self._database.transaction() as connection:
            await puzzles.find(connection, row.puzzle, lock=True)
            if not await attempts.lease_report(connection, row, millis, to_millis(now + CHECK_LEASE)):
                return None
            try:
                stored = await self._load(connection, row.puzzle)
                progress = follow_turns(stored.puzzle, row.turns.split())
            except (Refusal, GameError):  # it was withdrawn, or is of rules that are not played here
                await attempts.end_check(connection, row.puzzle, row.turns)
                return None
        return PuzzleReport(row.puzzle, stored.puzzle, row.turns, progress.step, progress.wrong)

    async def settle_report(self, report: PuzzleReport, *, is_confirmed: bool, now: datetime) -> None:
        """Record what a search says about a report; with `is_confirmed` nobody gets the puzzle any more."""
        async with self._database.transaction() as connection:
            row = await puzzles.find(connection, report.key, lock=True)
            await attempts.end_check(connection, report.key, report.turns)
            if is_confirmed and row is not None and row.withdrawn is None:
                await puzzles.withdraw(connection, [row.key], Withdrawal.REPORTED, to_millis(now))

    async def find_match(self, key: str, account: str) -> MatchId | None:
        """Return the match that a puzzle is from, if the account is that of one of its players; else None."""
        async with self._database.read() as connection:
            row = await puzzles.find(connection, key)
        return (
            None if row is None or row.match is None or not _is_player(row, account) else MatchId(row.match)
        )

    async def withdraw(self, key: str, account: str, *, now: datetime) -> None:
        """Remove a puzzle because a player of its match asks for it.

        Raises `puzzle_unknown`, also if the account is that of nobody who played the match.
        """
        async with self._database.transaction() as connection:
            row = await puzzles.find(connection, key, lock=True)
            if row is None or not _is_player(row, account):
                raise Refusal("puzzle_unknown")
            await puzzles.withdraw(connection, [key], Withdrawal.ASKED, to_millis(now), forget=True)

    async def count_own(self, account: str) -> int:
        """Count the puzzles from matches of an account."""
        async with self._database.read() as connection:
            return len(await puzzles.list_of_person(connection, account))

    async def add_found(self, match: MatchId, found: Sequence[Puzzle], *, now: datetime) -> int:
        """Store puzzles that were found in a match, and return how many are new.

        None if the match is not over, not everybody can see it, or one of its players wants no puzzles from
        their matches or was erased. A puzzle whose position was on the board of a match that is under way is
        left out. One that was withdrawn does not come back. May be called twice.
        """
        async with self._database.read() as connection:
            allowed = [one for one in found if not await _is_under_way(connection, one)]
            known = await matches.get(connection, match)
        if known is None:
            return 0
        players = sorted((known.first, known.second))
        async with self._database.transaction() as connection:
            for player in players:  # before the match, as whoever erases them does
                await personal_data.lock_person(connection, player, completely=False)
            row = await matches.get(connection, match, lock=True)
            if row is None or row.state != MatchState.OVER or row.audience not in PUBLIC:
                return 0
            if is_deleted(row.first) or is_deleted(row.second):
                return 0
            choices = await load_preferences(connection, (row.first, row.second))
            if not all(one.puzzles for one in choices.values()):
                return 0
            rows = [new_row(one, match=match) for one in allowed]
            return await puzzles.add_all(connection, rows, to_millis(now))

    async def daily(self, day: date) -> StoredPuzzle | None:
        """Return the puzzle of a day, the same for everybody; None if there are no puzzles.

        It is chosen when it is first asked for, among those that were of no other day, and again if it was
        withdrawn since. If all were, that of the day longest ago comes again.
        """
        text = day.isoformat()
        async with self._database.read() as connection:
            key = await attempts.find_daily(connection, text)
            row = None if key is None else await puzzles.find(connection, key)
        if row is not None and _is_shown(row):
            return StoredPuzzle.from_row(row, self._games)
        async with self._database.transaction() as connection:
            chosen = await choosing.choose_near(
                connection,
                games=list(self._games),
                theme="",
                ratings={},
                default=choosing.DAILY_RATING,
                excluded=Excluded(daily=True),
                chance=choosing.chance_of_day(day),
            )
            if chosen is None:
                chosen = await attempts.find_oldest_daily(connection, PUBLIC)
            if chosen is None:
                return None
            chosen = await attempts.save_daily(connection, text, chosen, key)
            return await self._load(connection, chosen)

    async def _end_attempt(
        self, key: str, person: Person, *, is_solved: bool, now: datetime
    ) -> tuple[Attempt | None, bool]:
        millis = to_millis(now)
        async with self._database.transaction() as connection:
            await people.save(connection, person.account, person.name, millis)
            await mails.record_answer(connection, person.account)
            row = await _find_shown(connection, key, lock=True)
            if _is_player(row, person.account):
                return None, False
            return await rate_attempt(connection, row, person.account, is_solved=is_solved, now=millis)

    async def _load(self, connection: Connection, key: str) -> StoredPuzzle:
        return StoredPuzzle.from_row(await _find_shown(connection, key), self._games)


async def _find_shown(connection: Connection, key: str, *, lock: bool = False) -> PuzzleRow:
    """Return a puzzle that everybody may see. Raises `puzzle_unknown`, `puzzle_withdrawn`."""
    row = await puzzles.find(connection, key, lock=lock)
    if row is None:
        raise Refusal("puzzle_unknown")
    if not _is_shown(row):
        raise Refusal("puzzle_withdrawn")
    return row


def _is_shown(row: PuzzleRow) -> bool:
    return row.withdrawn is None and (row.match is None or row.audience in PUBLIC)


def _is_player(row: PuzzleRow, account: str) -> bool:
    return account in (row.first, row.second)


async def _is_under_way(connection: Connection, puzzle: Puzzle) -> bool:
    try:
        await check_not_under_way(connection, puzzle.game.name, [puzzle.start])
    except Refusal:
        return True
    return False
