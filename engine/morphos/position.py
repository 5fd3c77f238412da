"""A position of Morphos: an immutable value that knows its legal moves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.game import AmbiguousMove, IllegalMove, Outcome, Position, Side
from engine.morphos import judging, line, listing, picking, reading, telling
from engine.morphos.board import each
from engine.morphos.flips import flippable
from engine.morphos.moves import Kind, Turn
from engine.morphos.paths import shortest
from engine.morphos.reasons import Reason
from engine.morphos.stones import OTHER
from engine.texts import LONGEST_MOVE, clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Cell, Choice, Event, Game, Move
    from engine.morphos.ruleset import Ruleset
    from engine.morphos.stones import Stones


@dataclass(frozen=True, slots=True, repr=False)
class MorphosPosition(Position):
    """Stones, whose turn comes next, and what the last turn left behind.

    `mover` is the side whose turn comes next, even when the game is over. `turns` counts completed turns,
    a swap too. `swapped`: the people have changed sides. `flipped`: the point of the stone that the enemy
    flipped on its latest turn (mutator b only). `owed`: the mover first puts a captured stone back
    (mutator d). `passed`: the turn just before was a pass.
    """

    rules: Ruleset
    standing: Stones
    mover: Side
    turns: int
    swapped: bool = False
    flipped: int | None = None
    owed: bool = False
    passed: bool = False

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
        decided = self.mover if self.rules.counting else OTHER[self.mover]
        if self.standing.of(decided).joined:
            return Outcome(decided.value)
        return Outcome.DRAW if self.passed and self._stuck() else None

    @property
    def agreed_outcome(self) -> Outcome | None:
        """None: Morphos knows no end by agreement."""
        return None

    @property
    def idiom(self) -> str:
        """``morphos``."""
        return "morphos"

    @property
    def due(self) -> int:
        """Always 1: a swap is followed by a turn of the same side, but of another person."""
        return 1

    @property
    def size(self) -> int:
        """Points along one side of the board."""
        return self.rules.size

    @property
    def stones(self) -> Mapping[Cell, Side]:
        """What stands on the points, by file, then rank."""
        board, black = self.rules.board, self.standing.black.walls
        white = self.standing.white.walls
        return MappingProxyType(
            {
                board.cell_at[at]: Side.BLACK if black >> at & 1 else Side.WHITE
                for at in each((black | white) & board.points)
            }
        )

    @property
    def vulnerable(self) -> tuple[Cell, ...]:
        """The enemy stones that the side to move may flip as the board stands, by file, then rank."""
        if self.outcome:
            return ()
        return self.rules.board.names(flippable(self.rules, self.standing, self.mover, self.flipped))

    @property
    def winning_chain(self) -> tuple[Cell, ...]:
        """A shortest winning chain, from the bottom or left edge to the other; empty where nobody has won."""
        outcome = self.outcome
        if outcome is None or outcome.winner is None:
            return ()
        board = self.rules.board
        low, high = board.black_edges if outcome.winner is Side.BLACK else board.white_edges
        own = self.standing.of(outcome.winner).walls & board.points
        return tuple(board.cell_at[at] for at in shortest(own, low, high))

    @property
    def flipped_cell(self) -> Cell | None:
        """The cell of the stone that the enemy has just flipped (mutator b), or None."""
        return None if self.flipped is None else self.rules.board.cell_at[self.flipped]

    def legal_moves(self) -> tuple[Move, ...]:
        """All legal turns, sorted by text; empty when the game is over."""
        return listing.legal(self)

    def beginning(self, text: str) -> Iterator[Move]:
        """Give the legal turns whose texts begin with what has been typed, sorted, one by one."""
        return listing.beginning(self, clean(text[:LONGEST_MOVE]))

    def parse(self, text: str) -> Move:
        """Read a legal turn. Raises NotationError, IllegalMove or AmbiguousMove."""
        return reading.read(self, text)

    def play(self, move: Move) -> MorphosPosition:
        """Give the position after `move`. Raises IllegalMove if it is not legal here."""
        turn = self._checked(move)
        if turn.kind is Kind.SWAP:
            return replace(self, turns=self.turns + 1, swapped=True)
        mover, flips = self.mover, turn.kind is Kind.FLIP
        standing = self.standing
        if turn.restored is not None:
            standing = standing.placed(mover, turn.restored)
        for at in turn.points:
            standing = standing.flipped(mover, at) if flips else standing.placed(mover, at)
        return MorphosPosition(
            self.rules,
            standing,
            OTHER[mover],
            self.turns + 1,
            self.swapped,
            turn.points[0] if flips and self.rules.counting else None,
            flips and self.rules.restoring and standing.empty != 0,
            turn.kind is Kind.PASS,
        )

    def events(self, move: Move) -> tuple[Event, ...]:
        """Say what `move` does. Raises IllegalMove if it is not legal here."""
        return telling.told(self, self._checked(move))

    def choice(self, path: tuple[str, ...] = ()) -> Choice | Move:
        """Give the next question: where a captured stone goes, the kind of turn, where. Raises IllegalMove.

        A compulsory pass is finished without a question.
        """
        return picking.choice(self, path)

    def __str__(self) -> str:
        return line.write(self)

    def __repr__(self) -> str:
        return f"MorphosPosition({self})"

    def _checked(self, move: Move) -> Turn:
        if not isinstance(move, Turn):
            raise judging.illegal(self, Reason.FOREIGN, str(move))
        try:
            judging.check(self, move, move.text)
        except AmbiguousMove as error:
            raise IllegalMove(error.reason, text=error.text, position=self) from None
        return move

    def _stuck(self) -> bool:
        """Tell whether nothing but passing is left to both, and no win is waiting for a turn to begin."""
        waits = self.rules.counting and self.standing.of(OTHER[self.mover]).joined
        return not waits and not judging.can_move(self, self.standing)
