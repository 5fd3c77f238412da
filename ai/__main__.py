"""Run the engine's text protocol with the computer opponent: ``python -m ai``.

It has one more command than ``python -m engine``: ``genmove LEVEL [SEED]`` plays a move for the side to move
and answers with it. The seed is a whole number, by default 0; the same position, level and seed give the same
move.
"""

from __future__ import annotations

import sys

from ai.levels import Level
from ai.search import Opponent
from engine.__main__ import main
from engine.notation_text import abbreviate
from engine.protocol import WRONG_ARGUMENTS, ProtocolError, Session

UNKNOWN_LEVEL = "There is no level {name}; there are {names}."
GAME_OVER = "The game is over."
MAX_SEED_DIGITS = 18


class OpponentSession(Session):
    """A session of the text protocol in which the computer can play."""

    def __init__(self, opponent: Opponent) -> None:
        super().__init__()
        self._opponent = opponent
        self.commands["genmove"] = self._generate_move

    def _generate_move(self, rest: str) -> str:
        name, _, seed = rest.partition(" ")
        if name not in set(Level):
            names = ", ".join(Level)
            raise ProtocolError(UNKNOWN_LEVEL.format(name=abbreviate(name) or "without a name", names=names))
        if seed and not (seed.isascii() and seed.isdecimal() and len(seed) <= MAX_SEED_DIGITS):
            raise ProtocolError(
                WRONG_ARGUMENTS.format(command="genmove", what="a level, and a whole number as the seed")
            )
        position = self.current
        if position.to_move is None:
            raise ProtocolError(GAME_OVER)
        text = self._opponent.choose_move(position, Level(name), int(seed or 0))
        self.positions.append(position.play(position.parse(text)))
        return text


if __name__ == "__main__":
    sys.exit(main(OpponentSession(Opponent.start())))
