"""Packed logs: all moves of a finished match in one row, without their positions.

The text of a packed log is a tilde and, in Base85, these bytes:

- the CRC-32 of all that follows (4 bytes), and the number of bytes of each time (1 byte),
- compressed with DEFLATE, five lines: the names of the sides; a digit for each move, the index of its side
  among them; a digit for each move, 0 if the account in the match's column "first" made it, 1 for that in
  "second"; a digit for each move, by how much the number of its turn exceeds that of the move before; the
  texts of the moves,
- the milliseconds from the beginning of the match to the first move, and from each move to the next, as
  signed numbers, the most significant byte first.

Logs that were packed before are Base64 of the same five lines, compressed with zlib, with the times as
numbers in a line before the last one. There the first number is the time of the first move since 1970 UTC.

So a packed log names no person, and nothing in it has to change when a person's data are erased.
"""

from __future__ import annotations

import asyncio
import zlib
from base64 import b64decode, b85decode, b85encode
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, delete, exists, func, insert, null, or_, select, update

from storage.posting.outbox import latest_board_post_subquery
from storage.statements import columns_for, convert_rows, has_row, is_not_newest
from storage.tables import (
    CHALLENGES,
    CLEANED_POSTS,
    IS_UNPACKED,
    MATCHES,
    MOVES,
    OUTBOX,
    PACKED_LOGS,
    PICKS,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection

Players = tuple[str, str]
_DIGITS = range(10)
_MARK = "~"  # the first character of a log, unless it was packed before; not one of Base64
_CHECKSUM = 4  # bytes


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


def format_log(moves: Sequence[MoveRow], players: Players, began_at: int) -> str | None:
    """Return the text of a packed log; None for a log that cannot be packed without losing something.

    `began_at` is when the match began, in milliseconds since 1970 UTC.
    """
    sides = sorted({move.side for move in moves})
    turns = [0, *(move.turn for move in moves)]
    times = [began_at, *(move.played_at for move in moves)]
    steps = [later - earlier for earlier, later in pairwise(turns)]
    if not {move.person for move in moves} <= set(players) or not set(steps) <= set(_DIGITS):
        return None
    lines = (
        " ".join(sides),
        "".join(str(sides.index(move.side)) for move in moves),
        "".join(str(players.index(move.person)) for move in moves),
        "".join(map(str, steps)),
        " ".join(move.text for move in moves),
    )
    text = _encode("\n".join(lines), [later - earlier for earlier, later in pairwise(times)])
    is_complete = parse_log(text, players, began_at) == [replace(move, position=None) for move in moves]
    return text if is_complete else None


def _encode(lines: str, times: Sequence[int]) -> str:
    size = max((time.bit_length() // 8 + 1 for time in times), default=1)
    data = b"".join(
        (
            bytes([size]),
            zlib.compress(lines.encode(), zlib.Z_BEST_COMPRESSION, wbits=-zlib.MAX_WBITS),
            *(time.to_bytes(size, "big", signed=True) for time in times),
        )
    )
    return _MARK + b85encode(zlib.crc32(data).to_bytes(_CHECKSUM, "big") + data).decode("ascii")


def _decode(text: str) -> tuple[str, list[int]]:
    """Return the lines and the times of a packed log. Raises ValueError if the text is damaged."""
    found = b85decode(text.removeprefix(_MARK))
    checksum, data = found[:_CHECKSUM], found[_CHECKSUM:]
    if int.from_bytes(checksum, "big") != zlib.crc32(data):
        raise ValueError("the checksum is wrong")
    decompressor = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    lines, size = decompressor.decompress(data[1:]).decode(), data[0]
    times = decompressor.unused_data
    return lines, [
        int.from_bytes(times[start : start + size], "big", signed=True)
        for start in range(0, len(times), size)
    ]


def _decode_earlier(text: str, began_at: int) -> tuple[str, list[int]]:
    """Return the lines and the times of a log that was packed before. Raises ValueError."""
    *lines, times, moves = zlib.decompress(b64decode(text, validate=True)).decode().split("\n")
    found = [int(one) for one in times.split()]
    return "\n".join([*lines, moves]), [one - began_at for one in found[:1]] + found[1:]


def parse_log(text: str, players: Players, began_at: int) -> list[MoveRow]:
    """Return the moves of a packed log. Raises ValueError if the text is damaged.

    `began_at` is when the match began, in milliseconds since 1970 UTC.
    """
    try:
        lines, times = _decode(text) if text.startswith(_MARK) else _decode_earlier(text, began_at)
        sides, side, player, turn, moves = lines.split("\n")
        columns = (
            accumulate(map(int, turn)),
            [sides.split()[int(digit)] for digit in side],
            [players[int(digit)] for digit in player],
            moves.split(),
            (began_at + time for time in accumulate(times)),
        )
        rows = list(zip(*columns, strict=True))
    except (ValueError, IndexError, zlib.error) as error:
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
    return [_parse_row(row) for row in rows]


async def list_logs_of(connection: AsyncConnection, account: str) -> list[PackedLog]:
    """Return the packed logs of the matches of a person, by the number of the match."""
    own = or_(MATCHES.c.first == account, MATCHES.c.second == account)
    rows = (await connection.execute(_select_logs().where(own).order_by(MATCHES.c.id))).all()
    # Somebody may have thousands of matches.
    return await asyncio.to_thread(lambda: [_parse_row(row) for row in rows])


def _select_logs() -> Select[Any]:
    match = MATCHES.c
    columns = (match.id, match.turn_ply, match.first, match.second, match.made_at)
    return select(*columns, PACKED_LOGS.c.text).join(PACKED_LOGS, PACKED_LOGS.c.match == match.id)


def _parse_row(row: Any) -> PackedLog:
    return PackedLog(row.id, row.turn_ply, parse_log(row.text, (row.first, row.second), row.made_at))


async def has_unpacked(connection: AsyncConnection, before: int) -> bool:
    """Return whether a match that ended before `before` (milliseconds since 1970 UTC) is to be packed."""
    return await has_row(connection, _select_unpacked(before, 1))


async def pack(connection: AsyncConnection, before: int, limit: int) -> int:
    """Pack up to `limit` matches that ended before `before`, the longest finished first; return how many.

    Those with an announcement that is still to be sent are left for later. Their moves become packed logs.
    Their clocks, challenges and announcements are deleted; the latest post with the board is kept with the
    match. A log that cannot be packed stays as it is. Two processes never pack the same match.
    """
    statement = _select_unpacked(before, limit).with_for_update(skip_locked=True, of=MATCHES)
    found = {row.id: row for row in await connection.execute(statement)}
    if found:
        await _pack_moves(connection, found)
        await _pack_matches(connection, [*found])
        await _delete_announcements(connection, [*found])
        await _delete_challenges(connection, [row.challenge for row in found.values()])
    return len(found)


def _select_unpacked(before: int, limit: int) -> Select[Any]:
    unsent = exists().where(OUTBOX.c.match == MATCHES.c.id, OUTBOX.c.sent_at.is_(None))
    return (
        select(MATCHES.c.id, MATCHES.c.challenge, MATCHES.c.first, MATCHES.c.second, MATCHES.c.made_at)
        .where(IS_UNPACKED, MATCHES.c.changed_at < before, ~unsent)
        .order_by(MATCHES.c.changed_at)
        .limit(limit)
    )


async def _pack_moves(connection: AsyncConnection, found: Mapping[int, Any]) -> None:
    logs: dict[int, list[MoveRow]] = {}
    statement = select(MOVES.c.match, *columns_for(MoveRow, dict(MOVES.c))).where(MOVES.c.match.in_(found))
    for match, *row in await connection.execute(statement.order_by(MOVES.c.match, MOVES.c.ply)):
        logs.setdefault(match, []).extend(convert_rows(MoveRow, [row]))
    texts = {
        match: format_log(moves, (found[match].first, found[match].second), found[match].made_at)
        for match, moves in logs.items()
    }
    rows = [{"match": match, "text": text} for match, text in texts.items() if text is not None]
    if rows:
        await connection.execute(insert(PACKED_LOGS), rows)
        await connection.execute(delete(MOVES).where(MOVES.c.match.in_([row["match"] for row in rows])))


async def _pack_matches(connection: AsyncConnection, ids: Sequence[int]) -> None:
    post = func.coalesce(latest_board_post_subquery(MATCHES.c.id), MATCHES.c.post)
    values = {"packed": True, "clock": None, "post": post}
    await connection.execute(update(MATCHES).where(MATCHES.c.id.in_(ids)).values(values))


async def _delete_announcements(connection: AsyncConnection, ids: Sequence[int]) -> None:
    """Delete the announcements of some matches and their challenges, and the marks of edited posts."""
    table = OUTBOX.c
    challenges = select(MATCHES.c.challenge).where(MATCHES.c.id.in_(ids))
    for subject in (table.match.in_(ids), table.challenge.in_(challenges)):
        await connection.execute(
            delete(OUTBOX).where(subject, table.sent_at.is_not(None), is_not_newest(OUTBOX))
        )
    await connection.execute(delete(CLEANED_POSTS).where(CLEANED_POSTS.c.match.in_(ids)))


async def _delete_challenges(connection: AsyncConnection, ids: Sequence[int | None]) -> None:
    """Delete those of these challenges whose contents are all in their matches.

    A simultaneous choice changes the options that were agreed.
    """
    table, announced = CHALLENGES.c, exists().where(OUTBOX.c.challenge == CHALLENGES.c.id)
    of_match = and_(MATCHES.c.challenge == CHALLENGES.c.id, PICKS.c.match == MATCHES.c.id)
    statement = select(table.id).where(
        table.id.in_([one for one in ids if one is not None]),
        table.record.is_(None),
        table.rematch_of.is_(None),
        ~announced,
        ~exists().where(of_match),
        is_not_newest(CHALLENGES),
    )
    found = list(await connection.scalars(statement))
    if found:
        await connection.execute(
            update(MATCHES).where(MATCHES.c.challenge.in_(found)).values(challenge=null())
        )
        await connection.execute(delete(CHALLENGES).where(table.id.in_(found)))
