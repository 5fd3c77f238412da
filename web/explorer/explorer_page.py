"""The opening explorer of a game: what was played on a board in public games, how often, and who won.

The board is in the link, as that of an analysis board. Everything on the page is a link.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from aiohttp import web
from markupsafe import Markup

from i18n import formatting as game_formatting
from i18n.match_texts import format_short_result
from i18n.names import with_own_name
from i18n.writing import Percent
from matches.explorer.lines import MAX_MOVES, ExplorerBoard
from matches.explorer.values import GameFilter
from matches.options import add_random_options
from matches.values import tell_apart
from web.addresses import explorer_path, match_id, match_path
from web.analysis_board.board_link import AnalysisBoard, analysis_path, parse_board, play_board
from web.analysis_board.board_page import format_outcome, list_given
from web.context import CONTEXT
from web.match.access import find_reader, load_match
from web.match.match_page import MatchPage
from web.match.watch import requested_view_options
from web.pages.pages import NO_STORE
from web.pages.rules_pages import book_path
from web.pages.view_options import BoardPicture, ViewOptions
from web.server.forms import redirect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Game, OptionValue, Position, Side
    from matches import MatchSummary
    from matches.explorer.values import ExploredMove, ExploredPosition, ExploredStart, Results
    from web.analysis_board.board_link import PlayedAnalysis
    from web.context import WebContext

MAX_ROWS = 40  # moves in the table; the others are hardly ever played


@dataclass(frozen=True, slots=True)
class ExplorerPage:
    """One page: the board, the games that are counted, and what was played there."""

    context: WebContext
    view_options: ViewOptions
    games: GameFilter
    played: PlayedAnalysis
    found: ExploredPosition
    moves: tuple[ExploredMove, ...]
    starts: tuple[ExploredStart, ...]

    @property
    def game(self) -> Game:
        """The rules of the board."""
        return self.played.position.game

    @property
    def board(self) -> AnalysisBoard:
        """The board in view, without moves after it."""
        board = self.played.board
        return AnalysisBoard(board.start, board.moves_in_view, board.cursor)

    def link(
        self, board: AnalysisBoard, games: GameFilter | None = None, view_options: ViewOptions | None = None
    ) -> str:
        """Return the link to a board, with the same games and the same side at the bottom by default."""
        shown = games or self.games
        more = {} if shown is GameFilter.PEOPLE else {"games": shown.value}
        return _add_query(
            board.url(explorer_path(self.game.name)),
            (view_options or self.view_options).query_string(**more),
        )

    def template_context(self) -> dict[str, Any]:
        """Return the values of the template."""
        context, board, position = self.context, self.board, self.played.position
        texts, side = context.texts, position.to_move
        picture = BoardPicture.of(
            self.view_options.scene(position, self.played.last_events, is_over=side is None)
        )
        total = self.found.results
        return {
            "game": texts(f"game.{self.game.name}.name"),
            "games": [
                (explorer_path(name), texts(f"game.{name}.name"), game is self.game)
                for name, game in context.games.items()
            ],
            "rules_url": book_path(context, position.vocabulary),
            "svg": Markup(picture.svg),  # noqa: S704 - made by the renderer, which escapes all texts
            "sides": [(one.value, self._side_name(one)) for one in self.game.sides],
            "to_move": "" if side is None else self._side_name(side),
            "outcome": format_outcome(context, position),
            "line": self._line_items(),
            "back": self.link(self._shortened(board.cursor - 1)) if board.cursor else "",
            "restart": self.link(self._shortened(0)),
            "flip": self.link(board, view_options=self.view_options.flip(self.game)),
            "analysis": board.url(analysis_path(self.game.name)),
            "filters": [(one.value, one is self.games, self.link(board, one)) for one in GameFilter],
            "rows": [self._row(move, total.games) for move in self.moves],
            "total": self._results(total) if total.games else None,
            "is_deep": board.cursor >= MAX_MOVES,
            "limit": MAX_MOVES,
            "examples": [self._example(match) for match in self.found.games],
            "starts": [self._start_item(start) for start in self.starts],
        }

    def _side_name(self, side: Side) -> str:
        return game_formatting.format_side(self.context.texts, side)

    def _shortened(self, cursor: int) -> AnalysisBoard:
        return AnalysisBoard(self.board.start, self.board.moves[:cursor], cursor)

    def _line_items(self) -> list[tuple[int, str, str]]:
        """Return the number, the text and the link of each move that led to the board."""
        return [
            (number, move, self.link(self._shortened(number)))
            for number, move in enumerate(self.board.moves, 1)
        ]

    def _row(self, move: ExploredMove, games: int) -> dict[str, Any]:
        moves = (*self.board.moves, move.text)
        return {
            "text": move.text,
            "href": self.link(AnalysisBoard(self.board.start, moves, len(moves))),
            "share": self.context.texts.write(Percent(move.results.games / games)),
            **self._results(move.results),
        }

    def _results(self, results: Results) -> dict[str, Any]:
        """Return the number of games, and each share in percent: as a width, and as text."""
        parts = (results.won_by_first, results.drawn, results.won_by_second)
        shares = [part / results.games for part in parts]
        widths = [round(100 * share, 2) for share in shares]
        return {
            "games": results.games,
            "bars": [
                (name, round(sum(widths[:index]), 2), widths[index])
                for index, name in enumerate((self.game.sides[0].value, "draw", self.game.sides[1].value))
                if widths[index]
            ],
            "shares": [self.context.texts.write(Percent(share)) for share in shares],
        }

    def _example(self, match: MatchSummary) -> dict[str, Any]:
        texts = self.context.texts
        first, second = tell_apart(*(with_own_name(texts, seat.person) for seat in match.seats))
        return {
            "href": match_path(match.id),
            "title": texts("web.versus", first=first, second=second),
            "names": (first.name, second.name),
            "result": "" if match.result is None else format_short_result(texts, match.result),
        }

    def _start_item(self, start: ExploredStart) -> dict[str, Any]:
        query = urlencode({name: str(value) for name, value in start.options.items()})
        return {
            "text": game_formatting.format_options(self.context.texts, self.game, start.options),
            "href": _add_query(explorer_path(self.game.name), query),
            "games": start.games,
            "is_shown": self.game.initial_position(**start.options) == self.board.start,
        }


async def first_explorer(request: web.Request) -> web.Response:
    """Redirect to the explorer of the first game; its page links to the others."""
    return redirect(explorer_path(next(iter(request.app[CONTEXT].games))))


async def explorer_page(request: web.Request) -> web.Response:
    """Show the opening explorer of a game at the board of the link, by default the most frequent start."""
    context = request.app[CONTEXT]
    game = context.games.get(request.match_info["game"])
    if game is None:
        raise web.HTTPNotFound
    starts = await context.matches.explorer.list_starts(game.name)
    view_options = ViewOptions.from_request(context.texts, request, game)
    games = _requested_games(request)
    values = dict(list_given(request, explorer_path(game.name)))

    def play() -> tuple[PlayedAnalysis, ExplorerBoard]:
        played = play_board(_parse(game, values, starts))
        return played, ExplorerBoard.of(played.position)

    played, board = await context.run_in_thread(request, play)
    found = await context.matches.explorer.load(board, games, await find_reader(request))

    def build() -> web.Response:
        page = ExplorerPage(
            context, view_options, games, played, found, board.show(found.moves[:MAX_ROWS]), starts
        )
        return context.pages.respond(request, "explorer.html", **page.template_context())

    answer = await context.run_in_thread(request, build)
    answer.headers.update(NO_STORE)
    return answer


async def explore_match(request: web.Request) -> web.Response:
    """Redirect to the explorer at a turn of a match, by default the latest."""
    context = request.app[CONTEXT]
    cached = await load_match(request, match_id(request))
    view_options = requested_view_options(request, cached)
    page = MatchPage.create(context, cached, view_options, request.query.get("turn"), request.path)
    turns = [cached.replay_turn(number) for number in range(page.turn + 1)]
    moves = tuple(text for turn in turns for text in turn.move_texts)[:MAX_MOVES]
    board = AnalysisBoard(turns[0].position, moves, len(moves))
    url = board.url(explorer_path(cached.view.game))
    return redirect(_add_query(url, view_options.query_string()))


def _requested_games(request: web.Request) -> GameFilter:
    wanted = request.query.get("games")
    return next((one for one in GameFilter if one.value == wanted), GameFilter.PEOPLE)


def _parse(game: Game, values: Mapping[str, str], starts: Sequence[ExploredStart]) -> AnalysisBoard:
    """Return the board of a link, after MAX_MOVES moves at most: no later one is counted. Raises Refusal."""
    has_start = "position" in values or any(option.name in values for option in game.options)
    board = parse_board(game, values, default=None if has_start else _default_start(game, starts))
    moves = board.moves_in_view[:MAX_MOVES]
    return AnalysisBoard(board.start, moves, len(moves))


def _default_start(game: Game, starts: Sequence[ExploredStart]) -> Position:
    """Return the start with most games, or the default one of the game."""
    options: Mapping[str, OptionValue] = starts[0].options if starts else game.complete_options()
    return game.initial_position(**add_random_options(game, options))


def _add_query(url: str, query: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}{query}" if query else url
