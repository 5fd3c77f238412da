"""Tournaments: the entry point for every front end, as ``Matches.tournaments``.

What is shown are the views of :mod:`matches.tournaments.values`. Other files of the package:

- ``organising``: creating, and the powers of organisers, each of which is logged for all to see
- ``entering``: joining, leaving, registering for the next season
- ``ladder``: challenges on a ladder, and places that are lost
- ``reading``: views and lists
- ``stages``: starting and ending stages, in one transaction from what is stored
- ``opening``: matches that begin, and players who hold too many
- ``hooks``: results of matches, lost clocks
- ``closing``: what ends games other than moves: the date, withdrawal, vacations
- ``adjudication``: assessments by the computer
- ``announcing``: what entrants are told
- ``results``, ``pairing``, ``standings``: who meets whom and who is where, without a database
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from matches.audience import Reader
    from matches.tournaments.results import EntrantId
    from matches.tournaments.values import (
        Settings,
        TournamentId,
        TournamentOfMatch,
        TournamentState,
        TournamentSummary,
        TournamentView,
        Win,
    )
    from matches.values import MatchId, Person


class Tournaments:
    """The tournaments of a database.

    Who organises a tournament may also be a moderator of its server or, without one, of the website: then the
    front end, which knows, passes `is_moderator`. What organisers do needs a reason of 3 to 300 characters,
    which everybody can read. All methods raise `tournament_unknown` for a number that is none's.

    adjudication: for the worker that assesses unfinished games.
    """

    async def create(self, settings: Settings, by: Person, *, now: datetime) -> TournamentId:
        """Create a tournament that can be joined from now on; `by` is its organiser and does not join.

        Raises `tournament_name`, `tournament_about`, `tournament_games`, `tournament_dates`,
        `tournament_stage_length`, `tournament_rounds`, `tournament_limits`, `tournament_clock` (without a
        time control, or one that can outlast a stage), `tournament_computer`, `too_many_tournaments`,
        `game_unknown`, `invalid_option`, `option_is_random`, `guest_only_computer`, `excluded`.
        """
        raise NotImplementedError

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

        Raises as :meth:`create` does, and `not_organiser`, `tournament_started`, `tournament_reason`.
        """
        raise NotImplementedError

    async def join(
        self, tournament: TournamentId, person: Person, *, is_member: bool = False, now: datetime
    ) -> EntrantId:
        """Join a tournament; `is_member`: the person is a member of its server.

        Before the start; a ladder can be joined at any time, at its end, and a league for the next season.
        Joining twice is harmless. Raises `tournament_closed`, `tournament_full`, `tournament_rating`,
        `tournament_members`, `tournament_withdrawn` (who was withdrawn or excluded does not come back),
        `guest_only_computer`, `excluded`, `too_many_tournaments_joined`.
        """
        raise NotImplementedError

    async def leave(self, tournament: TournamentId, person: Person, *, now: datetime) -> None:
        """Leave a tournament. After the start the person is withdrawn: the remaining games are lost.

        Raises `not_entrant`.
        """
        raise NotImplementedError

    async def register(
        self, tournament: TournamentId, person: Person, *, is_registered: bool, now: datetime
    ) -> None:
        """Say whether an entrant of a league plays the next season too. Raises `not_entrant`."""
        raise NotImplementedError

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
        raise NotImplementedError

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
        raise NotImplementedError

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
        raise NotImplementedError

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
        raise NotImplementedError

    async def challenge(
        self, tournament: TournamentId, person: Person, entrant: EntrantId, *, setup: int = 0, now: datetime
    ) -> int:
        """Challenge an entrant of a ladder, at the game with the index `setup`; return the game's number.

        Raises `not_entrant`, `tournament_closed`, `ladder_too_far`, `ladder_busy`, `ladder_opponent_busy`,
        `opponent_blocked`, `blocked_by_opponent`.
        """
        raise NotImplementedError

    async def answer(
        self, tournament: TournamentId, game: int, person: Person, *, accept: bool, now: datetime
    ) -> MatchId | None:
        """Accept a challenge on a ladder and return its match, or decline it, which loses the place.

        Raises `not_entrant`, `tournament_game_unknown`, `ladder_answered`.
        """
        raise NotImplementedError

    async def view(
        self,
        tournament: TournamentId,
        reader: Reader,
        *,
        stage: int | None = None,
        is_moderator: bool = False,
        now: datetime,
    ) -> TournamentView:
        """Return a tournament as a reader sees it, with the tables and games of one stage.

        Raises `tournament_unknown` also for a server's tournament that the reader may not see.
        """
        raise NotImplementedError

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
        raise NotImplementedError

    async def list_of(self, account: str, *, now: datetime) -> tuple[TournamentSummary, ...]:
        """Return the open and running tournaments that a person organises or has joined."""
        raise NotImplementedError

    async def list_wins(self, account: str) -> tuple[Win, ...]:
        """Return the first places of a person in tournaments that everybody can see, the newest first."""
        raise NotImplementedError

    async def find_by_match(self, match: MatchId) -> TournamentOfMatch | None:
        """Return to which tournament a match belongs, None if to none."""
        raise NotImplementedError

    async def sweep(self, *, now: datetime) -> int:
        """Do what is due in all tournaments; return in how many something was. May run late, or twice.

        Raises ExceptionGroup if some could not be worked on; they are tried again next time.
        """
        raise NotImplementedError
