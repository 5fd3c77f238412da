"""The entry point of the package: :class:`Matches` and its services."""

# ruff: noqa: ARG002 - `view`, `replay` and `export_record` take `now` though no clock matters to them yet

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from engine import GAMES
from engine.records import format_record
from matches.audience import ShownNames
from matches.challenge_limits import DEFAULT_LIMITS, ChallengeLimits
from matches.challenges import Challenges
from matches.clocks.hooks import ClockHooks
from matches.clocks.service import Clocks
from matches.clocks.uptime import OUTAGE_THRESHOLD
from matches.computer.hooks import ComputerHooks
from matches.computer.service import Computer
from matches.conditionals.hooks import ConditionalMoveHooks
from matches.conditionals.service import Conditionals
from matches.explorer.counting import ExplorerHooks
from matches.explorer.service import Explorer
from matches.following.service import FollowHooks, Following
from matches.game_analysis.service import GameAnalyses
from matches.invitations import Invitations
from matches.locking import MatchLocker
from matches.log_audit import audit_match
from matches.moderation.service import Moderation
from matches.notices.service import Notices
from matches.offers.rematches import Rematches
from matches.offers.service import OfferHooks, Offers
from matches.people.accounts import Accounts
from matches.people.analysis_lines import AnalysisLines
from matches.people.guests import Guests
from matches.people.handles import Handles
from matches.people.identities import Identities
from matches.people.mail_addresses import MailAddresses
from matches.people.mail_codes import MailCodes
from matches.people.mail_commands import MailCommands
from matches.people.notes import Notes
from matches.people.passkeys import Passkeys
from matches.people.profiles import Calendars, Profiles
from matches.people.push_subscriptions import PushSubscriptions
from matches.people.seats import Seats
from matches.people.sessions import Sessions
from matches.personal_data.service import PersonalData
from matches.places.mail_contact import MailContact
from matches.places.service import Places
from matches.posting.announcements import Announcements
from matches.posting.by_account import AnnouncementsByAccount
from matches.posting.letters import Letters
from matches.posting.outdated_posts import OutdatedPosts
from matches.preferences.service import PreferenceService
from matches.public_queries import PublicQueries
from matches.puzzles.daily_posts import DailyPosts
from matches.puzzles.mails import PuzzleMailService
from matches.puzzles.service import Puzzles
from matches.ratings.hooks import RatingHooks
from matches.ratings.service import Ratings
from matches.records.from_match import record_from_history, replay_from_history
from matches.records.imports import ImportedRecords
from matches.reminders.hooks import ReminderHooks
from matches.reminders.sweep import Reminders
from matches.servers.blocks import Blocks
from matches.servers.corrections import Corrections
from matches.servers.settings import Servers
from matches.servers.threads import MatchThreads
from matches.simultaneous_choice import Picks
from matches.studies.service import Studies
from matches.tournaments.hooks import TournamentHooks
from matches.tournaments.service import Tournaments
from matches.turns import MatchActions
from matches.values import MatchId
from matches.views import Views
from matches.visibility import Visibility
from matches.work.backlogs import Backlogs
from matches.work.installation_keys import InstallationKeys
from matches.work.leases import Leases
from matches.work.packing import Packing
from matches.work.requests import Requests

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime, timedelta

    from engine.game import Game
    from engine.records import Record
    from matches.computer.accounts import ComputerRatings
    from matches.match_view import MatchView
    from matches.records.values import Replay
    from matches.updates import AuditResult, MatchUpdate
    from matches.values import Person
    from storage import Database

NO_RATINGS: ComputerRatings = MappingProxyType({})


