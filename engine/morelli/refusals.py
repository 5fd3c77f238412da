"""The reason why a move is illegal or unreadable, as one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import IllegalMove, NotationError
from engine.morelli.board import get_board
from engine.morelli.editions import Phase
from engine.morelli.effects import captured_stones, find_frame
from engine.morelli.movegen import find_first_move
from engine.morelli.moves import Placement
from engine.morelli.slide_index import get_slide_index
from engine.sentences import RefusalValue, Word

if TYPE_CHECKING:
    from engine.game import Cell, Move
    from engine.morelli.moves import Slide, SlidePath
    from engine.morelli.state import MorelliState

BANDS = ("violet", "indigo", "blue", "green", "yellow", "orange", "red")
"""Colours of the bands from the Centre outwards (§1.1)."""

_FORM_OF_SLIDE = "A5-B5"
_FORM_OF_PLACEMENT = "A5"


class Refusals:
    """Creates the errors for one text in one position; every error has both."""

    def __init__(self, position: MorelliState, text: str) -> None:
        self.position = position
        self.text = text
        self.board = get_board(position.size)

    def check_cells(self, *names: Cell) -> None:
        """Raise NotationError for the first of `names` that is not a cell of the board."""
        for name in names:
            if name not in self.board.bit:
                raise self._notation_error("no_cell", cell=name, last=self.board.cells[-1])

    def check_no_repeats(self, names: tuple[Cell, ...]) -> None:
        """Raise NotationError if one of the declined `names` occurs twice."""
        for number, name in enumerate(names):
            if name in names[:number]:
                raise self._notation_error("twice", cell=name)

    def unreadable_error(self) -> NotationError:
        """Return the error that explains how a move is written."""
        if self.position.phase is not Phase.PLAY:
            return self._notation_error("not_a_placement", example=self._example())
        if self.position.edition.allows_declining:
            return self._notation_error("not_a_move_or_decline", example=self._example())
        return self._notation_error("not_a_move", example=self._example())

    def placement_error(self, name: Cell) -> IllegalMove:
        """Return the error for a placement on the cell `name`."""
        position = self.position
        if position.phase is Phase.PLAY:
            if position.outcome:
                return self._game_over()
            return self._illegal_move("setup_done", cell=name, example=self._example())
        if name in position.stones:
            return self._illegal_move("place_taken", cell=name, colour=position.stones[name].adjective)
        outermost = self._band_name(self.board.outermost[0])
        return self._illegal_move("not_outermost", cell=name, band=self._band_name(name), outermost=outermost)

    def slide_error(self, origin: Cell, landing: Cell, declined: tuple[Cell, ...]) -> IllegalMove:
        """Return the error for a slide from `origin` to `landing` that declines `declined`."""
        if self.position.phase is not Phase.PLAY:
            return self._illegal_move("setting_up", example=self._example())
        if self.position.outcome:
            return self._game_over()
        refusal = self._origin_error(origin, landing) or self._landing_error(origin, landing)
        path = get_slide_index(self.position.size).paths.get(f"{origin}-{landing}")
        if refusal is None and path is None:
            refusal = self._illegal_move("not_straight", start=origin, end=landing)
        if refusal is None and path:
            refusal = self._path_error(path) or self._declining_error(path, declined)
        assert refusal is not None  # noqa: S101 - a slide that no clause forbids is legal
        return refusal

    def slide_move_error(self, move: Slide) -> IllegalMove:
        """Return the error for the slide `move`, which may belong to another board."""
        path = move.path
        if path.board.size != self.board.size:
            return self._other_board()
        return self.slide_error(path.origin, path.landing, path.board.to_cells(move.declined))

    def placement_move_error(self, move: Move) -> IllegalMove:
        """Return the error for `move`, which is not a slide and may belong to another board or game."""
        if not isinstance(move, Placement) or move.cell not in self.board.bit:
            return self._other_board()
        return self.placement_error(move.cell)

    def _origin_error(self, origin: Cell, landing: Cell) -> IllegalMove | None:
        """Check §4.1: one of the mover's own stones moves."""
        position = self.position
        ends = {"start": origin, "end": landing}
        if origin == landing:
            return self._illegal_move("same_cell", **ends)
        if origin == self.board.centre and position.tower:
            return self._illegal_move("tower_stays", **ends)
        owner = position.stones.get(origin)
        if owner is None:
            return self._illegal_move("empty_start", **ends)
        if owner is not position.mover:
            return self._illegal_move("not_yours", **ends, owner=owner.noun, mover=position.mover.noun)
        return None

    def _landing_error(self, origin: Cell, landing: Cell) -> IllegalMove | None:
        """Check §4.2.1, §4.2.4: the landing cell is on a band nearer the Centre, but not the Centre."""
        if landing == self.board.centre:
            return self._illegal_move("into_centre", start=origin, end=landing)
        if self.board.band[landing] <= self.board.band[origin]:
            return self._illegal_move("no_nearer", start=origin, end=landing, band=self._band_name(landing))
        return None

    def _path_error(self, path: SlidePath) -> IllegalMove | None:
        """Check §4.2.2, §4.2.3: the path has only empty cells."""
        position, board = self.position, self.board
        ends = {"start": path.origin, "end": path.landing}
        in_the_way = position.occupied & path.between
        if in_the_way:
            ahead = in_the_way & -in_the_way if path.end > path.start else 1 << in_the_way.bit_length() - 1
            if ahead == board.centre_bit and position.tower:
                return self._illegal_move("blocked_by_tower", **ends, colour=position.tower.adjective)
            cell = board.cell_at[ahead]
            return self._illegal_move("blocked", **ends, cell=cell, colour=position.stones[cell].adjective)
        if position.occupied & path.end:
            return self._illegal_move("taken", **ends, colour=position.stones[path.landing].adjective)
        return None

    def _declining_error(self, path: SlidePath, declined: tuple[Cell, ...]) -> IllegalMove | None:
        """Check §5.4, §6.8: only what is possible can be declined, and only if the edition allows it."""
        position, board = self.position, self.board
        ends = {"start": path.origin, "end": path.landing}
        if not declined:
            return None
        if not position.edition.allows_declining:
            return self._illegal_move("compulsory", **ends)
        own, enemy = position.own_and_enemy
        capturable = captured_stones(board, own, enemy, path.end)
        for name in declined:
            if name != board.centre and not board.bit[name] & capturable:
                return self._illegal_move("no_capture", **ends, cell=name)
        if board.centre not in declined:
            return None
        if position.tower is position.mover:
            return self._illegal_move("own_tower", **ends, mover=position.mover.noun)
        landed = own ^ path.start | path.end
        earned = find_frame(board, landed | capturable, path.end | capturable)
        return self._illegal_move("lost_occupation" if earned else "no_occupation", **ends)

    def _example(self) -> str:
        first = find_first_move(self.position)
        if first:
            return first.text
        return _FORM_OF_SLIDE if self.position.phase is Phase.PLAY else _FORM_OF_PLACEMENT

    def _band_name(self, name: Cell) -> Word:
        return Word(f"morelli.band.{BANDS[self.board.size // 2 - self.board.band[name]]}")

    def _game_over(self) -> IllegalMove:
        return IllegalMove("move.game_over", text=self.text, position=self.position)

    def _other_board(self) -> IllegalMove:
        return IllegalMove("move.not_of_this_board", text=self.text, position=self.position)

    def _illegal_move(self, key: str, **values: RefusalValue) -> IllegalMove:
        return IllegalMove(f"morelli.{key}", values, text=self.text, position=self.position)

    def _notation_error(self, key: str, **values: RefusalValue) -> NotationError:
        return NotationError(f"morelli.{key}", values, text=self.text, position=self.position)
