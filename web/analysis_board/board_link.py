"""The state of an analysis board, which is all in its link; nothing of it is stored.

The link holds the version of the rules, the position at the start, the line of moves tried from it, and how
many of them are in view. Other lines are those that were left for another move. All but the number in view
stands in the path, so that the hundreds of links on a page name only what they change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from engine.game import GameError
from matches import MoveRefused, Refusal
from matches.options import add_random_options
from matches.turns import play_moves
from web.play.move_form import parse_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self

    from engine.game import Event, Game, Position
    from matches.match_view import PlayedMove

    Line = tuple[str, ...]

MAX_MOVES = 150  # of a line
MAX_OTHER_LINES = 8
MAX_ALL_MOVES = 400  # of all lines, a move that several lines begin with counted once: all are played
MAX_LINK_LENGTH = 6000  # characters of the parameters, so that every server and browser accepts the link
MOVE_SEPARATOR = "."
SAFE_CHARACTERS = "/,~"  # legal in the query of a URL, and frequent in positions and moves


@dataclass(frozen=True, slots=True)
class AnalysisBoard:
    """A position at the start, the moves tried from it, and how many of them are in view.

    `other_lines` are further lines from the same start. `match` is the match that the position is from, for a
    link back; 0 if there is none.
    """

    start: Position
    moves: Line = ()
    cursor: int = 0
    other_lines: tuple[Line, ...] = ()
    match: int = 0

    @property
    def moves_in_view(self) -> Line:
        """The moves in view."""
        return self.moves[: self.cursor]

    @property
    def all_moves(self) -> int:
        """The number of moves in all lines; what several lines begin with counts once."""
        tree: dict[tuple[int, str], int] = {}
        for line in (self.moves, *self.other_lines):
            node = 0
            for move in line:
                node = tree.setdefault((node, move), len(tree) + 1)
        return len(tree)

    def parameters(self) -> list[tuple[str, str]]:
        """Return all that the link holds, in order."""
        return [*self._state(), *self._at()]

    def query(self) -> str:
        """Return the parameters of the link as text."""
        return urlencode(self.parameters(), safe=SAFE_CHARACTERS)

    def url(self, path: str = "") -> str:
        """Return the link, relative to the website, below `path` or that of the game's analysis boards."""
        at = urlencode(self._at())
        url = f"{path or analysis_path(self.start.game.name)}/{self.state_text()}"
        return f"{url}?{at}" if at else url

    def state_text(self) -> str:
        """Return the part of the link's path that holds everything but the number of moves in view."""
        return urlencode(self._state(), safe=SAFE_CHARACTERS)

    def _state(self) -> list[tuple[str, str]]:
        values = [("rules", str(self.start.game.rules_version)), ("position", str(self.start))]
        if self.moves:
            values.append(("moves", MOVE_SEPARATOR.join(self.moves)))
        values += [("line", self._format_other_line(line)) for line in self.other_lines]
        if self.match:
            values.append(("match", str(self.match)))
        return values

    def _at(self) -> list[tuple[str, str]]:
        return [("at", str(self.cursor))] if self.cursor < len(self.moves) else []

    def at(self, cursor: int) -> Self:
        """Return the board with so many moves of the line in view."""
        return replace(self, cursor=max(0, min(cursor, len(self.moves))))

    def with_moves(self, *moves: str) -> Self:
        """Return the board with `moves` played after those in view.

        A line that already goes on with them is followed; otherwise what came after becomes another line.
        Raises Refusal if a link cannot hold that many.
        """
        board = self
        for move in moves:
            board = board._with_move(move)
        if len(board.query()) > MAX_LINK_LENGTH or board.all_moves > MAX_ALL_MOVES:
            raise Refusal("analysis_full")
        return board

    def with_line(self, index: int) -> Self:
        """Return the board with another line in view, up to the first move in which it differs."""
        line = self.other_lines[index]
        others = (*self.other_lines[:index], self.moves, *self.other_lines[index + 1 :])
        cursor = min(_count_shared(line, self.moves) + 1, len(line))
        return replace(self, moves=line, cursor=cursor, other_lines=others)

    def without_line(self, index: int) -> Self:
        """Return the board without another line."""
        return replace(self, other_lines=(*self.other_lines[:index], *self.other_lines[index + 1 :]))

    def _with_move(self, move: str) -> Self:
        line, cursor = (*self.moves_in_view, move), self.cursor + 1
        for index, other in enumerate((self.moves, *self.other_lines)):
            if other[:cursor] == line:
                return (self.with_line(index - 1) if index else self).at(cursor)
        if len(line) > MAX_MOVES:
            raise Refusal("line_full", limit=MAX_MOVES)
        others = self.other_lines
        if self.cursor < len(self.moves):
            others = (*others, self.moves)
        if len(others) > MAX_OTHER_LINES:
            raise Refusal("analysis_lines_full", limit=MAX_OTHER_LINES)
        return replace(self, moves=line, cursor=cursor, other_lines=others)

    def _format_other_line(self, line: Line) -> str:
        """Return the number of moves shared with the line in view, and the moves after them."""
        shared = _count_shared(line, self.moves)
        return MOVE_SEPARATOR.join((str(shared), *line[shared:]))


