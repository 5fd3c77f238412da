"""The one door to the matches: what people may do, in the order of a match's life."""

# ruff: noqa: ARG002 - every method is told the time, also those that do not need it while no clock runs

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.records import write
from matches.analysis import Drawer
from matches.announcements import Announcements
from matches.challenges import Challenges, Subject
from matches.clocks.concern import Ticking
from matches.clocks.service import Clocks
from matches.clocks.uptime import OUTAGE
from matches.concerns import Concerns
from matches.conditionals.answering import Answering
from matches.conditionals.service import Conditionals
from matches.endings import Endings
from matches.fists import Picks
from matches.following.service import Following, Telling
from matches.holding import Holder
from matches.locks import Locks
from matches.notes import Notes
from matches.offers.rematches import Rematches
from matches.offers.service import Offering, Offers
from matches.people.settings import People
from matches.ratings.counting import Rated
from matches.ratings.service import Ratings
from matches.records.archive import Records
from matches.records.retelling import record_of, replay_of
from matches.reminders.plans import Planning
from matches.reminders.sweep import Reminders
from matches.replays import audit
from matches.servers.blocks import Blocks
from matches.servers.corrections import Corrections
from matches.servers.settings import Servers
from matches.servers.threads import Threads
from matches.terms import USUAL
from matches.turns import Turns
from matches.values import OfferKind
from matches.views import Views
from matches.watching import Watching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime, timedelta

    from engine.game import Setting, Side
    from matches.asked import Challenge
    from matches.records.values import Replay
    from matches.steps import Announcement, Audit, ChallengeStep, History, Turn
    from matches.terms import Terms
    from matches.values import AnnouncementId, ChallengeId, MatchId, MatchSummary, MatchView, Person, RecordId
    from matches.watching import Pulse
    from storage import Store


