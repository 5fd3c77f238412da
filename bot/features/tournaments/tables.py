"""Views of tournaments as tables that can be drawn."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING

from bot.features.tournaments.brackets import load_bracket
from bot.posts.post import Picture
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
    from bot.context import BotClient
    from matches import Reader
    from matches.tournaments.results import EntrantId
    from matches.tournaments.values import GameView, GroupView, TournamentView

CROSS_KINDS = (Kind.ROUND_ROBIN, Kind.LEAGUE)
UNPLAYED = (Decision.BY_DEFAULT, Decision.BLOCKED)
PLAYED = {WIN: Result.WIN, DRAW: Result.DRAW, LOSS: Result.LOSS}
BY_DEFAULT = {WIN: Result.WIN_BY_DEFAULT, DRAW: Result.DRAW, LOSS: Result.LOSS_BY_DEFAULT}

Table = CrossTable | Ranking | Bracket


async def load_table(client: BotClient, view: TournamentView, group: GroupView, reader: Reader) -> Table:
    """Return the table of a group; of a knock-out the bracket."""
    return await load_bracket(client, view, reader) or build_table(view, group)


def build_table(view: TournamentView, group: GroupView, title: str = "") -> Table:
    """Return the table of a group: with the results of each pair if everybody meets and it can be read."""
    if view.settings.kind in CROSS_KINDS and len(group.table) <= MAX_CROSS_TABLE_ROWS:
        return CrossTable(title, _cross_rows(view, group))
    has_points = view.settings.kind is not Kind.LADDER
    rows = (
        RankingRow(
            row.place,
            view.entrant(row.entrant).person.name,
            row.points if has_points else None,
            is_withdrawn=view.entrant(row.entrant).withdrawn is not None,
        )
        for row in group.table
    )
    return Ranking(title, tuple(rows))


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


def _cross_rows(view: TournamentView, group: GroupView) -> tuple[CrossTableRow, ...]:
    results: dict[tuple[EntrantId, EntrantId], list[Result]] = defaultdict(list)
    for game in group.games:
        if game.second is not None and game.state is not GameState.ANNULLED:
            results[game.first, game.second].append(_find_result(game, 0))
            results[game.second, game.first].append(_find_result(game, 1))
    order = group.entrants
    return tuple(
        CrossTableRow(
            view.entrant(row.entrant).person.name,
            row.points,
            tuple(tuple(results[row.entrant, other]) for other in order),
            view.entrant(row.entrant).withdrawn is not None,
        )
        for row in group.table
    )


def _find_result(game: GameView, index: int) -> Result:
    if game.points is None:
        return Result.OPEN if game.state is GameState.OPEN else Result.WAITING
    signs = BY_DEFAULT if game.decision in UNPLAYED else PLAYED
    return signs[game.points[index]]
