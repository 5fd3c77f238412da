"""How strong the computer opponent is: expert against plain UCT, and each level against the one below.

Plain UCT plays in the same kernel with a million random moves a turn and no knowledge. A score is a
percentage with its 95 % interval (Wilson) in place of the quartiles; seconds are processor time. In a pair of
games both begin the same game once, after a few random moves. Apart from the seconds, everybody who repeats
``python -m bench.ai_strength GAME --pairs N`` gets the same figures.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import time
from dataclasses import replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Self

from ai.kernel import Kernel
from ai.levels import Level
from ai.search import Opponent, load_weights
from ai.seats import player_to_move, result_for, swaps_sides
from bench.table import Row, format_table
from engine import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine import OptionValue, Position

    Player = Callable[[Position, int], str]

PAIRS = int(os.environ.get("RAYUELA_AI_PAIRS", "4"))
ANCHOR_MOVES = 1_000_000
ANCHOR_EXPLORATION = 0.35
RANDOM_MOVES = 4
"""So many random moves begin a game, after the set-up, so that games differ."""

PIE_MUTATOR = "e"
"""With this mutator of Morphos one random move begins a game, so that the pie rule on the second turn
balances it. After more of them whoever is to move mostly wins."""

MAX_PLIES = 300
"""A longer game counts as a draw."""

STARTS: dict[str, tuple[dict[str, OptionValue], ...]] = {
    "morelli": (
        {"setup": "facing"},
        {"setup": "adjacent", "size": 9},
        {"edition": "2015", "setup": "random", "seed": 1, "size": 11},
        {"edition": "mindsports", "setup": "random", "seed": 2, "size": 9},
    ),
    "morphos": (
        {},
        {"mutators": "a"},
        {"mutators": "b"},
        {"mutators": "c"},
        {"mutators": "d"},
        {"mutators": "e"},
    ),
    "morabaraba": ({}, {"men": 11}),
}
GOALS = {"morelli": ">= 90 %", "morphos": ">= 90 %", "morabaraba": ">= 80 %"}


class TimedPlayer:
    """A player that counts the seconds of processor time of its moves."""

    def __init__(self, choose: Player) -> None:
        self._choose = choose
        self.seconds = 0.0
        self.moves = 0

    def __call__(self, position: Position, seed: int) -> str:
        """Return the move that the player chooses."""
        began = time.process_time()
        text = self._choose(position, seed)
        self.seconds += time.process_time() - began
        self.moves += 1
        return text


def anchor(game: str) -> Player:
    """Return plain UCT with :data:`ANCHOR_MOVES` random moves a turn."""
    kernel, weights = Kernel(), load_weights(game)
    if weights is None:
        raise ValueError(f"The kernel does not play {game}.")
    plain = replace(weights, settings=weights.settings | {"exploration": ANCHOR_EXPLORATION})
    kernel.set_weights(plain.pack())

    def choose(position: Position, seed: int) -> str:
        kernel.load(position)
        candidates = kernel.think(ANCHOR_MOVES, seed, step_limit=ANCHOR_MOVES, plain=True)
        return max(candidates, key=lambda each: each.visits).text

    return choose


def level_player(level: Level) -> Player:
    """Return the computer opponent at a level."""
    opponent = Opponent.start()
    return lambda position, seed: opponent.choose_move(position, level, seed)


def play_game(position: Position, players: tuple[Player, Player], seed: int) -> float:
    """Play to the end and return the result of the first of `players`, who begins."""
    swapped = False
    for ply in range(MAX_PLIES):
        if position.to_move is None:
            break
        player = players[player_to_move(position, swapped=swapped)]
        move = position.parse(player(position, seed + ply))
        after = position.play(move)
        swapped ^= swaps_sides(position, move, after)
        position = after
    return result_for(position, 0, swapped=swapped)


def start_position(
    game: str, options: dict[str, OptionValue], rng: random.Random, random_moves: int | None = None
) -> Position:
    """Return a position after some random moves; None: as many as the measured games begin with."""
    position: Position = GAMES[game].initial_position(**options)
    for _ in range(count_random_moves(options) if random_moves is None else random_moves):
        moves = list(islice(position.moves_with_prefix(""), 1000))
        position = position.play(rng.choice(moves))
    return position


def count_random_moves(options: dict[str, OptionValue]) -> int:
    """Return how many random moves begin a game with these options."""
    return 1 if PIE_MUTATOR in str(options.get("mutators", "")) else RANDOM_MOVES


class Series:
    """Pairs of games of two players from one start, and what they have come to so far."""

    def __init__(
        self,
        label: str,
        game: str,
        options: dict[str, OptionValue],
        players: tuple[Player, Player],
        random_moves: int | None = None,
    ) -> None:
        self.label, self._game, self._options, self._random_moves = label, game, options, random_moves
        self._first, self._second = map(TimedPlayer, players)
        self.score = 0.0
        self.draws = 0
        self.pairs = 0

    def play_pair(self) -> None:
        """Play two games from the same position; each player begins one."""
        rng = random.Random(self.pairs)
        position = start_position(self._game, self._options, rng, self._random_moves)
        seed = 1000 * self.pairs
        results = (
            play_game(position, (self._first, self._second), seed),
            1 - play_game(position, (self._second, self._first), seed + 500),
        )
        self.score += sum(results)
        self.draws += results.count(0.5)
        self.pairs += 1

    def play_pairs(self, pairs: int) -> Self:
        """Play so many pairs more."""
        for _ in range(pairs):
            self.play_pair()
        return self

    @property
    def moves(self) -> int:
        """How many moves both players have made."""
        return self._first.moves + self._second.moves

    def row(self, goal: str) -> Row:
        """Return the score of the first player."""
        times = [f"{player.seconds / max(1, player.moves):.3f} s" for player in (self._first, self._second)]
        comparison = f"; {times[0]} a move against {times[1]}"
        return score_row(self.label, self.score, 2 * self.pairs, goal, comparison)


def score_row(label: str, score: float, games: int, goal: str, comparison: str = "") -> Row:
    """Return a score as a percentage, with its interval in place of the quartiles."""
    low, high = wilson_interval(score, games)
    return Row(
        label, 100 * score / games, "%", 100 * low, 100 * high, goal, f"{score:g} of {games}{comparison}"
    )


def wilson_interval(score: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share."""
    share, z = score / games, 1.96
    middle = share + z * z / (2 * games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - half) / (1 + z * z / games), (middle + half) / (1 + z * z / games)


