"""Morabaraba: its positions, its option and its position lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from engine import options
from engine.answers import follow_answers
from engine.game import AmbiguousMove, Event, EventKind, Game, IllegalMove, Option, Side
from engine.morabaraba import position_line
from engine.morabaraba.board import get_board
from engine.morabaraba.choices import ask_turn
from engine.morabaraba.fact_keys import MorabarabaFact
from engine.morabaraba.facts import find_facts
from engine.morabaraba.legality import check_turn, parse_move
from engine.morabaraba.movegen import generate
from engine.morabaraba.moves import MorabarabaTurn
from engine.morabaraba.side_state import MEN_CHOICES, SideState, have_three_each
from engine.morabaraba.state import MorabarabaState

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engine.game import CellMap, Fact, Move, MoveChoice, OptionValue


@dataclass(frozen=True, slots=True, repr=False)
class MorabarabaPosition(MorabarabaState):
    """A position of Morabaraba with its legal turns; immutable."""

    @property
    def game(self) -> Morabaraba:
        """Morabaraba under the version of the rules of this position."""
        return MORABARABA_VERSIONS[self.rules_version]

    @property
    def symmetries(self) -> tuple[CellMap, ...]:
        """The turns and reflections of the board, also with the outer and the inner square exchanged."""
        return get_board().symmetries

    def image(self, cells: CellMap) -> MorabarabaPosition:
        """Return the position turned, mirrored, or with the squares exchanged."""
        return replace(self, white=_side_image(self.white, cells), red=_side_image(self.red, cells))

    def legal_moves(self) -> tuple[Move, ...]:
        """Return all legal turns, sorted by text; none when the game is over."""
        return generate(self)

    def parse(self, text: str) -> Move:
        """Return the legal turn that `text` names. Raise NotationError, IllegalMove or AmbiguousMove."""
        return parse_move(self, text)

    def play(self, move: Move) -> MorabarabaPosition:
        """Return the position after `move`. Raise IllegalMove if it is not legal here."""
        turn = self._require_legal(move)
        own, enemy = self.own, self.enemy
        men = own.men & ~turn.start | turn.end
        own = SideState(men, own.hand if turn.start else own.hand - 1, self._forbidden_step_after(turn))
        if turn.removed:
            enemy = SideState(enemy.men ^ turn.removed, enemy.hand, enemy.forbidden_step)
        is_counted = not turn.removed and (
            turn.start != 0 if self.rules_version > 1 else have_three_each(own, enemy)
        )
        no_capture_count = self.no_capture_count + 1 if is_counted else 0
        white, red = (own, enemy) if self.mover is Side.WHITE else (enemy, own)
        return MorabarabaPosition(
            self.rules_version, self.men_per_side, white, red, self.opponent, no_capture_count
        )

    def events(self, move: Move) -> tuple[Event, ...]:
        """Return what `move` does. Raise IllegalMove if it is not legal here.

        The order is: the placement or step, each mill that it closes, the removal or its declining. The side
        is the mover; for CAPTURE it is the owner of the removed man.
        """
        return tuple(self._describe(self._require_legal(move)))

    def facts(self, moves: Sequence[Move]) -> tuple[Fact, ...]:
        """Return plain facts about a turn, the most important first. Raise IllegalMove if it is not legal."""
        (turn,) = map(self._require_legal, moves)
        return tuple(find_facts(self, turn, self.play(turn)))

    def next_choice(self, path: tuple[str, ...] = ()) -> MoveChoice | Move:
        """Return the next question, or the finished turn. Raise IllegalMove for an answer not offered.

        The questions are: a point, or a man and its target; then which man is removed for a mill.
        """
        return follow_answers(self, path, ask_turn(self))

    def __str__(self) -> str:
        return position_line.format_position(self)

    def __repr__(self) -> str:
        return f"MorabarabaPosition({self})"

    def _require_legal(self, move: Move) -> MorabarabaTurn:
        if not isinstance(move, MorabarabaTurn):
            key = "move.game_over" if self.outcome else "morabaraba.not_of_this_game"
            raise IllegalMove(key, text=str(move), position=self)
        try:
            check_turn(self, move, move.text)
        except AmbiguousMove as error:
            raise IllegalMove(error.key, error.values, text=error.text, position=self) from None
        return move

    def _describe(self, turn: MorabarabaTurn) -> Iterator[Event]:
        board, end = get_board(), get_board().cell_at[turn.end]
        if turn.start:
            yield Event(EventKind.MOVE, self.mover, (board.cell_at[turn.start], end))
        else:
            yield Event(EventKind.PLACE, self.mover, (end,))
        men = self.own.men & ~turn.start | turn.end
        for line, mill in zip(board.lines, board.mills, strict=True):
            if mill & turn.end and men & mill == mill:
                yield Event(EventKind.MILL, self.mover, line)
        if turn.removed:
            yield Event(EventKind.CAPTURE, self.opponent, (board.cell_at[turn.removed],))
        elif turn.declines_removal:
            yield Event(EventKind.DECLINE_CAPTURE, self.mover)

    def _forbidden_step_after(self, turn: MorabarabaTurn) -> tuple[int, int] | None:
        """Return the step straight back, if `turn` leaves one mill and closes another, else None."""
        if not turn.start:
            return None
        other_men, board = self.own.men & ~turn.start, get_board()
        if board.closes_mill(other_men, turn.end) and board.closes_mill(other_men, turn.start):
            return turn.end, turn.start
        return None


def _side_image(side: SideState, cells: CellMap) -> SideState:
    board = get_board()
    step = side.forbidden_step
    start_and_end = None if step is None else (board.image(step[0], cells), board.image(step[1], cells))
    return SideState(board.image(side.men, cells), side.hand, start_and_end)


class Morabaraba(Game):
    """Morabaraba under one version of its rules. Option: `men`, the number of men of each side.

    From version 2 on, a hundred turns in a row in which a man moved and none was taken are a draw. Version 1
    has only the limit of twenty turns when both sides are down to three men.
    """

    name = position_line.NAME
    sides = (Side.WHITE, Side.RED)
    allows_draws = True
    options = (Option("men", MEN_CHOICES[0], choices=MEN_CHOICES),)
    fact_keys = tuple(MorabarabaFact)
    first_move = "D6"

    def __init__(self, rules_version: int) -> None:
        self.rules_version = rules_version

    @property
    def versions(self) -> Mapping[int, Morabaraba]:
        """Morabaraba under versions 1 and 2 of its rules."""
        return MORABARABA_VERSIONS

    def complete_options(self, /, **given: OptionValue) -> dict[str, OptionValue]:
        """Return `given` checked and completed with defaults. Raise OptionError."""
        return options.complete(self.name, self.options, given)

    def initial_position(self, /, **given: OptionValue) -> MorabarabaPosition:
        """Return the empty board with all men in hand. Raise OptionError."""
        men = int(self.complete_options(**given)["men"])
        return MorabarabaPosition(self.rules_version, men, SideState(0, men), SideState(0, men), Side.WHITE)

    def load(self, text: str) -> MorabarabaPosition:
        """Return the position of a position line, under this version of the rules. Raise NotationError."""
        return MorabarabaPosition(*position_line.parse_position(text, self.rules_version))


MORABARABA_VERSIONS: Final[Mapping[int, Morabaraba]] = MappingProxyType(
    {version: Morabaraba(version) for version in (1, 2)}
)
"""Morabaraba under every version of its rules, oldest first."""

MORABARABA: Final = MORABARABA_VERSIONS[2]
"""Morabaraba under the present version of its rules."""
