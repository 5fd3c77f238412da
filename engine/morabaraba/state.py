"""What a position of Morabaraba consists of, without its legal turns."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.game import Outcome, PieceGroup, Position, Side
from engine.morabaraba.board import get_board
from engine.morabaraba.side_state import (
    LOSING_COUNT,
    NO_CAPTURE_LIMIT,
    SideState,
    have_three_each,
    no_capture_limit,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Cell


@dataclass(frozen=True, slots=True, repr=False)
class MorabarabaState(Position):
    """The fields of a position; :class:`engine.morabaraba.game.MorabarabaPosition` adds the turns.

    The modules that list, check, parse and describe turns take this class.

    Attributes:
        rules_version: The version of the rules; see :class:`engine.morabaraba.game.Morabaraba`.
        men_per_side: How many men each side started with.
        mover: The side whose turn comes next, also when the game is over.
        no_capture_count: The number of turns in a row in which a man moved and none was taken; under version
            1 the number of turns without a capture while both sides have three men.
        decided_outcome: The result that follows from the men alone: a side is down to two, the board is full,
            or :func:`~engine.morabaraba.side_state.no_capture_limit` is reached. None otherwise.

    """

    rules_version: int
    men_per_side: int
    white: SideState
    red: SideState
    mover: Side
    no_capture_count: int = 0
    decided_outcome: Outcome | None = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "decided_outcome", self._decide_outcome())

    def find_outcome(self) -> Outcome | None:
        """Return the result, or None during the game; a side that cannot move has lost (End of the game)."""
        return self.decided_outcome or (None if self._can_move() else Outcome(self.opponent.value))

    @property
    def outcome_cause(self) -> str:
        """Why the game is over; empty during the game.

        One of ``too_few_men``, ``no_move``, ``full_board``, ``no_capture`` (with three men each) and
        ``no_capture_moving``.
        """
        if self.outcome is None:
            return ""
        if self.outcome is Outcome.DRAW:
            if not self.empty:
                return "full_board"
            return "no_capture" if have_three_each(self.white, self.red) else "no_capture_moving"
        return "too_few_men" if min(self.own.men_left, self.enemy.men_left) <= LOSING_COUNT else "no_move"

    @property
    def turns_to_draw(self) -> int | None:
        """How many more turns without a capture make a draw, once these are at most twenty; else None."""
        left = no_capture_limit(self.white, self.red) - self.no_capture_count
        is_counted = self.rules_version > 1 or have_three_each(self.white, self.red)
        return left if is_counted and left <= NO_CAPTURE_LIMIT and not self.outcome else None

    @property
    def to_move(self) -> Side | None:
        """The side to move, or None when the game is over."""
        return None if self.outcome else self.mover

    @property
    def piece_groups(self) -> tuple[PieceGroup, ...]:
        """The men on the board of each side."""
        return PieceGroup.by_side("stones", self.stones, (Side.WHITE, Side.RED))

    @property
    def own(self) -> SideState:
        """The men of the side to move."""
        return self.white if self.mover is Side.WHITE else self.red

    @property
    def enemy(self) -> SideState:
        """The men of the side that is not to move."""
        return self.red if self.mover is Side.WHITE else self.white

    @property
    def opponent(self) -> Side:
        """The side that is not to move."""
        return Side.RED if self.mover is Side.WHITE else Side.WHITE

    @property
    def empty(self) -> int:
        """The empty points, as bits."""
        return get_board().points & ~(self.white.men | self.red.men)

    @property
    def stones(self) -> Mapping[Cell, Side]:
        """The owner of every man on the board, by file, then rank."""
        white, cell_at = self.white.men, get_board().cell_at
        return MappingProxyType(
            {
                cell_at[bit]: Side.WHITE if bit & white else Side.RED
                for bit in get_board().split_bits(white | self.red.men)
            }
        )

    @property
    def hands(self) -> Mapping[Side, int]:
        """The number of men in hand, by side."""
        return MappingProxyType({Side.WHITE: self.white.hand, Side.RED: self.red.hand})

    @property
    def forbidden_steps(self) -> Mapping[Side, tuple[Cell, Cell]]:
        """The step straight back (start and end) that a side may not make next, by side; often empty."""
        cell_at = get_board().cell_at
        steps = {Side.WHITE: self.white.forbidden_step, Side.RED: self.red.forbidden_step}
        return MappingProxyType(
            {side: (cell_at[step[0]], cell_at[step[1]]) for side, step in steps.items() if step}
        )

    @property
    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """The twenty lines of the board, each with its three points from end to end."""
        return get_board().lines

    @property
    def mills(self) -> tuple[tuple[Cell, ...], ...]:
        """The closed mills of both sides, in the order of :attr:`lines`."""
        board = get_board()
        return tuple(
            points
            for points, mill in zip(board.lines, board.mills, strict=True)
            if self.white.men & mill == mill or self.red.men & mill == mill
        )

    @property
    def movable(self) -> tuple[Cell, ...]:
        """The mover's men that can move, by file, then rank; none while the mover has men in hand."""
        if self.own.hand or self.decided_outcome:
            return ()
        return tuple(
            get_board().cell_at[start]
            for start, destinations in self.own.destinations_by_start(self.empty)
            if destinations
        )

    def _can_move(self) -> bool:
        return any(destinations for _, destinations in self.own.destinations_by_start(self.empty))

    def _decide_outcome(self) -> Outcome | None:
        own, enemy = (self.white, self.red) if self.mover is Side.WHITE else (self.red, self.white)
        if own.men_left <= LOSING_COUNT:
            return Outcome(self.opponent.value)
        if enemy.men_left <= LOSING_COUNT:
            return Outcome(self.mover.value)
        if not self.empty or self.no_capture_count >= no_capture_limit(self.white, self.red):
            return Outcome.DRAW
        return None
