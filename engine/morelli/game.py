"""Morelli: its positions, its options and its position lines."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from engine import options
from engine.answers import follow_answers
from engine.game import Event, EventKind, Game, Option, OptionError, Side, SimultaneousChoice
from engine.morelli import position_line, setup
from engine.morelli.board import SIZES, get_board
from engine.morelli.choices import ask_move
from engine.morelli.editions import EDITIONS, NESTOR, Phase, Setup, get_edition
from engine.morelli.effects import slide_effect
from engine.morelli.fact_keys import MorelliFact
from engine.morelli.facts import find_facts
from engine.morelli.movegen import find_first_move, generate
from engine.morelli.moves import Placement, Slide
from engine.morelli.parsing import parse_move
from engine.morelli.refusals import Refusals
from engine.morelli.state import OPPONENT, MorelliState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import CellMap, Fact, Move, MoveChoice, OptionValue, Outcome
    from engine.morelli.effects import SlideEffect


@dataclass(frozen=True, slots=True)
class MorelliPosition(MorelliState):
    """A position of Morelli with its legal moves; immutable. The list of moves is made once and kept."""

    _moves: tuple[Slide, ...] | tuple[Placement, ...] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    @property
    def game(self) -> Morelli:
        """Morelli."""
        return MORELLI

    def find_outcome(self) -> Outcome | None:
        """Return the result once the side to move cannot move (§7.1); None while it can, and in the set-up.

        One legal move is enough to know; the moves are not listed for it.
        """
        can_move = find_first_move(self) is not None if self._moves is None else bool(self._moves)
        return None if can_move else self.agreed_outcome

    @property
    def symmetries(self) -> tuple[CellMap, ...]:
        """The four turns and four reflections of the board, without leaving it as it is."""
        return get_board(self.size).symmetries

    def image(self, cells: CellMap) -> MorelliPosition:
        """Return the position turned or mirrored; the Centre stays where it is."""
        board = get_board(self.size)
        black, white = board.image(self.black, cells), board.image(self.white, cells)
        return replace(self, black=black, white=white)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return all legal moves, sorted by text; none when the game is over."""
        if self._moves is None:
            object.__setattr__(self, "_moves", generate(self))
        return self._moves or ()

    def parse(self, text: str) -> Move:
        """Return the legal move that `text` names. Raise NotationError or IllegalMove."""
        return parse_move(self, text)

    def play(self, move: Move) -> MorelliPosition:
        """Return the position after `move`. Raise IllegalMove if it is not legal here."""
        if isinstance(move, Slide):
            return self._after_slide(move, self._require_effect(move))
        return self._after_placement(self._require_placement(move))

    def events(self, move: Move) -> tuple[Event, ...]:
        """Return what `move` does. Raise IllegalMove if it is not legal here.

        The order is: the slide, captures, declined captures, the occupation or its declining. OCCUPY names
        the Centre and then the four stones that earn it. For a pair, the mover's own piece comes first.
        """
        board, mover, enemy = get_board(self.size), self.mover, OPPONENT[self.mover]
        if not isinstance(move, Slide):
            cell = self._require_placement(move).cell
            own = Event(EventKind.PLACE, mover, (cell,))
            is_pair = self.phase is Phase.PAIRS
            return (own, Event(EventKind.PLACE, enemy, (board.opposite[cell],))) if is_pair else (own,)
        captured, spared, frame, occupies = self._require_effect(move)
        events = [Event(EventKind.MOVE, mover, (move.path.origin, move.path.landing))]
        if captured:
            events.append(Event(EventKind.CONVERT, mover, board.to_cells(captured)))
        if spared:
            events.append(Event(EventKind.DECLINE_CONVERT, enemy, board.to_cells(spared)))
        if occupies:
            events.append(Event(EventKind.OCCUPY, mover, (board.centre, *board.to_cells(frame))))
        elif frame:
            events.append(Event(EventKind.DECLINE_OCCUPY, mover, (board.centre,)))
        return tuple(events)

    def facts(self, moves: Sequence[Move]) -> tuple[Fact, ...]:
        """Return plain facts about a turn, the most important first. Raise IllegalMove if it is not legal.

        There are none during the set-up.
        """
        after = self.play(moves[0])
        return tuple(find_facts(self, after)) if self.phase is Phase.PLAY else ()

    def next_choice(self, path: tuple[str, ...] = ()) -> MoveChoice | Move:
        """Return the next question, or the finished move. Raise IllegalMove for an answer not offered.

        The questions are: a stone, its target, the captures, the occupation; during the set-up a cell.
        """
        return follow_answers(self, path, ask_move(self))

    def __str__(self) -> str:
        return position_line.format_position(self)

    def _require_effect(self, slide: Slide) -> SlideEffect:
        effect = slide_effect(self, slide)
        if effect is None:
            raise Refusals(self, slide.text).slide_move_error(slide)
        return effect

    def _require_placement(self, move: Move) -> Placement:
        placement = self.find_placement(move.cell) if isinstance(move, Placement) else None
        if placement is None:
            raise Refusals(self, str(move)).placement_move_error(move)
        return placement

    def _after_slide(self, slide: Slide, effect: SlideEffect) -> MorelliPosition:
        path = slide.path
        own, enemy = self.own_and_enemy
        captured, _, _, occupies = effect
        own = own ^ path.start | path.end | captured
        enemy ^= captured
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


