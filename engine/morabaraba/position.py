"""A position of Morabaraba: an immutable value that knows its legal moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.game import AmbiguousMove, IllegalMove, Outcome, Position, Side
from engine.morabaraba import judging, line, listing, picking, reading, telling
from engine.morabaraba.board import board
from engine.morabaraba.camp import FEWEST, FLYING, Camp
from engine.morabaraba.moves import Turn
from engine.morabaraba.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Cell, Choice, Event, Game, Move


@dataclass(frozen=True, slots=True, repr=False)
class MorabarabaPosition(Position):
    """Men on the board and in hand, whose turn comes next, and what may not be played.

    `most` is how many men each side started with; `mover` the side whose turn comes next, even when the game
    is over; `quiet` counts the turns in a row without a capture while both sides have three men. `settled` is
    what the men alone decide: a side down to two, a full board, twenty quiet turns.
    """

    most: int
    white: Camp
    red: Camp
    mover: Side
    quiet: int = 0
    settled: Outcome | None = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "settled", self._decided())

    @property
    def game(self) -> Game:
        """Morabaraba."""
        from engine.morabaraba.game import MORABARABA  # noqa: PLC0415 - the game makes positions, they name it

        return MORABARABA

    @property
    def to_move(self) -> Side | None:
        """The side to move, or None when the game is over."""
        return None if self.outcome else self.mover

    @property
    def outcome(self) -> Outcome | None:
        """The result; a side to move that cannot move has lost (End of the game)."""
        return self.settled or (None if self._can_move() else Outcome(self.other.value))

    @property
    def agreed_outcome(self) -> Outcome | None:
        """None: Morabaraba knows no end by agreement."""
        return None

    @property
    def idiom(self) -> str:
        """``morabaraba``."""
        return "morabaraba"

    @property
    def due(self) -> int:
        """Always 1: the sides alternate."""
        return 1

    @property
    def own(self) -> Camp:
        """What belongs to the side to move."""
        return self.white if self.mover is Side.WHITE else self.red

    @property
    def adverse(self) -> Camp:
        """What belongs to the other side."""
        return self.red if self.mover is Side.WHITE else self.white

    @property
    def other(self) -> Side:
        """The side that does not move next."""
        return Side.RED if self.mover is Side.WHITE else Side.WHITE

    @property
    def empty(self) -> int:
        """The empty points, as bits."""
        return board().points & ~(self.white.men | self.red.men)

    @property
    def stones(self) -> Mapping[Cell, Side]:
        """Whose man stands on which point, by file, then rank."""
        white, cell_at = self.white.men, board().cell_at
        return MappingProxyType(
            {
                cell_at[bit]: Side.WHITE if bit & white else Side.RED
                for bit in board().each(white | self.red.men)
            }
        )

    @property
    def hands(self) -> Mapping[Side, int]:
        """How many men each side has in hand."""
        return MappingProxyType({Side.WHITE: self.white.hand, Side.RED: self.red.hand})

    @property
    def barred(self) -> Mapping[Side, tuple[Cell, Cell]]:
        """The step straight back that a side may not make on its next turn, where there is one."""
        cell_at = board().cell_at
        steps = {Side.WHITE: self.white.barred, Side.RED: self.red.barred}
        return MappingProxyType(
            {side: (cell_at[step[0]], cell_at[step[1]]) for side, step in steps.items() if step}
        )

    @property
    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """The twenty lines of the board with its three points from end to end."""
        return board().lines

    @property
    def mills(self) -> tuple[tuple[Cell, ...], ...]:
        """The closed mills of both sides, in the order of `lines`."""
        on = board()
        return tuple(
            points
            for points, mill in zip(on.lines, on.mills, strict=True)
            if self.white.men & mill == mill or self.red.men & mill == mill
        )

    @property
    def movable(self) -> tuple[Cell, ...]:
        """The mover's men that can go somewhere, by file, then rank; none while it has men in hand."""
        if self.own.hand or self.settled:
            return ()
        return tuple(board().cell_at[start] for start, ends in judging.reaches(self.own, self.empty) if ends)

    def legal_moves(self) -> tuple[Move, ...]:
        """All legal turns, sorted by text; empty when the game is over."""
        return listing.legal(self)

    def parse(self, text: str) -> Move:
        """Read a legal turn. Raises NotationError, IllegalMove or AmbiguousMove."""
        return reading.read(self, text)

    def play(self, move: Move) -> MorabarabaPosition:
        """Give the position after `move`. Raises IllegalMove if it is not legal here."""
        turn = self._checked(move)
        own, adverse = self.own, self.adverse
        men = own.men & ~turn.start | turn.end
        own = Camp(men, own.hand if turn.start else own.hand - 1, self._straight_back(turn))
        if turn.removed:
            adverse = Camp(adverse.men ^ turn.removed, adverse.hand, adverse.barred)
        quiet = 0 if turn.removed or not own.left == adverse.left == FLYING else self.quiet + 1
        white, red = (own, adverse) if self.mover is Side.WHITE else (adverse, own)
        return MorabarabaPosition(self.most, white, red, self.other, quiet)

    def events(self, move: Move) -> tuple[Event, ...]:
        """Say what `move` does. Raises IllegalMove if it is not legal here."""
        return tuple(telling.told(self, self._checked(move)))

    def choice(self, path: tuple[str, ...] = ()) -> Choice | Move:
        """Give the next question: a point, or a man and its target; what is removed. Raises IllegalMove."""
        return picking.choice(self, path)

    def __str__(self) -> str:
        return line.write(self)

    def __repr__(self) -> str:
        return f"MorabarabaPosition({self})"

    def _checked(self, move: Move) -> Turn:
        if not isinstance(move, Turn):
            raise judging.illegal(self, Reason.FOREIGN, str(move))
        try:
            judging.check(self, move, move.text)
        except AmbiguousMove as error:
            raise IllegalMove(error.reason, text=error.text, position=self) from None
        return move

    def _straight_back(self, turn: Turn) -> tuple[int, int] | None:
        """Give the step that `turn` bars for the next turn: back, if it left a mill and closed another."""
        if not turn.start:
            return None
        others, on = self.own.men & ~turn.start, board()
        if on.closes(others, turn.end) and on.closes(others, turn.start):
            return turn.end, turn.start
        return None

    def _can_move(self) -> bool:
        return any(ends for _, ends in judging.reaches(self.own, self.empty))

    def _decided(self) -> Outcome | None:
        own, adverse = (self.white, self.red) if self.mover is Side.WHITE else (self.red, self.white)
        if own.left <= FEWEST:
            return Outcome(self.other.value)
        if adverse.left <= FEWEST:
            return Outcome(self.mover.value)
        return Outcome.DRAW if not self.empty or self.quiet >= line.QUIET_TURNS else None
