"""Views of tournaments as tables that can be drawn."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING

from bot.features.tournaments.brackets import Names, build_bracket
from bot.posts.post import Picture
from i18n.names import name_of
from matches.tournaments.results import DRAW, LOSS, WIN, Decision, GameState
from matches.tournaments.values import Kind
from render import ThemeName
from render.tables.bracket import Bracket, draw_bracket, format_bracket
from render.tables.cross_table import (
    MAX_CROSS_TABLE_ROWS,
    CrossTable,
    CrossTableRow,
    Result,
    draw_cross_table,
    format_cross_table,
)
from render.tables.ranking import Ranking, RankingRow, draw_ranking, format_ranking

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from bot.context import BotClient
    from matches import Reader
    from matches.tournaments.results import EntrantId
    from matches.tournaments.values import GameView, GroupView, TournamentView

CROSS_KINDS = (Kind.ROUND_ROBIN, Kind.LEAGUE)
UNPLAYED = (Decision.BY_DEFAULT, Decision.BLOCKED)
PLAYED = {WIN: Result.WIN, DRAW: Result.DRAW, LOSS: Result.LOSS}
BY_DEFAULT = {WIN: Result.WIN_BY_DEFAULT, DRAW: Result.DRAW, LOSS: Result.LOSS_BY_DEFAULT}

Table = CrossTable | Ranking | Bracket
MAX_HANDLES = 64  # more than a picture shows


async def load_table(client: BotClient, view: TournamentView, group: GroupView, reader: Reader) -> Table:
    """Return the table of a group; of a knock-out the bracket."""
    names = await load_names(client, view, group.entrants, reader)
    return build_bracket(view, names) or build_table(view, group, names)


async def load_names(
    client: BotClient, view: TournamentView, entrants: Sequence[EntrantId], reader: Reader
) -> Names:
    """Return the name of each entrant as its reader reads it, and the handle if the reader may know it."""
    shown = {one.id: one for one in view.entrants}
    persons = [shown[one].person for one in entrants][:MAX_HANDLES]
    account = next(iter(reader.accounts), None)
    handles = await client.matches.people.profiles.find_handles(persons, account)
    return {
        one: (name_of(client.texts, entrant.person), handles.get(entrant.person.account, ""))
        for one, entrant in shown.items()
    }


def build_table(view: TournamentView, group: GroupView, names: Names) -> Table:
    """Return the table of a group: with the results of each pair if everybody meets and it can be read."""
    gone = {one.id for one in view.entrants if one.withdrawn is not None}
    if view.settings.kind in CROSS_KINDS and len(group.table) <= MAX_CROSS_TABLE_ROWS:
        return CrossTable("", _cross_rows(group, names, gone))
    has_points = view.settings.kind is not Kind.LADDER
    rows = (
        RankingRow(
            row.place,
            names[row.entrant][0],
            row.points if has_points else None,
            is_withdrawn=row.entrant in gone,
            handle=names[row.entrant][1],
        )
        for row in group.table
    )
    return Ranking("", tuple(rows))


def format_table(table: Table) -> str:
    """Return a table as lines of fixed pitch."""
    if isinstance(table, Bracket):
        return format_bracket(table)
    return format_cross_table(table) if isinstance(table, CrossTable) else format_ranking(table)


async def draw_table(table: Table, theme: str = ThemeName.RAINBOW) -> Picture:
    """Return a table as a picture, with all of its text; it is drawn in a worker thread."""
    data = await asyncio.to_thread(_draw, table, ThemeName(theme))
    return Picture(data, format_table(table), "table.png")


def _draw(table: Table, theme: ThemeName) -> bytes:
    if isinstance(table, Bracket):
        return draw_bracket(table, theme=theme)
    if isinstance(table, CrossTable):
        return draw_cross_table(table, theme=theme)
    return draw_ranking(table, theme=theme)


def _cross_rows(group: GroupView, names: Names, gone: AbstractSet[EntrantId]) -> tuple[CrossTableRow, ...]:
    results: dict[tuple[EntrantId, EntrantId], list[Result]] = defaultdict(list)
    for game in group.games:
        if game.second is not None and game.state is not GameState.ANNULLED:
            results[game.first, game.second].append(_find_result(game, 0))
            results[game.second, game.first].append(_find_result(game, 1))
    order = group.entrants
    return tuple(
        CrossTableRow(
            names[row.entrant][0],
            row.points,
            tuple(tuple(results[row.entrant, other]) for other in order),
            row.entrant in gone,
            names[row.entrant][1],
        )
        for row in group.table
    )


def _find_result(game: GameView, index: int) -> Result:
    if game.points is None:
        return Result.OPEN if game.state is GameState.OPEN else Result.WAITING
    signs = BY_DEFAULT if game.decision in UNPLAYED else PLAYED
    return signs[game.points[index]]
