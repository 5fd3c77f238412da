"""``python -m bench.ai_forced_wins [LEVEL ...]``: how many forced wins a level keeps, and losses it avoids.

The positions are those of :mod:`tools.forced_wins`. A win counts as kept if the turn still wins as soon as it
can, a loss as avoided if the opponent does not win by force in so many turns. The intervals are 95 %
(Wilson).
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from typing import TYPE_CHECKING

from ai.kernel import Kernel
from ai.levels import Level
from ai.search import Opponent
from bench.ai_strength import score_row
from bench.table import format_table
from tools.forced_wins import STARTS, load_positions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.table import Row


def rows(level: Level, every: int = 1) -> Iterator[Row]:
    """Let a level play in one of `every` positions, and return a row for each game and kind."""
    kernel, opponent = Kernel(), Opponent.start()
    for game in sorted(STARTS):
        total, kept, seconds, longest = Counter[str](), Counter[str](), 0.0, 0.0
        for forced in [*load_positions(game)[::every], *load_positions(game, losses=True)[::every]]:
            kind = f"{'lost' if forced.is_loss else 'won'} in {forced.turns} turns"
            began = time.process_time()
            text = opponent.choose_move(forced.position, level, seed=1)
            spent = time.process_time() - began
            seconds, longest = seconds + spent, max(longest, spent)
            total[kind] += 1
            kept[kind] += forced.is_kept(kernel, text)
        times = f"; {seconds / total.total():.2f} s a turn, at most {longest:.1f} s"
        for kind in sorted(total):
            yield score_row(f"{game}: {level}, {kind}", kept[kind], total[kind], "", times)


def main() -> None:
    """Print the table for the levels."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("levels", nargs="*", default=["expert"], metavar="LEVEL")
    parser.add_argument("--every", type=int, default=1, help="take one position of so many")
    arguments = parser.parse_args()
    for level in map(Level, arguments.levels):
        print(format_table("Forced wins and losses", rows(level, arguments.every)), flush=True)


if __name__ == "__main__":
    main()
