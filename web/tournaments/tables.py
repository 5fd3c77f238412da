"""Tables of a tournament for templates: the cross table with all results, and the order alone."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from i18n.tournament_log import explain_place
from matches.tournaments.results import format_points
from matches.tournaments.values import Kind
from web.tournaments.results import mark_game

if TYPE_CHECKING:
    from matches.tournaments.results import EntrantId
    from matches.tournaments.values import GroupView, TableRow
    from web.tournaments.names import Names
    from web.tournaments.results import Mark

MAX_CROSS = 12  # entrants of a cross table; more do not fit a phone
CROSS_KINDS = frozenset({Kind.ROUND_ROBIN, Kind.LEAGUE})


def table_context(names: Names, kind: Kind, group: GroupView, *, start: int, size: int) -> dict[str, Any]:
    """Return the template context of `size` lines of a table from the line `start` on.

    `columns` are the entrants of a cross table in the order of places; without them it is a mere order.
    """
    order = group.entrants
    is_cross = kind in CROSS_KINDS and 1 < len(order) <= MAX_CROSS
    marks = _collect_marks(names, group) if is_cross else {}
    shown = group.table[start : start + size]
    is_decided = all(row.best == row.worst for row in group.table)
    rows = [
        _row_context(names, row, group.table)
        | {"cells": _list_cells(order, row.entrant, marks) if is_cross else []}
        for row in shown
    ]
    return {
        "number": group.number,
        "columns": [(place, names.name(one)) for place, one in enumerate(order, 1)] if is_cross else [],
        "rows": rows,
        "has_reach": not is_decided and kind is not Kind.KNOCK_OUT,
        "has_moves": any(row.is_promoted or row.is_relegated for row in group.table),
    }


def _collect_marks(names: Names, group: GroupView) -> dict[tuple[EntrantId, EntrantId], list[Mark]]:
    """Return the marks of all games by the entrant of the line and the opponent."""
    marks: dict[tuple[EntrantId, EntrantId], list[Mark]] = defaultdict(list)
    for game in group.games:
        if game.second is not None:
            marks[game.first, game.second].append(mark_game(names, game, game.first))
            marks[game.second, game.first].append(mark_game(names, game, game.second))
    return marks


def _list_cells(
    order: tuple[EntrantId, ...], entrant: EntrantId, marks: dict[tuple[EntrantId, EntrantId], list[Mark]]
) -> list[tuple[int, list[Mark] | None]]:
    """Return the cells of a line, each with the number of its column; None for the entrant's own."""
    return [
        (place, None if one == entrant else marks.get((entrant, one), []))
        for place, one in enumerate(order, 1)
    ]


def _row_context(names: Names, row: TableRow, table: tuple[TableRow, ...]) -> dict[str, Any]:
    return {
        "place": row.place,
        "entrant": names.item(row.entrant),
        "points": format_points(row.points),
        "played": row.played,
        "remaining": row.remaining,
        "best": row.best,
        "worst": row.worst,
        "why": _explain(names, row, table),
        "move": "up" if row.is_promoted else "down" if row.is_relegated else "",
    }


def _explain(names: Names, row: TableRow, table: tuple[TableRow, ...]) -> str:
    """Return the sentence that says what puts an entrant above the next one; empty if the points do."""
    below = next((one for one in table if one.place == row.place + 1), None)
    return explain_place(names.texts, row, None if below is None else names.item(below.entrant)["person"])
