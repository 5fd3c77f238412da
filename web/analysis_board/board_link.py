"""The state of an analysis board, which is all in its link; nothing of it is stored.

The link holds the version of the rules, the position at the start, the main line of moves from it, other
lines, and comments on positions. That of a finished match names the match instead, whose game is the main
line. Which line is in view, and how many of its moves, stands in the query and all else in the path, so that
the hundreds of links on a page name only what they change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from engine.game import GameError
from matches import MatchId, MoveRefused, Refusal
from matches.options import add_random_options
from matches.turns import play_moves
from web.addresses import match_path
from web.analysis_board.comments import (
    decode_comments,
    encode_comments,
    keep_on_lines,
    move_comments,
    set_comment,
)
from web.play.move_form import parse_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Self

    from engine.game import Event, Game, Position
    from matches.match_view import PlayedMove
    from web.analysis_board.comments import Comment
    from web.match.cache import CachedMatch

    Line = tuple[str, ...]

# Of all lines, a move that several lines begin with counted once: all are played. Those of a match are known.
MAX_MOVES = 400
MAX_OTHER_LINES = 8
MAX_CHAPTER_LENGTH = 60  # characters
MAX_LINK_LENGTH = 6000  # characters of lines and comments, so that every server and browser accepts the link
MOVE_SEPARATOR = "."
SAFE_CHARACTERS = "/,~"  # legal in the query of a URL, and frequent in positions and moves


@dataclass(frozen=True, slots=True)
class AnalysisBoard:
    """A position at the start, lines of moves from it, and how many moves of which one are in view.

    `moves` are the main line and `other_lines` further ones from the same start; `shown` is the number of the
    line in view among all of them, 0 for the main line, and `cursor` the number of its moves in view.
    `match` is the match that the position is from, for a link back; 0 if there is none. `game` are the moves
    of that match if it is over and the main line is its game, which the link then does not hold. `chapter`
    names the chapter of a study in which its owner can save the board.
    """

    start: Position
    moves: Line = ()
    cursor: int = 0
    other_lines: tuple[Line, ...] = ()
    match: int = 0
    shown: int = 0
    game: tuple[PlayedMove, ...] | None = None
    comments: tuple[Comment, ...] = ()
    chapter: str = ""

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines, the main one first."""
        return (self.moves, *self.other_lines)

    @property
    def line(self) -> Line:
        """The line in view."""
        return self.lines[self.shown]

    @property
    def moves_in_view(self) -> Line:
        """The moves in view."""
        return self.line[: self.cursor]

    @property
    def all_moves(self) -> int:
        """The number of moves in all lines but those of the match; what several begin with counts once."""
        tree: dict[tuple[int, str], int] = {}
        for line in self.lines:
            node = 0
            for move in line:
                node = tree.setdefault((node, move), len(tree) + 1)
        return len(tree) - len(self.game or ())

    def parameters(self) -> list[tuple[str, str]]:
        """Return all that the link holds, in order."""
        return [*self._state(), *self.view_parameters()]

    def query(self) -> str:
        """Return the parameters of the link as text."""
        return urlencode(self.parameters(), safe=SAFE_CHARACTERS)

    def url(self, path: str = "") -> str:
        """Return the link, relative to the website, below `path` or that of the game or the match."""
        path, state, view = path or self._path(), self.state_text(), urlencode(self.view_parameters())
        return f"{path}{'/' if state else ''}{state}{'?' if view else ''}{view}"

    def state_text(self) -> str:
        """Return the part of the link's path that holds the lines; empty for a match without other lines."""
        return urlencode(self._state(), safe=SAFE_CHARACTERS)

    def view_parameters(self) -> list[tuple[str, str]]:
        """Return the part of the link that says what is in view; empty for the end of the main line."""
        values = [("in", str(self.shown))] if self.shown else []
        return [*values, ("at", str(self.cursor))] if self.cursor < len(self.line) else values

    def _path(self) -> str:
        game = self.start.game.name
        return analysis_path(game) if self.game is None else match_analysis_path(self.match)

    def _state(self) -> list[tuple[str, str]]:
        values = []
        if self.game is None:
            values = [("rules", str(self.start.game.rules_version)), ("position", str(self.start))]
            if self.moves:
                values.append(("moves", MOVE_SEPARATOR.join(self.moves)))
        values += [("line", self._format_other_line(line)) for line in self.other_lines]
        if self.comments:
            values.append(("comments", encode_comments(self.comments, self.lines)))
        if self.match and self.game is None:
            values.append(("match", str(self.match)))
        if self.chapter:
            values.append(("chapter", self.chapter))
        return values

    def at(self, cursor: int) -> Self:
        """Return the board with so many moves of the line in view."""
        return replace(self, cursor=max(0, min(cursor, len(self.line))))

    def in_line(self, index: int, cursor: int) -> Self:
        """Return the board with so many moves of another line in view."""
        return replace(self, shown=index).at(cursor)

    def in_main_line(self) -> Self:
        """Return the board with the main line in view, up to where the line in view leaves it."""
        return self.in_line(0, min(self.cursor, count_shared(self.line, self.moves)))

    def with_moves(self, *moves: str) -> Self:
        """Return the board with `moves` played after those in view.

        A line that already goes on with them is followed. Otherwise they extend the line in view at its end,
        unless it is the game of a match, and begin another line anywhere else. Raises Refusal if a link
        cannot hold that many.
        """
        board = self
        for move in moves:
            board = board._with_move(move)
        board.require_room()
        return board

    def with_comment(self, text: str) -> Self:
        """Return the board with a comment on the position in view; an empty one removes it.

        Raises Refusal if it is too long, or the link is full.
        """
        commented = replace(self, comments=set_comment(self.comments, self.moves_in_view, text))
        if len(commented.comments) >= len(self.comments):
            commented.require_room()
        return commented

    def without_line(self, index: int) -> Self:
        """Return the board without a line other than the main one."""
        board = self.in_main_line() if self.shown == index else self
        shown = board.shown - (board.shown > index)
        others = (*self.lines[1:index], *self.lines[index + 1 :])
        comments = keep_on_lines(self.comments, (self.moves, *others))
        return replace(board, shown=shown, other_lines=others, comments=comments)

    def require_room(self) -> None:
        """Raise `analysis_full` if a link cannot hold that many moves and comments."""
        if not self.has_room() or self.all_moves > MAX_MOVES:
            raise Refusal("analysis_full")

    def has_room(self) -> bool:
        """Return whether a link can hold the lines and comments.

        What is in view and the chapter are short and not counted: whoever can open a board can step through
        it and, if it is theirs, change its chapter.
        """
        return len(replace(self, chapter="").state_text()) <= MAX_LINK_LENGTH

    def _with_move(self, move: str) -> Self:
        line, cursor = (*self.moves_in_view, move), self.cursor + 1
        for index in (self.shown, *range(len(self.lines))):
            if self.lines[index][:cursor] == line:
                return self.in_line(index, cursor)
        if self.cursor == len(self.line) and (self.shown or self.game is None):
            lines = (*self.lines[: self.shown], line, *self.lines[self.shown + 1 :])
            return replace(self, moves=lines[0], other_lines=lines[1:], cursor=cursor)
        others = tuple(_drop_repeated(self.moves, self.other_lines))
        if len(others) == MAX_OTHER_LINES:
            raise Refusal("analysis_lines_full", limit=MAX_OTHER_LINES)
        return replace(self, other_lines=(*others, line), shown=len(others) + 1, cursor=cursor)

    def _format_other_line(self, line: Line) -> str:
        """Return the number of moves shared with the main line, and the moves after them."""
        shared = count_shared(line, self.moves)
        return MOVE_SEPARATOR.join((str(shared), *line[shared:]))