class PeopleServices:
    """What one person stores, prefers and holds.

    preferences, reminders, following: settings, reminders, followed matches.
    notices: in which ways they are told, and what to tell them by mail and push.
    push: browsers that show notifications.
    notes, analysis_lines: what they store for themselves alone.
    blocks: exclusions and blocks.
    sessions: sign-ins, browser by browser. guests: who plays without signing in.
    seats: what the pages of their seats show, and their revocable keys.
    identities: their other addresses. handles: their names on the website.
    mail_codes: questions to mail addresses. passkeys: a second way to sign in.
    accounts: those of the website, and joining two.
    mail_addresses: what becomes of mails to their addresses. mail_commands: mails that wait for a click.
    profiles: their pages on the website. calendars: the secret addresses of their deadlines.
    personal_data: what is kept about a person: told, exported, erased, joined with another account.
    """

    def __init__(
        self,
        database: Database,
        games: Mapping[str, Game],
        challenges: Challenges,
        personal_data: PersonalData,
        ratings: Ratings,
        views: Views,
        locker: MatchLocker,
    ) -> None:
        self.notices = Notices(database, games, views)
        self.preferences = PreferenceService(database)
        self.reminders = Reminders(database)
        self.following = Following(database, games)
        self.notes = Notes(database)
        self.analysis_lines = AnalysisLines(database)
        self.blocks = Blocks(database, challenges.close_in)
        self.sessions = Sessions(database)
        self.push = PushSubscriptions(database)
        self.guests = Guests(database)
        self.seats = Seats(database, self.sessions)
        self.identities = Identities(database)
        self.mail_addresses = MailAddresses(database, MailContact(database, locker))
        self.profiles = Profiles(database, games, ratings)
        self.calendars = Calendars(database)
        self.handles = Handles(database)
        self.mail_codes = MailCodes(database)
        self.mail_commands = MailCommands(database)
        self.passkeys = Passkeys(database)
        self.accounts = Accounts(database, self.identities, personal_data)
        self.personal_data = personal_data


class PostingServices:
    """Where matches are played, what becomes of their posts, and mails that are about no match (letters).

    places: matches whose channel cannot be used any more, and players who cannot be told. threads: threads of
    matches. outdated_posts: posts whose board is no longer the latest. by_account: announcements that
    are sent together to one person.
    """

    def __init__(self, database: Database, locker: MatchLocker) -> None:
        self.letters = Letters(database)
        self.by_account = AnnouncementsByAccount(database)
        self.outdated_posts = OutdatedPosts(database)
        self.places = Places(database, locker)
        self.threads = MatchThreads(database)


class WorkServices:
    """What processes share: requests that reach several, work that one of them does, and how much waits.

    packing: finished matches made small. installation_keys: keys that all processes share.
    """

    def __init__(self, database: Database) -> None:
        self.requests = Requests(database)
        self.leases = Leases(database)
        self.packing = Packing(database)
        self.installation_keys = InstallationKeys(database)
        self.backlogs = Backlogs(database)


