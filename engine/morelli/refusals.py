"""Why a move of Morelli is refused: from what stands on the board to one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import IllegalMove, NotationError
from engine.morelli.board import board
from engine.morelli.editions import Phase
from engine.morelli.judging import captures, frame
from engine.morelli.lines import lines
from engine.morelli.moves import Placement
from engine.morelli.reasons import BANDS, COLOURS, NAMES, Reason
from engine.texts import quoted

if TYPE_CHECKING:
    from engine.game import Cell, Move
    from engine.morelli.moves import Slide, Track
    from engine.morelli.position import MorelliPosition

_FORM_OF_SLIDE = "A5-B5"
_FORM_OF_PLACEMENT = "A5"


class Refusals:
    """The refusals of one text in one position; every error carries both."""

    def __init__(self, position: MorelliPosition, text: str) -> None:
        self.position = position
        self.text = text
        self.board = board(position.size)

    def check_cells(self, *names: Cell) -> None:
        """Raise NotationError for the first of `names` that is no cell of the board."""
        for name in names:
            if name not in self.board.bit:
                raise self._notation(Reason.NO_CELL, cell=name, last=self.board.cells[-1])

    def check_once(self, names: tuple[Cell, ...]) -> None:
        """Raise NotationError where one of the declined `names` comes twice."""
        for number, name in enumerate(names):
            if name in names[:number]:
                raise self._notation(Reason.TWICE, cell=name)

    def unreadable(self) -> NotationError:
        """Say how a move is written here."""
        if self.position.phase is not Phase.PLAY:
            return self._notation(Reason.NOT_A_PLACEMENT, example=self._example())
        if self.position.edition.optional:
            return self._notation(Reason.NOT_A_MOVE_OR_DECLINE, example=self._example())
        return self._notation(Reason.NOT_A_MOVE, example=self._example())

    def placement(self, name: Cell) -> IllegalMove:
        """Say why nothing can be placed on the cell `name`."""
        position = self.position
        if position.phase is Phase.PLAY:
            if position.outcome:
                return self._illegal(Reason.OVER)
            return self._illegal(Reason.SET_UP_DONE, cell=name, example=self._example())
        if name in position.stones:
            return self._illegal(Reason.PLACE_TAKEN, cell=name, colour=COLOURS[position.stones[name]])
        outermost = self._band(self.board.outermost[0])
        return self._illegal(Reason.NOT_OUTERMOST, cell=name, band=self._band(name), outermost=outermost)

    def slide(self, origin: Cell, landing: Cell, declined: tuple[Cell, ...]) -> IllegalMove:
        """Say why the stone on `origin` cannot slide to `landing` declining what is on `declined`."""
        if self.position.phase is not Phase.PLAY:
            return self._illegal(Reason.SETTING_UP, example=self._example())
        if self.position.outcome:
            return self._illegal(Reason.OVER)
        refusal = self._start(origin, landing) or self._end(origin, landing)
        track = lines(self.position.size).tracks.get(f"{origin}-{landing}")
        if refusal is None and track is None:
            refusal = self._illegal(Reason.NOT_STRAIGHT, start=origin, end=landing)
        if refusal is None and track:
            refusal = self._way(track) or self._declined(track, declined)
        assert refusal is not None  # noqa: S101 - a slide that no clause forbids is legal
        return refusal

    def listed_slide(self, move: Slide) -> IllegalMove:
        """Say why `move`, made by this engine, is not legal here; it may come from another board."""
        track = move.track
        if track.board.size != self.board.size:
            return self._illegal(Reason.FOREIGN)
        return self.slide(track.origin, track.landing, track.board.names(move.declined))

    def listed_placement(self, move: Move) -> IllegalMove:
        """Say why `move`, no slide, is not legal here; it may come from another board or game."""
        if not isinstance(move, Placement) or move.cell not in self.board.bit:
            return self._illegal(Reason.FOREIGN)
        return self.placement(move.cell)

    def _start(self, origin: Cell, landing: Cell) -> IllegalMove | None:
        """§4.1: one of one's own stones moves."""
        position = self.position
        ends = {"start": origin, "end": landing}
        if origin == landing:
            return self._illegal(Reason.SAME_CELL, **ends)
        if origin == self.board.centre and position.tower:
            return self._illegal(Reason.TOWER_STAYS, **ends)
        owner = position.stones.get(origin)
        if owner is None:
            return self._illegal(Reason.EMPTY_START, **ends)
        if owner is not position.turn:
            mover = NAMES[position.turn]
            return self._illegal(Reason.NOT_YOURS, **ends, owner=NAMES[owner], mover=mover)
        return None

    def _end(self, origin: Cell, landing: Cell) -> IllegalMove | None:
        """§4.2.1, §4.2.4: on a band nearer the Centre, but not the Centre itself."""
        if landing == self.board.centre:
            return self._illegal(Reason.INTO_CENTRE, start=origin, end=landing)
        if self.board.band[landing] <= self.board.band[origin]:
            return self._illegal(Reason.NO_NEARER, start=origin, end=landing, band=self._band(landing))
        return None

    def _way(self, track: Track) -> IllegalMove | None:
        """§4.2.2, §4.2.3: over empty cells only."""
        position, on = self.position, self.board
        ends = {"start": track.origin, "end": track.landing}
        in_the_way = position.occupied & track.between
        if in_the_way:
            ahead = in_the_way & -in_the_way if track.end > track.start else 1 << in_the_way.bit_length() - 1
            if ahead == on.centre_bit and position.tower:
                return self._illegal(Reason.BLOCKED_BY_TOWER, **ends, colour=COLOURS[position.tower])
            cell = on.cell_at[ahead]
            return self._illegal(Reason.BLOCKED, **ends, cell=cell, colour=COLOURS[position.stones[cell]])
        if position.occupied & track.end:
            return self._illegal(Reason.TAKEN, **ends, colour=COLOURS[position.stones[track.landing]])
        return None

    def _declined(self, track: Track, declined: tuple[Cell, ...]) -> IllegalMove | None:
        """§5.4, §6.8: only what is on offer can be declined, and only where the edition lets one decline."""
        position, on = self.position, self.board
        ends = {"start": track.origin, "end": track.landing}
        if not declined:
            return None
        if not position.edition.optional:
            return self._illegal(Reason.COMPULSORY, **ends)
        own, adverse = position.own_and_adverse
        capturable = captures(on, own, adverse, track.end)
        for name in declined:
            if name != on.centre and not on.bit[name] & capturable:
                return self._illegal(Reason.NO_CAPTURE, **ends, cell=name)
        if on.centre not in declined:
            return None
        if position.tower is position.turn:
            return self._illegal(Reason.OWN_TOWER, **ends, mover=NAMES[position.turn])
        landed = own ^ track.start | track.end
        earned = frame(on, landed | capturable, track.end | capturable)
        return self._illegal(Reason.LOST_OCCUPATION if earned else Reason.NO_OCCUPATION, **ends)

    def _example(self) -> str:
        first = next(iter(self.position.legal_moves()), None)
        if first:
            return str(first).partition("~")[0]
        return _FORM_OF_SLIDE if self.position.phase is Phase.PLAY else _FORM_OF_PLACEMENT

    def _band(self, name: Cell) -> str:
        return BANDS[self.board.size // 2 - self.board.band[name]]

    def _illegal(self, reason: Reason, **values: object) -> IllegalMove:
        sentence = reason.say(self.position.edition.words, text=quoted(self.text), **values)
        return IllegalMove(sentence, text=self.text, position=self.position)

    def _notation(self, reason: Reason, **values: object) -> NotationError:
        sentence = reason.say(self.position.edition.words, text=quoted(self.text), **values)
        return NotationError(sentence, text=self.text, position=self.position)
