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
from typing import TYPE_CHECKING

from ai.kernel import Kernel
from ai.levels import Level
from ai.search import Opponent, load_weights
from ai.seats import player_to_move, result_for, swaps_sides
from bench.table import Row
from engine import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from engine import OptionValue, Position

    Player = Callable[[Position, int], str]

PAIRS = int(os.environ.get("RAYUELA_AI_PAIRS", "4"))
ANCHOR_MOVES = 1_000_000
ANCHOR_EXPLORATION = 0.35
RANDOM_MOVES = 4
"""So many random moves begin a game, after the set-up, so that games differ."""

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


def start_position(game: str, options: dict[str, OptionValue], rng: random.Random) -> Position:
    """Return a position after a few random moves."""
    position: Position = GAMES[game].initial_position(**options)
    for _ in range(RANDOM_MOVES):
        moves = list(islice(position.moves_with_prefix(""), 1000))
        position = position.play(rng.choice(moves))
    return position


def measure(
    label: str,
    game: str,
    options: dict[str, OptionValue],
    players: tuple[Player, Player],
    goal: str,
    pairs: int = PAIRS,
) -> Row:
    """Return the score of the first player against the second one."""
    first, second = map(TimedPlayer, players)
    score, games = play_pairs(game, options, (first, second), pairs), 2 * pairs
    low, high = wilson_interval(score, games)
    times = [f"{player.seconds / max(1, player.moves):.3f} s" for player in (first, second)]
    comparison = f"{score:g} of {games}; {times[0]} a move against {times[1]}"
    return Row(label, 100 * score / games, "%", 100 * low, 100 * high, goal, comparison)


def play_pairs(
    game: str, options: dict[str, OptionValue], players: tuple[Player, Player], pairs: int
) -> float:
    """Play so many pairs of games; return how many of them the first player won, draws by half."""
    score = 0.0
    for number in range(pairs):
        position = start_position(game, options, random.Random(number))
        score += play_game(position, players, 1000 * number)
        score += 1 - play_game(position, players[::-1], 1000 * number + 500)
    return score


def wilson_interval(score: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share."""
    share, z = score / games, 1.96
    middle = share + z * z / (2 * games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - half) / (1 + z * z / games), (middle + half) / (1 + z * z / games)


def anchor_rows(games: Iterable[str] = STARTS, pairs: int = PAIRS) -> Iterator[Row]:
    """Measure expert against plain UCT from every start."""
    for game in games:
        for options in STARTS[game]:
            name = " ".join([game, *(f"{key}={value}" for key, value in options.items())])
            players = (level_player(Level.EXPERT), anchor(game))
            yield measure(f"{name}: expert against plain UCT", game, options, players, GOALS[game], pairs)


def level_rows(games: Iterable[str] = STARTS, pairs: int = PAIRS) -> Iterator[Row]:
    """Measure each level against the one below."""
    for game in games:
        for below, above in pairwise(Level):
            players = (level_player(above), level_player(below))
            label = f"{game}: {above} against {below}"
            yield measure(label, game, STARTS[game][0], players, "70 to 90 %", pairs)


def rows() -> Iterator[Row]:
    """Measure everything, with few pairs of games unless RAYUELA_AI_PAIRS says otherwise."""
    yield from anchor_rows()
    yield from level_rows()


def main() -> None:
    """Print each row as soon as it is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(STARTS))
    parser.add_argument("--pairs", type=int, default=PAIRS)
    arguments = parser.parse_args()
    for row in anchor_rows(arguments.games, arguments.pairs):
        print("  ".join(cell for cell in row.cells() if cell), flush=True)


if __name__ == "__main__":
    main()
