"""The rows of a database as they are stored, for checks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import select

from storage.tables import (
    TOURNAMENT_ENTRANTS,
    TOURNAMENT_GAMES,
    TOURNAMENT_LOG,
    TOURNAMENT_STAGES,
    TOURNAMENTS,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Table

    from storage import Database


Row: TypeAlias = "Mapping[Any, Any]"
"""A row of a table, by the names of its columns."""


@dataclass(frozen=True, slots=True)
class Stored:
    """The rows of a tournament; `entrants`, `stages` and `games` by id or number."""

    row: Row
    entrants: dict[int, Row]
    stages: dict[int, Row]
    games: dict[int, Row]
    log: list[Row]

    @property
    def kind(self) -> str:
        return str(self.row["kind"])

    def groups(self, stage: int) -> list[list[int]]:
        """Return who was in which division when a stage began."""
        return [list(group) for group in json.loads(self.stages[stage]["groups"])]

    def games_of(self, stage: int, division: int | None = None) -> list[Row]:
        return [
            one
            for one in self.games.values()
            if one["stage"] == stage and division in {None, one["division"]}
        ]

    def withdrawn(self, stage: int) -> frozenset[int]:
        """Return who had withdrawn until the end of a stage."""
        return frozenset(
            number
            for number, one in self.entrants.items()
            if one["withdrawn"] is not None and (one["withdrawn_in"] or 0) <= stage
        )


async def read_rows(database: Database, table: Table, *where: object) -> Sequence[Row]:
    """Return rows in the order of the primary key."""
    async with database.read() as connection:
        query = select(table).where(*where).order_by(*table.primary_key.columns)  # type: ignore[arg-type]
        return list((await connection.execute(query)).mappings())


async def read_tournament(database: Database, number: int) -> Stored:
    """Return all rows of a tournament."""
    tables = (TOURNAMENT_ENTRANTS, TOURNAMENT_STAGES, TOURNAMENT_GAMES, TOURNAMENT_LOG)
    entrants, stages, games, log = [
        await read_rows(database, table, table.c.tournament == number) for table in tables
    ]
    (row,) = await read_rows(database, TOURNAMENTS, TOURNAMENTS.c.id == number)
    return Stored(
        row,
        {one["id"]: one for one in entrants},
        {one["number"]: one for one in stages},
        {one["id"]: one for one in games},
        list(log),
    )
