"""``python -m bench.ai_ratings [GAME ...]``: rate the levels of the computer by games against each other.

Each level plays the one below; the ratings are those that expect just these scores (Bradley-Terry, on the
scale of :mod:`matches.ratings`, on which 1500 is the mean of the levels). Then each setting halfway between
two of them plays both. All are written to the table `ratings` of the game's file in `ai/weights`. Levels and
seeds decide every game, so the same command on the same commit writes the same ratings.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ai.levels import HALF, TOP_LEVELS, Level
from ai.puzzle_ratings import fit_rating
from ai.weights import FOLDER, load_ratings
from bench.ai_strength import STARTS, Series

if TYPE_CHECKING:
    from collections.abc import Mapping

MEAN = 1500
POINTS = 400
"""So many points are odds of ten to one."""


def play(game: str, stronger: str, weaker: str, pairs: int) -> float:
    """Let two levels play pairs of games, print the score of the stronger one and return it."""
    series = Series(f"{game}: {stronger} against {weaker}", game, STARTS[game][0], (stronger, weaker))
    print("  ".join(series.play_pairs(pairs).row().cells()), flush=True)
    return series.score


def rate_levels(game: str, levels: list[Level], pairs: int, top_pairs: int) -> dict[str, int]:
    """Return the ratings of the levels, which play each other.

    To each score a lost and a won game are added, so that they are finite.
    """
    sums = [0.0]
    for below, above in pairwise(levels):
        count = top_pairs if above in TOP_LEVELS else pairs
        share = (play(game, above, below, count) + 1) / (2 * count + 2)
        sums.append(sums[-1] + POINTS * math.log10(share / (1 - share)))
    numbers = [round(MEAN + each - sum(sums) / len(sums)) for each in sums]
    return dict(zip(levels, numbers, strict=True))


def rate_halves(game: str, ratings: Mapping[str, int], pairs: int, top_pairs: int) -> dict[str, int]:
    """Return the ratings of what is halfway between two levels with `ratings`, up to expert."""
    found = {}
    for below, above in pairwise(level for level in Level if level is not Level.MASTER):
        half, count = f"{below}{HALF}", top_pairs if above in TOP_LEVELS else pairs
        score = play(game, half, below, count) + 2 * count - play(game, above, half, count)
        found[half] = fit_rating([ratings[below], ratings[above]] * 2 * count, score)
    return found


def write_ratings(game: str, ratings: Mapping[str, int]) -> None:
    """Write ratings into the table `ratings` of a game's weights."""
    path = FOLDER / f"{game}.toml"
    lines = "".join(f"{json.dumps(name) if HALF in name else name} = {ratings[name]}\n" for name in ratings)
    text = re.sub(r"(?<=\n)\[ratings\]\n([^\[\n][^\n]*\n)*", f"[ratings]\n{lines}", path.read_text("utf-8"))
    path.write_text(text, "utf-8")


def main() -> None:
    """Play, rate and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=sorted(STARTS))
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument(
        "--top-pairs", type=int, default=8, help="for the steps to expert and master, which take longest"
    )
    parser.add_argument(
        "--halves", action="store_true", help="rate only what is between the levels, whose ratings stay"
    )
    parser.add_argument("--master", action="store_true", help="rate master too, which takes hours")
    arguments = parser.parse_args()
    for game in arguments.games:
        levels = [each for each in Level if arguments.master or each is not Level.MASTER]
        if arguments.halves:
            known = load_ratings()
            rated = [level for level in Level if (game, level) in known]
            ratings: dict[str, int] = {level: round(known[game, level]) for level in rated}
        else:
            ratings = rate_levels(game, levels, arguments.pairs, arguments.top_pairs)
        write_ratings(game, ratings | rate_halves(game, ratings, arguments.pairs, arguments.top_pairs))


if __name__ == "__main__":
    main()