class Morelli(Game):
    """Morelli under version 1 of its rules.

    Options: `edition`; `size`, cells along one side; `setup`, by default the first one of the edition (facing
    or random); `seed`, from which :func:`engine.morelli.setup.random_setup` draws a random set-up and which
    has no effect on the others.
    """

    name = position_line.NAME
    rules_version = 1
    sides = (Side.BLACK, Side.WHITE)
    allows_draws = True
    options = (
        Option("edition", NESTOR.name, choices=tuple(each.name for each in EDITIONS)),
        Option("size", SIZES[0], choices=SIZES),
        Option("setup", None, choices=tuple(each.value for each in Setup)),
        Option("seed", None, minimum=0, maximum=setup.MAX_SEED, is_random=True),
    )
    simultaneous_choice = SimultaneousChoice("setup", "fists", ("LL", "RR", "LR"))
    first_options: Mapping[str, OptionValue] = MappingProxyType({"size": 9, "setup": "facing"})
    fact_keys = tuple(MorelliFact)
    first_move = "D1-D5"

    def complete_options(self, /, **given: OptionValue) -> dict[str, OptionValue]:
        """Return `given` checked and completed with defaults. Raise OptionError."""
        completed = options.complete(self.name, self.options, given, self.simultaneous_choice)
        edition = get_edition(str(completed["edition"]))
        setup_name = completed.setdefault("setup", edition.setups[0].value)
        if setup_name == self.simultaneous_choice.value:
            if edition is not NESTOR:
                values = {"edition": NESTOR.name}
                raise OptionError("morelli.fists_of_other_edition", values, text=str(setup_name))
        elif setup_name not in edition.setups:
            raise OptionError(
                "morelli.option_setup",
                {"edition": edition.name, "choices": tuple(edition.setups), "found": setup_name},
                text=str(setup_name),
            )
        return completed

    def initial_position(self, /, **given: OptionValue) -> MorelliPosition:
        """Return the first position for the options `given`. Raise OptionError.

        A random set-up without a seed draws one.
        """
        completed = self.complete_options(**given)
        edition = get_edition(str(completed["edition"]))
        if completed["setup"] == self.simultaneous_choice.value:
            raise OptionError("morelli.fists_still_closed", text=self.simultaneous_choice.value)
        board, setup_mode = get_board(int(completed["size"])), Setup(str(completed["setup"]))
        seed = int(
            completed.get("seed", self.options[-1].random_value() if setup_mode is Setup.RANDOM else 0)
        )
        black, white = setup.initial_stones(board, setup_mode, seed)
        phase = Phase(setup_mode.value) if setup_mode in {Setup.FREE, Setup.PAIRS} else Phase.PLAY
        return MorelliPosition(edition, board.size, black, white, None, Side.BLACK, phase)

    def load(self, text: str) -> MorelliPosition:
        """Return the position of a position line. Raise NotationError."""
        return MorelliPosition(*position_line.parse_position(text))

    def resolve_picks(self, first: str, second: str) -> str:
        """Return the set-up that two picks of closed fists decide (§2.5). Raise OptionError."""
        return setup.resolve_picks(first, second)


MORELLI: Final = Morelli()
"""Morelli under the present version of its rules."""
