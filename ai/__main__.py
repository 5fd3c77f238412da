"""Run the engine's text protocol with the computer opponent: ``python -m ai``.

It has one more command than ``python -m engine``: ``genmove LEVEL [SEED]`` plays a move for the side to move
and answers with it. The seed is a whole number, by default 0; the same position, level and seed give the same
move.

``python -m ai analyse RECORD`` prints the analysis of a game: the winning chances after each turn, the turns
that lost most with a better one, and the accuracy of both players. RECORD is a file as ``/export`` sends it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ai.game_analysis import AnalysedGame, NoAnalysisError, analyse
from ai.levels import LEVELS_BY_NAME
from ai.report import format_report
from ai.search import Opponent
from engine.__main__ import main
from engine.notation_text import abbreviate
from engine.protocol import ProtocolError, Session
from engine.records import RecordError, parse_record
from engine.sentences import Word

NO_ANALYSIS = "The kernel cannot analyse this game."
MAX_SEED_DIGITS = 18


class OpponentSession(Session):
    """A session of the text protocol in which the computer can play."""

    def __init__(self, opponent: Opponent) -> None:
        super().__init__()
        self._opponent = opponent
        self.commands["genmove"] = self._generate_move

    def _generate_move(self, rest: str) -> str:
        name, _, seed = rest.partition(" ")
        if name not in LEVELS_BY_NAME:
            shown = abbreviate(name) or Word("protocol.no_name")
            raise ProtocolError("protocol.unknown_level", {"name": shown, "names": tuple(LEVELS_BY_NAME)})
        if seed and not (seed.isascii() and seed.isdecimal() and len(seed) <= MAX_SEED_DIGITS):
            raise ProtocolError("protocol.wants_level", {"command": "genmove"})
        position = self.current
        if position.to_move is None:
            raise ProtocolError("move.game_over")
        level, share = LEVELS_BY_NAME[name]
        text = self._opponent.choose_move(position, level, int(seed or 0), share=share)
        self.positions.append(position.play(position.parse(text)))
        return text


def run(arguments: list[str], opponent: Opponent) -> int:
    """Run the command of the arguments, by default the text protocol, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m ai", description="The computer opponent.")
    commands = parser.add_subparsers(dest="command", title="commands (without one: the text protocol)")
    command = commands.add_parser("analyse", help="print the analysis of a game")
    command.add_argument("record", type=Path, help="a file with a record of the game")
    command.add_argument("--seed", type=int, default=0, help="another seed is another search")
    options = parser.parse_args(arguments)
    if options.command is None:
        return main(OpponentSession(opponent))
    try:
        record = parse_record(options.record.read_bytes())
        game = AnalysedGame.from_record(record)
        assessments = analyse(opponent, game, options.seed)
    except (OSError, RecordError) as error:
        parser.error(str(error))
    except NoAnalysisError:
        parser.error(NO_ANALYSIS)
    sys.stdout.write(format_report(record, game, assessments) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], Opponent.start()))
