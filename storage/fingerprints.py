"""A query for many matches at once that shows whether anything has changed in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, select

from storage.statements import columns_for, convert_rows
from storage.tables import CHALLENGES, MATCHES, PICKS, SERVICE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class FingerprintRow:
    """What changes when something happens in a match.

    `turn_ply` is the ply of the last complete turn, `picks` the number of picks made, `standing` the pending
    offer, `rematch` the match that is a rematch of this one. `lost` is the total downtime in milliseconds,
    None before the first heartbeat. The players change when somebody's data are erased.
    """

    id: int
    state: str
    first: str
    second: str
    turn_ply: int
    picks: int
    standing: int | None
    rematch: int | None
    takebacks: int
    outcome: str | None
    reason: str | None
    clock: str | None
    deadline: int | None
    lost: int | None


async def load(connection: AsyncConnection, ids: Sequence[int]) -> list[FingerprintRow]:
    """Return the rows of those of these matches that exist, in no particular order."""
    rows = (await connection.execute(_select(), {"numbers": list(ids)})).all()
    return convert_rows(FingerprintRow, rows)


@cache
def _select() -> Select[Any]:
    pick_count = select(func.count()).where(PICKS.c.match == MATCHES.c.id).scalar_subquery()
    later = MATCHES.alias("later")
    rematch = (
        select(func.min(later.c.id))
        .join(CHALLENGES, later.c.challenge == CHALLENGES.c.id)
        .where(CHALLENGES.c.rematch_of == MATCHES.c.id)
        .correlate(MATCHES)
        .scalar_subquery()
    )
    lost = select(SERVICE.c.lost).scalar_subquery()
    sources = {**MATCHES.c, "picks": pick_count, "rematch": rematch, "lost": lost}
    return select(*columns_for(FingerprintRow, sources)).where(
        MATCHES.c.id.in_(bindparam("numbers", expanding=True))
    )
