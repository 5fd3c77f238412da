"""A position of Morelli: an immutable value that knows its legal moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine import cells
from engine.game import Outcome, Position, Side
from engine.morelli import line, listing, picking, reading, setup, telling
from engine.morelli.bits import each
from engine.morelli.board import board
from engine.morelli.editions import Phase
from engine.morelli.judging import OTHER, effect
from engine.morelli.lines import lines
from engine.morelli.moves import Placement, Slide
from engine.morelli.refusals import Refusals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Cell, Choice, Event, Game, Move
    from engine.morelli.editions import Edition
    from engine.morelli.judging import Effect


@dataclass(frozen=True, slots=True)
class MorelliPosition(Position):
    """Stones, tower, side to move and phase on one board under one edition.

    `black` and `white` are the stones as bits of :class:`engine.morelli.board.Board`; `tower` is whose
    tower holds the Centre; `turn` is the side whose move comes next, even where it has none.
    """

    edition: Edition
    size: int
    black: int
    white: int
    tower: Side | None
    turn: Side
    phase: Phase
    _moves: tuple[Slide, ...] | tuple[Placement, ...] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    @property
    def game(self) -> Game:
        """Morelli."""
        from engine.morelli.game import MORELLI  # noqa: PLC0415 - the game makes positions, and they name it

        return MORELLI

    @property
    def to_move(self) -> Side | None:
        """The side to move, or None when the game is over."""
        return None if self.outcome else self.turn

    @property
    def outcome(self) -> Outcome | None:
        """The result once the side to move cannot move (§7.1); None while it can, and during the set-up."""
        return None if self.legal_moves() else self.agreed_outcome

    @property
    def agreed_outcome(self) -> Outcome:
        """What the tower on the Centre decides (§3.1, §3.4, §7.1)."""
        return Outcome(self.tower.value) if self.tower else Outcome.DRAW

    @property
    def idiom(self) -> str:
        """``morelli.nestor`` (stone, tower, Centre) or ``morelli.throne`` (piece, king, throne)."""
        return self.edition.idiom

    @property
    def due(self) -> int:
        """How many placements are due in a row from the side to move (§2.6); 1 in open play."""
        if self.phase is Phase.PLAY:
            return 1
        total = setup.placements(board(self.size), self.phase)
        return setup.run(self.edition, total, setup.placed(self.phase, self.black | self.white))

    @property
    def stones(self) -> Mapping[Cell, Side]:
        """What stands on the cells, without the tower, by file, then rank."""
        cell_at = board(self.size).cell_at
        return MappingProxyType(
            {
                cell_at[bit]: Side.BLACK if self.black & bit else Side.WHITE
                for bit in each(self.black | self.white)
            }
        )

    @property
    def centre(self) -> Cell:
        """The middle cell."""
        return board(self.size).centre

    @property
    def own_and_adverse(self) -> tuple[int, int]:
        """The stones of the side to move and of the other, as bits."""
        return (self.black, self.white) if self.turn is Side.BLACK else (self.white, self.black)

    @property
    def occupied(self) -> int:
        """Every cell that cannot be passed over, as bits: stones, and the Centre once it holds a tower."""
        stones = self.black | self.white
        return stones | board(self.size).centre_bit if self.tower else stones

    @property
    def movable(self) -> tuple[Cell, ...]:
        """The cells of the stones that can move now, by file, then rank."""
        own, _ = self.own_and_adverse
        return tuple(name for name in board(self.size).names(own) if self.landings(name))

    def band(self, name: Cell) -> int:
        """Give the distance of the cell `name` from the nearest edge: 0 on the outermost band."""
        return board(self.size).band[name]

    def landings(self, name: Cell) -> tuple[Cell, ...]:
        """Give where the stone on `name` can slide, whoever owns it, by file, then rank."""
        slides = lines(self.size).slides(board(self.size).bit[name], self.occupied)
        return cells.in_order(slide.track.landing for slide in slides)

    def placement(self, name: Cell) -> Placement | None:
        """Give the placement on `name` if the set-up allows it now."""
        found = lines(self.size).placements.get(name)
        if found is None or self.phase is Phase.PLAY or self.occupied & board(self.size).bit[name]:
            return None
        return found

    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves, sorted by text; empty when the game is over."""
        if self._moves is None:
            object.__setattr__(self, "_moves", listing.moves(self))
        return self._moves or ()

    def parse(self, text: str) -> Move:
        """Read a legal move. Raises NotationError or IllegalMove."""
        return reading.read(self, text)

    def play(self, move: Move) -> MorelliPosition:
        """Give the position after `move`. Raises IllegalMove if it is not legal here."""
        if isinstance(move, Slide):
            return self._after_slide(move, self._effect(move))
        return self._after_placement(self._own_placement(move))

    def events(self, move: Move) -> tuple[Event, ...]:
        """Say what `move` does: the slide, captures, captures declined, the occupation taken or declined.

        OCCUPY names the Centre and then the four stones that earned it. Raises IllegalMove if `move` is
        not legal here.
        """
        if isinstance(move, Slide):
            return telling.slide(self, move, self._effect(move))
        return telling.placement(self, self._own_placement(move))

    def choice(self, path: tuple[str, ...] = ()) -> Choice | Move:
        """Give the next question: stone, target, captures, occupation; or place. Raises IllegalMove."""
        return picking.choice(self, path)

    def __str__(self) -> str:
        return line.write(self)

    def _effect(self, slide: Slide) -> Effect:
        does = effect(self, slide)
        if does is None:
            raise Refusals(self, slide.text).listed_slide(slide)
        return does

    def _own_placement(self, move: Move) -> Placement:
        placement = self.placement(move.cell) if isinstance(move, Placement) else None
        if placement is None:
            raise Refusals(self, str(move)).listed_placement(move)
        return placement

    def _after_slide(self, slide: Slide, does: Effect) -> MorelliPosition:
        track = slide.track
        taken, _, _, occupies = does
        own, adverse = self.own_and_adverse
        own = own ^ track.start | track.end | taken
        adverse ^= taken
        black, white = (own, adverse) if self.turn is Side.BLACK else (adverse, own)
        tower = self.turn if occupies else self.tower
        return MorelliPosition(self.edition, self.size, black, white, tower, OTHER[self.turn], Phase.PLAY)

    def _after_placement(self, placement: Placement) -> MorelliPosition:
        on = board(self.size)
        own, adverse = self.own_and_adverse
        own |= on.bit[placement.cell]
        if self.phase is Phase.PAIRS:
            adverse |= on.bit[on.opposite[placement.cell]]
        black, white = (own, adverse) if self.turn is Side.BLACK else (adverse, own)
        total = setup.placements(on, self.phase)
        done = setup.placed(self.phase, black | white)
        phase = Phase.PLAY if done == total else self.phase
        turn = setup.placer(self.edition, total, done)
        return MorelliPosition(self.edition, self.size, black, white, None, turn, phase)
