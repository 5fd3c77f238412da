"""Records of a person's matches that others have imported: their headers name the players."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.records import format_moment, format_record, parse_record
from matches.personal_data.stand_ins import DELETED_NAME
from matches.times import from_millis
from storage.people import personal_data

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from engine.game import Game
    from storage import Connection

BEGAN_HEADER = re.compile(r'^\[Began "([^"]+)"\]$', re.MULTILINE)
_DIGEST_BYTES = 32


async def forget_player(connection: Connection, account: str, games: Mapping[str, Game]) -> None:
    """Replace the name of a person who is being erased in all records of their matches.

    Such a record has the game of the match, and began in the same second. So it would say whose moves those
    of the deleted player are. Names that its author typed elsewhere in it, such as in a comment, stay.
    """
    opponents: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for game, made_at, name in await personal_data.list_opponents(connection, account):
        opponents[game, format_moment(from_millis(made_at))].add(name)
    for number, game, head in await personal_data.list_record_heads(
        connection, {one for one, _ in opponents}
    ):
        found = BEGAN_HEADER.search(head)
        if found and (names := opponents.get((game, found[1]))):
            text = await personal_data.get_record_text(connection, number)
            changed = await asyncio.to_thread(_without_player, text, games, names)
            # The checksum would still fit the name.
            await personal_data.replace_record(connection, number, changed, secrets.token_hex(_DIGEST_BYTES))


def _without_player(text: str, games: Mapping[str, Game], opponents: Collection[str]) -> str:
    """Return a record without the name of the player who is not among `opponents`; of both if in doubt."""
    record = parse_record(text, games)
    is_clear = sum(name in opponents for name in record.players) == 1
    first, second = (
        name if not name or (is_clear and name in opponents) else DELETED_NAME for name in record.players
    )
    return format_record(replace(record, players=(first, second)))
