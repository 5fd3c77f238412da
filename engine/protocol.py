"""The engine's text protocol: one line in, one answer out, in the manner of GTP.

It serves every game through the contract alone. An answer is ``= ANSWER`` or ``? REASON`` on one line,
followed by an empty line; blank lines and lines that begin with ``#`` get none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import GAMES
from engine.game import GameError
from engine.texts import LONGEST_LINE, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from engine.game import Game, Position

DEEPEST = 64
"""The longest sequences that `perft` counts."""

UNKNOWN_COMMAND = "There is no command {name}; there are {names}."
UNKNOWN_GAME = "There is no game {name}; there are {names}."
NO_POSITION = "There is no position yet; start or load one."
NOTHING_TO_UNDO = "There is no move to take back."
WANTS = "{command} wants {what}."
NOT_A_SETTING = "{found} is no setting; write key=value."
TWICE = "{name} is set twice."
NOT_A_DEPTH = "A depth is a whole number from 0 to {deepest}, not {found}."
NO_FISTS = "No game here opens closed fists."
TOO_LONG = "A line is at most {longest} characters long."


class ProtocolError(Exception):
    """A command that cannot be carried out; the text is the reason."""


class Session:
    """One conversation: the position in hand and those before it; `commands` by name."""

    def __init__(self) -> None:
        self.positions: list[Position] = []
        self.over = False
        self.commands: dict[str, Callable[[str], str]] = {
            "games": lambda rest: self._bare("games", rest, lambda: " ".join(GAMES)),
            "start": self._start,
            "load": self._load,
            "position": lambda rest: self._bare("position", rest, lambda: str(self._position)),
            "to_move": lambda rest: self._bare("to_move", rest, lambda: self._position.to_move or "-"),
            "moves": lambda rest: self._bare("moves", rest, self._moves),
            "play": self._play,
            "undo": lambda rest: self._bare("undo", rest, self._undo),
            "outcome": lambda rest: self._bare("outcome", rest, lambda: self._position.outcome or "-"),
            "perft": self._perft,
            "fists": self._fists,
            "quit": lambda rest: self._bare("quit", rest, self._quit),
        }

    def answer(self, line: str) -> str | None:
        """Give the answer to `line` without its empty line, or None where none is due."""
        line = line.strip()
        if not line or line.startswith("#"):
            return None
        try:
            return f"= {self._carried_out(line)}".rstrip()
        except (GameError, ProtocolError) as error:
            return f"? {error}"

    def _carried_out(self, line: str) -> str:
        if len(line) > LONGEST_LINE:
            raise ProtocolError(TOO_LONG.format(longest=LONGEST_LINE))
        name, _, rest = line.replace("\t", " ").partition(" ")
        command = self.commands.get(name)
        if command is None:
            names = ", ".join(self.commands)
            raise ProtocolError(UNKNOWN_COMMAND.format(name=quoted(name), names=names))
        return command(rest.strip())

    @property
    def _position(self) -> Position:
        if not self.positions:
            raise ProtocolError(NO_POSITION)
        return self.positions[-1]

    def _bare(self, command: str, rest: str, act: Callable[[], str]) -> str:
        if rest:
            raise ProtocolError(WANTS.format(command=command, what="nothing after it"))
        return act()

    def _begin(self, position: Position) -> str:
        self.positions = [position]
        return str(position)

    def _start(self, rest: str) -> str:
        name, *words = rest.split() or [""]
        settings: dict[str, str] = {}
        game = _game(name)
        for word in words:
            key, equals, value = word.partition("=")
            if not equals:
                raise ProtocolError(NOT_A_SETTING.format(found=quoted(word)))
            if key in settings:
                raise ProtocolError(TWICE.format(name=quoted(key)))
            settings[key] = value
        return self._begin(game.start(**settings))

    def _load(self, rest: str) -> str:
        return self._begin(_game(rest.partition(" ")[0]).load(rest))

    def _moves(self) -> str:
        return " ".join(map(str, self._position.legal_moves()))

    def _play(self, rest: str) -> str:
        if not rest:
            raise ProtocolError(WANTS.format(command="play", what="a move"))
        position = self._position
        self.positions.append(position.play(position.parse(rest)))
        return str(self._position)

    def _undo(self) -> str:
        if len(self.positions) < 2:
            raise ProtocolError(NO_POSITION if not self.positions else NOTHING_TO_UNDO)
        self.positions.pop()
        return str(self._position)

    def _perft(self, rest: str) -> str:
        if not (rest.isascii() and rest.isdecimal() and len(rest) < 4 and int(rest) <= DEEPEST):
            raise ProtocolError(NOT_A_DEPTH.format(deepest=DEEPEST, found=quoted(rest) or "nothing"))
        return str(perft(self._position, int(rest)))

    def _fists(self, rest: str) -> str:
        picks = rest.split()
        if len(picks) != 2:
            raise ProtocolError(WANTS.format(command="fists", what="two picks, such as LL RR"))
        game = next((each for each in GAMES.values() if each.fists), None)
        if game is None:
            raise ProtocolError(NO_FISTS)
        return str(game.settle(*picks))

    def _quit(self) -> str:
        self.over = True
        return ""


def perft(position: Position, depth: int) -> int:
    """Count the sequences of `depth` moves from `position`; those that end early do not count."""
    if depth == 0:
        return 1
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)


def converse(lines: Iterable[str]) -> Iterator[str]:
    """Give the answers to `lines`, each with its empty line, until `quit` or their end."""
    session = Session()
    for line in lines:
        answer = session.answer(line)
        if answer is not None:
            yield f"{answer}\n\n"
        if session.over:
            return


def _game(name: str) -> Game:
    if name not in GAMES:
        raise ProtocolError(
            UNKNOWN_GAME.format(name=quoted(name) or "without a name", names=", ".join(GAMES))
        )
    return GAMES[name]
