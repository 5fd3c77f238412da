"""Games of tournaments that their end date ends: how often the assessment names the later winner.

Each position is one of a game that the computer played against itself to its end, at a level drawn for each
player, after a part of the game that is drawn too. The assessment is that of the worker, and so are the
chances from which on a player wins. Apart from the times, everybody gets the same figures.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from typing import TYPE_CHECKING

from ai.levels import Level
from ai.search import Opponent
from ai.seats import player_to_move, result_for, swaps_sides
from ai.worker.assessments import assess_board
from bench.ai_strength import MAX_PLIES, start_position
from bench.table import Row
from matches.tournaments.adjudication import WINNING_CHANCES

if TYPE_CHECKING:
    from engine import OptionValue, Position

LEVELS = (Level.CASUAL, Level.CLUB)
EARLIEST = 0.25
"""The part of a game after which a position is taken at the earliest."""

STARTS: tuple[tuple[str, dict[str, OptionValue]], ...] = (
    ("morelli", {"setup": "facing", "size": 9}),
    ("morphos", {}),
    ("morabaraba", {}),
)


def rows(positions: int = 100) -> list[Row]:
    """Return the share of positions whose later winner, whose loser or nobody was named, for each game."""
    opponent, measured, total = Opponent.start(), list[Row](), Counter[str]()
    for index, (game, options) in enumerate(STARTS):
        count = (positions + len(STARTS) - 1 - index) // len(STARTS)
        if not count:
            continue
        found, seconds = Counter[str](), 0.0
        for number in range(count):
            position, result = _play(opponent, game, options, random.Random(f"{game} {number}"))
            began = time.process_time()
            found[_judge(assess_board(opponent, position), result)] += 1
            seconds += time.process_time() - began
        total += found
        measured += _format(game, found)
        measured.append(Row(f"{game}: an assessment, processor time", 1000 * seconds / count, "ms"))
    return [*measured, *_format("all", total)]


def _play(
    opponent: Opponent, game: str, options: dict[str, OptionValue], rng: random.Random
) -> tuple[Position, float]:
    """Return a position of a finished game, and what came of it for its first side: 1, 0.5 or 0."""
    position, swapped = start_position(game, options, rng), False
    seen: list[tuple[Position, bool]] = []
    levels = rng.choice(LEVELS), rng.choice(LEVELS)
    while position.to_move is not None and len(seen) < MAX_PLIES:
        seen.append((position, swapped))
        level = levels[player_to_move(position, swapped=swapped)]
        move = position.parse(opponent.choose_move(position, level, rng.getrandbits(31)))
        after = position.play(move)
        swapped ^= swaps_sides(position, move, after)
        position = after
    taken, was_swapped = seen[rng.randrange(int(EARLIEST * len(seen)), len(seen))]
    result = result_for(position, 0, swapped=swapped)
    return taken, 1 - result if was_swapped else result


def _judge(chances: float | None, result: float) -> str:
    """Return what an assessment says about a result: `winner`, `loser`, `nobody`, or for a draw `drawn`."""
    if chances is None or 1 - WINNING_CHANCES < chances < WINNING_CHANCES:
        return "drawn" if result == 0.5 else "nobody"
    if result == 0.5:
        return "loser"
    return "winner" if (chances >= WINNING_CHANCES) == (result == 1) else "loser"


def _format(label: str, found: Counter[str]) -> list[Row]:
    whole = found.total() or 1
    names = {
        "winner": "the later winner is named",
        "nobody": "a draw, and somebody won later",
        "drawn": "a draw, and so it was later",
        "loser": "a player is named who did not win",
    }
    return [Row(f"{label}: {text}", 100 * found[key] / whole, "%") for key, text in names.items()]