class Matches:
    """Challenges, fists, turns and results over one store.

    Every method takes `now`, an aware time, and reads no clock. Refusals are
    :class:`matches.MatchError`; :class:`matches.StorageUnavailable` means that the database
    could not be used and that nothing was changed (unless its `uncertain` is set: the
    connection broke while committing). Safe for several tasks and several processes over one database.

    `clocks` holds all about time; a silence of the service longer than `outage` is given back to everybody.
    `offers` is what two people may offer each other, `ratings` tells how people stand. `conditionals`,
    `notes` and `drawer` hold what people keep for themselves, each for nobody else's eyes: turns settled
    beforehand, notes about matches, and lines of analyses. `people` are the settings of each, `reminders`
    what those are told for whom a match waits, `following` what onlookers are told.
    """

    def __init__(self, store: Store, *, outage: timedelta = OUTAGE) -> None:
        self._store = store
        concerns = Concerns(Offering(), Ticking(), Rated(), Answering(), Planning(), Telling())
        holder = Holder(store, concerns)
        self.ratings = Ratings(store)
        self._challenges = Challenges(store, concerns)
        self.offers = Offers(store, holder, Rematches(store, self._challenges))
        self._picks = Picks(holder)
        self._turns = Turns(holder)
        self._endings = Endings(holder)
        self._views = Views(store)
        self._announcements = Announcements(store)
        self._records = Records(store)
        self._watching = Watching(store)
        self._locks = Locks(store)
        self.clocks = Clocks(store, holder, outage)
        self.servers = Servers(store)
        self.threads = Threads(store)
        self.blocks = Blocks(store)
        self.corrections = Corrections(store, holder)
        self.conditionals = Conditionals(store, holder)
        self.notes = Notes(store)
        self.drawer = Drawer(store)
        self.people = People(store)
        self.reminders = Reminders(store)
        self.following = Following(store)

    async def challenge(
        self,
        by: Person,
        *,
        to: Person | None = None,
        server: str,
        place: str,
        game: str,
        options: Mapping[str, Setting] | None = None,
        terms: Terms = USUAL,
        colour: Side | None = None,
        now: datetime,
    ) -> ChallengeStep:
        """Challenge `to`, or with None anyone in `place`. `colour` is the challenger's; None is drawn.

        It stands for a week; its `terms` are those of the match. Announced as CHALLENGED, calling `to`.

        Raises GameUnknown, OptionRefused, ColourRefused, SelfChallenge, BotChallenge,
        TooManyChallenges, KeptOut, OtherKeptOut, YouBlocked, OtherBlocked.
        """
        return await self._challenges.make(
            by,
            to,
            server=server,
            place=place,
            subject=Subject.of(game, options or {}),
            terms=terms,
            colour=colour,
            now=now,
        )

    async def challenge_from(
        self,
        record: RecordId,
        by: Person,
        *,
        to: Person | None = None,
        server: str,
        place: str,
        terms: Terms = USUAL,
        colour: Side | None = None,
        now: datetime,
    ) -> ChallengeStep:
        """Challenge as in :meth:`challenge` to go on from the last position of an imported record.

        The match has the record's game, options and version of the rules, is never rated, and is announced as
        STARTED.

        Raises RecordUnknown, RecordOver, ColourRefused, SelfChallenge, BotChallenge, TooManyChallenges,
        KeptOut, OtherKeptOut, YouBlocked, OtherBlocked.
        """
        return await self._challenges.make(
            by,
            to,
            server=server,
            place=place,
            subject=await self._records.subject(record, server),
            terms=replace(terms, rated=False),
            colour=colour,
            now=now,
        )

    async def accept(
        self, challenge: ChallengeId, person: Person, *, now: datetime, place: str | None = None
    ) -> Turn:
        """Accept a challenge: colours and what chance decides are drawn, and the match begins.

        The match lives in `place`, by default where the challenge stands. Announced as FISTS (both
        people called) or STARTED (whoever moves first called). Of two who accept an
        open challenge at the same moment one succeeds.

        Raises ChallengeUnknown, ChallengeTaken, ChallengeDeclined, ChallengeWithdrawn,
        ChallengeLapsed, OwnChallenge, NotAddressee, BotChallenge, KeptOut, OtherKeptOut, YouBlocked,
        OtherBlocked.
        """
        return await self._challenges.accept(challenge, person, place, now)

    async def decline(self, challenge: ChallengeId, person: Person, *, now: datetime) -> ChallengeStep:
        """Decline a challenge that is meant for `person`. Announced as DECLINED, calling the challenger.

        Raises ChallengeUnknown, ChallengeTaken, ChallengeDeclined, ChallengeWithdrawn,
        ChallengeLapsed, OwnChallenge, NotAddressee.
        """
        return await self._challenges.decline(challenge, person, now)

    async def withdraw(self, challenge: ChallengeId, person: Person, *, now: datetime) -> ChallengeStep:
        """Take one's own challenge back. Announced as WITHDRAWN, calling nobody.

        Raises ChallengeUnknown, ChallengeTaken, ChallengeDeclined, ChallengeWithdrawn,
        ChallengeLapsed, NotChallenger.
        """
        return await self._challenges.withdraw(challenge, person, now)

    async def lapse(self, *, now: datetime) -> tuple[Challenge, ...]:
        """Close every challenge whose time is over and give them.

        Each is announced as LAPSED, calling the challenger, and is due at once: no
        interaction waits for it, so `unannounced` hands it out.
        """
        return await self._challenges.lapse(now)

    async def find_challenge(self, challenge: ChallengeId, *, now: datetime) -> Challenge:
        """Give a challenge as it stands. Raises ChallengeUnknown."""
        return await self._challenges.find(challenge, now)

    async def challenges(self, person: Person, server: str, *, now: datetime) -> tuple[Challenge, ...]:
        """Give the open challenges in `server` made by or meant for `person`, oldest first."""
        return await self._challenges.of_person(person, server, now)

    async def pick(self, match: MatchId, person: Person, pick: str, *, now: datetime) -> Turn:
        """Close one's fists on `pick` (one of the game's `fists.picks`). A pick stands.

        The first pick announces nothing and shows nothing but that it was made; the second settles
        the start and is announced as REVEALED, calling whoever moves first.

        Raises MatchUnknown, NotInMatch, MatchOver, FistsOpen, PickStands, PickRefused.
        """
        return await self._picks.pick(match, person, pick, now)

    async def play(
        self,
        match: MatchId,
        person: Person,
        texts: Sequence[str],
        *,
        seen_ply: int | None = None,
        exact: bool = False,
        now: datetime,
    ) -> Turn:
        """Play one move, or several placements of one set-up run: all of them or none.

        `seen_ply` is the stamp of the board that the person saw (:attr:`MatchView.stamp`); None for a
        typed command. The match must not have moved on since: it must be the present board, or that on which
        the run under way began, because the placements since then are the person's own and were never posted.
        With `exact` only the present board will do (a preview shows the very board it will change).

        A run that is not complete is committed and announces nothing; `match.due` says how many
        are still owed. A complete turn is announced as TURN, calling whoever is to move now, or,
        where it ended the match, the other person. A standing offer to end dies.

        Raises MatchUnknown, NotInMatch, MatchOver, FistsClosed, StaleBoard, NotYourTurn,
        NothingPlayed, TooManyMoves, MoveRefused (one of MoveUnreadable, MoveIllegal, MoveOpen).
        """
        return await self._turns.play(match, person, texts, seen_ply, exact=exact, now=now)

    async def offer_end(
        self, match: MatchId, person: Person, *, seen_ply: int | None = None, now: datetime
    ) -> Turn:
        """Offer to end the match by agreement, with the result that the rules give that.

        As :meth:`matches.offers.service.Offers.make` with that kind.
        """
        return await self.offers.make(match, person, OfferKind.END, stamp=seen_ply, now=now)

    async def answer_end(
        self, match: MatchId, person: Person, *, accept: bool, seen_ply: int | None = None, now: datetime
    ) -> Turn:
        """Accept (AGREED, the match is over) or decline (REFUSED) the other's offer to end.

        Both call whoever offered. `seen_ply` is the stamp of the board on which the offer was shown.

        Raises MatchUnknown, NotInMatch, MatchOver, FistsClosed, StaleBoard, NoOffer, OwnOffer.
        """
        return await self.offers.answer_end(match, person, accept=accept, stamp=seen_ply, now=now)

    async def resign(self, match: MatchId, person: Person, *, now: datetime) -> Turn:
        """Resign: the other side wins. Possible at any time, during the fists and out of turn too.

        Announced as RESIGNED, calling the other. Raises MatchUnknown, NotInMatch, MatchOver.
        """
        return await self._endings.resign(match, person, now)

    async def view(
        self, match: MatchId, *, at: int | None = None, stamp: int | None = None, now: datetime
    ) -> MatchView:
        """Give a match as it stands, or as it stood after move `at` (0: the first board).

        With `stamp` it is as it stood when its board had that stamp, though moves were taken back since.
        A view of the past has no result and no offer. Raises MatchUnknown, also where `at` or `stamp` is
        beyond the log.
        """
        if stamp is not None:
            return await self._views.stamped(match, stamp)
        return await self._views.now(match) if at is None else await self._views.at(match, at)

    async def view_of(self, announcement: Announcement, *, now: datetime) -> MatchView:
        """Give the match of an announcement exactly as it stood then, whatever came later.

        Raises MatchUnknown (also for the announcement of a challenge).
        """
        return await self._views.of(announcement)

    async def history(self, match: MatchId, *, now: datetime) -> History:
        """Give a match with every move, the events of each and the position after it. Raises MatchUnknown."""
        return await self._views.history(match)

    async def replay(self, match: MatchId, *, now: datetime) -> Replay:
        """Give a match to be paged through, as far as everybody knows it.

        Raises MatchUnknown, FistsClosed, NeverStarted.
        """
        return replay_of(await self._views.history(match))

    async def record(self, match: MatchId, *, now: datetime) -> str:
        """Give the record of a match as a text to keep or to import, as far as everybody knows the match.

        Raises MatchUnknown, FistsClosed, NeverStarted.
        """
        return write(record_of(await self._views.history(match)))

    async def import_record(self, data: bytes, by: Person, *, server: str, now: datetime) -> Replay:
        """Keep the record of a game, which may come from anywhere, and give it to be paged through.

        It belongs to `server`; the same record is kept there once.

        Raises RecordTooLarge, RecordUnreadable, TooManyRecords.
        """
        return await self._records.take_in(data, by, server, now)

    async def imported(self, record: RecordId, server: str, *, now: datetime) -> Replay:
        """Give an imported record of `server` to be paged through. Raises RecordUnknown."""
        return await self._records.replay(record, server)

    async def recent(
        self, server: str, *, place: str | None = None, now: datetime, limit: int = 25
    ) -> tuple[MatchSummary, ...]:
        """Give the matches in `server`, of `place` alone if that is given, over or not, the newest first."""
        return await self._views.recent(server, place, limit)

    async def games(self, person: Person, server: str | None, *, now: datetime) -> tuple[MatchSummary, ...]:
        """Give the matches of `person` in `server`, or with None anywhere, that are not over.

        Those waiting for the person come first; among equals the one that has waited longest.
        """
        return await self._views.games(person, server)

    async def turns(
        self, person: Person, *, server: str | None = None, now: datetime
    ) -> tuple[MatchSummary, ...]:
        """Give the matches in `server`, or anywhere, that wait for `person`, the nearest deadline first.

        Those without one come last, of these the longest waiting first.
        """
        return await self._views.turns(person, server)

    async def waiting(self, person: Person, place: str, *, now: datetime) -> tuple[MatchSummary, ...]:
        """Give the matches in `place` where `person` is to move, longest waiting first."""
        return await self._views.waiting(person, place)

    async def lobby(
        self, server: str, *, now: datetime, limit: int = 200
    ) -> tuple[tuple[Challenge, ...], tuple[MatchSummary, ...]]:
        """Give the open challenges of `server`, the newest first, and its matches that are not over.

        Of each at most `limit`; of the matches those that were changed last, and these first.
        """
        return await self._watching.lobby(server, now, limit)

    async def under_way(self, *, now: datetime, limit: int = 50) -> tuple[MatchSummary, ...]:
        """Give the matches of every server that are not over, the latest changed first."""
        return await self._watching.under_way(limit)

    async def open_challenges(self, *, now: datetime, limit: int = 50) -> tuple[Challenge, ...]:
        """Give the challenges of every server that anyone may accept, the newest first."""
        return await self._watching.open_challenges(now, limit)

    async def pulses(self, matches: Iterable[MatchId], *, now: datetime) -> Mapping[MatchId, Pulse]:
        """Give, of each of these matches that exists, what differs once anything has happened in it."""
        return await self._watching.pulses(matches)

    def heard(self, listener: Callable[[], None]) -> AbstractContextManager[None]:
        """Call `listener` after every change that this process makes while the block runs."""
        return self._store.heard(listener)

    async def lock(self, match: MatchId, person: Person, *, now: datetime) -> int:
        """Give the number of a seat's lock: a key that a front end hands out is good for that number.

        Raises MatchUnknown, NotInMatch.
        """
        return await self._locks.number(match, person)

    async def change_lock(self, match: MatchId, person: Person, *, now: datetime) -> int:
        """Change a seat's lock, so that no key handed out before fits it; give the new number.

        Raises MatchUnknown, NotInMatch.
        """
        return await self._locks.change(match, person)

    async def announced(self, announcement: AnnouncementId, post: str, *, now: datetime) -> bool:
        """Record that an announcement was posted; `post` is the front end's reference to it.

        True if this is news, False if it was recorded before. Raises AnnouncementUnknown.
        """
        return await self._announcements.announced(announcement, post, now)

    async def challenge_stands(self, challenge: ChallengeId, post: str, *, now: datetime) -> None:
        """Record that the post of a challenge was seen, if its CHALLENGED is not known to be announced.

        To be called before a post is changed so that it could not be found again.
        """
        await self._announcements.challenge_stands(challenge, post, now)

    async def unannounced(self, *, now: datetime, limit: int = 20) -> tuple[Announcement, ...]:
        """Take the announcements that are due, at most `limit`, oldest first, for sending.

        They are to be sent in that order, a minute for each: the first is leased for a minute, the
        second for two, and so on. Nobody else is handed one meanwhile, and it comes back if neither
        `announced` nor `failed` is called. Of one match or challenge only the oldest is ever handed
        out, so posts come in order.
        """
        return await self._announcements.unannounced(now, limit)

    async def dropped(self, announcement: AnnouncementId, *, now: datetime) -> None:
        """Record that an announcement is not to be told any more: things have gone on.

        Does nothing if it was announced meanwhile. Raises AnnouncementUnknown.
        """
        await self._announcements.drop(announcement, now)

    async def release(self, announcement: AnnouncementId, *, now: datetime) -> None:
        """Give up telling an announcement oneself, so that it is due at once for whoever posts.

        Does nothing if it was announced meanwhile. Raises AnnouncementUnknown.
        """
        await self._announcements.release(announcement, now)

    async def failed(self, announcement: AnnouncementId, *, now: datetime) -> None:
        """Record that sending failed: it is due again after 5 s, 10 s, 20 s, ... at most an hour.

        It is never given up; `Announcement.attempts` tells how often it was tried. Does nothing if it was
        announced meanwhile. Raises AnnouncementUnknown.
        """
        await self._announcements.failed(announcement, now)

    async def audit(self, match: MatchId) -> Audit:
        """Replay the log of a match and say where the stored state first differs. Raises MatchUnknown."""
        return await audit(self._store, match)
