"""A position of Morelli: an immutable value that knows its legal moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine import cells
from engine.game import Outcome, PieceGroup, Position, Side
from engine.morelli import choices, events, movegen, parsing, position_line, setup
from engine.morelli.bits import iter_bits
from engine.morelli.board import get_board
from engine.morelli.editions import Phase
from engine.morelli.effects import OPPONENT, slide_effect
from engine.morelli.moves import Placement, Slide
from engine.morelli.refusals import Refusals
from engine.morelli.slide_index import get_slide_index

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Cell, Event, Game, Move, MoveChoice
    from engine.morelli.editions import Edition
    from engine.morelli.effects import SlideEffect


@dataclass(frozen=True, slots=True)
class MorelliPosition(Position):
    """Stones, tower, side to move and phase on one board under one edition.

    `black` and `white` are the stones as bits of :class:`engine.morelli.board.Board`; `tower` is whose
    tower holds the Centre; `mover` is the side whose move comes next, even where it has none.
    """

    edition: Edition
    size: int
    black: int
    white: int
    tower: Side | None
    mover: Side
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
        return None if self.outcome else self.mover

    @property
    def outcome(self) -> Outcome | None:
        """The result once the side to move cannot move (§7.1); None while it can, and during the set-up."""
        return None if self.legal_moves() else self.agreed_outcome

    @property
    def agreed_outcome(self) -> Outcome:
        """What the tower on the Centre decides (§3.1, §3.4, §7.1)."""
        return Outcome(self.tower.value) if self.tower else Outcome.DRAW

    @property
    def vocabulary(self) -> str:
        """``morelli.nestor`` (stone, tower, Centre) or ``morelli.throne`` (piece, king, throne)."""
        return self.edition.vocabulary

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
    def moves_due(self) -> int:
        """How many placements are due in a row from the side to move (§2.6); 1 in open play."""
        if self.phase is Phase.PLAY:
            return 1
        total = setup.placement_count(get_board(self.size), self.phase)
        return setup.consecutive_placements(
            self.edition, total, setup.placements_made(self.phase, self.black | self.white)
        )

    @property
    def stones(self) -> Mapping[Cell, Side]:
        """What stands on the cells, without the tower, by file, then rank."""
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
        """The stones of the side to move and of the other, as bits."""
        return (self.black, self.white) if self.mover is Side.BLACK else (self.white, self.black)

    @property
    def occupied(self) -> int:
        """Every cell that cannot be passed over, as bits: stones, and the Centre once it holds a tower."""
        stones = self.black | self.white
        return stones | get_board(self.size).centre_bit if self.tower else stones

    @property
    def movable(self) -> tuple[Cell, ...]:
        """The cells of the stones that can move now, by file, then rank."""
        own, _ = self.own_and_enemy
        return tuple(name for name in get_board(self.size).to_cells(own) if self.landings(name))

    def band(self, name: Cell) -> int:
        """Return the distance of the cell `name` from the nearest edge: 0 on the outermost band."""
        return get_board(self.size).band[name]

    def landings(self, name: Cell) -> tuple[Cell, ...]:
        """Return where the stone on `name` can slide, whoever owns it, by file, then rank."""
        slides = get_slide_index(self.size).open_slides(get_board(self.size).bit[name], self.occupied)
        return cells.sort_cells(slide.path.landing for slide in slides)

    def find_placement(self, name: Cell) -> Placement | None:
        """Return the placement on `name` if the set-up allows it now."""
        found = get_slide_index(self.size).placements.get(name)
        if found is None or self.phase is Phase.PLAY or self.occupied & get_board(self.size).bit[name]:
            return None
        return found

    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves, sorted by text; empty when the game is over."""
        if self._moves is None:
            object.__setattr__(self, "_moves", movegen.generate(self))
        return self._moves or ()

    def parse(self, text: str) -> Move:
        """Read a legal move. Raises NotationError or IllegalMove."""
        return parsing.parse_move(self, text)

    def play(self, move: Move) -> MorelliPosition:
        """Return the position after `move`. Raises IllegalMove if it is not legal here."""
        if isinstance(move, Slide):
            return self._after_slide(move, self._legal_effect(move))
        return self._after_placement(self._legal_placement(move))

    def events(self, move: Move) -> tuple[Event, ...]:
        """Say what `move` does: the slide, captures, captures declined, the occupation taken or declined.

        OCCUPY names the Centre and then the four stones that earned it. Raises IllegalMove if `move` is
        not legal here.
        """
        if isinstance(move, Slide):
            return events.slide_events(self, move, self._legal_effect(move))
        return events.placement_events(self, self._legal_placement(move))

    def next_choice(self, path: tuple[str, ...] = ()) -> MoveChoice | Move:
        """Return the next question: stone, target, captures, occupation; or place. Raises IllegalMove."""
        return choices.next_choice(self, path)

    def __str__(self) -> str:
        return position_line.format_position(self)

    def _legal_effect(self, slide: Slide) -> SlideEffect:
        effect = slide_effect(self, slide)
        if effect is None:
            raise Refusals(self, slide.text).slide_move_error(slide)
        return effect

    def _legal_placement(self, move: Move) -> Placement:
        placement = self.find_placement(move.cell) if isinstance(move, Placement) else None
        if placement is None:
            raise Refusals(self, str(move)).placement_move_error(move)
        return placement

    def _after_slide(self, slide: Slide, effect: SlideEffect) -> MorelliPosition:
        path = slide.path
        taken, _, _, occupies = effect
        own, enemy = self.own_and_enemy
        own = own ^ path.start | path.end | taken
        enemy ^= taken
        black, white = (own, enemy) if self.mover is Side.BLACK else (enemy, own)
        tower = self.mover if occupies else self.tower
        return MorelliPosition(self.edition, self.size, black, white, tower, OPPONENT[self.mover], Phase.PLAY)

    def _after_placement(self, placement: Placement) -> MorelliPosition:
        board = get_board(self.size)
        own, enemy = self.own_and_enemy
        own |= board.bit[placement.cell]
        if self.phase is Phase.PAIRS:
            enemy |= board.bit[board.opposite[placement.cell]]
        black, white = (own, enemy) if self.mover is Side.BLACK else (enemy, own)
        total = setup.placement_count(board, self.phase)
        done = setup.placements_made(self.phase, black | white)
        phase = Phase.PLAY if done == total else self.phase
        mover = setup.placing_side(self.edition, total, done)
        return MorelliPosition(self.edition, self.size, black, white, None, mover, phase)
