"""What is kept about a person: told, exported and erased; and the data of servers that removed the bot."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from matches.computer.accounts import is_computer
from matches.errors import NothingStored, Refusal
from matches.hook_events import MatchEnded
from matches.people.identities import require_open, tell_addresses
from matches.people.notes import MAX_NOTE_LENGTH
from matches.personal_data.export import build_export
from matches.personal_data.foreign_records import forget_player
from matches.personal_data.retention import Retention
from matches.personal_data.sections import SECTIONS
from matches.personal_data.stand_ins import DELETED_NAME, is_deleted, new_stand_in
from matches.personal_data.values import (
    COUNTED,
    DataSummary,
    Erasure,
    ErasureChoice,
    RetentionPeriods,
)
from matches.platforms import find_way
from matches.preferences.service import load_preferences, refuse_puzzles
from matches.ratings.history import recompute_from
from matches.times import from_millis, to_millis
from matches.updates import AnnouncementKind
from matches.values import ChallengeState, EndReason, MatchId, MatchState, Person
from matches.work.each import for_each
from storage.errors import StorageUnavailable
from storage.match import ratings, unplayed, vacations
from storage.people import guests, identities, joining, people, personal_data
from storage.people.identities import IdentityRow

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from datetime import datetime

    from engine.game import Game
    from matches.challenges import Challenges
    from matches.locking import MatchLocker
    from matches.personal_data.export import Export
    from matches.views import Views
    from storage import Connection, Database

NO_GRACE = timedelta(0)
GUESTS_AT_ONCE = 50  # that one sweep erases


class PersonalData:
    """What a database keeps about persons. `periods` say how long what nobody needs for ever is kept."""

    def __init__(
        self,
        database: Database,
        games: Mapping[str, Game],
        locker: MatchLocker,
        challenges: Challenges,
        views: Views,
    ) -> None:
        self._database = database
        self._games = games
        self._locker = locker
        self._challenges = challenges
        self._views = views
        self._retention = Retention(database)
        self._exporting = asyncio.Lock()
        self.periods = RetentionPeriods()

    async def summary(self, account: str) -> DataSummary:
        """Return what is kept about a person."""
        async with self._database.read() as connection:
            counts = {
                one.key: await personal_data.count_rows(connection, one.table, one.owners, account)
                for one in SECTIONS
                if one.key in COUNTED
            }
            asked_at = await personal_data.find_scheduled(connection, account)
            name = await personal_data.find_name(connection, account)
            return DataSummary(
                name=None if name is None else Person(account, name).name,
                counts=counts,
                in_progress=len(await vacations.list_matches(connection, account, MatchState.OVER)),
                erasure_asked_at=None if asked_at is None else from_millis(asked_at),
            )

    async def export(self, account: str, *, now: datetime, max_bytes: int | None = None) -> Export:
        """Return everything that is kept about a person as a ZIP file, of at most `max_bytes`.

        The records of matches that do not fit are left out, and counted. Nothing of other persons is in it
        but their names. One export is made at a time. Raises NothingStored, `export_too_large`.
        """
        if not _is_person(account):
            raise NothingStored
        async with self._exporting:
            return await build_export(self._database, self._views, account, now, max_bytes)

    async def erase(self, account: str, choice: ErasureChoice, *, now: datetime) -> Erasure:
        """Erase a person, in one transaction.

        Open challenges by or to them are closed. With RESIGN their matches in progress are resigned, and a
        new account takes their place in everything that stays. With KEEP that happens when the last of these
        matches has ended (:meth:`finish_erasures`), and what is not needed to play on is deleted at once.
        Ratings of others do not change. Sessions on the website end in any case; a caller that can tell
        Discord that their token is no longer needed ends them first (:meth:`Sessions.end`).

        Raises NothingStored.
        """
        async with self._database.transaction() as connection:
            # A turn locks its match and then refers to its players; a note does it the other way round. So
            # nobody is locked completely before the matches are.
            if not _is_person(account) or not await self._lock_idle(connection, account, now):
                raise NothingStored
            return await self._erase_idle(connection, account, choice, now)

    async def join(self, account: str, into: str, *, is_told: bool = False, now: datetime) -> None:
        """Join two accounts of one person, in one transaction: `into` stays, `account` becomes its address.

        Its matches, ratings and everything else are those of `into` from then on; ratings are computed again
        as after a correction. Open challenges between them are withdrawn. Links to seats of `account` end.
        Two notes on a match become one, cut at the longest that a note can be. If one of them wanted no
        puzzles from their matches, none are made from those of either. Sessions of `account` end. With
        `is_told` a letter to every mail address of both says so.

        Raises NothingStored, `accounts_met`, `account_closed`, ValueError if both are the same.
        """
        if account == into:
            raise ValueError(f"{account} cannot be joined with itself")
        both = sorted((account, into))
        async with self._database.transaction() as connection:
            await self._lock_both(connection, both, now)
            stale = await ratings.list_first_steps(connection, account)
            for game in sorted(stale):
                await ratings.lock_game(connection, game)
            choices, millis = await load_preferences(connection, both), to_millis(now)
            await joining.join(
                connection, account, into, find_way(into), note_limit=MAX_NOTE_LENGTH, now=millis
            )
            if not all(one.puzzles for one in choices.values()):
                await refuse_puzzles(connection, into, now)
            platform, _, address = account.partition(":")
            await identities.save(connection, IdentityRow(platform, address, into, millis, millis))
            if is_told:
                await tell_addresses(connection, into, "accounts_joined", now)
            for game, number in sorted(stale.items()):
                await recompute_from(connection, game, number)

    async def _lock_both(self, connection: Connection, both: Sequence[str], now: datetime) -> None:
        """Lock two accounts that are joined, with their matches. Raises as :meth:`join` does."""
        for one in both:
            await _lock_joinable(connection, one)
        # As in an erasure: first the matches, then the persons completely.
        for number, by in await joining.list_challenges_between(connection, both, ChallengeState.OPEN):
            await self._challenges.close_in(connection, number, by, now)
        locked = await joining.lock_matches(connection, both)
        for one in both:
            await personal_data.lock_person(connection, one, completely=True)
        if locked != await joining.lock_matches(connection, both):
            raise StorageUnavailable("a match began while two accounts were joined")
        if any({first, second} == {*both} for _, first, second in locked):
            raise Refusal("accounts_met")

    async def cancel_erasure(self, account: str) -> bool:
        """Keep what is left of a person whose erasure waits; return whether one did."""
        async with self._database.transaction() as connection:
            return await personal_data.cancel(connection, account)

    async def finish_erasures(self, *, now: datetime) -> int:
        """Erase the persons whose last match in progress has ended, and guests who are gone; return how many.

        A guest is gone when no session is left: nobody can play as that guest again, so matches in progress
        are resigned, and those in which the guest never did anything are deleted. At most GUESTS_AT_ONCE
        guests are erased.

        Raises ExceptionGroup if some could not be erased; they are tried again next time.
        """
        finished = 0

        async def finish(account: str) -> None:
            nonlocal finished
            async with self._database.transaction() as connection:
                await self._lock_idle(connection, account, now)
                await personal_data.lock_person(connection, account, completely=True)
                if account in await personal_data.list_ready(connection, MatchState.OVER):
                    await self._erase(connection, account, now)
                    finished += 1

        async def erase_guest(account: str) -> None:
            nonlocal finished
            async with self._database.transaction() as connection:
                # Whoever starts a session of a guest locks the guest, so from here on there is no new one.
                await self._lock_idle(connection, account, now)
                if await guests.is_gone(connection, account, to_millis(now)):
                    await self._delete_unplayed(connection, account, now)
                    await self._erase_idle(connection, account, ErasureChoice.RESIGN, now)
                    finished += 1

        async with self._database.read() as connection:
            ready = await personal_data.list_ready(connection, MatchState.OVER)
            gone = await guests.list_gone(connection, to_millis(now), GUESTS_AT_ONCE)
        erasures = [*(partial(finish, one) for one in ready), *(partial(erase_guest, one) for one in gone)]
        await for_each(erasures, lambda erase: erase())
        return finished

    async def repeat_erasures(self, old: Database, *, now: datetime) -> int:
        """Erase whom the database `old` does not know any more; return how many.

        For a database restored from a backup: `old` is the one that it replaced. Persons are never deleted
        other than by an erasure, so whoever is missing there was erased after the backup was made. Their
        matches in progress in the backup are resigned. Accounts that were joined since are joined again.
        """
        async with old.read() as connection:
            remaining = set(await personal_data.list_accounts(connection))
            addresses = await identities.find(connection)
            joined = {f"{one.platform}:{one.address}": one.account for one in addresses}
            scheduled = await personal_data.list_scheduled(connection)
        async with self._database.read() as connection:
            restored = await personal_data.list_accounts(connection)
        missing = [one for one in restored if one not in remaining and _is_person(one)]
        for account in [one for one in missing if joined.get(one) in remaining]:
            into = joined[account]
            async with old.read() as connection:
                name = await personal_data.find_name(connection, into) or ""
            async with self._database.transaction() as connection:  # they may have come after the backup
                await people.ensure(connection, into, name, to_millis(now))
            await self.join(account, into, now=now)
            missing.remove(account)
        for account in missing:
            await self.erase(account, ErasureChoice.RESIGN, now=now)
        again = [one for one in scheduled if one in restored]
        for account in again:
            await self.erase(account, ErasureChoice.KEEP, now=now)
        return len(missing) + len(again)

    async def delete_old(self, *, now: datetime) -> None:
        """Delete what was kept longer than `periods` say, a few rows at a time."""
        await self._retention.delete_old(self.periods, now)

    async def list_left_servers(
        self, platform: str, present: Collection[str], is_reached: Callable[[str], bool], *, now: datetime
    ) -> tuple[str, ...]:
        """Return the servers whose data are due to be deleted: the bot has not been there for so long.

        `platform` is how the ids of all servers begin that the front end knows, `present` are those where the
        bot is now; the others are noted, as far as this process reaches them.
        """
        periods = self.periods
        return await self._retention.list_left_servers(platform, present, is_reached, periods.servers, now)

    async def erase_server(self, server: str) -> None:
        """Delete a server's settings, exclusions, imported records, and challenges without a match.

        Its matches and their ratings stay, because they are their players'.
        """
        await self._retention.erase_server(server)

    async def _lock_idle(self, connection: Connection, account: str, now: datetime) -> bool:
        """Keep a person from doing anything new, and close their open challenges; False if unknown."""
        if not await personal_data.lock_person(connection, account, completely=False):
            return False
        await self.close_challenges_in(connection, account, now)
        return True

    async def close_challenges_in(self, connection: Connection, account: str, now: datetime) -> None:
        """Withdraw the open challenges by a person and decline those to them, inside an open transaction."""
        for number in await personal_data.list_open_challenges(connection, account, ChallengeState.OPEN):
            await self._challenges.close_in(connection, number, account, now)

    async def resign_all_in(self, connection: Connection, account: str, now: datetime) -> int:
        """Resign every match in progress of a person, inside an open transaction; return how many.

        Lock the person before, but not completely.
        """
        numbers = await vacations.list_matches(connection, account, MatchState.OVER)
        resigned = 0
        for number in numbers:
            locked = await self._locker.lock_in(connection, MatchId(number), now)
            if locked.row.state == MatchState.OVER:
                continue
            locked.act_as(account)
            await locked.end(MatchEnded(locked.winning_outcome(locked.opponent), EndReason.RESIGNED))
            await locked.announce(AnnouncementKind.RESIGNED, (locked.opponent,), grace=NO_GRACE)
            resigned += 1
        return resigned

    async def _erase_idle(
        self, connection: Connection, account: str, choice: ErasureChoice, now: datetime
    ) -> Erasure:
        """Erase a person whom :meth:`_lock_idle` has locked, or schedule it, as :meth:`erase` says."""
        is_resigning, resigned = choice is ErasureChoice.RESIGN, 0
        if is_resigning:
            resigned += await self.resign_all_in(connection, account, now)
        await personal_data.lock_person(connection, account, completely=True)
        if is_resigning:  # what was accepted meanwhile
            resigned += await self.resign_all_in(connection, account, now)
        kept = len(await vacations.list_matches(connection, account, MatchState.OVER))
        if kept:
            await personal_data.erase_private(connection, account, to_millis(now))
            await personal_data.schedule(connection, account, to_millis(now))
        else:
            await self._erase(connection, account, now)
        return Erasure(is_complete=not kept, resigned=resigned, kept=kept)

    async def _delete_unplayed(self, connection: Connection, account: str, now: datetime) -> None:
        """Delete the matches in progress in which a person has done nothing."""
        for number in await unplayed.list_unplayed(connection, account, MatchState.OVER):
            await self._locker.lock_in(connection, MatchId(number), now)
            if number in await unplayed.list_unplayed(connection, account, MatchState.OVER):
                await unplayed.delete_match(connection, number)

    async def _erase(self, connection: Connection, account: str, now: datetime) -> None:
        """Erase a person without matches in progress; locked games keep their ratings from changing."""
        for rating in sorted(await ratings.list_for_person(connection, account), key=lambda one: one.game):
            await ratings.lock_game(connection, rating.game)
        await forget_player(connection, account, self._games)
        await personal_data.erase(connection, account, new_stand_in(), DELETED_NAME, to_millis(now))


async def _lock_joinable(connection: Connection, account: str) -> None:
    """Keep a person from doing anything new. Raises NothingStored, `account_closed`."""
    if not _is_person(account) or not await personal_data.lock_person(connection, account, completely=False):
        raise NothingStored
    await require_open(connection, account)


def _is_person(account: str) -> bool:
    return not (is_deleted(account) or is_computer(account))
