"""Tournaments: the entry point for every front end, as ``Matches.tournaments``.

What is shown are the views of :mod:`matches.tournaments.values`. Other files of the package:

- ``organising``: creating, and the powers of organisers, each of which is logged for all to see
- ``entering``: joining, leaving, registering for the next season
- ``ladder``: challenges on a ladder, and places that are lost
- ``reading``: views and lists
- ``stages``: starting and ending stages, in one transaction from what is stored
- ``opening``: matches that begin, and players who hold too many
- ``progress``: what the sweep does in one tournament
- ``hooks``: results of matches
- ``withdrawing``: who no longer plays, and lost clocks
- ``divisions``, ``tables``: seasons of a league, who is where
- ``closing``: what ends games other than moves: the date, withdrawal, vacations
- ``adjudication``: assessments by the computer
- ``announcing``: what entrants are told
- ``channel_posts``: the posts that announce a tournament, and keeping them true
- ``results``, ``pairing``, ``standings``: who meets whom and who is where, without a database
"""

# ruff: noqa: ARG002 - every method takes `now`, also those that do not need it yet

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.times import to_millis
from matches.tournaments.adjudication import Adjudication
from matches.tournaments.entering import Entering
from matches.tournaments.ladder import Ladder
from matches.tournaments.organising import Organising
from matches.tournaments.progress import Progress
from matches.tournaments.reading import Reading
from matches.tournaments.values import TournamentId
from matches.work.each import for_each
from storage.tournament import tournaments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from engine.game import Game
    from matches.audience import Reader
    from matches.locking import MatchHooks, MatchLocker
    from matches.tournaments.results import EntrantId
    from matches.tournaments.values import (
        Settings,
        TournamentOfMatch,
        TournamentState,
        TournamentSummary,
        TournamentView,
        Win,
    )
    from matches.updates import Announcement
    from matches.values import MatchId, Person
    from storage import Database

BATCH_SIZE = 50  # tournaments in one sweep


