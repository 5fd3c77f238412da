"""Matches, open challenges and fingerprints for lists and pages, beyond what one player's views need.

What takes a `reader` returns only what that reader may see. Nothing else here checks access: the front end
does, for the matches that it names and the server whose lobby it loads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches import lobby
from matches.audience import OUTSIDER, PUBLIC, SERVER_AUDIENCES, Audience, MatchAccess, Reader, ShownNames
from matches.challenge_checks import challenge_from_row
from matches.computer.accounts import is_computer
from matches.fingerprints import fingerprint_from_row
from matches.match_view import LastMove, MatchOutline
from matches.names import fold_name
from matches.people.handles import find_in
from matches.times import from_millis, to_millis
from matches.values import (
    ACTIVE_STATES,
    ChallengeState,
    EndReason,
    MatchId,
    MatchState,
    Person,
)
from matches.view_builder import with_shown_names
from matches.views import summary_from_row
from storage.match import challenges, fingerprints, matches
from storage.match import lobby as stored_lobby
from storage.people import handles
from storage.posting import audiences

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from datetime import datetime

    from engine.game import Game
    from matches.fingerprints import MatchFingerprint
    from matches.lobby import Lobby, OwnChallenges, ShownChallenge
    from matches.match_view import MatchSummary
    from matches.values import Challenge, ChallengeId
    from storage import Connection, Database
    from storage.match.matches import CandidateRow, MatchListRow, OutlineRow

MAX_SEARCHED = 500  # matches that one page of a list looks at
FIRST_SEARCHED = 100  # of these at first: most pages need no more
MAX_DIGITS = 16
LOBBY_PAGE = 30  # challenges


@dataclass(frozen=True, slots=True)
class ListPosition:
    """Where a list of matches goes on: after the match `id`, changed at `changed_at` (milliseconds)."""

    changed_at: int
    id: int

    @classmethod
    def parse(cls, text: str) -> ListPosition | None:
        """Return the position that a text means; None for any other text."""
        time, _, match = text.partition("-")
        is_position = all(
            part.isascii() and part.isdigit() and len(part) < MAX_DIGITS for part in (time, match)
        )
        return cls(int(time), int(match)) if is_position else None

    def __str__(self) -> str:
        return f"{self.changed_at}-{self.id}"


@dataclass(frozen=True, slots=True)
class MatchList:
    """A page of a list of matches; `older` is where the next page begins, None at the end.

    A page can have fewer matches than were asked for, and still be followed by others.
    """

    matches: tuple[MatchSummary, ...]
    older: ListPosition | None


class PublicQueries:
    """Queries for matches and challenges of a database; see the module about who checks access."""

    def __init__(self, database: Database, games: Mapping[str, Game]) -> None:
        self._database = database
        self._games = games

    async def get_fingerprints(self, match_ids: Iterable[MatchId]) -> dict[MatchId, MatchFingerprint]:
        """Return the fingerprints of those of `match_ids` that exist."""
        async with self._database.read() as connection:
            rows = await fingerprints.load(connection, sorted(match_ids))
        return {MatchId(row.id): fingerprint_from_row(row, row.picks, row.rematch) for row in rows}

    async def list_outlines(
        self, match_ids: Iterable[MatchId], states: Iterable[MatchState] = tuple(MatchState)
    ) -> tuple[MatchOutline, ...]:
        """Return the outlines of those of `match_ids` that are in one of `states`, in no particular order."""
        async with self._database.read() as connection:
            rows = await matches.list_outlines(connection, sorted(match_ids), tuple(states))
        return tuple(map(_outline_from_row, rows))

    async def list_outlines_of(
        self, account: str, states: Iterable[MatchState] = tuple(MatchState)
    ) -> tuple[MatchOutline, ...]:
        """Return the outlines of an account's matches on all servers in one of `states`, in any order."""
        async with self._database.read() as connection:
            rows = await matches.list_outlines_of(connection, account, tuple(states))
        return tuple(map(_outline_from_row, rows))

    async def list_matches(self, match_ids: Iterable[MatchId]) -> tuple[MatchSummary, ...]:
        """Return those of `match_ids` that exist, the longest unchanged first."""
        async with self._database.read() as connection:
            rows = await matches.list_by_ids(connection, sorted(match_ids))
        return tuple(summary_from_row(row, self._games) for row in rows)

    async def get_last_moves(self, listed: Iterable[MatchSummary]) -> dict[MatchId, LastMove]:
        """Return the last move of each of these matches, without those of unfinished turns."""
        sides = {match.id: {side.value: side for side in self._games[match.game].sides} for match in listed}
        async with self._database.read() as connection:
            rows = await matches.list_last_moves(connection, sorted(sides))
        return {
            MatchId(row.match): LastMove(
                sides[MatchId(row.match)][row.side], row.text, from_millis(row.played_at)
            )
            for row in rows
        }

    async def find_matches(
        self,
        states: Collection[MatchState],
        *,
        game: str | None = None,
        name: str = "",
        minimum_plies: int = 0,
        minimum_computer_plies: int = 0,
        before: ListPosition | None = None,
        reader: Reader = OUTSIDER,
        account: str | None = None,
        server: str | None = None,
        limit: int,
    ) -> MatchList:
        """Return the matches in `states` that are public or of the reader's servers, the latest first.

        Only those of `game`, of `server`, of the player `account` as far as the reader sees their own name,
        with a player whose name contains `name`, as far as the reader sees that name,
        and with `minimum_plies` or more, against the computer with `minimum_computer_plies`. Of matches that
        are over, only those that have a board and were not aborted. Looks at the MAX_SEARCHED latest at most,
        after reading that many for each state and server; the next page goes on after them.
        """
        start = None if before is None else (before.changed_at, before.id)
        wanted = name.casefold()
        async with self._database.read() as connection:
            for searched in (FIRST_SEARCHED, MAX_SEARCHED):
                rows = [
                    row
                    for state in states
                    for row in await (
                        _list_candidates(connection, state, start, reader, searched + 1, server)
                        if account is None
                        else _list_candidates_of(connection, state, start, reader, searched + 1, account)
                    )
                ]
                rows.sort(key=lambda row: (row.changed_at, row.id), reverse=True)
                found = [
                    row
                    for row in rows[:searched]
                    if game in {None, row.game}
                    and row.turn_ply >= minimum_plies
                    and (
                        row.turn_ply >= minimum_computer_plies
                        or not any(map(is_computer, (row.first, row.second)))
                    )
                    and (row.reason is None or (row.has_board and row.reason != EndReason.ABORTED))
                    and any(wanted in one.casefold() for one in (row.first_name, row.second_name))
                ]
                if len(found) > limit or len(rows) <= searched:
                    break
            listed = await matches.list_by_ids(connection, [row.id for row in found[:limit]])
        last = found[limit - 1] if len(found) > limit else None
        if last is None and len(rows) > searched:
            last = rows[searched - 1]
        shown = [with_shown_names(row, names) for row in listed if (names := _names_in(row, reader))]
        shown.sort(key=lambda row: (row.changed_at, row.id), reverse=True)
        return MatchList(
            tuple(summary_from_row(row, self._games) for row in shown),
            None if last is None else ListPosition(last.changed_at, last.id),
        )

    async def load_lobby(
        self, server: str, *, now: datetime, limit: int = 200
    ) -> tuple[tuple[Challenge, ...], tuple[MatchSummary, ...]]:
        """Return the open challenges of `server`, the newest first, and its matches that are not over.

        At most `limit` of each. The matches are those changed last, the latest first.
        """
        async with self._database.read() as connection:
            challenge_rows = await challenges.list_for_server(
                connection, server, ChallengeState.OPEN, to_millis(now), limit
            )
            rows = await matches.list_by_state(connection, ACTIVE_STATES, limit, server)
        return tuple(challenge_from_row(row, now) for row in challenge_rows), tuple(
            summary_from_row(row, self._games) for row in rows
        )

    async def list_open_challenges(
        self, *, now: datetime, limit: int, before: int | None = None, reader: Reader = OUTSIDER
    ) -> tuple[Challenge, ...]:
        """Return at most `limit` challenges that anyone may accept, the newest first.

        Those that are public or of the reader's servers. With `before` only those older than the challenge
        of this id.
        """
        async with self._database.read() as connection:
            rows = await lobby.list_rows(connection, reader, limit, now, before=before)
        return tuple(challenge_from_row(lobby.with_shown_challenger(row, reader), now) for row in rows)

    async def list_lobby(
        self,
        reader: Reader = OUTSIDER,
        *,
        game: str | None = None,
        rated: bool | None = None,
        before: int | None = None,
        limit: int = LOBBY_PAGE,
        now: datetime,
    ) -> Lobby:
        """Return a page of the lobby: open challenges of all servers that anyone may accept, newest first.

        Those that are public or of the reader's servers, of `game` and as `rated` if these are not None, and
        with `before` only those older than the challenge of this id. The reader's own are among them, and
        those that want other ratings; those of whom the reader cannot play (blocks, exclusions) are not.
        """
        async with self._database.read() as connection:
            return await lobby.list_lobby(
                connection, reader, limit, now, game=game, rated=rated, before=before
            )

    async def list_own(self, reader: Reader, *, now: datetime) -> OwnChallenges:
        """Return the open challenges to and by the reader on all servers, also by link and paused ones."""
        async with self._database.read() as connection:
            return await lobby.list_own(connection, reader, now)

    async def count_incoming(self, account: str, *, now: datetime) -> int:
        """Count the open challenges to an account, without those of whom it blocks."""
        async with self._database.read() as connection:
            return await stored_lobby.count_incoming(connection, account, ChallengeState.OPEN, to_millis(now))

    async def find_player(self, name: str) -> Person | None:
        """Return who has a name on the website, or had it in the last year; None for a free name.

        They are called by that name: whoever types it does not learn another one that they have in Discord.
        """
        async with self._database.read() as connection:
            account = await find_in(connection, fold_name(name))
            row = None if account is None else await handles.load(connection, account)
        return None if account is None or row is None or row.handle is None else Person(account, row.handle)

    async def find_for(
        self, challenge: ChallengeId, reader: Reader = OUTSIDER, *, has_link: bool = False, now: datetime
    ) -> ShownChallenge | None:
        """Return what the reader may see of a challenge in any state; None for nothing, or if it is unknown.

        `has_link` says that they know the link of a challenge by link.
        """
        async with self._database.read() as connection:
            return await lobby.find_for(connection, challenge, reader, now, has_link=has_link)


