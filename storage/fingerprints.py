"""Glances at many matches at once: what shows whether anything has happened in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, select

from storage.statements import columns_for, convert_rows
from storage.tables import MATCHES, PICKS, SERVICE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class FingerprintRow:
    """One match. `turn_ply` is the ply of its last complete turn, `picks` counts those that are in.

    `lost` is the time for which the service was down in all, None before it has ever been up.
    """

    id: int
    state: str
    ply: int
    turn_ply: int
    picks: int
    standing: int | None
    takebacks: int
    outcome: str | None
    reason: str | None
    clock: str | None
    deadline: int | None
    lost: int | None


async def load(connection: AsyncConnection, ids: Sequence[int]) -> list[FingerprintRow]:
    """Return these matches, in no order, as far as they are there."""
    rows = (await connection.execute(_select(), {"numbers": list(ids)})).all()
    return convert_rows(FingerprintRow, rows)


@cache
def _select() -> Select[Any]:
    pick_count = select(func.count()).where(PICKS.c.match == MATCHES.c.id).scalar_subquery()
    sources = {**MATCHES.c, "picks": pick_count, "lost": select(SERVICE.c.lost).scalar_subquery()}
    return select(*columns_for(FingerprintRow, sources)).where(
        MATCHES.c.id.in_(bindparam("numbers", expanding=True))
    )
