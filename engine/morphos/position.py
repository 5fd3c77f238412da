"""A position of Morphos: an immutable value that knows its legal moves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.game import AmbiguousMove, IllegalMove, Outcome, PieceGroup, Position, Side
from engine.morphos import choices, events, legality, movegen, parsing, position_line
from engine.morphos.board import iter_points
from engine.morphos.connectivity import shortest_chain
from engine.morphos.flips import flippable_stones
from engine.morphos.messages import MorphosMessage
from engine.morphos.moves import MorphosTurn, TurnKind
from engine.morphos.stones import OPPONENT
from engine.notation_text import MAX_MOVE_LENGTH, normalize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Cell, Event, Game, Move, MoveChoice
    from engine.morphos.ruleset import Ruleset
    from engine.morphos.stones import Stones


@dataclass(frozen=True, slots=True, repr=False)
class MorphosPosition(Position):
    """Stones, whose turn comes next, and what the last turn left behind.

    `mover` is the side whose turn comes next, even when the game is over. `turn_count` counts completed
    turns, a swap too. `swapped`: the people have changed sides. `flipped_point`: the point of the stone that
    the enemy flipped on its latest turn (mutator b only). `must_restore`: the mover first puts a captured
    stone back (mutator d). `follows_pass`: the turn just before was a pass.
    """

    rules: Ruleset
    board_stones: Stones
    mover: Side
    turn_count: int
    swapped: bool = False
    flipped_point: int | None = None
    must_restore: bool = False
    follows_pass: bool = False

    @property
    def game(self) -> Game:
        """Morphos."""
        from engine.morphos.game import MORPHOS  # noqa: PLC0415 - the game makes positions, and they name it

        return MORPHOS

    @property
    def to_move(self) -> Side | None:
        """The side to move, or None when the game is over."""
        return None if self.outcome else self.mover

    @property
    def outcome(self) -> Outcome | None:
        """The result: a win for the side whose turn has ended, under mutator b for the one whose turn begins.

        A pass that only another pass could answer is a draw, since nothing would ever change again.
        """
        winner = self.mover if self.rules.counts_flipped_stone else OPPONENT[self.mover]
        if self.board_stones.of_side(winner).is_connected:
            return Outcome(winner.value)
        return Outcome.DRAW if self.follows_pass and self._is_stuck() else None

    @property
    def agreed_outcome(self) -> Outcome | None:
        """None: Morphos knows no end by agreement."""
        return None

    @property
    def vocabulary(self) -> str:
        """``morphos``."""
        return "morphos"

    @property
    def piece_groups(self) -> tuple[PieceGroup, ...]:
        """The stones of each side."""
        stones = self.stones.items()
        return tuple(
            PieceGroup("stones", side, tuple(cell for cell, owner in stones if owner is side))
            for side in (Side.BLACK, Side.WHITE)
        )

    @property
    def moves_due(self) -> int:
        """Always 1: a swap is followed by a turn of the same side, but of another person."""
        return 1

    @property
    def size(self) -> int:
        """Points along one side of the board."""
        return self.rules.size

    @property
    def stones(self) -> Mapping[Cell, Side]:
        """What stands on the points, by file, then rank."""
        board, black = self.rules.board, self.board_stones.black.stones_and_edges
        white = self.board_stones.white.stones_and_edges
        return MappingProxyType(
            {
                board.cell_at[point]: Side.BLACK if black >> point & 1 else Side.WHITE
                for point in iter_points((black | white) & board.points)
            }
        )

    @property
    def vulnerable(self) -> tuple[Cell, ...]:
        """The enemy stones that the side to move may flip as the board stands, by file, then rank."""
        if self.outcome:
            return ()
        return self.rules.board.to_cells(
            flippable_stones(self.rules, self.board_stones, self.mover, self.flipped_point)
        )

    @property
    def winning_chain(self) -> tuple[Cell, ...]:
        """A shortest winning chain, from the bottom or left edge to the other; empty where nobody has won."""
        outcome = self.outcome
        if outcome is None or outcome.winner is None:
            return ()
        board = self.rules.board
        low, high = board.black_edges if outcome.winner is Side.BLACK else board.white_edges
        own = self.board_stones.of_side(outcome.winner).stones_and_edges & board.points
        return tuple(board.cell_at[point] for point in shortest_chain(own, low, high))

    @property
    def flipped_cell(self) -> Cell | None:
        """The cell of the stone that the enemy has just flipped (mutator b), or None."""
        return None if self.flipped_point is None else self.rules.board.cell_at[self.flipped_point]

    def legal_moves(self) -> tuple[Move, ...]:
        """All legal turns, sorted by text; empty when the game is over."""
        return movegen.generate(self)

    def moves_with_prefix(self, text: str) -> Iterator[Move]:
        """Return the legal turns whose texts begin with what has been typed, sorted, one by one."""
        return movegen.generate_with_prefix(self, normalize(text[:MAX_MOVE_LENGTH]))

    def parse(self, text: str) -> Move:
        """Read a legal turn. Raises NotationError, IllegalMove or AmbiguousMove."""
        return parsing.parse_move(self, text)

    def play(self, move: Move) -> MorphosPosition:
        """Return the position after `move`. Raises IllegalMove if it is not legal here."""
        turn = self._legal_turn(move)
        if turn.kind is TurnKind.SWAP:
            return replace(self, turn_count=self.turn_count + 1, swapped=True)
        mover, flips = self.mover, turn.kind is TurnKind.FLIP
        stones = self.board_stones
        if turn.restored is not None:
            stones = stones.after_placement(mover, turn.restored)
        for point in turn.points:
            stones = stones.after_flip(mover, point) if flips else stones.after_placement(mover, point)
        return MorphosPosition(
            self.rules,
            stones,
            OPPONENT[mover],
            self.turn_count + 1,
            self.swapped,
            turn.points[0] if flips and self.rules.counts_flipped_stone else None,
            flips and self.rules.restores_captured and stones.empty != 0,
            turn.kind is TurnKind.PASS,
        )

    def events(self, move: Move) -> tuple[Event, ...]:
        """Say what `move` does. Raises IllegalMove if it is not legal here."""
        return events.events_of(self, self._legal_turn(move))

    def next_choice(self, path: tuple[str, ...] = ()) -> MoveChoice | Move:
        """Return the next question: where a captured stone goes, the kind of turn, where. Raises IllegalMove.

        A compulsory pass is finished without a question.
        """
        return choices.next_choice(self, path)

    def __str__(self) -> str:
        return position_line.format_position(self)

    def __repr__(self) -> str:
        return f"MorphosPosition({self})"

    def _legal_turn(self, move: Move) -> MorphosTurn:
        if not isinstance(move, MorphosTurn):
            raise legality.illegal_move(self, MorphosMessage.NOT_OF_THIS_BOARD, str(move))
        try:
            legality.check_turn(self, move, move.text)
        except AmbiguousMove as error:
            raise IllegalMove(error.reason, text=error.text, position=self) from None
        return move

    def _is_stuck(self) -> bool:
        """Return whether nothing but passing is left to both, and no win is waiting for a turn to begin."""
        win_pending = (
            self.rules.counts_flipped_stone and self.board_stones.of_side(OPPONENT[self.mover]).is_connected
        )
        return not win_pending and not legality.can_move(self, self.board_stones)
