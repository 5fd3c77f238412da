"""Matches, their picks and their moves. What the columns mean is defined in `matches`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)

from storage.connections.changes import with_notification
from storage.match import packed_logs
from storage.match.clocks import last_heartbeat_subquery
from storage.match.packed_logs import MoveRow
from storage.people import seat_keys
from storage.posting.outbox import latest_board_post_subquery
from storage.statements import (
    columns_for,
    convert_rows,
    fetch_row,
    fetch_rows,
    has_row,
    insert_if_new,
    insert_row,
    select_rows,
    without_index,
)
from storage.tables import MATCHES, MOVES, OFFERS, PEOPLE, PICKS, PREFERENCES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import ColumnElement, Select, Update
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import ColumnValue


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """What decides whether a match is in a list. Times are in milliseconds since 1970 UTC."""

    id: int
    changed_at: int
    game: str
    turn_ply: int
    reason: str | None
    has_board: bool
    server: str
    audience: str
    first: str
    first_name: str
    first_alias: str | None
    second: str
    second_name: str
    second_alias: str | None


@dataclass(frozen=True, slots=True)
class _FullRow(CandidateRow):
    """What is read of a match in a list and of a single one.

    `lost` is the time given back after outages in milliseconds. `direct_since` says since when (in
    milliseconds since 1970 UTC) the match is played in direct messages, None: in its channel. `first_picked`
    and `second_picked` say who has picked.
    """

    place: str
    rules_version: int
    options: str
    terms: str
    state: str
    takebacks: int
    mover: str | None
    first_picked: bool
    second_picked: bool
    direct_since: int | None
    clock: str | None
    lost: int
    outcome: str | None


@dataclass(frozen=True, slots=True)
class MatchListRow(_FullRow):
    """A match in a list, with the latest post about it."""

    post: str | None


@dataclass(frozen=True, slots=True)
class MatchRow(_FullRow):
    """A match with the names of its players.

    `pending_offer` is an id, with the offer's kind and maker. `beat_at` is the last heartbeat of its shard.
    The picks are None until both players have picked. `deadline` is in milliseconds of service time. The
    preferences, and the choices of ways of being told, are None for players who have never changed them.
    """

    challenge: int | None
    ply: int
    turn: int
    position: str | None
    pending_offer: int | None
    offer_kind: str | None
    offer_by: str | None
    made_at: int
    base: str | None
    beat_at: int | None
    has_conditional_moves: bool
    followed: bool
    first_pick: str | None
    second_pick: str | None
    deadline: int | None
    first_preferences: str | None
    second_preferences: str | None
    first_notices: str | None
    second_notices: str | None


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """What decides where a match is in its players' lists, and nothing else: it is read for every page.

    `deadline` is in milliseconds of service time, `changed_at` in milliseconds since 1970 UTC. The keys are
    the generations of the seats' keys, None for 0.
    """

    id: int
    state: str
    first: str
    second: str
    mover: str | None
    first_picked: bool
    second_picked: bool
    deadline: int | None
    changed_at: int
    reason: str | None
    first_key: int | None
    second_key: int | None


@dataclass(frozen=True, slots=True)
class LastMoveRow:
    """The last move of the last complete turn of a match."""

    match: int
    side: str
    text: str
    played_at: int


async def add(connection: AsyncConnection, **values: ColumnValue) -> int:
    """Insert a match and return its id. `values` are columns of the table."""
    return await insert_row(connection, MATCHES, **values)


async def get(connection: AsyncConnection, match: int, *, lock: bool = False) -> MatchRow | None:
    """Return a match, or None. With `lock` its row is locked until the end of the transaction."""
    statement = _select_for_update() if lock else _select()
    return await fetch_row(connection, MatchRow, statement, {"match": match})


async def update_if_at_ply(
    connection: AsyncConnection, match: int, expected_ply: int, **values: ColumnValue
) -> bool:
    """Set columns of a match if its ply is `expected_ply`; return whether it was.

    Processes that listen are notified when the transaction commits (see :mod:`storage.connections.changes`).
    """
    statement = _update_statement(tuple(values), connection.dialect.name)
    result = await connection.execute(statement, {"b_match": match, "b_ply": expected_ply, **values})
    return (len(result.all()) if result.returns_rows else result.rowcount) == 1


async def add_pick(connection: AsyncConnection, match: int, person: str, pick: str, now: int) -> bool:
    """Insert a pick; return False if the person has already picked."""
    return await insert_if_new(connection, PICKS, match=match, person=person, pick=pick, picked_at=now)


async def add_moves(connection: AsyncConnection, match: int, moves: Sequence[MoveRow]) -> None:
    """Append moves to the log. Raises IntegrityError if a ply is taken."""
    await connection.execute(insert(MOVES), [{"match": match, **asdict(move)} for move in moves])


async def remove_moves_after(connection: AsyncConnection, match: int, ply: int) -> None:
    """Remove the moves after `ply` from the log."""
    await connection.execute(delete(MOVES).where(MOVES.c.match == match, MOVES.c.ply > ply))


async def list_moves(connection: AsyncConnection, match: int) -> list[MoveRow]:
    """Return the whole log of a match, in order."""
    rows = (await connection.execute(_select_moves(), {"match": match})).all()
    return convert_rows(MoveRow, rows) or await packed_logs.list_moves(connection, match)


async def list_recent_moves(connection: AsyncConnection, match: int, ply: int) -> list[MoveRow]:
    """Return the moves of the turn of `ply`, up to `ply`, and of the two turns before it, in order.

    Of a packed log all moves up to `ply`.
    """
    if ply == 0:
        return []
    rows = (await connection.execute(_select_recent_moves(), {"match": match, "ply": ply})).all()
    return convert_rows(MoveRow, rows) or (await packed_logs.list_moves(connection, match))[:ply]


async def has_position_under_way(
    connection: AsyncConnection, game: str, positions: Sequence[str], state: str, turn: int, plies: int
) -> bool:
    """Return whether a match of a game in `state` had one of these positions in its last plies.

    Those are the board after its last complete turn and the `plies` boards before it, but none before the
    end of the turn `turn`.
    """
    recent = exists().where(
        MOVES.c.match == MATCHES.c.id,
        MOVES.c.ply.between(MATCHES.c.turn_ply - plies, MATCHES.c.turn_ply),
        MOVES.c.turn >= turn,
        MOVES.c.position.in_(positions),
    )
    under_way = (MATCHES.c.state == state, MATCHES.c.game == game)
    return await has_row(connection, select(MATCHES.c.id).where(*under_way, recent).limit(1))


async def list_for_person(
    connection: AsyncConnection, account: str, server: str | None, states: Sequence[str]
) -> list[MatchListRow]:
    """Return the matches of `account` in one of `states`, in `server` or, with None, anywhere.

    The longest unchanged first.
    """
    in_states = MATCHES.c.state.in_(states)
    seated = and_(MATCHES.c.first == account, in_states) | and_(MATCHES.c.second == account, in_states)
    here = () if server is None else (without_index(MATCHES.c.server) == server,)
    return await _fetch_list(connection, seated, *here)


async def list_newest_of(connection: AsyncConnection, account: str, limit: int) -> list[MatchListRow]:
    """Return at most `limit` matches of `account`, the newest first."""
    seated = (MATCHES.c.first == account) | (MATCHES.c.second == account)
    statement = _select_list().where(seated).order_by(MATCHES.c.id.desc()).limit(limit)
    return await fetch_rows(connection, MatchListRow, statement)


async def list_for_mover(connection: AsyncConnection, account: str, channel: str) -> list[MatchListRow]:
    """Return the matches in `channel` in which `account` is to move, the longest unchanged first."""
    return await fetch_rows(
        connection, MatchListRow, _select_list_for_mover(), {"account": account, "channel": channel}
    )


async def list_for_server(
    connection: AsyncConnection, server: str, channel: str | None, limit: int
) -> list[MatchListRow]:
    """Return at most `limit` matches in `server`, or only those in `channel`, the newest first."""
    here = MATCHES.c.server == server if channel is None else MATCHES.c.place == channel
    statement = _select_list().where(here).order_by(MATCHES.c.id.desc()).limit(limit)
    return await fetch_rows(connection, MatchListRow, statement)


async def list_by_state(
    connection: AsyncConnection, states: Sequence[str], limit: int, server: str
) -> list[MatchListRow]:
    """Return at most `limit` matches in one of `states` in `server`, the latest changed first."""
    statement = _select_list().where(MATCHES.c.state.in_(states), MATCHES.c.server == server).limit(limit)
    ordered = statement.order_by(MATCHES.c.changed_at.desc(), MATCHES.c.id.desc())
    return await fetch_rows(connection, MatchListRow, ordered)


async def list_candidates(
    connection: AsyncConnection,
    state: str,
    audiences: Sequence[str],
    before: tuple[int, int] | None,
    limit: int,
    *,
    server: str | None = None,
) -> list[CandidateRow]:
    """Return at most `limit` matches in a state, the latest changed first, for a caller to choose from.

    Only those with one of `audiences`, and only those of `server` if it is given. `before` is the time of the
    last change, and the id, of the last match of an earlier call.
    """
    # Written into the statement: only then the planners know that an index of these audiences is enough.
    audience = MATCHES.c.audience.in_([literal_column(f"'{one}'") for one in audiences])
    here = () if server is None else (MATCHES.c.server == server,)
    return await _list_candidates(connection, before, limit, MATCHES.c.state == state, audience, *here)


async def list_candidates_of(
    connection: AsyncConnection,
    account: str,
    state: str,
    before: tuple[int, int] | None,
    limit: int,
    *,
    public: Sequence[str],
    shared: Sequence[str],
    servers: Collection[str],
    readers: Collection[str],
) -> list[CandidateRow]:
    """Return matches as :func:`list_candidates` does, those of a player that a reader may see.

    Those with an audience in `public`, those of `servers` with one in `shared`, and those of the accounts
    `readers`.
    """
    players = (MATCHES.c.first, MATCHES.c.second)
    is_visible = or_(
        MATCHES.c.audience.in_(public),
        and_(MATCHES.c.audience.in_(shared), MATCHES.c.server.in_(sorted(servers))),
        *(player.in_(sorted(readers)) for player in players),
    )
    is_seated = or_(*(player == account for player in players))
    in_state = without_index(MATCHES.c.state) == state
    return await _list_candidates(connection, before, limit, is_seated, in_state, is_visible)


async def _list_candidates(
    connection: AsyncConnection,
    before: tuple[int, int] | None,
    limit: int,
    *where: ColumnElement[bool],
) -> list[CandidateRow]:
    first, second = PEOPLE.alias("first_person"), PEOPLE.alias("second_person")
    changed_at, match = MATCHES.c.changed_at, MATCHES.c.id
    sources = {
        **MATCHES.c,
        "has_board": MATCHES.c.position.is_not(None),
        "first_name": first.c.name,
        "first_alias": first.c.alias,
        "second_name": second.c.name,
        "second_alias": second.c.alias,
    }
    statement = (
        select(*columns_for(CandidateRow, sources))
        .join(first, first.c.account == MATCHES.c.first)
        .join(second, second.c.account == MATCHES.c.second)
        .where(*where)
        .order_by(changed_at.desc(), match.desc())
        .limit(limit)
    )
    if before is not None:
        time, last = before
        statement = statement.where(changed_at <= time, or_(changed_at < time, match < last))
    return await fetch_rows(connection, CandidateRow, statement)


async def list_by_ids(connection: AsyncConnection, ids: Sequence[int]) -> list[MatchListRow]:
    """Return the matches with these ids, the longest unchanged first."""
    return await _fetch_list(connection, MATCHES.c.id.in_(ids))


async def list_outlines(
    connection: AsyncConnection, ids: Sequence[int], states: Sequence[str]
) -> list[OutlineRow]:
    """Return the outlines of those of these matches that are in one of `states`, in no particular order."""
    values = {"numbers": list(ids), "states": list(states)}
    return await fetch_rows(connection, OutlineRow, _select_outlines(of_person=False), values)


async def list_outlines_of(
    connection: AsyncConnection, account: str, states: Sequence[str]
) -> list[OutlineRow]:
    """Return the outlines of the matches of a person that are in one of `states`, in no particular order."""
    values = {"account": account, "states": list(states)}
    return await fetch_rows(connection, OutlineRow, _select_outlines(of_person=True), values)


async def list_last_moves(connection: AsyncConnection, ids: Sequence[int]) -> list[LastMoveRow]:
    """Return the last announced move of each of these matches that has one, in no particular order."""
    statement = (
        select_rows(LastMoveRow, MOVES)
        .join(MATCHES, and_(MOVES.c.match == MATCHES.c.id, MOVES.c.ply == MATCHES.c.turn_ply))
        .where(MATCHES.c.id.in_(ids))
    )
    found = await fetch_rows(connection, LastMoveRow, statement)
    others = set(ids).difference(row.match for row in found)
    packed = await packed_logs.list_logs(connection, sorted(others))
    last = ((log.match, log.moves[log.turn_ply - 1]) for log in packed if log.turn_ply)
    return found + [LastMoveRow(match, move.side, move.text, move.played_at) for match, move in last]


async def list_ids(connection: AsyncConnection) -> list[int]:
    """Return the ids of all matches, in order."""
    return list(await connection.scalars(select(MATCHES.c.id).order_by(MATCHES.c.id)))


async def _fetch_list(connection: AsyncConnection, *where: ColumnElement[bool]) -> list[MatchListRow]:
    return await fetch_rows(connection, MatchListRow, _select_ordered_list(*where))


def _select_joined(row_type: type[Any]) -> Select[Any]:
    """Select matches with both players and, once both have picked, their picks."""
    first, second = PEOPLE.alias("first_person"), PEOPLE.alias("second_person")
    first_picks, second_picks = PICKS.alias("first_picks"), PICKS.alias("second_picks")
    both_picked = and_(first_picks.c.pick.is_not(None), second_picks.c.pick.is_not(None))
    sources = {
        **MATCHES.c,
        "first_name": first.c.name,
        "second_name": second.c.name,
        "first_alias": first.c.alias,
        "second_alias": second.c.alias,
        "first_notices": first.c.notices,
        "second_notices": second.c.notices,
        "first_picked": first_picks.c.pick.is_not(None),
        "second_picked": second_picks.c.pick.is_not(None),
        "first_pick": case((both_picked, first_picks.c.pick)),
        "second_pick": case((both_picked, second_picks.c.pick)),
        "post": func.coalesce(latest_board_post_subquery(MATCHES.c.id), MATCHES.c.post),
        "has_board": MATCHES.c.position.is_not(None),
        "offer_kind": OFFERS.c.kind,
        "offer_by": OFFERS.c.by,
        **{
            f"{seat}_preferences": select(PREFERENCES.c.text)
            .where(PREFERENCES.c.account == MATCHES.c[seat])
            .scalar_subquery()
            for seat in ("first", "second")
        },
        "beat_at": last_heartbeat_subquery(),
    }
    source = (
        MATCHES.join(first, first.c.account == MATCHES.c.first)
        .join(second, second.c.account == MATCHES.c.second)
        .outerjoin(
            first_picks, and_(first_picks.c.match == MATCHES.c.id, first_picks.c.person == MATCHES.c.first)
        )
        .outerjoin(
            second_picks,
            and_(second_picks.c.match == MATCHES.c.id, second_picks.c.person == MATCHES.c.second),
        )
        .outerjoin(OFFERS, OFFERS.c.id == MATCHES.c.pending_offer)
    )
    return select(*columns_for(row_type, sources)).select_from(source)


@cache
def _select() -> Select[Any]:
    return _select_joined(MatchRow).where(MATCHES.c.id == bindparam("match"))


@cache
def _select_for_update() -> Select[Any]:
    return _select().with_for_update(of=MATCHES)


@cache
def _select_list() -> Select[Any]:
    return _select_joined(MatchListRow)


def _select_ordered_list(*where: ColumnElement[bool]) -> Select[Any]:
    return _select_list().where(*where).order_by(MATCHES.c.changed_at, MATCHES.c.id)


@cache
def _select_list_for_mover() -> Select[Any]:
    account: ColumnElement[str] = bindparam("account")
    return _select_ordered_list(
        or_(MATCHES.c.first == account, MATCHES.c.second == account),
        without_index(MATCHES.c.place) == bindparam("channel"),
        MATCHES.c.mover == account,
    )


@cache
def _select_outlines(*, of_person: bool) -> Select[Any]:
    sources = {
        **MATCHES.c,
        **{
            f"{seat}_picked": exists().where(PICKS.c.match == MATCHES.c.id, PICKS.c.person == MATCHES.c[seat])
            for seat in ("first", "second")
        },
        "first_key": seat_keys.generation_of(MATCHES.c.id, MATCHES.c.first),
        "second_key": seat_keys.generation_of(MATCHES.c.id, MATCHES.c.second),
    }
    is_seated = or_(MATCHES.c.first == bindparam("account"), MATCHES.c.second == bindparam("account"))
    return select(*columns_for(OutlineRow, sources)).where(
        is_seated if of_person else MATCHES.c.id.in_(bindparam("numbers", expanding=True)),
        without_index(MATCHES.c.state).in_(bindparam("states", expanding=True)),
    )


@cache
def _update_statement(column_names: tuple[str, ...], dialect: str) -> Update:
    where = (MATCHES.c.id == bindparam("b_match"), MATCHES.c.ply == bindparam("b_ply"))
    statement = update(MATCHES).where(*where).values({name: bindparam(name) for name in column_names})
    return with_notification(statement, dialect)


@cache
def _select_moves() -> Select[Any]:
    condition = MOVES.c.match == bindparam("match")
    return select_rows(MoveRow, MOVES).where(condition).order_by(MOVES.c.ply)


@cache
def _select_recent_moves() -> Select[Any]:
    at = MOVES.alias("at")
    turn = (
        select(at.c.turn)
        .where(at.c.match == bindparam("match"), at.c.ply == bindparam("ply"))
        .scalar_subquery()
    )
    return _select_moves().where(MOVES.c.ply <= bindparam("ply"), MOVES.c.turn >= turn - 2)
