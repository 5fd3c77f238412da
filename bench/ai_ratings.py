"""``python -m bench.ai_ratings [GAME ...]``: rate the levels of the computer by games against each other.

Each level plays the one below; the ratings are those that expect just these scores (Bradley-Terry, on the
scale of :mod:`matches.ratings`, on which 1500 is the mean of the levels below master). Then each setting
halfway between two of them plays both, and with ``--master``, which takes hours, master plays expert. All are
written to the table `ratings` of the game's file in `ai/weights`. Levels and seeds decide every game, so the
same command on the same commit writes the same ratings.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ai.levels import HALF, LEVELS_BY_NAME, LONG_LEVELS, TOP_LEVELS, Level
from ai.puzzle_ratings import fit_rating
from ai.weights import FOLDER, load_ratings
from bench.ai_strength import STARTS, Series

if TYPE_CHECKING:
    from collections.abc import Mapping

MEAN = 1500
POINTS = 400
"""So many points are odds of ten to one."""

RATED_LEVELS = tuple(level for level in Level if level not in LONG_LEVELS)
"""Those that are rated by games against the level below; their mean is :data:`MEAN`."""


def play(game: str, stronger: str, weaker: str, pairs: int) -> float:
    """Let two levels play pairs of games, print the score of the stronger one and return it."""
    series = Series(f"{game}: {stronger} against {weaker}", game, STARTS[game][0], (stronger, weaker))
    print("  ".join(series.play_pairs(pairs).row().cells()), flush=True)
    return series.score


def rate_levels(game: str, pairs: int, top_pairs: int) -> dict[str, int]:
    """Return the ratings of the levels below master, which play each other.

    To each score a lost and a won game are added, so that they are finite.
    """
    sums = [0.0]
    for below, above in pairwise(RATED_LEVELS):
        count = top_pairs if above in TOP_LEVELS else pairs
        share = (play(game, above, below, count) + 1) / (2 * count + 2)
        sums.append(sums[-1] + POINTS * math.log10(share / (1 - share)))
    numbers = [round(MEAN + each - sum(sums) / len(sums)) for each in sums]
    return dict(zip(RATED_LEVELS, numbers, strict=True))


def rate_halves(game: str, ratings: Mapping[str, int], pairs: int, top_pairs: int) -> dict[str, int]:
    """Return the ratings of what is halfway between two levels with `ratings`, up to expert."""
    found = {}
    for below, above in pairwise(RATED_LEVELS):
        half, count = f"{below}{HALF}", top_pairs if above in TOP_LEVELS else pairs
        score = play(game, half, below, count) + 2 * count - play(game, above, half, count)
        found[half] = fit_rating([ratings[below], ratings[above]] * 2 * count, score)
    return found


def rate_master(game: str, ratings: Mapping[str, int], pairs: int) -> dict[str, int]:
    """Return the rating of master from games against expert. A lost and a won game are added here too."""
    score = play(game, Level.MASTER, Level.EXPERT, pairs) + 1
    return {Level.MASTER: fit_rating([ratings[Level.EXPERT]] * (2 * pairs + 2), score)}


def write_ratings(game: str, ratings: Mapping[str, int]) -> None:
    """Write ratings into the table `ratings` of a game's weights, the levels first."""
    path = FOLDER / f"{game}.toml"
    names = sorted(ratings, key=lambda name: (HALF in name, list(LEVELS_BY_NAME).index(name)))
    lines = "".join(f"{json.dumps(name) if HALF in name else name} = {ratings[name]}\n" for name in names)
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
    only = parser.add_mutually_exclusive_group()
    only.add_argument(
        "--halves", action="store_true", help="rate only what is between the levels, whose ratings stay"
    )
    only.add_argument("--master", action="store_true", help="rate only master, in `top-pairs`")
    arguments = parser.parse_args()
    for game in arguments.games:
        pairs, top_pairs = arguments.pairs, arguments.top_pairs
        ratings = {level: round(rating) for (name, level), rating in load_ratings().items() if name == game}
        if arguments.master:
            ratings |= rate_master(game, ratings, top_pairs)
        else:
            if not arguments.halves:
                ratings = rate_levels(game, pairs, top_pairs)
            ratings |= rate_halves(game, ratings, pairs, top_pairs)
        write_ratings(game, ratings)


if __name__ == "__main__":
    main()