class Matches:
    """The matches of a database: the entry point for every front end.

    The methods are what players do in a match. Everything else is in services: those about matches are
    attributes, the others are grouped in `people`, `posting` and `work`.
    Methods that depend on the time take `now`, an aware datetime; nothing here reads a clock.

    `games` are the games that can be played, by name.

    Refusals are :class:`matches.Refusal`. :class:`matches.StorageUnavailable` means that the database
    could not be used and nothing was changed; only if its `uncertain` is set, the connection broke during
    the commit. Safe for several tasks and several processes on one database.

    challenges: create, accept, decline and withdraw challenges. invitations: challenges by mail.
    offers: end by agreement, draw, takeback, abort. rematches: new matches between the same players.
    clocks: time controls, extra time, pauses, vacations. A downtime of the service longer than `outage`
    does not count as thinking time.
    conditionals: conditional moves. corrections: corrected results.
    announcements: the outbox of posts to send.
    views: matches at any ply, histories, lists. public_queries: lists and fingerprints for front ends.
    visibility: who may see matches on the website, and under which names.
    computer: matches against the computer, and what it owes in them. `computer_ratings` are the fixed ratings
    of its levels, by game and level; matches against a level without one are never rated. `challenge_limits`
    say how many challenges and matches one person may have.
    records: imported game records. game_analyses: analyses of finished games by the computer.
    explorer: what was played in a position of public games (see :mod:`matches.explorer`). studies: games that
    people store under names.
    ratings: ratings and leaderboards. servers: settings of servers.
    moderation: reports about players, and what `moderators` (see :mod:`matches.moderation.rights`) do.
    tournaments: see :class:`matches.tournaments.service.Tournaments`.
    puzzles: see :class:`matches.puzzles.service.Puzzles`. daily_posts: the daily puzzle of servers.
    puzzle_mails: puzzles by mail.
    people: see :class:`PeopleServices`. posting: :class:`PostingServices`. work: :class:`WorkServices`.
    metrics: what is measured, that of the database.
    """

    def __init__(
        self,
        database: Database,
        *,
        games: Mapping[str, Game] = GAMES,
        outage: timedelta = OUTAGE_THRESHOLD,
        computer_ratings: ComputerRatings = NO_RATINGS,
        challenge_limits: ChallengeLimits = DEFAULT_LIMITS,
        moderators: Sequence[str] = (),
    ) -> None:
        self._database = database
        self.metrics = database.metrics
        self._games = games
        hooks = (
            OfferHooks(),
            ClockHooks(outage),
            RatingHooks(computer_ratings),
            ConditionalMoveHooks(),
            ReminderHooks(),
            FollowHooks(),
            ComputerHooks(),
            TournamentHooks(),
            ExplorerHooks(),
        )
        locker = MatchLocker(database, hooks, games, outage)
        self._actions = MatchActions(locker)
        self._picks = Picks(locker)
        self.records = ImportedRecords(database, games)
        self.challenges = Challenges(database, self.records, hooks, games, challenge_limits)
        self.invitations = Invitations(database, self.challenges, games)
        self.computer = Computer(database, self.challenges, games, computer_ratings)
        self.offers = Offers(database, locker)
        self.rematches = Rematches(database, self.challenges, games)
        self.clocks = Clocks(database, locker, outage)
        self.announcements = Announcements(database)
        self.views = Views(database, games)
        self.game_analyses = GameAnalyses(database, self.views, self.records)
        self.explorer = Explorer(database, games)
        self.studies = Studies(database)
        self.public_queries = PublicQueries(database, games)
        self.ratings = Ratings(database, games)
        self.servers = Servers(database, games)
        self.visibility = Visibility(database)
        self.corrections = Corrections(database, locker, computer_ratings)
        self.conditionals = Conditionals(database, locker, games)
        personal_data = PersonalData(database, games, locker, self.challenges, self.views)
        self.people = PeopleServices(
            database, games, self.challenges, personal_data, self.ratings, self.views, locker
        )
        self.moderation = Moderation(database, self.people.blocks, personal_data, moderators)
        self.tournaments = Tournaments(database, games, locker, hooks)
        self.puzzles = Puzzles(database, games)
        self.daily_posts = DailyPosts(database)
        self.puzzle_mails = PuzzleMailService(database, self.puzzles)
        self.posting = PostingServices(database, locker)
        self.work = WorkServices(database)

    async def pick(self, match: MatchId, person: Person, pick: str, *, now: datetime) -> MatchUpdate:
        """Make a pick of the game's simultaneous choice (`Game.simultaneous_choice.picks`). It is final.

        The first pick announces nothing, and the view shows only that it was made. The second decides the
        start and is announced as REVEALED to the player who moves first.

        Raises MatchUnknown, NotInMatch, `match_over`, `choice_over`, `already_picked`, `invalid_pick`.
        """
        return await self._picks.pick(match, person, pick, now=now)

    async def play(
        self,
        match: MatchId,
        person: Person,
        move_texts: Sequence[str],
        *,
        seen_revision: int | None = None,
        latest_only: bool = False,
        now: datetime,
    ) -> MatchUpdate:
        """Play one move, or several placements of one set-up run: all of them or none.

        `seen_revision` is the board revision that the person saw (:attr:`MatchView.revision`); None for a
        typed command. It must be the current revision, or the one at which the unfinished turn began, since
        the placements made after that are the person's own and were not posted. With `latest_only` it must
        be the current revision.

        An incomplete turn is committed and announces nothing; :attr:`MatchView.moves_due` says how many
        moves are still owed. It is in the view of its player alone. A whole turn given while one is
        unfinished replaces it. A complete turn is announced as TURN to the player to move, or, if it ended
        the match, to the opponent. Any move withdraws the pending offer.

        Raises MatchUnknown, NotInMatch, `match_over`, `choice_pending`, StaleBoard, `not_your_turn`,
        `no_move_given`, TooManyMoves, MoveRefused (one of MoveUnreadable, MoveIllegal, MoveAmbiguous).
        """
        update = await self._actions.play(
            match, person, move_texts, seen_revision, latest_only=latest_only, now=now
        )
        if update.announcement is not None:
            details = update.announcement.details
            replies = int(details.get("replies", 0)) - int(details.get("resigned", 0))
            self.metrics.count_turns(update.match.game, 1 + replies)
        return update

    async def undo(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Undo the last move of the person's own unfinished turn; announces nothing.

        Raises MatchUnknown, NotInMatch, `match_over`, `choice_pending`, `nothing_to_undo`.
        """
        return await self._actions.undo(match, person, now=now)

    async def resign(
        self, match: MatchId, person: Person, *, seen_revision: int | None = None, now: datetime
    ) -> MatchUpdate:
        """Resign: the opponent wins. Possible at any time, also out of turn and before the first move.

        With `seen_revision` only on that board. Announced as RESIGNED to the opponent.

        Raises MatchUnknown, NotInMatch, `match_over`, StaleBoard.
        """
        return await self._actions.resign(match, person, seen_revision=seen_revision, now=now)

    async def view(
        self,
        match: MatchId,
        *,
        ply: int | None = None,
        revision: int | None = None,
        readers: Collection[str] = (),
        now: datetime,
    ) -> MatchView:
        """Return the current view of a match, or its view after move `ply` or at a board `revision`.

        The view holds what everybody may see and, if a player whose turn is unfinished is among the
        accounts `readers`, the moves of that turn.

        Ply 0 is the initial position. A revision remains valid when its moves are taken back later. A view of
        the past has no offer, and a result only if its last move ended the game.

        Raises MatchUnknown, also if there is no such ply or revision.
        """
        if revision is not None:
            return await self.views.at_revision(match, revision, readers)
        if ply is not None:
            return await self.views.at_ply(match, ply)
        return await self.views.current(match, readers)

    async def replay(self, match: MatchId, *, now: datetime) -> Replay:
        """Return the replay of a match, up to the last turn that was announced.

        Raises MatchUnknown, `choice_pending`, `never_started`.
        """
        return replay_from_history(await self.views.history(match))

    async def export_record(
        self, match: MatchId, *, names: ShownNames = ShownNames.REAL, now: datetime
    ) -> str:
        """Return the record of a match as text, up to the last turn that was announced.

        Raises MatchUnknown, `choice_pending`, `never_started`.
        """
        return format_record(await self.load_record(match, names=names))

    async def load_record(self, match: MatchId, *, names: ShownNames = ShownNames.REAL) -> Record:
        """Return the record of a match, as :meth:`export_record` does."""
        return record_from_history(await self.views.history(match, names))

    def on_commit(self, listener: Callable[[], None]) -> AbstractContextManager[None]:
        """Call `listener` after every commit of this process while the returned context is open."""
        return self._database.on_commit(listener)

    @property
    def can_listen(self) -> bool:
        """Whether :meth:`listen` is possible."""
        return self._database.can_listen

    async def listen(self, on_start: Callable[[], None], on_change: Callable[[MatchId], None]) -> None:
        """Call `on_change` with each match that any process changes, until cancelled.

        What is not a change of the match itself is left out, such as another name of a player. `on_start` is
        called when listening begins. Raises StorageUnavailable when the connection is lost.
        """
        await self._database.listen(on_start, lambda match: on_change(MatchId(match)))

    async def audit(self, match: MatchId) -> AuditResult:
        """Replay the log of a match and compare it with the stored state. Raises MatchUnknown."""
        return await audit_match(self._database, match, self._games)
