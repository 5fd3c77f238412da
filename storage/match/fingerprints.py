"""A query for many matches at once that shows whether anything has changed in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, select

from storage.statements import columns_for, fetch_rows
from storage.tables import CHALLENGES, MATCHES, PEOPLE, PICKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class FingerprintRow:
    """What changes when something happens in a match.

    `turn_ply` is the ply of the last complete turn, `picks` the number of picks made, `pending_offer` its id,
    `rematch` the match that is a rematch of this one. `lost` is the time given back after outages,
    in milliseconds. The players change when somebody's data are erased. The aliases are their names for
    public pages.
    """

    id: int
    state: str
    server: str
    audience: str
    first: str
    first_name: str
    first_alias: str | None
    second: str
    second_name: str
    second_alias: str | None
    turn_ply: int
    picks: int
    pending_offer: int | None
    rematch: int | None
    takebacks: int
    outcome: str | None
    reason: str | None
    clock: str | None
    deadline: int | None
    lost: int


async def load(connection: AsyncConnection, ids: Sequence[int]) -> list[FingerprintRow]:
    """Return the rows of those of these matches that exist, in no particular order."""
    return await fetch_rows(connection, FingerprintRow, _select(), {"numbers": list(ids)})


@cache
def _select() -> Select[Any]:
    return select_matches(FingerprintRow)


def select_matches(row_type: type[FingerprintRow], **more: ColumnElement[Any]) -> Select[Any]:
    """Select the fingerprints of the matches `numbers`, for rows that have these columns besides."""
    pick_count = select(func.count()).where(PICKS.c.match == MATCHES.c.id).scalar_subquery()
    later = MATCHES.alias("later")
    rematch = (
        select(func.min(later.c.id))
        .join(CHALLENGES, later.c.challenge == CHALLENGES.c.id)
        .where(CHALLENGES.c.rematch_of == MATCHES.c.id)
        .correlate(MATCHES)
        .scalar_subquery()
    )
    first, second = PEOPLE.alias("first_person"), PEOPLE.alias("second_person")
    sources = {
        **MATCHES.c,
        "picks": pick_count,
        "rematch": rematch,
        "first_name": first.c.name,
        "first_alias": first.c.alias,
        "second_name": second.c.name,
        "second_alias": second.c.alias,
        **more,
    }
    return (
        select(*columns_for(row_type, sources))
        .join_from(MATCHES, first, first.c.account == MATCHES.c.first)
        .join(second, second.c.account == MATCHES.c.second)
        .where(MATCHES.c.id.in_(bindparam("numbers", expanding=True)))
    )