class Tournaments:
    """The tournaments of a database.

    Who organises a tournament may also be a moderator of its server or, without one, of the website: then the
    front end, which knows, passes `is_moderator`. What organisers do needs a reason of 3 to 300 characters,
    which everybody can read. All methods raise `tournament_unknown` for a number that is none's.

    adjudication: for the worker that assesses unfinished games.
    """

    def __init__(
        self,
        database: Database,
        games: Mapping[str, Game],
        locker: MatchLocker,
        hooks: Sequence[MatchHooks],
    ) -> None:
        self._database = database
        self._organising = Organising(database, games)
        self._entering = Entering(database)
        self._ladder = Ladder(database, games, hooks)
        self._reading = Reading(database)
        self.adjudication = Adjudication(database, locker, games)
        self._progress = Progress(database, games, locker, hooks, self.adjudication)

    async def create(self, settings: Settings, by: Person, *, now: datetime) -> TournamentId:
        """Create a tournament that can be joined from now on; `by` is its organiser, who may join too.

        Raises `tournament_name`, `tournament_about`, `tournament_games`, `tournament_dates`,
        `tournament_stage_length`, `tournament_rounds`, `tournament_limits`, `tournament_clock` (without a
        time control, or one that can outlast a stage), `tournament_computer`, `too_many_tournaments`,
        `game_unknown`, `invalid_option`, `option_is_random`, `guest_only_computer`, `excluded`.
        """
        return await self._organising.create(settings, by, now=now)

    async def create_in_channel(self, settings: Settings, by: Person, *, now: datetime) -> Announcement:
        """Create a server's tournament as :meth:`create` does, and announce it in its channel."""
        return await self._organising.create_in_channel(settings, by, now=now)

    async def announce(
        self, tournament: TournamentId, by: Person, server: str, channel: str, *, now: datetime
    ) -> Announcement:
        """Announce a tournament in a channel of `server`; its post is edited when the tournament changes.

        If it is a tournament of that server whose channel was lost, it is played there from now on.
        The front end makes sure that `by` may do that there.
        """
        return await self._organising.announce(tournament, by, server, channel, now=now)

    async def change(
        self,
        tournament: TournamentId,
        settings: Settings,
        by: Person,
        *,
        reason: str,
        is_moderator: bool = False,
        now: datetime,
    ) -> None:
        """Change the settings, also the date, before the start. The kind and the server stay.

        Whoever has joined is told. What changes nothing is neither logged nor told. Raises as :meth:`create`
        does, and `not_organiser`, `tournament_started`, `tournament_reason`, `tournament_changed_often`.
        """
        await self._organising.change(
            tournament, settings, by, reason=reason, is_moderator=is_moderator, now=now
        )

    async def join(
        self, tournament: TournamentId, person: Person, *, is_member: bool = False, now: datetime
    ) -> EntrantId:
        """Join a tournament; `is_member`: the person is a member of its server.

        Before the start; a ladder can be joined at any time, at its end, and a league for the next season.
        Whoever left can join these again. Joining twice is harmless. Raises `tournament_closed`,
        `tournament_full`, `tournament_rating`, `tournament_members` (also for every server's own one),
        `tournament_withdrawn` (who was excluded, and from a league who was absent twice, does not come back),
        `guest_only_computer`, `excluded`, `too_many_tournaments_joined`.
        """
        return await self._entering.join(tournament, person, is_member=is_member, now=now)

    async def leave(self, tournament: TournamentId, person: Person, *, now: datetime) -> None:
        """Leave a tournament. After the start the person is withdrawn: the remaining games are lost.

        Raises `not_in_tournament`.
        """
        await self._entering.leave(tournament, person, now=now)

    async def register(
        self, tournament: TournamentId, person: Person, *, is_registered: bool, now: datetime
    ) -> None:
        """Say whether an entrant of a league plays the next season too.

        Raises `not_league`, `not_in_tournament`, `tournament_withdrawn`, `tournament_over`.
        """
        await self._entering.register(tournament, person, is_registered=is_registered, now=now)

    async def exclude(
        self,
        tournament: TournamentId,
        entrant: EntrantId,
        by: Person,
        *,
        reason: str,
        is_moderator: bool = False,
        now: datetime,
    ) -> None:
        """Exclude an entrant, who is told so with the reason. The remaining games are lost by default.

        Raises `not_organiser`, `not_entrant`, `tournament_reason`, `tournament_over`.
        """
        await self._organising.exclude(
            tournament, entrant, by, reason=reason, is_moderator=is_moderator, now=now
        )

    async def replace(
        self,
        tournament: TournamentId,
        entrant: EntrantId,
        person: Person,
        by: Person,
        *,
        reason: str,
        is_moderator: bool = False,
        now: datetime,
    ) -> EntrantId:
        """Have `person` take the place of an entrant, from the next stage on; before the start, at once.

        The entrant is withdrawn. Of a round robin and a knock-out nobody can be replaced after the start.
        The front end makes sure that the person agrees. Raises as :meth:`exclude` and :meth:`join` do, and
        `tournament_not_replaceable`.
        """
        return await self._organising.replace(
            tournament, entrant, person, by, reason=reason, is_moderator=is_moderator, now=now
        )

    async def correct(
        self,
        tournament: TournamentId,
        game: int,
        points: tuple[int, int],
        by: Person,
        *,
        reason: str,
        is_moderator: bool = False,
        now: datetime,
    ) -> None:
        """Change the half points of a game that is over; the match and ratings stay as they are.

        The table changes; pairs that were made with the old result stay. Raises `not_organiser`,
        `tournament_reason`, `own_match_corrected`, `tournament_game_unknown`, `tournament_game_open`,
        `tournament_points`, `result_unchanged`.
        """
        await self._organising.correct(
            tournament, game, points, by, reason=reason, is_moderator=is_moderator, now=now
        )

    async def end_early(
        self,
        tournament: TournamentId,
        by: Person,
        *,
        reason: str,
        is_moderator: bool = False,
        now: datetime,
    ) -> None:
        """End a tournament now: before the start it is cancelled, else its stage ends as on its date.

        Raises `not_organiser`, `tournament_reason`, `tournament_over`.
        """
        await self._organising.end_early(
            tournament,
            by,
            reason=reason,
            is_moderator=is_moderator,
            now=now,
        )

    async def challenge(
        self, tournament: TournamentId, person: Person, entrant: EntrantId, *, setup: int = 0, now: datetime
    ) -> int:
        """Challenge an entrant of a ladder, at the game with the index `setup`; return the game's number.

        Again it does no harm as long as the first challenge is not answered.
        Raises `not_in_tournament`, `not_entrant`, `not_ladder`, `ladder_too_far`, `ladder_busy`,
        `ladder_opponent_busy`, `ladder_blocked`.
        """
        return await self._ladder.challenge(tournament, person, entrant, setup=setup, now=now)

    async def answer(
        self, tournament: TournamentId, game: int, person: Person, *, accept: bool, now: datetime
    ) -> MatchId | None:
        """Accept a challenge on a ladder and return its match, or decline it, which loses the place.

        Raises `not_in_tournament`, `tournament_game_unknown`, `ladder_answered`.
        """
        return await self._ladder.answer(tournament, game, person, accept=accept, now=now)

    async def view(
        self,
        tournament: TournamentId,
        reader: Reader,
        *,
        stage: int | None = None,
        now: datetime,
    ) -> TournamentView:
        """Return a tournament as a reader sees it, with the tables and games of one stage.

        Raises `tournament_unknown` also for a server's tournament that the reader may not see.
        """
        return await self._reading.view(tournament, reader, stage=stage, now=now)

    async def list(
        self,
        reader: Reader,
        *,
        states: tuple[TournamentState, ...],
        server: str | None = None,
        before: TournamentId | None = None,
        limit: int = 50,
        now: datetime,
    ) -> tuple[TournamentSummary, ...]:
        """Return the tournaments in these states that a reader may see, the newest first.

        With `server` only those of one server. `before` is the last one of the page before.
        """
        return await self._reading.list(reader, states=states, server=server, before=before, limit=limit)

    async def list_of(self, account: str, *, now: datetime) -> tuple[TournamentSummary, ...]:
        """Return the open and running tournaments that a person organises or has joined."""
        return await self._reading.list_of(account)

    async def list_wins(self, account: str) -> tuple[Win, ...]:
        """Return the first places of a person in tournaments that everybody can see, the newest first."""
        return await self._reading.list_wins(account)

    async def find_by_match(self, match: MatchId) -> TournamentOfMatch | None:
        """Return to which tournament a match belongs, None if to none."""
        return await self._reading.find_by_match(match)

    async def sweep(self, *, now: datetime) -> int:
        """Do what is due in all tournaments; return in how many something was. May run late, or twice.

        Raises ExceptionGroup if some could not be worked on; they are tried again next time.
        """
        async with self._database.read() as connection:
            due = await tournaments.list_due(connection, to_millis(now), BATCH_SIZE)
        await for_each(due, lambda number: self._progress.work(TournamentId(number), now))
        return len(due)
