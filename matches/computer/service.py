"""Matches against the computer: starting them, and what a worker has to do in them.

What the computer owes is seen in the match itself: a pick, a move or an answer to an offer. A column of the
match (`think_at`) only makes it quick to find, and is the lease of the worker that has taken it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.challenge_drafts import ChallengeDraft
from matches.computer.accounts import (
    ACCOUNT_PREFIX,
    LEVELS,
    computer_account,
    computer_level,
    computer_name,
)
from matches.computer.hooks import owed_by
from matches.errors import Refusal
from matches.game_analysis.service import check_not_under_way
from matches.options import MatchSetup
from matches.people.guests import save_guest
from matches.preferences.service import load_preferences
from matches.servers.settings import load_settings
from matches.terms import Terms, parse_terms
from matches.times import to_millis
from matches.values import ACTIVE_STATES, MatchId, MatchState, Person
from matches.view_builder import fetch_match
from matches.views import load_view
from storage.match import game_analyses, matches, offers, records
from storage.people import people
from storage.puzzle import attempts
from storage.tournament import games
from storage.work import thinking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from engine.game import Game, OptionValue, Side
    from matches.audience import Audience
    from matches.challenges import Challenges
    from matches.computer.accounts import ComputerRatings
    from matches.match_view import MatchView
    from matches.people.guests import NewGuest
    from matches.updates import MatchUpdate
    from matches.values import ChallengeId
    from storage import Connection, Database
    from storage.match.challenges import ChallengeRow

LEASE = timedelta(seconds=10)  # of a worker that has not renewed it; then another one may take what is owed
ANSWER_DELAY = timedelta(seconds=1.5)  # from a turn to the answer, at least
MAX_ACTIVE = 20  # matches of one person against the computer


@dataclass(frozen=True, slots=True)
class LoggedBoard:
    """A board of a match: the account that moved last, and its position line."""

    by: str
    position: str


@dataclass(frozen=True, slots=True)
class ComputerTask:
    """Something that `person`, the computer at a `level`, has to do in the match `view`.

    In order: pick, if the match is CHOOSING; answer the pending offer, if there is one of the opponent; move,
    if it is the computer's turn. The answer may be given from `answer_from` on. It is leased until
    `leased_until`.

    `boards` are those after each move of the match; `offered_at` is the ply of the last offer that the
    computer has made in it. With `plays_on` its opponent wants decided games to be played to the end.
    """

    view: MatchView
    person: Person
    level: str
    answer_from: datetime
    leased_until: datetime
    boards: tuple[LoggedBoard, ...] = ()
    offered_at: int | None = None
    plays_on: bool = False


class Computer:
    """The matches against the computer of a database."""

    def __init__(
        self,
        database: Database,
        challenges: Challenges,
        games: Mapping[str, Game],
        ratings: ComputerRatings,
    ) -> None:
        self._database = database
        self._challenges = challenges
        self._games = games
        self._ratings = ratings

    async def start(
        self,
        person: Person,
        *,
        level: str,
        server: str,
        channel: str,
        game: str,
        options: Mapping[str, OptionValue] | None = None,
        colour: Side | None = None,
        terms: Terms | None = None,
        audience: Audience | None = None,
        guest: NewGuest | None = None,
        now: datetime,
    ) -> MatchUpdate:
        """Start a match of `person` against the computer, which needs no other consent.

        `colour` is the person's side; None is a random one. By default there is no clock; with a clock only
        the person's time runs. `audience` is as for challenges. With `guest`, `person` is that new guest, who
        is stored together with the match. The match is rated only if the server wants that and the level has
        a rating. It is announced as an accepted challenge is: CHOOSING or STARTED, to the person.

        Raises `game_unknown`, `invalid_option`, `option_is_random`, `invalid_colour`, `level_unknown`,
        `bot_challenge`, `excluded`, `too_many_computer_matches`.
        """
        opponent = computer_person(level)
        setup = MatchSetup.for_game(self._games, game, options or {})
        async with self._database.transaction() as connection:
            if guest is not None:
                await save_guest(connection, guest, now)
            await self._check_limit(connection, person, now)
            draft = ChallengeDraft(
                by=person,
                to=None,
                server=server,
                channel=channel,
                setup=setup,
                terms=await self._allowed_terms(connection, terms or Terms(), server, game, level),
                colour=colour,
                audience=audience,
            )
            return await self._challenges.start_in(connection, draft, opponent, now)

    async def take_challenge(
        self,
        challenge: ChallengeId,
        by: Person,
        *,
        level: str,
        channel: str | None = None,
        now: datetime,
    ) -> MatchUpdate:
        """Have the computer accept an open challenge of `by` that is addressed to nobody.

        The match is played in `channel`, by default in that of the challenge, and announced as in
        :meth:`start`. It has no clock. It may not continue a record that is like a match under way.

        Raises `challenge_unknown`, `challenge_accepted`, `challenge_declined`, `challenge_withdrawn`,
        `challenge_expired`, `not_challenger`, `not_addressee`, `level_unknown`, `excluded`,
        `game_under_way`, `too_many_computer_matches`.
        """
        opponent = computer_person(level)

        async def match_terms(connection: Connection, row: ChallengeRow) -> Terms:
            record = None if row.record is None else await records.get(connection, row.record)
            if record is not None:
                await check_not_under_way(connection, row.game, [record.position])
            terms = replace(parse_terms(row.terms), time_control=None)
            return await self._allowed_terms(connection, terms, row.server, row.game, level)

        async with self._database.transaction() as connection:
            await self._check_limit(connection, by, now)
            return await self._challenges.accept_in(
                connection, challenge, by, opponent, match_terms, channel=channel, now=now
            )

    async def is_thinking(self) -> bool:
        """Return whether the computer owes any answer, assessment, analysis or check. Cheap."""
        async with self._database.read(short=True) as connection:
            return (
                await thinking.any_due(connection)
                or await game_analyses.any_due(connection)
                or await games.any_to_assess(connection)
                or await attempts.is_any_report_due(connection)
            )

    async def is_due(self, *, now: datetime) -> bool:
        """Return whether the computer owes anything that no worker has taken. Cheap."""
        async with self._database.read(short=True) as connection:
            return (
                await thinking.any_due(connection, to_millis(now))
                or await game_analyses.any_due(connection, to_millis(now))
                or await games.any_to_assess(connection, to_millis(now))
                or await attempts.is_any_report_due(connection, to_millis(now))
            )

    async def claim(
        self,
        *,
        now: datetime,
        limit: int = 1,
        served: Sequence[str] = (),
        without: Sequence[str] = (),
    ) -> tuple[ComputerTask, ...]:
        """Return at most `limit` things that the computer has to do, the oldest first.

        Those in matches of the accounts that have just been `served` come after all others, in this order: so
        whoever plays many matches lets nobody else wait for them. Those of the levels `without` are left.

        Nobody else gets them for LEASE, or longer if the lease is renewed (see :meth:`renew`). Answer through
        the ordinary services as the task's person, with the revision of its view: a second answer to the same
        board is refused.
        """
        until, skipped = now + LEASE, [computer_account(level) for level in without]
        async with self._database.read() as connection:
            if not await thinking.any_due(connection, to_millis(now)):
                return ()
        async with self._database.transaction() as connection:
            claimed = await thinking.claim_due(
                connection, ACCOUNT_PREFIX, served, skipped, to_millis(now), to_millis(until), limit
            )
            accounts = {match: owed_by(await fetch_match(connection, MatchId(match))) for match in claimed}
            await thinking.schedule(connection, [match for match, owes in accounts.items() if not owes], None)
        tasks = [
            await self._load_task(MatchId(match), account, until)
            for match, account in accounts.items()
            if account
        ]
        return tuple(task for task in tasks if task is not None)

    async def renew(self, task: ComputerTask, *, now: datetime) -> ComputerTask | None:
        """Extend the lease of a task to LEASE from `now` on; return the task with it.

        None if it is no longer this lease: the match went on, or the lease ended and another worker has it.
        """
        until = now + LEASE
        async with self._database.transaction() as connection:
            is_renewed = await thinking.renew(
                connection, task.view.id, to_millis(task.leased_until), to_millis(until)
            )
        return replace(task, leased_until=until) if is_renewed else None

    async def restore(self, *, now: datetime) -> int:
        """Find what the computer owes in the matches themselves, where it is not noted; return how many.

        To be called once by every process that starts workers or is one.
        """
        async with self._database.transaction() as connection:
            return await thinking.restore(
                connection, ACCOUNT_PREFIX, MatchState.CHOOSING, MatchState.PLAYING, to_millis(now)
            )

    async def _load_task(self, match: MatchId, account: str, until: datetime) -> ComputerTask | None:
        async with self._database.read() as connection:
            view = await load_view(connection, match, self._games, (account,))
            log = await matches.list_moves(connection, match)
            offered_at = await offers.find_last_ply(connection, match, account)
            opponent = view.opponent(account)
            whose = "" if opponent is None else opponent.person.account
            plays_on = (await load_preferences(connection, [whose]))[whose].computer_plays_on
        seat = view.seat(account)
        if seat is None:
            return None
        level = computer_level(account) or ""
        boards = tuple(
            LoggedBoard(move.person, move.position)
            for move in log
            if move.ply <= view.ply and move.position is not None
        )
        answer_from = view.changed_at + ANSWER_DELAY
        return ComputerTask(view, seat.person, level, answer_from, until, boards, offered_at, plays_on)

    async def _check_limit(self, connection: Connection, person: Person, now: datetime) -> None:
        """Raise `too_many_computer_matches`. Safe to count: the person's row is locked."""
        await people.save(connection, person.account, person.name, to_millis(now))
        count = await thinking.count_active(connection, person.account, ACCOUNT_PREFIX, ACTIVE_STATES)
        if count >= MAX_ACTIVE:
            raise Refusal("too_many_computer_matches", limit=MAX_ACTIVE)

    async def _allowed_terms(
        self, connection: Connection, terms: Terms, server: str, game: str, level: str
    ) -> Terms:
        """Return the terms, unrated unless the server rates the computer and the level has a rating."""
        has_rating = terms.rated and (game, level) in self._ratings
        is_rated = has_rating and (await load_settings(connection, server)).rate_computer
        return replace(terms, rated=is_rated)


def computer_person(level: str) -> Person:
    """Return the computer at a level as a player. Raises `level_unknown`."""
    if level not in LEVELS:
        raise Refusal("level_unknown", level=level, levels=LEVELS)
    return Person(computer_account(level), computer_name(level))
