"""The one door to the matches: what people may do, in the order of a match's life."""

# ruff: noqa: ARG002 - every method is told the time, also those that do not need it while no clock runs

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.records import format_record
from matches.analysis import AnalysisLines
from matches.announcements import Announcements
from matches.challenges import Challenges, MatchSetup
from matches.clocks.hooks import ClockHooks
from matches.clocks.service import Clocks
from matches.clocks.uptime import OUTAGE_THRESHOLD
from matches.conditionals.hooks import ConditionalMoveHooks
from matches.conditionals.service import Conditionals
from matches.following.service import FollowHooks, Following
from matches.hooks import CompositeHooks
from matches.locking import MatchLocker
from matches.log_audit import audit_match
from matches.notes import Notes
from matches.offers.rematches import Rematches
from matches.offers.service import OfferHooks, Offers
from matches.preferences.service import PreferenceService
from matches.public_queries import PublicQueries
from matches.ratings.hooks import RatingHooks
from matches.ratings.service import Ratings
from matches.records.from_match import record_from_history, replay_from_history
from matches.records.imports import ImportedRecords
from matches.reminders.hooks import ReminderHooks
from matches.reminders.sweep import Reminders
from matches.seat_keys import SeatKeys
from matches.servers.blocks import Blocks
from matches.servers.corrections import Corrections
from matches.servers.settings import Servers
from matches.servers.threads import MatchThreads
from matches.simultaneous_choice import Picks
from matches.terms import DEFAULT_TERMS
from matches.turns import Endings, MatchActions
from matches.values import OfferKind
from matches.views import Views

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime, timedelta

    from engine.game import OptionValue, Side
    from matches.match_view import MatchSummary, MatchView
    from matches.public_queries import MatchFingerprint
    from matches.records.values import Replay
    from matches.terms import Terms
    from matches.updates import Announcement, AuditResult, ChallengeUpdate, MatchHistory, MatchUpdate
    from matches.values import AnnouncementId, Challenge, ChallengeId, MatchId, Person, RecordId
    from storage import Database


