"""Packed logs: all moves of a finished match in one row, without their positions.

The text of a packed log is six lines, compressed with zlib and written in Base64:

1. the names of the sides,
2. a digit for each move: the index of its side in the first line,
3. a digit for each move: 0 if the account in the match's column "first" made it, 1 for that in "second",
4. a digit for each move: by how much the number of its turn exceeds that of the move before,
5. the time of the first move in milliseconds since 1970 UTC, then the milliseconds from each to the next,
6. the texts of the moves.

So a packed log names no person, and nothing in it has to change when a person's data are erased.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, exists, func, insert, or_, select, update

from storage.outbox import BOARD_KINDS
from storage.statements import columns_for, convert_rows
from storage.tables import IS_UNPACKED, MATCHES, MOVES, OUTBOX, PACKED_LOGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection

Players = tuple[str, str]
_DIGITS = range(10)


@dataclass(frozen=True, slots=True)
class MoveRow:
    """One move of the log. `position` is the position after it, None in a packed log."""

    ply: int
    turn: int
    side: str
    person: str
    text: str
    position: str | None
    played_at: int


@dataclass(frozen=True, slots=True)
class PackedLog:
    """The moves of a packed log, in order, with the ply of the last complete turn of the match."""

    match: int
    turn_ply: int
    moves: list[MoveRow]


def format_log(moves: Sequence[MoveRow], players: Players) -> str | None:
    """Return the text of a packed log; None for a log that cannot be packed without losing something."""
    sides = sorted({move.side for move in moves})
    turns = [0, *(move.turn for move in moves)]
    times = [0, *(move.played_at for move in moves)]
    steps = [later - earlier for earlier, later in pairwise(turns)]
    if not {move.person for move in moves} <= set(players) or not set(steps) <= set(_DIGITS):
        return None
    lines = (
        " ".join(sides),
        "".join(str(sides.index(move.side)) for move in moves),
        "".join(str(players.index(move.person)) for move in moves),
        "".join(map(str, steps)),
        " ".join(str(later - earlier) for earlier, later in pairwise(times)),
        " ".join(move.text for move in moves),
    )
    text = compress_lines("\n".join(lines))
    is_complete = parse_log(text, players) == [replace(move, position=None) for move in moves]
    return text if is_complete else None


def compress_lines(lines: str) -> str:
    """Return the text of a packed log with these six lines."""
    return b64encode(zlib.compress(lines.encode(), zlib.Z_BEST_COMPRESSION)).decode("ascii")


def decompress_lines(text: str) -> str:
    """Return the six lines of a packed log. Raises ValueError if the text is damaged."""
    try:
        return zlib.decompress(b64decode(text, validate=True)).decode()
    except zlib.error as error:
        raise ValueError(str(error)) from error


def parse_log(text: str, players: Players) -> list[MoveRow]:
    """Return the moves of a packed log. Raises ValueError if the text is damaged."""
    try:
        sides, side, player, turn, times, moves = decompress_lines(text).split("\n")
        columns = (
            accumulate(map(int, turn)),
            [sides.split()[int(digit)] for digit in side],
            [players[int(digit)] for digit in player],
            moves.split(),
            accumulate(map(int, times.split())),
        )
        rows = list(zip(*columns, strict=True))
    except (ValueError, IndexError) as error:
        raise ValueError(f"A packed log is damaged: {error}") from error
    return [
        MoveRow(ply, turn_number, side_name, person, move, None, played_at)
        for ply, (turn_number, side_name, person, move, played_at) in enumerate(rows, start=1)
    ]


async def list_moves(connection: AsyncConnection, match: int) -> list[MoveRow]:
    """Return the moves of a match whose log is packed, in order; none if it is not."""
    return next((log.moves for log in await list_logs(connection, [match])), [])


async def list_logs(connection: AsyncConnection, ids: Sequence[int]) -> list[PackedLog]:
    """Return the packed logs of those of these matches that have one, in no particular order."""
    if not ids:
        return []
    rows = await connection.execute(_select_logs().where(MATCHES.c.id.in_(ids)))
    return [PackedLog(row.id, row.turn_ply, parse_log(row.text, (row.first, row.second))) for row in rows]


async def list_logs_of(connection: AsyncConnection, account: str) -> list[PackedLog]:
    """Return the packed logs of the matches of a person, by the number of the match."""
    own = or_(MATCHES.c.first == account, MATCHES.c.second == account)
    rows = await connection.execute(_select_logs().where(own).order_by(MATCHES.c.id))
    return [PackedLog(row.id, row.turn_ply, parse_log(row.text, (row.first, row.second))) for row in rows]


def _select_logs() -> Select[Any]:
    match = MATCHES.c
    return select(match.id, match.turn_ply, match.first, match.second, PACKED_LOGS.c.text).join(
        PACKED_LOGS, PACKED_LOGS.c.match == match.id
    )


async def has_unpacked(connection: AsyncConnection, before: int) -> bool:
    """Return whether a match that ended before `before` (milliseconds since 1970 UTC) is to be packed."""
    return (await connection.execute(_select_unpacked(before, 1))).first() is not None


async def pack(connection: AsyncConnection, before: int, limit: int) -> int:
    """Pack up to `limit` matches that ended before `before`, the longest finished first; return how many.

    Those with an announcement that is still to be sent are left for later. Their moves become packed logs.
    Their clocks are deleted, and their delivered announcements except the latest post with the board. A log
    that cannot be packed stays as it is. Two processes never pack the same match.
    """
    statement = _select_unpacked(before, limit).with_for_update(skip_locked=True, of=MATCHES)
    found = (await connection.execute(statement)).all()
    players: dict[int, Players] = {row.id: (row.first, row.second) for row in found}
    if players:
        await _pack_moves(connection, players)
        await _delete_announcements(connection, list(players))
        await connection.execute(
            update(MATCHES).where(MATCHES.c.id.in_(players)).values(packed=True, clock=None)
        )
    return len(players)


def _select_unpacked(before: int, limit: int) -> Select[Any]:
    unsent = exists().where(OUTBOX.c.match == MATCHES.c.id, OUTBOX.c.sent_at.is_(None))
    return (
        select(MATCHES.c.id, MATCHES.c.first, MATCHES.c.second)
        .where(IS_UNPACKED, MATCHES.c.changed_at < before, ~unsent)
        .order_by(MATCHES.c.changed_at)
        .limit(limit)
    )


async def _pack_moves(connection: AsyncConnection, players: dict[int, Players]) -> None:
    logs: dict[int, list[MoveRow]] = {}
    statement = select(MOVES.c.match, *columns_for(MoveRow, dict(MOVES.c))).where(MOVES.c.match.in_(players))
    for match, *row in await connection.execute(statement.order_by(MOVES.c.match, MOVES.c.ply)):
        logs.setdefault(match, []).extend(convert_rows(MoveRow, [row]))
    texts = {match: format_log(moves, players[match]) for match, moves in logs.items()}
    rows = [{"match": match, "text": text} for match, text in texts.items() if text is not None]
    if rows:
        await connection.execute(insert(PACKED_LOGS), rows)
        await connection.execute(delete(MOVES).where(MOVES.c.match.in_([row["match"] for row in rows])))


async def _delete_announcements(connection: AsyncConnection, ids: Sequence[int]) -> None:
    table = OUTBOX.c
    latest_post = select(func.max(table.id)).where(
        table.match.in_(ids), table.kind.in_(BOARD_KINDS), table.post.is_not(None), table.to.is_(None)
    )
    kept = list((await connection.execute(latest_post.group_by(table.match))).scalars())
    challenges = select(MATCHES.c.challenge).where(MATCHES.c.id.in_(ids))
    is_sent = table.sent_at.is_not(None)
    of_match = delete(OUTBOX).where(table.match.in_(ids), is_sent, table.id.not_in(kept))
    await connection.execute(of_match)
    await connection.execute(delete(OUTBOX).where(table.challenge.in_(challenges), is_sent))