def anchor_series(game: str, only: str = "", random_moves: int | None = None) -> list[Series]:
    """Return expert against plain UCT from every start of a game whose name contains `only`."""
    players = (level_player(Level.EXPERT), anchor(game))
    return [
        Series(f"{name}: expert against plain UCT", game, options, players, random_moves)
        for name, options in named_starts(game, only).items()
    ]


def named_starts(game: str, only: str) -> dict[str, dict[str, OptionValue]]:
    """Return the starts of a game whose name contains `only`, by name."""
    names = (" ".join([game, *(f"{key}={value}" for key, value in each.items())]) for each in STARTS[game])
    return {name: each for name, each in zip(names, STARTS[game], strict=True) if only in name}


def draw_rows(game: str, level: Level, only: str, pairs: int) -> Iterator[Row]:
    """Let a level play itself from every such start, and return how many games are drawn."""
    for name, options in named_starts(game, only).items():
        series = Series(name, game, options, (level_player(level), level_player(level))).play_pairs(pairs)
        comparison = f"; {series.moves / (2 * pairs):.0f} turns a game"
        yield score_row(f"{name}: {level} against itself, drawn", series.draws, 2 * pairs, "", comparison)


def anchor_rows(game: str, series: Sequence[Series]) -> list[Row]:
    """Return a row for each start, and one for all together."""
    score, games = sum(each.score for each in series), 2 * sum(each.pairs for each in series)
    return [
        *(each.row(GOALS[game]) for each in series),
        score_row(f"{game}, all starts", score, games, GOALS[game]),
    ]


def level_series(game: str, above: Level, below: Level) -> Series:
    """Return the games of two levels in the main set-up of a game."""
    players = (level_player(above), level_player(below))
    return Series(f"{game}: {above} against {below}", game, STARTS[game][0], players)


def rows() -> Iterator[Row]:
    """Measure everything, with few pairs of games unless RAYUELA_AI_PAIRS says otherwise."""
    for game in STARTS:
        yield from anchor_rows(game, [each.play_pairs(PAIRS) for each in anchor_series(game)])
    for game in STARTS:
        for below, above in pairwise(Level):
            yield level_series(game, above, below).play_pairs(PAIRS).row("70 to 90 %")


def main() -> None:
    """Play expert against plain UCT, a pair from every start at a time, and print the table after each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(STARTS))
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--only", default="", help="play only from starts whose name contains this: size=9")
    parser.add_argument("--random-moves", type=int, help="how many begin each game against plain UCT")
    parser.add_argument("--draws", choices=list(Level), help="count draws of this level against itself")
    arguments = parser.parse_args()
    if not named_starts(arguments.game, arguments.only):
        parser.error(f"No start of {arguments.game} contains {arguments.only}.")
    if arguments.draws:
        level = Level(arguments.draws)
        print(format_table("Draws", draw_rows(arguments.game, level, arguments.only, arguments.pairs)))
        return
    series = anchor_series(arguments.game, arguments.only, arguments.random_moves)
    for number in range(arguments.pairs):
        for each in series:
            each.play_pair()
        print(format_table(f"{number + 1} pairs", anchor_rows(arguments.game, series)), flush=True)


if __name__ == "__main__":
    main()
