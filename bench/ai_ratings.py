"""``python -m bench.ai_ratings [GAME ...]``: rate the levels of the computer by games against each other.

Each level plays the one below; the ratings are those that expect just these scores (Bradley-Terry, on the
scale of :mod:`matches.ratings`, on which 1500 is the mean of the levels). They are written to the table
`ratings` of the game's file in `ai/weights`. Levels and seeds decide every game, so the same command on the
same commit writes the same ratings.
"""

from __future__ import annotations

import argparse
import math
import re
from itertools import pairwise

from ai.levels import TOP_LEVELS, Level
from ai.weights import FOLDER
from bench.ai_strength import STARTS, Series

MEAN = 1500
POINTS = 400
"""So many points are odds of ten to one."""


def measure_gaps(game: str, levels: list[Level], pairs: int, top_pairs: int) -> list[float]:
    """Let the levels play and print each score; return how many points explain each, lowest level first.

    A lost and a won game are added, so that they are finite.
    """
    gaps = []
    for below, above in pairwise(levels):
        count = top_pairs if above in TOP_LEVELS else pairs
        series = Series(f"{game}: {above} against {below}", game, STARTS[game][0], (above, below))
        print("  ".join(series.play_pairs(count).row().cells()), flush=True)
        share = (series.score + 1) / (2 * count + 2)
        gaps.append(POINTS * math.log10(share / (1 - share)))
    return gaps


def write_ratings(game: str, gaps: list[float]) -> None:
    """Write the ratings that follow from the gaps into the table `ratings` of a game's weights."""
    sums = [sum(gaps[:count]) for count in range(len(gaps) + 1)]
    ratings = [round(MEAN + each - sum(sums) / len(sums)) for each in sums]
    path = FOLDER / f"{game}.toml"
    lines = "".join(f"{level} = {rating}\n" for level, rating in zip(Level, ratings, strict=False))
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
    parser.add_argument("--master", action="store_true", help="rate master too, which takes hours")
    arguments = parser.parse_args()
    for game in arguments.games:
        levels = [each for each in Level if arguments.master or each is not Level.MASTER]
        write_ratings(game, measure_gaps(game, levels, arguments.pairs, arguments.top_pairs))


if __name__ == "__main__":
    main()
