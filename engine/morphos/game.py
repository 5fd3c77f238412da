"""Morphos: its positions, its options and its position lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from engine import cells, options
from engine.answers import follow_answers
from engine.game import AmbiguousMove, Event, EventKind, Game, IllegalMove, Option, Outcome, Side
from engine.morphos import position_line
from engine.morphos.board import MAX_SIZE, MIN_SIZE
from engine.morphos.choices import ask_turn
from engine.morphos.connectivity import shortest_chain
from engine.morphos.fact_keys import MorphosFact
from engine.morphos.facts import find_facts
from engine.morphos.flips import flippable_stones
from engine.morphos.legality import can_move, check_turn, parse_move
from engine.morphos.movegen import generate, generate_with_prefix
from engine.morphos.moves import MorphosTurn, TurnKind
from engine.morphos.ruleset import MUTATORS, NO_MUTATORS, RULES_VERSIONS, Ruleset, get_ruleset
from engine.morphos.state import MorphosState
from engine.morphos.stones import OPPONENT, Stones
from engine.notation_text import MAX_MOVE_LENGTH, normalize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engine.game import Cell, CellMap, Fact, Move, MoveChoice, OptionValue

DEFAULT_SIZE: Final = 13
EVENT_KINDS: Final = {
    TurnKind.PLACE: EventKind.PLACE,
    TurnKind.FLIP: EventKind.FLIP,
    TurnKind.SWAP: EventKind.SWAP,
    TurnKind.PASS: EventKind.PASS,
}


@dataclass(frozen=True, slots=True, repr=False)
class MorphosPosition(MorphosState):
    """A position of Morphos with its legal turns; immutable."""

    @property
    def game(self) -> Morphos:
        """Morphos under the version of the rules of this position."""
        return MORPHOS_VERSIONS[self.rules.version]

    def find_outcome(self) -> Outcome | None:
        """Return the result, or None while the game is in progress.

        The side whose turn has just ended wins with a chain between its edges; under mutator b the side whose
        turn begins. A pass that could only be answered by another pass is a draw.
        """
        winner = self.mover if self.rules.counts_flipped_stone else OPPONENT[self.mover]
        if self.board_stones.of_side(winner).is_connected:
            return Outcome(winner.value)
        return Outcome.DRAW if self.follows_pass and self._is_stuck() else None

    @property
    def vulnerable(self) -> tuple[Cell, ...]:
        """The enemy stones that the side to move may flip on the present board, by file, then rank.

        Where a captured stone is owed (mutator d), it is not on the board yet.
        """
        if self.outcome:
            return ()
        return self.rules.board.to_cells(
            flippable_stones(self.rules, self.board_stones, self.mover, self.flipped_point)
        )

    @property
    def winning_chain(self) -> tuple[Cell, ...]:
        """A shortest winning chain, from the bottom or left edge to the opposite one; empty without a win."""
        outcome = self.outcome
        if outcome is None or outcome.winner is None:
            return ()
        board = self.rules.board
        low, high = board.black_edges if outcome.winner is Side.BLACK else board.white_edges
        own = self.board_stones.of_side(outcome.winner).stones_and_edges & board.points
        return tuple(board.cell_at[point] for point in shortest_chain(own, low, high))

    @property
    def symmetries(self) -> tuple[CellMap, ...]:
        """The reflections that leave each edge with its owner, and both together."""
        return self.rules.board.symmetries

    def image(self, cells: CellMap) -> MorphosPosition:
        """Return the position mirrored."""
        board, rules, stones = self.rules.board, self.rules, self.board_stones
        black, white = (
            board.to_points(cells[name] for name in board.to_cells(side.stones_and_edges & board.points))
            for side in (stones.black, stones.white)
        )
        flipped = None if self.flipped_cell is None else board.point_of[cells[self.flipped_cell]]
        images = Stones.from_points(board, rules.patterns, black, white)
        return replace(self, board_stones=images, flipped_point=flipped)

    def legal_moves(self) -> tuple[Move, ...]:
        """Return all legal turns, sorted by text; none when the game is over."""
        return generate(self)

    def moves_with_prefix(self, text: str) -> Iterator[Move]:
        """Yield the legal turns whose text begins with `text`, sorted; each is made when it is asked for."""
        return generate_with_prefix(self, normalize(text[:MAX_MOVE_LENGTH]))

    def parse(self, text: str) -> Move:
        """Return the legal turn that `text` names. Raise NotationError, IllegalMove or AmbiguousMove."""
        return parse_move(self, text)

    def play(self, move: Move) -> MorphosPosition:
        """Return the position after `move`. Raise IllegalMove if it is not legal here."""
        turn = self._require_legal(move)
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
        """Return what `move` does. Raise IllegalMove if it is not legal here.

        The event of the restored stone, if there is one, comes before that of the regular turn. The side of
        every event is the mover.
        """
        turn, cell_at = self._require_legal(move), self.rules.board.cell_at
        regular = Event(EVENT_KINDS[turn.kind], self.mover, tuple(cell_at[point] for point in turn.points))
        if turn.restored is None:
            return (regular,)
        return (Event(EventKind.RESTORE, self.mover, (cell_at[turn.restored],)), regular)

    def facts(self, moves: Sequence[Move]) -> tuple[Fact, ...]:
        """Return plain facts about a turn, the most important first. Raise IllegalMove if it is not legal."""
        (turn,) = moves
        return tuple(find_facts(self, self.play(turn)))

    def next_choice(self, path: tuple[str, ...] = ()) -> MoveChoice | Move:
        """Return the next question, or the finished turn. Raise IllegalMove for an answer not offered.

        The questions are: where a captured stone goes, the kind of turn, its points. A compulsory pass is
        finished without a question.
        """
        return follow_answers(self, path, ask_turn(self))

    def __str__(self) -> str:
        return position_line.format_position(self)

    def __repr__(self) -> str:
        return f"MorphosPosition({self})"

    def _require_legal(self, move: Move) -> MorphosTurn:
        if not isinstance(move, MorphosTurn):
            raise IllegalMove("move.not_of_this_board", text=str(move), position=self)
        try:
            check_turn(self, move, move.text)
        except AmbiguousMove as error:
            raise IllegalMove(error.key, error.values, text=error.text, position=self) from None
        return move

    def _is_stuck(self) -> bool:
        """Return whether neither side can do anything but pass and no win awaits the start of a turn."""
        win_pending = (
            self.rules.counts_flipped_stone and self.board_stones.of_side(OPPONENT[self.mover]).is_connected
        )
        return not win_pending and not can_move(self, self.board_stones)


class Morphos(Game):
    """Morphos under one version of its rules (see :data:`engine.morphos.ruleset.RULES_VERSIONS`).

    Options: `size`, points along one side; `mutators`, the letters of the mutators in play in any order, or
    ``-``.
    """

    name = position_line.NAME
    sides = (Side.BLACK, Side.WHITE)
    allows_draws = False
    first_options: Mapping[str, OptionValue] = MappingProxyType({"size": 9})
    fact_keys = tuple(MorphosFact)
    first_move = "F6"
    options = (
        Option("size", DEFAULT_SIZE, minimum=MIN_SIZE, maximum=MAX_SIZE),
        Option("mutators", NO_MUTATORS, choices=MUTATORS),
    )

    def __init__(self, rules_version: int) -> None:
        self.rules_version = rules_version

    @property
    def versions(self) -> Mapping[int, Morphos]:
        """Morphos under versions 1 and 2 of its rules."""
        return MORPHOS_VERSIONS

    def complete_options(self, /, **given: OptionValue) -> dict[str, OptionValue]:
        """Return `given` checked and completed with defaults. Raise OptionError."""
        letters = sorted(str(given.get("mutators", NO_MUTATORS)).strip().lower())
        if "".join(letters) in MUTATORS:
            given["mutators"] = "".join(letters)
        return options.complete(self.name, self.options, given)

    def initial_position(self, /, **given: OptionValue) -> MorphosPosition:
        """Return the first position for the options `given`. Raise OptionError.

        The board is empty, or full in a chequered pattern with A1 black (mutator e).
        """
        completed = self.complete_options(**given)
        rules = get_ruleset(int(completed["size"]), str(completed["mutators"]), self.rules_version)
        stones = Stones.from_points(rules.board, rules.patterns, *_initial_stones(rules))
        return MorphosPosition(rules, stones, Side.BLACK, 0)

    def load(self, text: str) -> MorphosPosition:
        """Return the position of a position line, under this version of the rules. Raise NotationError."""
        return MorphosPosition(*position_line.parse_position(text, self.rules_version))


def _initial_stones(rules: Ruleset) -> tuple[int, int]:
    """Return Black's and White's stones before the first turn, as sets of points."""
    if not rules.starts_full:
        return 0, 0
    board = rules.board
    black = board.to_points(name for name in board.cells if sum(cells.coordinates(name)) % 2 == 0)
    return black, board.points ^ black


MORPHOS_VERSIONS: Final[Mapping[int, Morphos]] = MappingProxyType(
    {version: Morphos(version) for version in RULES_VERSIONS}
)
"""Morphos under every version of its rules, oldest first."""

MORPHOS: Final = MORPHOS_VERSIONS[RULES_VERSIONS[-1]]
"""Morphos under the present version of its rules."""
