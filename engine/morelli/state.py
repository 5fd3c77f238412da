"""What a position of Morelli consists of, without its legal moves."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from engine.cells import sort_cells
from engine.game import Outcome, PieceGroup, Position, Side
from engine.morelli import setup
from engine.morelli.bits import iter_bits
from engine.morelli.board import get_board
from engine.morelli.editions import Phase
from engine.morelli.slide_index import get_slide_index

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Cell, OptionValues
    from engine.morelli.editions import Edition
    from engine.morelli.moves import Placement

OPPONENT: Final[Mapping[Side, Side]] = MappingProxyType({Side.BLACK: Side.WHITE, Side.WHITE: Side.BLACK})


@dataclass(frozen=True, slots=True)
class MorelliState(Position):
    """The fields of a position; :class:`engine.morelli.game.MorelliPosition` adds the moves.

    The modules that list, check, parse and describe moves take this class.

    Attributes:
        size: Cells along one side of the board.
        black: Black's stones, as bits of :class:`engine.morelli.board.MorelliBoard`.
        white: White's stones, as bits.
        tower: The side whose tower holds the Centre, or None.
        mover: The side whose move comes next, even if it has no legal move.

    """

    edition: Edition
    size: int
    black: int
    white: int
    tower: Side | None
    mover: Side
    phase: Phase

    @property
    def to_move(self) -> Side | None:
        """The side to move, or None when the game is over."""
        return None if self.outcome else self.mover

    @property
    def agreed_outcome(self) -> Outcome:
        """The result that the tower on the Centre gives (§3.1, §3.4, §7.1)."""
        return Outcome(self.tower.value) if self.tower else Outcome.DRAW

    @property
    def piece_groups(self) -> tuple[PieceGroup, ...]:
        """The stones and the tower of each side, and the Centre while it is empty."""
        groups: list[PieceGroup] = []
        for side in (Side.BLACK, Side.WHITE):
            cells = tuple(cell for cell, owner in self.stones.items() if owner is side)
            groups.append(PieceGroup("stones", side, cells))
            if self.tower is side:
                groups.append(PieceGroup("tower", side, (self.centre,)))
        if self.tower is None:
            groups.append(PieceGroup("centre", None, (self.centre,)))
        return tuple(groups)

    @property
    def vocabulary(self) -> str:
        """``morelli.nestor`` (stone, tower, Centre) or ``morelli.throne`` (piece, king, throne)."""
        return self.edition.vocabulary

    @property
    def options(self) -> OptionValues:
        """The edition of the rules and the size of the board."""
        return {"edition": self.edition.name, "size": self.size}

    @property
    def moves_due(self) -> int:
        """The number of placements in a row by the side to move (§2.6); 1 after the set-up."""
        if self.phase is Phase.PLAY:
            return 1
        total = setup.placement_count(get_board(self.size), self.phase)
        return setup.consecutive_placements(
            self.edition, total, setup.placements_made(self.phase, self.black | self.white)
        )

    @property
    def stones(self) -> Mapping[Cell, Side]:
        """The owner of every stone on the board, by file, then rank; without the tower."""
        cell_at = get_board(self.size).cell_at
        return MappingProxyType(
            {
                cell_at[bit]: Side.BLACK if self.black & bit else Side.WHITE
                for bit in iter_bits(self.black | self.white)
            }
        )

    @property
    def centre(self) -> Cell:
        """The middle cell."""
        return get_board(self.size).centre

    @property
    def own_and_enemy(self) -> tuple[int, int]:
        """The stones of the side to move and those of the other side, as bits."""
        return (self.black, self.white) if self.mover is Side.BLACK else (self.white, self.black)

    @property
    def occupied(self) -> int:
        """The cells that cannot be passed over, as bits: all stones, and the Centre if it holds a tower."""
        stones = self.black | self.white
        return stones | get_board(self.size).centre_bit if self.tower else stones

    @property
    def movable(self) -> tuple[Cell, ...]:
        """The cells of the mover's stones that can slide, by file, then rank."""
        own, _ = self.own_and_enemy
        occupied, index, cell_at = self.occupied, get_slide_index(self.size), get_board(self.size).cell_at
        return tuple(cell_at[bit] for bit in iter_bits(own) if index.open_slides(bit, occupied))

    def band(self, name: Cell) -> int:
        """Return the distance of the cell `name` from the nearest edge: 0 on the outermost band."""
        return get_board(self.size).band[name]

    def landings(self, name: Cell) -> tuple[Cell, ...]:
        """Return where a stone on `name`, of either side, can slide, by file, then rank."""
        slides = get_slide_index(self.size).open_slides(get_board(self.size).bit[name], self.occupied)
        return sort_cells(slide.path.landing for slide in slides)

    def find_placement(self, name: Cell) -> Placement | None:
        """Return the placement on `name`, or None if the set-up does not allow it now."""
        found = get_slide_index(self.size).placements.get(name)
        if found is None or self.phase is Phase.PLAY or self.occupied & get_board(self.size).bit[name]:
            return None
        return found