@dataclass(frozen=True, slots=True)
class PlayedAnalysis:
    """An analysis board whose moves have been played: legal, in canonical notation.

    `lines` are all of them, in the order of the board, so that a link within the page means the same line.
    `error` is the reason why the rest of a line was left out. With `is_cut` other lines were left out,
    because the link had more than MAX_MOVES.
    """

    board: AnalysisBoard
    lines: tuple[tuple[PlayedMove, ...], ...]
    error: MoveRefused | None
    is_cut: bool = False

    @property
    def moves(self) -> tuple[PlayedMove, ...]:
        """The line in view."""
        return self.lines[self.board.shown]

    @property
    def moves_in_view(self) -> tuple[PlayedMove, ...]:
        """The moves in view."""
        return self.moves[: self.board.cursor]

    @property
    def position(self) -> Position:
        """The position in view."""
        return self.position_before(self.moves, self.board.cursor)

    @property
    def last_events(self) -> tuple[Event, ...]:
        """The events of the last move in view."""
        return self.moves[self.board.cursor - 1].events if self.board.cursor else ()

    def position_before(self, line: Sequence[PlayedMove], index: int) -> Position:
        """Return the position before a move of a line, counted from 0."""
        return line[index - 1].position if index else self.board.start


def analysis_path(game: str) -> str:
    """Return the path of the analysis boards of a game."""
    return f"/analysis/{game}"


