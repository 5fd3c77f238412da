"""The engine's text protocol: one answer for each line, similar to GTP.

It uses only the contract, so it works for every game. An answer is ``= ANSWER`` or ``? REASON`` on one line,
followed by an empty line; blank lines and lines that begin with ``#`` get no answer.

>>> session = Session()
>>> for line in ("start morabaraba", "play D6", "play d6", "to_move", "perft 2"):
...     print(session.answer(line))
= morabaraba 12 3/3/3/6/3/3/3 w 12,12 -
= morabaraba 12 3/1w1/3/6/3/3/3 r 11,12 -
? d6: D6 already holds a white man.
= red
= 506
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from engine import GAMES
from engine.game import GameError
from engine.notation_text import MAX_LINE_LENGTH, abbreviate
from engine.sentences import Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from engine.game import Game, Position, SimultaneousChoice

MAX_DEPTH = 64
"""The maximum depth of `perft`."""


class ProtocolError(GameError):
    """A command that cannot be executed."""


class Session:
    """The positions of one session, the current one last, and the commands by name."""

    def __init__(self) -> None:
        self.positions: list[Position] = []
        self.is_over = False
        self.commands: dict[str, Callable[[str], str]] = {
            "games": lambda rest: self._without_arguments("games", rest, lambda: " ".join(GAMES)),
            "start": self._start,
            "load": self._load,
            "position": lambda rest: self._without_arguments("position", rest, lambda: str(self.current)),
            "to_move": lambda rest: self._without_arguments(
                "to_move", rest, lambda: self.current.to_move or "-"
            ),
            "moves": lambda rest: self._without_arguments("moves", rest, self._moves),
            "play": self._play,
            "undo": lambda rest: self._without_arguments("undo", rest, self._undo),
            "outcome": lambda rest: self._without_arguments(
                "outcome", rest, lambda: self.current.outcome or "-"
            ),
            "perft": self._perft,
            **{
                choice.value: partial(self._resolve_picks, game, choice)
                for game, choice in _simultaneous_choices()
            },
            "quit": lambda rest: self._without_arguments("quit", rest, self._quit),
        }

    def answer(self, line: str) -> str | None:
        """Return the answer to `line` without the empty line, or None for a blank line or a comment."""
        line = line.strip()
        if not line or line.startswith("#"):
            return None
        try:
            return f"= {self.execute(line)}".rstrip()
        except GameError as error:
            return f"? {error}"

    def execute(self, line: str) -> str:
        """Execute `line` and return the answer without its sign. Raise GameError."""
        if len(line) > MAX_LINE_LENGTH:
            raise ProtocolError("protocol.line_too_long", {"longest": MAX_LINE_LENGTH})
        name, _, rest = line.replace("\t", " ").partition(" ")
        command = self.commands.get(name)
        if command is None:
            raise ProtocolError(
                "protocol.unknown_command", {"name": abbreviate(name), "names": tuple(self.commands)}
            )
        return command(rest.strip())

    @property
    def current(self) -> Position:
        """The current position. Raise ProtocolError if there is none yet."""
        if not self.positions:
            raise ProtocolError("protocol.no_position")
        return self.positions[-1]

    def _without_arguments(self, command: str, rest: str, act: Callable[[], str]) -> str:
        if rest:
            raise ProtocolError("protocol.wants_nothing", {"command": command})
        return act()

    def _set_position(self, position: Position) -> str:
        self.positions = [position]
        return str(position)

    def _start(self, rest: str) -> str:
        name, *arguments = rest.split() or [""]
        options: dict[str, str] = {}
        game = _find_game(name)
        for argument in arguments:
            key, equals, value = argument.partition("=")
            if not equals:
                raise ProtocolError("protocol.not_an_option", {"found": abbreviate(argument)})
            if key in options:
                raise ProtocolError("protocol.option_twice", {"name": abbreviate(key)})
            options[key] = value
        return self._set_position(game.initial_position(**options))

    def _load(self, rest: str) -> str:
        return self._set_position(_find_game(rest.partition(" ")[0]).load(rest))

    def _moves(self) -> str:
        return " ".join(map(str, self.current.legal_moves()))

    def _play(self, rest: str) -> str:
        if not rest:
            raise ProtocolError("protocol.wants_move", {"command": "play"})
        position = self.current
        self.positions.append(position.play(position.parse(rest)))
        return str(self.current)

    def _undo(self) -> str:
        if len(self.positions) < 2:
            raise ProtocolError("protocol.nothing_to_undo" if self.positions else "protocol.no_position")
        self.positions.pop()
        return str(self.current)

    def _perft(self, rest: str) -> str:
        if not (rest.isascii() and rest.isdecimal() and len(rest) < 4 and int(rest) <= MAX_DEPTH):
            found = abbreviate(rest) or Word("protocol.nothing")
            raise ProtocolError("protocol.invalid_depth", {"deepest": MAX_DEPTH, "found": found})
        return str(perft(self.current, int(rest)))

    def _resolve_picks(self, game: Game, choice: SimultaneousChoice, rest: str) -> str:
        picks = rest.split()
        if len(picks) != 2:
            values = {"command": choice.value, "example": " ".join(choice.picks[:2])}
            raise ProtocolError("protocol.wants_picks", values)
        return str(game.resolve_picks(*picks))

    def _quit(self) -> str:
        self.is_over = True
        return ""


def perft(position: Position, depth: int) -> int:
    """Return the number of move sequences of length `depth` from `position`."""
    if depth == 0:
        return 1
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)


def serve(lines: Iterable[str], session: Session | None = None) -> Iterator[str]:
    """Yield the answers to `lines`, each with its empty line, until ``quit`` or the end of input.

    A caller may pass a session with further commands.
    """
    session = session or Session()
    for line in lines:
        answer = session.answer(line)
        if answer is not None:
            yield f"{answer}\n\n"
        if session.is_over:
            return


def _simultaneous_choices() -> Iterator[tuple[Game, SimultaneousChoice]]:
    for game in GAMES.values():
        if game.simultaneous_choice is not None:
            yield game, game.simultaneous_choice


def _find_game(name: str) -> Game:
    if name not in GAMES:
        shown = abbreviate(name) or Word("protocol.no_name")
        raise ProtocolError("protocol.unknown_game", {"name": shown, "names": tuple(GAMES)})
    return GAMES[name]
