"""Morelli as a game of the contract: its options, its starts and its position lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import options
from engine.game import Fists, Game, Option, OptionError, Side
from engine.morelli import line, setup
from engine.morelli.board import SIZES, board
from engine.morelli.editions import EDITIONS, NESTOR, Phase, Setup, edition
from engine.morelli.position import MorelliPosition
from engine.morelli.reasons import Reason

if TYPE_CHECKING:
    from engine.game import Setting


class Morelli(Game):
    """Morelli under version 1 of its rules.

    Options: `edition`; `size`; `setup`, by default the first of the edition's (facing, or random);
    `seed`, from which a random set-up is drawn (see :func:`engine.morelli.setup.drawn`) and which
    changes nothing elsewhere.
    """

    name = line.NAME
    rules_version = 1
    sides = (Side.BLACK, Side.WHITE)
    draws = True
    options = (
        Option("edition", NESTOR.name, choices=tuple(each.name for each in EDITIONS)),
        Option("size", SIZES[0], choices=SIZES),
        Option("setup", None, choices=tuple(each.value for each in Setup)),
        Option("seed", None, minimum=0, maximum=setup.LARGEST_SEED, drawn=True),
    )
    fists = Fists("setup", "fists", ("LL", "RR", "LR"))

    def settings(self, /, **given: Setting) -> dict[str, Setting]:
        """Complete and check options. Raises OptionError."""
        settled = options.complete(self.name, self.options, given, self.fists)
        chosen = edition(str(settled["edition"]))
        found = settled.setdefault("setup", chosen.setups[0].value)
        if found == self.fists.value:
            if chosen is not NESTOR:
                raise OptionError(
                    Reason.OPTION_NO_FISTS.say(chosen.words, edition=NESTOR.name), text=str(found)
                )
        elif found not in chosen.setups:
            names = ", ".join(chosen.setups)
            reason = Reason.OPTION_SETUP.say(chosen.words, edition=chosen.name, choices=names, found=found)
            raise OptionError(reason, text=str(found))
        return settled

    def start(self, /, **given: Setting) -> MorelliPosition:
        """Give the first position; a random set-up without a seed draws one. Raises OptionError."""
        settled = self.settings(**given)
        of = edition(str(settled["edition"]))
        if settled["setup"] == self.fists.value:
            raise OptionError(Reason.OPTION_FISTS.say(of.words), text=self.fists.value)
        on, mode = board(int(settled["size"])), Setup(str(settled["setup"]))
        seed = int(settled.get("seed", self.options[-1].draw() if mode is Setup.RANDOM else 0))
        black, white = setup.filled(on, mode, seed)
        phase = Phase(mode.value) if mode in {Setup.FREE, Setup.PAIRS} else Phase.PLAY
        return MorelliPosition(of, on.size, black, white, None, Side.BLACK, phase)

    def load(self, text: str) -> MorelliPosition:
        """Read a position line. Raises NotationError."""
        return MorelliPosition(*line.read(text))

    def settle(self, first: str, second: str) -> str:
        """Give the set-up that two picks of closed fists decide (§2.5). Raises OptionError."""
        return setup.settled(first, second)


MORELLI = Morelli()