@dataclass(frozen=True, slots=True)
class PlayedAnalysis:
    """An analysis board whose moves have been played: legal, in canonical notation.

    `moves` are those of the whole line. `error` is the reason why the rest of a line was left out. With
    `is_cut` other lines were left out, because the link had more than MAX_ALL_MOVES.
    """

    board: AnalysisBoard
    moves: tuple[PlayedMove, ...]
    error: MoveRefused | None
    is_cut: bool = False

    @property
    def moves_in_view(self) -> tuple[PlayedMove, ...]:
        """The moves in view."""
        return self.moves[: self.board.cursor]

    @property
    def position(self) -> Position:
        """The position in view."""
        return self.moves[self.board.cursor - 1].position if self.board.cursor else self.board.start

    @property
    def last_events(self) -> tuple[Event, ...]:
        """The events of the last move in view."""
        return self.moves[self.board.cursor - 1].events if self.board.cursor else ()

    def position_before(self, index: int) -> Position:
        """Return the position before a move of the line, counted from 0."""
        return self.moves[index - 1].position if index else self.board.start


def analysis_path(game: str) -> str:
    """Return the path of the analysis boards of a game."""
    return f"/analysis/{game}"


def parse_board(
    game: Game,
    values: Mapping[str, str],
    other_lines: Sequence[str] = (),
    *,
    default: Position | None = None,
    match: int = 0,
) -> AnalysisBoard:
    """Return the board of a link; `default` is its position if it names none.

    Without a default that is the first one of a new game, with the options in the link, or without any those
    for a first game. The moves are not played yet. Raises Refusal.
    """
    position = values.get("position")
    if position is not None:
        start = _load_position(game, values.get("rules"), position)
    else:
        start = default or _initial_position(game, values)
    moves = _split_line(values.get("moves", ""))
    if len(other_lines) > MAX_OTHER_LINES:
        raise Refusal("analysis_too_long")
    others = [_split_line(text) for text in other_lines]
    cursor = parse_number(values["at"]) if "at" in values else len(moves)
    board = AnalysisBoard(
        start=start,
        moves=moves,
        other_lines=tuple(_expand_line(moves, line) for line in others if line),
        match=match or max(0, parse_number(values.get("match", 0))),
    )
    if len(board.query()) > MAX_LINK_LENGTH:
        raise Refusal("analysis_too_long")
    return board.at(cursor) if cursor >= 0 else board.at(len(moves))


def play_board(board: AnalysisBoard) -> PlayedAnalysis:
    """Play the moves of a board. From the first one that is refused on, its line is left out."""
    player = _LinePlayer(board.start)
    moves, error = player.play(board.moves)
    main = tuple(move.text for move in moves)
    others: list[Line] = []
    is_cut = False
    for line in board.other_lines:
        try:
            played, other_error = player.play(line)
        except _TooManyMoves:
            is_cut = True
            break
        other = tuple(move.text for move in played)
        error = error or other_error
        if other != main[: len(other)] and other not in others:
            others.append(other)
    played_board = replace(board, moves=main, other_lines=tuple(others))
    return PlayedAnalysis(played_board.at(board.cursor), moves, error, is_cut)


class _TooManyMoves(Exception):  # noqa: N818 - a limit, not a programming error
    """The lines of a link have more than MAX_ALL_MOVES."""


class _LinePlayer:
    """Plays lines from one position; what several begin with is played once."""

    def __init__(self, start: Position) -> None:
        self._start = start
        # The moves by the number of the move before, 0 for none, and the text; each with its own number.
        self._played: dict[tuple[int, str], tuple[int, PlayedMove]] = {}

    def play(self, line: Line) -> tuple[tuple[PlayedMove, ...], MoveRefused | None]:
        """Return the moves up to the first that is refused, and why it is. Raises _TooManyMoves."""
        moves: list[PlayedMove] = []
        number = 0
        for text in line:
            found = self._played.get((number, text))
            if found is None:
                if len(self._played) == MAX_ALL_MOVES:
                    raise _TooManyMoves
                position = moves[-1].position if moves else self._start
                try:
                    [move] = play_moves(0, position, [text])
                except MoveRefused as error:
                    return tuple(moves), error
                found = self._played[number, text] = (len(self._played) + 1, move)
            number = found[0]
            moves.append(found[1])
        return tuple(moves), None


def _load_position(game: Game, version: str | None, text: str) -> Position:
    rules = game if version is None else game.versions.get(parse_number(version))
    if rules is None:
        raise Refusal("analysis_rules")
    try:
        return rules.load(text[:MAX_LINK_LENGTH])
    except GameError as error:
        raise Refusal("analysis_position", reason=error) from error


def _initial_position(game: Game, values: Mapping[str, str]) -> Position:
    given = {option.name: values[option.name] for option in game.options if option.name in values}
    try:
        options = game.complete_options(**(given or game.first_options))
        return game.initial_position(**add_random_options(game, options))
    except GameError as error:
        raise Refusal("analysis_start", reason=error) from error


def _split_line(text: str) -> Line:
    line = tuple(filter(None, text.split(MOVE_SEPARATOR, MAX_MOVES + 1)))
    if len(line) > MAX_MOVES:
        raise Refusal("analysis_too_long")
    return line


def _expand_line(moves: Line, line: Line) -> Line:
    """Return a whole line from the number of moves that it shares with `moves`, and the moves after them."""
    shared = max(0, parse_number(line[0]))
    return (*moves[:shared], *line[1:])[:MAX_MOVES]


def _count_shared(line: Line, other: Line) -> int:
    pairs = zip(line, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
