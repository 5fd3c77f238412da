"""Morelli as a game of the contract: its options, its starts and its position lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import options
from engine.game import Game, Option, OptionError, Side, SimultaneousChoice
from engine.morelli import position_line, setup
from engine.morelli.board import SIZES, get_board
from engine.morelli.editions import EDITIONS, NESTOR, Phase, Setup, get_edition
from engine.morelli.messages import MorelliMessage
from engine.morelli.position import MorelliPosition

if TYPE_CHECKING:
    from engine.game import OptionValue


class Morelli(Game):
    """Morelli under version 1 of its rules.

    Options: `edition`; `size`; `setup`, by default the first of the edition's (facing, or random);
    `seed`, from which a random set-up is drawn (see :func:`engine.morelli.setup.drawn`) and which
    changes nothing elsewhere.
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

    def complete_options(self, /, **given: OptionValue) -> dict[str, OptionValue]:
        """Complete and check options. Raises OptionError."""
        completed = options.complete(self.name, self.options, given, self.simultaneous_choice)
        edition = get_edition(str(completed["edition"]))
        setup_name = completed.setdefault("setup", edition.setups[0].value)
        if setup_name == self.simultaneous_choice.value:
            if edition is not NESTOR:
                raise OptionError(
                    MorelliMessage.FISTS_OF_OTHER_EDITION.to_text(edition.terminology, edition=NESTOR.name),
                    text=str(setup_name),
                )
        elif setup_name not in edition.setups:
            names = ", ".join(edition.setups)
            message = MorelliMessage.OPTION_SETUP.to_text(
                edition.terminology, edition=edition.name, choices=names, found=setup_name
            )
            raise OptionError(message, text=str(setup_name))
        return completed

    def initial_position(self, /, **given: OptionValue) -> MorelliPosition:
        """Return the first position; a random set-up without a seed draws one. Raises OptionError."""
        completed = self.complete_options(**given)
        edition = get_edition(str(completed["edition"]))
        if completed["setup"] == self.simultaneous_choice.value:
            raise OptionError(
                MorelliMessage.FISTS_STILL_CLOSED.to_text(edition.terminology),
                text=self.simultaneous_choice.value,
            )
        board, setup_mode = get_board(int(completed["size"])), Setup(str(completed["setup"]))
        seed = int(
            completed.get("seed", self.options[-1].random_value() if setup_mode is Setup.RANDOM else 0)
        )
        black, white = setup.initial_stones(board, setup_mode, seed)
        phase = Phase(setup_mode.value) if setup_mode in {Setup.FREE, Setup.PAIRS} else Phase.PLAY
        return MorelliPosition(edition, board.size, black, white, None, Side.BLACK, phase)

    def load(self, text: str) -> MorelliPosition:
        """Read a position line. Raises NotationError."""
        return MorelliPosition(*position_line.parse_position(text))

    def resolve_picks(self, first: str, second: str) -> str:
        """Return the set-up that two picks of closed fists decide (§2.5). Raises OptionError."""
        return setup.resolve_picks(first, second)


MORELLI = Morelli()