async def _list_candidates(
    connection: Connection,
    state: str,
    start: tuple[int, int] | None,
    reader: Reader,
    limit: int,
    only: str | None,
) -> list[CandidateRow]:
    """Return the matches in a state to choose from, with the names that the reader sees.

    At most `limit` of those that are public, and of each server of the reader. `only` is a server.
    """
    rows = await matches.list_candidates(connection, state, PUBLIC, start, limit, server=only)
    for server in sorted(reader.servers if only is None else reader.servers & {only}):
        rows += await matches.list_candidates(
            connection, state, (Audience.MEMBERS,), start, limit, server=server
        )
    return [with_shown_names(row, names) for row in rows if (names := _names_in(row, reader))]


async def _list_candidates_of(
    connection: Connection,
    state: str,
    start: tuple[int, int] | None,
    reader: Reader,
    limit: int,
    account: str,
) -> list[CandidateRow]:
    """Return at most `limit` matches of a player to choose from, with the names that the reader sees.

    Those in which the reader sees an alias of the player are left out: the list would tell whose it is.
    """
    has_alias = await audiences.get_alias(connection, account) is not None
    rows = await matches.list_candidates_of(
        connection,
        account,
        state,
        start,
        limit,
        public=() if has_alias else (Audience.NAMES,),
        shared=SERVER_AUDIENCES,
        servers=reader.servers,
        readers=reader.accounts,
    )
    return [with_shown_names(row, names) for row in rows if (names := _names_in(row, reader))]


def _names_in(row: CandidateRow | MatchListRow, reader: Reader) -> ShownNames | None:
    return reader.names_in(MatchAccess(Audience(row.audience), row.server, (row.first, row.second)))


def _outline_from_row(row: OutlineRow) -> MatchOutline:
    picked = {row.first: row.first_picked, row.second: row.second_picked}
    is_choosing = row.state == MatchState.CHOOSING
    return MatchOutline(
        id=MatchId(row.id),
        state=MatchState(row.state),
        accounts=(row.first, row.second),
        awaited=frozenset(
            account for account, done in picked.items() if (not done if is_choosing else account == row.mover)
        ),
        deadline=row.deadline,
        changed_at=from_millis(row.changed_at),
        is_aborted=row.reason == EndReason.ABORTED,
        generations={row.first: row.first_key or 0, row.second: row.second_key or 0},
    )