class Matches:
    """Challenges, fists, turns and results over one store.

    Every method takes `now`, an aware time, and reads no clock. Refusals are
    :class:`matches.MatchError`; :class:`matches.StorageUnavailable` means that the database
    could not be used and that nothing was changed (unless its `uncertain` is set: the
    connection broke while committing). Safe for several tasks and several processes over one database.

    `clocks` holds all about time; a silence of the service longer than `outage` is given back to everybody.
    `offers` is what two people may offer each other, `ratings` tells how people stand. `conditionals`,
    `notes` and `analysis_lines` hold what people keep for themselves, each for nobody else's eyes: turns
    settled beforehand, notes about matches, and lines of analyses. `preferences` are the settings of each,
    `reminders` what those are told for whom a match waits, `following` what onlookers are told.
    """

    def __init__(self, database: Database, *, outage: timedelta = OUTAGE_THRESHOLD) -> None:
        self._database = database
        hooks = CompositeHooks(
            OfferHooks(), ClockHooks(), RatingHooks(), ConditionalMoveHooks(), ReminderHooks(), FollowHooks()
        )
        locker = MatchLocker(database, hooks)
        self.ratings = Ratings(database)
        self._challenges = Challenges(database, hooks)
        self.offers = Offers(database, locker, Rematches(database, self._challenges))
        self._picks = Picks(locker)
        self._match_actions = MatchActions(locker)
        self._endings = Endings(locker)
        self._views = Views(database)
        self._announcements = Announcements(database)
        self._records = ImportedRecords(database)
        self._public_queries = PublicQueries(database)
        self._seat_keys = SeatKeys(database)
        self.clocks = Clocks(database, locker, outage)
        self.servers = Servers(database)
        self.threads = MatchThreads(database)
        self.blocks = Blocks(database)
        self.corrections = Corrections(database, locker)
        self.conditionals = Conditionals(database, locker)
        self.notes = Notes(database)
        self.analysis_lines = AnalysisLines(database)
        self.preferences = PreferenceService(database)
        self.reminders = Reminders(database)
        self.following = Following(database)

    async def challenge(
        self,
        by: Person,
        *,
        to: Person | None = None,
        server: str,
        channel: str,
        game: str,
        options: Mapping[str, OptionValue] | None = None,
        terms: Terms = DEFAULT_TERMS,
        colour: Side | None = None,
        now: datetime,
    ) -> ChallengeUpdate:
        """Challenge `to`, or with None anyone in `channel`. `colour` is the challenger's; None is drawn.

        It stands for a week; its `terms` are those of the match. Announced as CHALLENGED, calling `to`.

        Raises GameUnknown, InvalidOption, InvalidColour, SelfChallenge, BotChallenge,
        TooManyChallenges, Excluded, OpponentExcluded, YouBlockedOpponent, OpponentBlockedYou.
        """
        return await self._challenges.create(
            by,
            to,
            server=server,
            channel=channel,
            setup=MatchSetup.for_game(game, options or {}),
            terms=terms,
            colour=colour,
            now=now,
        )

    async def challenge_from_record(
        self,
        record: RecordId,
        by: Person,
        *,
        to: Person | None = None,
        server: str,
        channel: str,
        terms: Terms = DEFAULT_TERMS,
        colour: Side | None = None,
        now: datetime,
    ) -> ChallengeUpdate:
        """Challenge as in :meth:`make_challenge` to go on from the last position of an imported record.

        The match has the record's game, options and version of the rules, is never rated, and is announced as
        STARTED.

        Raises RecordUnknown, RecordedGameOver, InvalidColour, SelfChallenge, BotChallenge, TooManyChallenges,
        Excluded, OpponentExcluded, YouBlockedOpponent, OpponentBlockedYou.
        """
        return await self._challenges.create(
            by,
            to,
            server=server,
            channel=channel,
            setup=await self._records.setup_from(record, server),
            terms=replace(terms, rated=False),
            colour=colour,
            now=now,
        )

    async def accept(
        self, challenge: ChallengeId, person: Person, *, now: datetime, channel: str | None = None
    ) -> MatchUpdate:
        """Accept a challenge: colours and what chance decides are drawn, and the match begins.

        The match lives in `channel`, by default where the challenge stands. Announced as FISTS (both
        people called) or STARTED (whoever moves first called). Of two who accept an
        open challenge at the same moment one succeeds.

        Raises ChallengeUnknown, ChallengeAlreadyAccepted, ChallengeDeclined, ChallengeWithdrawn,
        ChallengeExpired, OwnChallenge, NotAddressee, BotChallenge, Excluded, OpponentExcluded,
        YouBlockedOpponent, OpponentBlockedYou.
        """
        return await self._challenges.accept(challenge, person, channel, now)

    async def decline(self, challenge: ChallengeId, person: Person, *, now: datetime) -> ChallengeUpdate:
        """Decline a challenge that is meant for `person`. Announced as DECLINED, calling the challenger.

        Raises ChallengeUnknown, ChallengeAlreadyAccepted, ChallengeDeclined, ChallengeWithdrawn,
        ChallengeExpired, OwnChallenge, NotAddressee.
        """
        return await self._challenges.decline(challenge, person, now)

    async def withdraw(self, challenge: ChallengeId, person: Person, *, now: datetime) -> ChallengeUpdate:
        """Take one's own challenge back. Announced as WITHDRAWN, calling nobody.

        Raises ChallengeUnknown, ChallengeAlreadyAccepted, ChallengeDeclined, ChallengeWithdrawn,
        ChallengeExpired, NotChallenger.
        """
        return await self._challenges.withdraw(challenge, person, now)

    async def expire_challenges(self, *, now: datetime) -> tuple[Challenge, ...]:
        """Close every challenge whose time is over and give them.

        Each is announced as LAPSED, calling the challenger, and is due at once: no
        interaction waits for it, so `claim_due_announcements` hands it out.
        """
        return await self._challenges.expire(now)

    async def find_challenge(self, challenge: ChallengeId, *, now: datetime) -> Challenge:
        """Return a challenge as it stands. Raises ChallengeUnknown."""
        return await self._challenges.find(challenge, now)

    async def list_challenges(self, person: Person, server: str, *, now: datetime) -> tuple[Challenge, ...]:
        """Return the open challenges in `server` made by or meant for `person`, oldest first."""
        return await self._challenges.list_for_person(person, server, now)

    async def pick(self, match: MatchId, person: Person, pick: str, *, now: datetime) -> MatchUpdate:
        """Close one's fists on `pick` (one of the game's `fists.picks`). A pick stands.

        The first pick announces nothing and shows nothing but that it was made; the second settles
        the start and is announced as REVEALED, calling whoever moves first.

        Raises MatchUnknown, NotInMatch, MatchOver, ChoiceAlreadyMade, AlreadyPicked, InvalidPick.
        """
        return await self._picks.pick(match, person, pick, now)

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

        `seen_revision` is the stamp of the board that the person saw (:attr:`MatchView.revision`); None for a
        typed command. The match must not have moved on since: it must be the present board, or that on which
        the run under way began, because the placements since then are the person's own and were never posted.
        With `latest_only` only the present board will do (a preview shows the very board it will change).

        A run that is not complete is committed and announces nothing; `match.due` says how many
        are still owed. A complete turn is announced as TURN, calling whoever is to move now, or,
        where it ended the match, the other person. A standing offer to end dies.

        Raises MatchUnknown, NotInMatch, MatchOver, ChoicePending, StaleBoard, NotYourTurn,
        NoMoveGiven, TooManyMoves, MoveRefused (one of MoveUnreadable, MoveIllegal, MoveAmbiguous).
        """
        return await self._match_actions.play(
            match, person, move_texts, seen_revision, latest_only=latest_only, now=now
        )

    async def offer_end(
        self, match: MatchId, person: Person, *, seen_revision: int | None = None, now: datetime
    ) -> MatchUpdate:
        """Offer to end the match by agreement, with the result that the rules give that.

        As :meth:`matches.offers.service_millis.Offers.make` with that kind.
        """
        return await self.offers.make(match, person, OfferKind.END, seen_revision=seen_revision, now=now)

    async def answer_end(
        self, match: MatchId, person: Person, *, accept: bool, seen_revision: int | None = None, now: datetime
    ) -> MatchUpdate:
        """Accept (AGREED, the match is over) or decline (REFUSED) the other's offer to end.

        Both call whoever offered. `seen_revision` is the stamp of the board on which the offer was shown.

        Raises MatchUnknown, NotInMatch, MatchOver, ChoicePending, StaleBoard, NoPendingOffer, OwnOffer.
        """
        return await self.offers.answer_end(
            match, person, accept=accept, seen_revision=seen_revision, now=now
        )

    async def resign(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Resign: the other side wins. Possible at any time, during the fists and out of turn too.

        Announced as RESIGNED, calling the other. Raises MatchUnknown, NotInMatch, MatchOver.
        """
        return await self._endings.resign(match, person, now)

    async def view(
        self, match: MatchId, *, ply: int | None = None, revision: int | None = None, now: datetime
    ) -> MatchView:
        """Return a match as it stands, or as it stood after move `ply` (0: the first board).

        With `revision` it is as it stood when its board had that stamp, though moves were taken back since.
        A view of the past has no result and no offer. Raises MatchUnknown, also where `ply` or `revision` is
        beyond the log.
        """
        if revision is not None:
            return await self._views.at_revision(match, revision)
        return await self._views.current(match) if ply is None else await self._views.at_ply(match, ply)

    async def view_at(self, announcement: Announcement, *, now: datetime) -> MatchView:
        """Return the match of an announcement exactly as it stood then, whatever came later.

        Raises MatchUnknown (also for the announcement of a challenge).
        """
        return await self._views.at_announcement(announcement)

    async def history(self, match: MatchId, *, now: datetime) -> MatchHistory:
        """Return a match with every move, the events of each and the position after it.

        Raises MatchUnknown.
        """
        return await self._views.history(match)

    async def replay(self, match: MatchId, *, now: datetime) -> Replay:
        """Return a match to be paged through, as far as everybody knows it.

        Raises MatchUnknown, ChoicePending, MatchNeverStarted.
        """
        return replay_from_history(await self._views.history(match))

    async def export_record(self, match: MatchId, *, now: datetime) -> str:
        """Return the record of a match as a text to keep or to import, as far as everybody knows the match.

        Raises MatchUnknown, ChoicePending, MatchNeverStarted.
        """
        return format_record(record_from_history(await self._views.history(match)))

    async def import_record(self, data: bytes, by: Person, *, server: str, now: datetime) -> Replay:
        """Keep the record of a game, which may come from anywhere, and give it to be paged through.

        It belongs to `server`; the same record is kept there once.

        Raises RecordTooLarge, RecordUnreadable, TooManyRecords.
        """
        return await self._records.import_record(data, by, server, now)

    async def load_imported_record(self, record: RecordId, server: str, *, now: datetime) -> Replay:
        """Return an imported record of `server` to be paged through. Raises RecordUnknown."""
        return await self._records.replay(record, server)

    async def list_recent(
        self, server: str, *, channel: str | None = None, now: datetime, limit: int = 25
    ) -> tuple[MatchSummary, ...]:
        """Return the matches in `server`, of `channel` alone if that is given, over or not.

        The newest first.
        """
        return await self._views.list_recent(server, channel, limit)

    async def list_active_of(
        self, person: Person, server: str | None, *, now: datetime
    ) -> tuple[MatchSummary, ...]:
        """Return the matches of `person` in `server`, or with None anywhere, that are not over.

        Those waiting for the person come first; among equals the one that has waited longest.
        """
        return await self._views.list_active_of(person, server)

    async def list_awaiting(
        self, person: Person, *, server: str | None = None, now: datetime
    ) -> tuple[MatchSummary, ...]:
        """Return the matches in `server`, or anywhere, that wait for `person`, the nearest deadline first.

        Those without one come last, of these the longest waiting first.
        """
        return await self._views.list_awaiting(person, server)

    async def list_awaiting_in(
        self, person: Person, channel: str, *, now: datetime
    ) -> tuple[MatchSummary, ...]:
        """Return the matches in `channel` where `person` is to move, longest waiting first."""
        return await self._views.list_awaiting_in(person, channel)

    async def load_lobby(
        self, server: str, *, now: datetime, limit: int = 200
    ) -> tuple[tuple[Challenge, ...], tuple[MatchSummary, ...]]:
        """Return the open challenges of `server`, the newest first, and its matches that are not over.

        Of each at most `limit`; of the matches those that were changed last, and these first.
        """
        return await self._public_queries.load_lobby(server, now, limit)

    async def list_active(self, *, now: datetime, limit: int = 50) -> tuple[MatchSummary, ...]:
        """Return the matches of every server that are not over, the latest changed first."""
        return await self._public_queries.list_active(limit)

    async def list_open_challenges(self, *, now: datetime, limit: int = 50) -> tuple[Challenge, ...]:
        """Return the challenges of every server that anyone may accept, the newest first."""
        return await self._public_queries.list_open_challenges(now, limit)

    async def get_fingerprints(
        self, matches: Iterable[MatchId], *, now: datetime
    ) -> Mapping[MatchId, MatchFingerprint]:
        """Return, of each of these matches that exists, what differs once anything has happened in it."""
        return await self._public_queries.get_fingerprints(matches)

    def on_commit(self, listener: Callable[[], None]) -> AbstractContextManager[None]:
        """Call `listener` after every change that this process makes while the block runs."""
        return self._database.on_commit(listener)

    async def get_seat_key_generation(self, match: MatchId, person: Person, *, now: datetime) -> int:
        """Return the number of a seat's lock: a key that a front end hands out is good for that number.

        Raises MatchUnknown, NotInMatch.
        """
        return await self._seat_keys.get_generation(match, person)

    async def rotate_seat_key(self, match: MatchId, person: Person, *, now: datetime) -> int:
        """Change a seat's lock, so that no key handed out before fits it; give the new number.

        Raises MatchUnknown, NotInMatch.
        """
        return await self._seat_keys.rotate(match, person)

    async def mark_announcement_sent(self, announcement: AnnouncementId, post: str, *, now: datetime) -> bool:
        """Record that an announcement was posted; `post` is the front end's reference to it.

        True if this is news, False if it was recorded before. Raises AnnouncementUnknown.
        """
        return await self._announcements.mark_sent(announcement, post, now)

    async def mark_challenge_sent(self, challenge: ChallengeId, post: str, *, now: datetime) -> None:
        """Record that the post of a challenge was seen, if its CHALLENGED is not known to be announced.

        To be called before a post is changed so that it could not be found again.
        """
        await self._announcements.mark_challenge_sent(challenge, post, now)

    async def claim_due_announcements(self, *, now: datetime, limit: int = 20) -> tuple[Announcement, ...]:
        """Take the announcements that are due, at most `limit`, oldest first, for sending.

        They are to be sent in that order, a minute for each: the first is leased for a minute, the second for
        two, and so on. Nobody else is handed one meanwhile, and it comes back if neither
        `mark_announcement_sent` nor `mark_announcement_failed` is called. Of one match or challenge only the
        oldest is ever handed out, so posts come in order.
        """
        return await self._announcements.claim_due(now, limit)

    async def discard_announcement(self, announcement: AnnouncementId, *, now: datetime) -> None:
        """Record that an announcement is not to be told any more: things have gone on.

        Does nothing if it was announced meanwhile. Raises AnnouncementUnknown.
        """
        await self._announcements.discard(announcement, now)

    async def make_announcement_due(self, announcement: AnnouncementId, *, now: datetime) -> None:
        """Return up telling an announcement oneself, so that it is due at once for whoever posts.

        Does nothing if it was announced meanwhile. Raises AnnouncementUnknown.
        """
        await self._announcements.make_due(announcement, now)

    async def mark_announcement_failed(self, announcement: AnnouncementId, *, now: datetime) -> None:
        """Record that sending failed: it is due again after 5 s, 10 s, 20 s, ... at most an hour.

        It is never given up; `Announcement.attempts` tells how often it was tried. Does nothing if it was
        announced meanwhile. Raises AnnouncementUnknown.
        """
        await self._announcements.mark_failed(announcement, now)

    async def audit(self, match: MatchId) -> AuditResult:
        """Replay the log of a match and say where the stored state first differs. Raises MatchUnknown."""
        return await audit_match(self._database, match)
