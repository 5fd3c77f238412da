"""The names of a table that its picture cannot write: numbers stand for them, which a text explains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from render.tables.bracket import Bracket
from render.tables.cross_table import CrossTable
from render.tables.lettering import clean_name, is_readable
from render.tables.ranking import MAX_RANKING_ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from render.tables.ranking import Ranking


def list_numbered(table: CrossTable | Ranking | Bracket) -> tuple[tuple[int, str], ...]:
    """Return the numbers that the picture of a table shows as ``#3``, each with its name.

    It is the place, in a bracket the seed.
    """
    return tuple(
        {
            number: clean_name(name)
            for number, name, handle in _list_names(table)
            if number is not None and name and not is_readable(name, handle)
        }.items()
    )


def _list_names(table: CrossTable | Ranking | Bracket) -> Iterator[tuple[int | None, str, str]]:
    if isinstance(table, Bracket):
        for duels in table.rounds:
            for duel in duels:
                yield from zip(duel.seeds, (duel.upper, duel.lower), duel.handles, strict=True)
    elif isinstance(table, CrossTable):
        yield from ((place, row.name, row.handle) for place, row in enumerate(table.rows, 1))
    else:
        yield from ((row.place, row.name, row.handle) for row in table.rows[:MAX_RANKING_ROWS])
