"""Reading the opening explorer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.audience import OUTSIDER, PUBLIC, Audience, MatchAccess
from matches.explorer.counting import OpeningCounts
from matches.explorer.values import (
    ExploredMove,
    ExploredPosition,
    ExploredStart,
    GameFilter,
    Results,
)
from matches.options import parse_options
from matches.values import MatchState
from matches.view_builder import with_shown_names
from matches.views import summary_from_row
from storage.match import explorer, matches

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Game
    from matches.audience import Reader
    from matches.explorer.lines import ExplorerBoard
    from matches.match_view import MatchSummary
    from storage import Connection, Database

MAX_STARTS = 12
MAX_EXAMPLES = 5
MAX_CANDIDATES = 15  # games of which the examples are chosen; a few may not be public any more


class Explorer:
    """The opening explorer of a database. `counts` keeps it up to date."""

    def __init__(self, database: Database, games: Mapping[str, Game]) -> None:
        self._database = database
        self._games = games
        self.counts = OpeningCounts(database, games)

    async def load(
        self, board: ExplorerBoard, games: GameFilter = GameFilter.PEOPLE, reader: Reader = OUTSIDER
    ) -> ExploredPosition:
        """Return what was played in a position in public games, with examples that `reader` may see."""
        position, players = board.fingerprint, games.players
        async with self._database.read() as connection:
            rows = await explorer.sum_moves(connection, position, players)
            candidates = await explorer.list_examples(connection, position, players, MAX_CANDIDATES)
            examples = await self._load_examples(connection, candidates, reader)
        return ExploredPosition(
            tuple(ExploredMove(move, Results(*results)) for move, *results in rows), examples
        )

    async def list_starts(self, game: str) -> tuple[ExploredStart, ...]:
        """Return the starts of a game with most public games, the most frequent first."""
        async with self._database.read() as connection:
            found = await explorer.list_starts(connection, game, MAX_STARTS)
        return tuple(ExploredStart(parse_options(options), games) for options, games in found.items())

    async def _load_examples(
        self, connection: Connection, candidates: Sequence[int], reader: Reader
    ) -> tuple[MatchSummary, ...]:
        """Return those of the candidates that are public now, with the names that the reader sees."""
        wanted = list(dict.fromkeys(candidates))[:MAX_CANDIDATES]
        found = {row.id: row for row in await matches.list_by_ids(connection, wanted)}
        shown = []
        for row in (found[match] for match in wanted if match in found):
            access = MatchAccess(Audience(row.audience), row.server, (row.first, row.second))
            names = reader.names_in(access)
            if row.state == MatchState.OVER and row.audience in PUBLIC and names is not None:
                shown.append(summary_from_row(with_shown_names(row, names), self._games))
        return tuple(shown[:MAX_EXAMPLES])
