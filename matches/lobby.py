"""Challenges as one reader sees them: the lobby, the reader's own, and a single one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from matches.audience import PUBLIC, SERVER_AUDIENCES, Audience, MatchAccess, ShownNames, choose_name
from matches.challenge_checks import challenge_from_row
from matches.challenge_limits import load_ratings, rating_number
from matches.times import to_millis
from matches.values import ChallengeId, ChallengeState
from storage.match import challenges, lobby
from storage.people import blocks
from storage.posting import audiences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from matches.audience import Reader
    from matches.values import Challenge
    from storage import Connection
    from storage.match.challenges import ChallengeRow
    from storage.match.ratings import RatingRow


@dataclass(frozen=True, slots=True)
class ShownChallenge:
    """A challenge as a reader sees it: with the names and the note that they may see.

    `rating` is the challenger's at this game in whole points, None without rated matches. `is_in_range`:
    whether the reader's rating is as the challenger wants it. `is_own`: the reader made it. `is_to_reader`:
    it is for them alone.
    """

    challenge: Challenge
    rating: int | None
    is_provisional: bool
    is_in_range: bool
    is_own: bool
    is_to_reader: bool


@dataclass(frozen=True, slots=True)
class Lobby:
    """A page of the lobby, the newest first; `older` is where the next page begins, None at the end."""

    challenges: tuple[ShownChallenge, ...]
    older: ChallengeId | None


@dataclass(frozen=True, slots=True)
class OwnChallenges:
    """The open challenges to somebody and those by them, the newest first."""

    incoming: tuple[ShownChallenge, ...]
    outgoing: tuple[ShownChallenge, ...]


async def list_rows(
    connection: Connection,
    reader: Reader,
    limit: int,
    now: datetime,
    *,
    game: str | None = None,
    rated: bool | None = None,
    before: int | None = None,
) -> list[ChallengeRow]:
    """Return at most `limit` open challenges that anyone may accept and the reader may see, newest first."""

    async def list_ids(audiences: Sequence[str], servers: frozenset[str] | None) -> list[int]:
        return await lobby.list_ids(
            connection,
            ChallengeState.OPEN,
            audiences,
            limit,
            readers=reader.accounts,
            now=to_millis(now),
            servers=servers,
            game=game,
            rated=rated,
            before=before,
        )

    found = await list_ids(PUBLIC, None)
    if reader.servers:
        found += await list_ids((Audience.MEMBERS,), reader.servers)
    rows = await challenges.list_by_ids(connection, sorted(found, reverse=True)[:limit])
    return rows[::-1]


async def list_lobby(
    connection: Connection,
    reader: Reader,
    limit: int,
    now: datetime,
    *,
    game: str | None = None,
    rated: bool | None = None,
    before: int | None = None,
) -> Lobby:
    """Return a page of the lobby as :func:`list_rows` finds it."""
    rows = await list_rows(connection, reader, limit + 1, now, game=game, rated=rated, before=before)
    shown = rows[:limit]
    older = ChallengeId(shown[-1].id) if len(rows) > limit else None
    return Lobby(await show(connection, shown, reader, now), older)


async def list_own(connection: Connection, reader: Reader, now: datetime) -> OwnChallenges:
    """Return the open challenges to and by the reader's accounts, without those of whom they block."""
    rows = await challenges.list_involving(connection, reader.accounts, ChallengeState.OPEN, to_millis(now))
    blocked = await blocks.list_blocked_by(connection, reader.accounts)
    shown = await show(connection, [row for row in rows if row.by not in blocked], reader, now)
    return OwnChallenges(
        tuple(one for one in shown if not one.is_own), tuple(one for one in shown if one.is_own)
    )


async def find_for(
    connection: Connection, challenge: int, reader: Reader, now: datetime, *, has_link: bool
) -> ShownChallenge | None:
    """Return what the reader may see of a challenge in any state; None if it is nothing, or there is none."""
    row = await challenges.get(connection, challenge)
    if row is not None and row.match is not None:  # whose audience follows its place and its server's choice
        row = replace(row, audience=await audiences.of_match(connection, row.match))
    if row is None or not _may_see(row, reader, has_link=has_link):
        return None
    (shown,) = await show(connection, [row], reader, now, has_link=has_link)
    return shown


async def show(
    connection: Connection,
    rows: Sequence[ChallengeRow],
    reader: Reader,
    now: datetime,
    *,
    has_link: bool = False,
) -> tuple[ShownChallenge, ...]:
    """Return challenges as the reader sees them; `has_link` says that they know the link of each."""
    accounts, games = {row.by for row in rows} | reader.accounts, {row.game for row in rows}
    rated = await load_ratings(connection, accounts, games)
    return tuple(_show(row, rated, reader, now, has_link=has_link) for row in rows)


def with_shown_challenger(row: ChallengeRow, reader: Reader, *, is_real: bool = False) -> ChallengeRow:
    """Return the row of a challenge with the name of the challenger that the reader sees, and no note."""
    names = reader.names_in(MatchAccess(Audience(row.audience), row.server, (row.by,)))
    names = ShownNames.REAL if is_real else names or ShownNames.PUBLIC
    shown = choose_name(names, row.audience, row.by, row.by_name, row.by_alias)
    return replace(row, by_name=shown, note=row.note if is_real else None)


def _show(
    row: ChallengeRow,
    rated: Mapping[tuple[str, str], RatingRow],
    reader: Reader,
    now: datetime,
    *,
    has_link: bool,
) -> ShownChallenge:
    """Return a challenge as the reader sees it; `rated` has the ratings of challengers and reader."""
    is_own, is_to_reader = row.by in reader.accounts, row.to in reader.accounts
    is_for_reader = is_own or is_to_reader or (row.by_link and has_link)
    rating, points = rated.get((row.by, row.game)), rating_number(rated, row.by, row.game)
    distances = [abs(rating_number(rated, one, row.game) - points) for one in reader.accounts]
    return ShownChallenge(
        challenge=challenge_from_row(with_shown_challenger(row, reader, is_real=is_for_reader), now),
        rating=None if rating is None else points,
        is_provisional=rating is None or rating.settled_until <= to_millis(now),
        is_in_range=row.within is None or min(distances, default=0) <= row.within,
        is_own=is_own,
        is_to_reader=is_to_reader,
    )


def _may_see(row: ChallengeRow, reader: Reader, *, has_link: bool) -> bool:
    if row.by in reader.accounts or row.to in reader.accounts:
        return True
    if row.by_link or row.to is not None:
        return row.by_link and has_link
    if row.audience in PUBLIC:
        return True
    return row.audience in SERVER_AUDIENCES and row.server in reader.servers