def match_analysis_path(match: int) -> str:
    """Return the path of the analysis board of a match."""
    return f"{match_path(MatchId(match))}/analysis"


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
    match = match or max(0, parse_number(values.get("match", 0)))
    board = AnalysisBoard(start, _split_line(values.get("moves", "")), match=match)
    return _add_lines(board, values, other_lines)


def match_board(cached: CachedMatch) -> AnalysisBoard:
    """Return the board of a finished match with its game, at the end. Raises `choice_pending`."""
    moves = tuple(move.text for move in cached.moves)
    start, match = cached.replay_turn(0).position, cached.view.id
    return AnalysisBoard(start, moves, len(moves), match=match, game=cached.moves)


def parse_match_board(
    cached: CachedMatch, values: Mapping[str, str], other_lines: Sequence[str] = ()
) -> AnalysisBoard:
    """Return the board of a link to a finished match. The other moves are not played yet. Raises Refusal."""
    return _add_lines(match_board(cached), values, other_lines)


def _add_lines(board: AnalysisBoard, values: Mapping[str, str], other_lines: Sequence[str]) -> AnalysisBoard:
    """Return the board with the other lines of a link, and what is in view. Raises Refusal."""
    if len(other_lines) > MAX_OTHER_LINES:
        raise Refusal("analysis_too_long")
    board = replace(
        board,
        other_lines=tuple(_expand_line(board.moves, _split_line(text)) for text in other_lines),
        chapter=values.get("chapter", "")[:MAX_CHAPTER_LENGTH],
    )
    if text := values.get("comments"):
        board = replace(board, comments=decode_comments(text[:MAX_LINK_LENGTH], board.lines))
    if not board.has_room():
        raise Refusal("analysis_too_long")
    shown = parse_number(values.get("in", 0))
    board = replace(board, shown=shown if 0 <= shown < len(board.lines) else 0)
    cursor = parse_number(values.get("at"))
    return board.at(cursor if cursor >= 0 else len(board.line))


def play_board(board: AnalysisBoard) -> PlayedAnalysis:
    """Play the moves of a board. From the first one that is refused on, its line is left out."""
    player = _LinePlayer(board.start, board.game or ())
    lines: list[tuple[PlayedMove, ...]] = []
    error, is_cut = None, False
    for line in board.lines:
        moves: tuple[PlayedMove, ...] = ()
        if not is_cut:
            try:
                moves, reason = player.play(line)
                error = error or reason
            except _TooManyMoves:
                is_cut = True
        lines.append(moves)
    main, *others = texts = [tuple(move.text for move in line) for line in lines]
    comments = move_comments(board.comments, board.lines, texts)
    played_board = replace(board, moves=main, other_lines=tuple(others), comments=comments)
    return PlayedAnalysis(played_board.at(board.cursor), tuple(lines), error, is_cut)


class _TooManyMoves(Exception):  # noqa: N818 - a limit, not a programming error
    """The lines of a link have more than MAX_MOVES."""


class _LinePlayer:
    """Plays lines from one position; what several begin with is played once, and the `known` line never."""

    def __init__(self, start: Position, known: Sequence[PlayedMove]) -> None:
        self._start = start
        # The moves by the number of the move before, 0 for none, and the text; each with its own number.
        self._played: dict[tuple[int, str], tuple[int, PlayedMove]] = {
            (number, move.text): (number + 1, move) for number, move in enumerate(known)
        }
        self._limit = MAX_MOVES + len(known)

    def play(self, line: Line) -> tuple[tuple[PlayedMove, ...], MoveRefused | None]:
        """Return the moves up to the first that is refused, and why it is. Raises _TooManyMoves."""
        moves: list[PlayedMove] = []
        number = 0
        for text in line:
            found = self._played.get((number, text))
            if found is None:
                if len(self._played) == self._limit:
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
    shared = max(0, parse_number(line[0])) if line else 0
    return (*moves[:shared], *line[1:])


def _drop_repeated(main: Line, others: Sequence[Line]) -> Iterable[Line]:
    """Yield the lines that no other one goes on from, each once."""
    for index, line in enumerate(others):
        rest = (main, *others[:index])
        longer = (one for one in others[index + 1 :] if len(one) > len(line))
        if not any(one[: len(line)] == line for one in (*rest, *longer)):
            yield line


def count_shared(line: Line, other: Line) -> int:
    """Return how many moves two lines begin with alike."""
    pairs = zip(line, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
