"""A position of Morabaraba: an immutable value that knows its legal moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.game import AmbiguousMove, IllegalMove, Outcome, PieceGroup, Position, Side
from engine.morabaraba import choices, events, legality, movegen, parsing, position_line
from engine.morabaraba.board import get_board
from engine.morabaraba.messages import MorabarabaMessage
from engine.morabaraba.moves import MorabarabaTurn
from engine.morabaraba.side_state import FLYING_COUNT, LOSING_COUNT, SideState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Cell, Event, Game, Move, MoveChoice


@dataclass(frozen=True, slots=True, repr=False)
class MorabarabaPosition(Position):
    """Men on the board and in hand, whose turn comes next, and what may not be played.

    `men_per_side` is how many men each side started with; `mover` the side whose turn comes next, even when
    the game is over; `no_capture_count` counts the turns in a row without a capture while both sides have
    three men. `decided_outcome` is what the men alone decide: a side down to two, a full board, twenty quiet
    turns.
    """

    men_per_side: int
    white: SideState
    red: SideState
    mover: Side
    no_capture_count: int = 0
    decided_outcome: Outcome | None = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "decided_outcome", self._decide_outcome())

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
        return self.decided_outcome or (None if self._can_move() else Outcome(self.opponent.value))

    @property
    def agreed_outcome(self) -> Outcome | None:
        """None: Morabaraba knows no end by agreement."""
        return None

    @property
    def vocabulary(self) -> str:
        """``morabaraba``."""
        return "morabaraba"

    @property
    def piece_groups(self) -> tuple[PieceGroup, ...]:
        """The men on the board of each side."""
        stones = self.stones.items()
        return tuple(
            PieceGroup("stones", side, tuple(cell for cell, owner in stones if owner is side))
            for side in (Side.WHITE, Side.RED)
        )

    @property
    def moves_due(self) -> int:
        """Always 1: the sides alternate."""
        return 1

    @property
    def own(self) -> SideState:
        """What belongs to the side to move."""
        return self.white if self.mover is Side.WHITE else self.red

    @property
    def enemy(self) -> SideState:
        """What belongs to the other side."""
        return self.red if self.mover is Side.WHITE else self.white

    @property
    def opponent(self) -> Side:
        """The side that does not move next."""
        return Side.RED if self.mover is Side.WHITE else Side.WHITE

    @property
    def empty(self) -> int:
        """The empty points, as bits."""
        return get_board().points & ~(self.white.men | self.red.men)

    @property
    def stones(self) -> Mapping[Cell, Side]:
        """Whose man stands on which point, by file, then rank."""
        white, cell_at = self.white.men, get_board().cell_at
        return MappingProxyType(
            {
                cell_at[bit]: Side.WHITE if bit & white else Side.RED
                for bit in get_board().split_bits(white | self.red.men)
            }
        )

    @property
    def hands(self) -> Mapping[Side, int]:
        """How many men each side has in hand."""
        return MappingProxyType({Side.WHITE: self.white.hand, Side.RED: self.red.hand})

    @property
    def forbidden_steps(self) -> Mapping[Side, tuple[Cell, Cell]]:
        """The step straight back that a side may not make on its next turn, where there is one."""
        cell_at = get_board().cell_at
        steps = {Side.WHITE: self.white.forbidden_step, Side.RED: self.red.forbidden_step}
        return MappingProxyType(
            {side: (cell_at[step[0]], cell_at[step[1]]) for side, step in steps.items() if step}
        )

    @property
    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """The twenty lines of the board with its three points from end to end."""
        return get_board().lines

    @property
    def mills(self) -> tuple[tuple[Cell, ...], ...]:
        """The closed mills of both sides, in the order of `lines`."""
        board = get_board()
        return tuple(
            points
            for points, mill in zip(board.lines, board.mills, strict=True)
            if self.white.men & mill == mill or self.red.men & mill == mill
        )

    @property
    def movable(self) -> tuple[Cell, ...]:
        """The mover's men that can go somewhere, by file, then rank; none while it has men in hand."""
        if self.own.hand or self.decided_outcome:
            return ()
        return tuple(
            get_board().cell_at[start]
            for start, destinations in legality.destinations_by_start(self.own, self.empty)
            if destinations
        )

    def legal_moves(self) -> tuple[Move, ...]:
        """All legal turns, sorted by text; empty when the game is over."""
        return movegen.generate(self)

    def parse(self, text: str) -> Move:
        """Read a legal turn. Raises NotationError, IllegalMove or AmbiguousMove."""
        return parsing.parse_move(self, text)

    def play(self, move: Move) -> MorabarabaPosition:
        """Return the position after `move`. Raises IllegalMove if it is not legal here."""
        turn = self._legal_turn(move)
        own, enemy = self.own, self.enemy
        men = own.men & ~turn.start | turn.end
        own = SideState(men, own.hand if turn.start else own.hand - 1, self._forbidden_step_after(turn))
        if turn.removed:
            enemy = SideState(enemy.men ^ turn.removed, enemy.hand, enemy.forbidden_step)
        no_capture_count = (
            0
            if turn.removed or not own.men_left == enemy.men_left == FLYING_COUNT
            else self.no_capture_count + 1
        )
        white, red = (own, enemy) if self.mover is Side.WHITE else (enemy, own)
        return MorabarabaPosition(self.men_per_side, white, red, self.opponent, no_capture_count)

    def events(self, move: Move) -> tuple[Event, ...]:
        """Say what `move` does. Raises IllegalMove if it is not legal here."""
        return tuple(events.events_of(self, self._legal_turn(move)))

    def next_choice(self, path: tuple[str, ...] = ()) -> MoveChoice | Move:
        """Return the next question: a point, or a man and its target; what is removed. Raises IllegalMove."""
        return choices.next_choice(self, path)

    def __str__(self) -> str:
        return position_line.format_position(self)

    def __repr__(self) -> str:
        return f"MorabarabaPosition({self})"

    def _legal_turn(self, move: Move) -> MorabarabaTurn:
        if not isinstance(move, MorabarabaTurn):
            raise legality.illegal_move(self, MorabarabaMessage.NOT_OF_THIS_GAME, str(move))
        try:
            legality.check_turn(self, move, move.text)
        except AmbiguousMove as error:
            raise IllegalMove(error.reason, text=error.text, position=self) from None
        return move

    def _forbidden_step_after(self, turn: MorabarabaTurn) -> tuple[int, int] | None:
        """Return the step that `turn` bars for the next turn: back, if it left a mill and closed another."""
        if not turn.start:
            return None
        other_men, board = self.own.men & ~turn.start, get_board()
        if board.closes_mill(other_men, turn.end) and board.closes_mill(other_men, turn.start):
            return turn.end, turn.start
        return None

    def _can_move(self) -> bool:
        return any(destinations for _, destinations in legality.destinations_by_start(self.own, self.empty))

    def _decide_outcome(self) -> Outcome | None:
        own, enemy = (self.white, self.red) if self.mover is Side.WHITE else (self.red, self.white)
        if own.men_left <= LOSING_COUNT:
            return Outcome(self.opponent.value)
        if enemy.men_left <= LOSING_COUNT:
            return Outcome(self.mover.value)
        return (
            Outcome.DRAW
            if not self.empty or self.no_capture_count >= position_line.NO_CAPTURE_LIMIT
            else None
        )
