"""How strong the computer opponent is: ``python -m bench.ai_strength GAME``, expert against plain UCT.

Plain UCT plays in the same kernel with a million random moves a turn (`uct`), or ten million (`long-uct`),
and no knowledge. Master is measured against that (``--level master --against long-uct``) and against expert
as it was before it looked for forced wins (``--against expert-before``). A score is a percentage with its
95 % interval (Wilson) in place of the quartiles; seconds are processor time. In a pair of games both begin
the same game once, after a few random moves. Apart from the seconds, everybody who plays the same number of
pairs gets the same figures.

With ``--balanced`` the random moves are drawn again until a search gives both sides about the same chances,
as in matches of chess engines: otherwise many games are decided by who begins, above all in Morabaraba.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from itertools import islice, product
from multiprocessing import get_context
from typing import TYPE_CHECKING

from ai.kernel import Kernel
from ai.levels import ENDINGS_ONLY, LEVELS_BY_NAME, Level, choose
from ai.search import Opponent, load_weights
from ai.seats import player_to_move, result_for, swaps_sides
from bench.table import Row, format_table
from engine import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ai.weights import Weights
    from engine import OptionValue, Position

    Player = Callable[[Position, int], str]


class Rival(StrEnum):
    """Whom a level is measured against, beside other levels."""

    UCT = "uct"
    LONG_UCT = "long-uct"
    EXPERT_BEFORE = "expert-before"


RIVAL_NAMES = {
    Rival.UCT: "plain UCT",
    Rival.LONG_UCT: "plain UCT with ten million moves",
    Rival.EXPERT_BEFORE: "expert before",
}
UCT_MOVES = {Rival.UCT: 1_000_000, Rival.LONG_UCT: 10_000_000}
UCT_EXPLORATION = 0.35
RANDOM_MOVES = 4
"""So many random moves begin a game, after the set-up, so that games differ."""

PIE_MUTATOR = "e"
"""With this mutator of Morphos one random move begins a game, so that the pie rule on the second turn
balances it. After more of them whoever is to move mostly wins."""

BALANCE = 0.05
"""By a search of `JUDGING_SIMULATIONS`, the chances in a balanced start differ from 0.5 by this at most."""

JUDGING_SIMULATIONS = 100_000
MOST_DRAWN = 200  # so many starts are drawn to find a balanced one

MAX_PLIES = 300
"""A longer game counts as a draw, if no other limit is given."""

MUTATORS: tuple[OptionValue, ...] = ("a", "b", "c", "d", "e")
STARTS: dict[str, tuple[dict[str, OptionValue], ...]] = {
    "morelli": (
        {"setup": "facing"},
        {"setup": "adjacent", "size": 9},
        {"edition": "2015", "setup": "random", "seed": 1, "size": 11},
        {"edition": "mindsports", "setup": "random", "seed": 2, "size": 9},
    ),
    "morphos": ({}, *({"mutators": letters} for letters in MUTATORS)),
    "morabaraba": ({}, {"men": 11}),
}
GOALS: dict[tuple[str, str], dict[str, str]] = {
    (Level.EXPERT, Rival.UCT): {"morelli": ">= 90 %", "morphos": ">= 90 %", "morabaraba": ">= 80 %"},
    (Level.MASTER, Rival.EXPERT_BEFORE): dict.fromkeys(STARTS, ">= 90 %"),
    (Level.MASTER, Rival.LONG_UCT): dict.fromkeys(STARTS, ">= 75 %"),
}
MASTER_STARTS = {"morelli": 2, "morphos": 1, "morabaraba": 1}
"""From so many starts of a game, the first ones, :func:`rows` measures master, whose games take minutes."""

BALANCED_GAMES = ("morabaraba",)
"""Games of which :func:`rows` balances the starts for master."""


@cache
def find_player(name: str, game: str) -> Player:
    """Return the computer opponent at a level, or a :class:`Rival`.

    A `+` after the level is half of the way to the next one. Raise ValueError for an unknown game.
    """
    weights = load_weights(game)
    if weights is None:
        raise ValueError(f"The kernel does not play {game}.")
    if name == Rival.EXPERT_BEFORE:
        return expert_before(weights)
    if name in UCT_MOVES:
        return plain_uct(weights, UCT_MOVES[Rival(name)])
    opponent, (level, share) = Opponent.start(), LEVELS_BY_NAME[name]
    return lambda position, seed: opponent.choose_move(position, level, seed, share=share)


def plain_uct(weights: Weights, moves: int) -> Player:
    """Return plain UCT with so many random moves a turn."""
    kernel = Kernel()
    kernel.set_weights(replace(weights, settings=weights.settings | {"exploration": UCT_EXPLORATION}).pack())

    def choose_turn(position: Position, seed: int) -> str:
        kernel.load(position)
        candidates = kernel.think(moves, seed, step_limit=moves, plain=True)
        return max(candidates, key=lambda each: each.visits).text

    return choose_turn


def expert_before(weights: Weights) -> Player:
    """Return expert without what it has learned since the goals of master were set.

    It looks for no forced wins or losses beside its simulations, it does not know the endings of Morabaraba,
    its priors have no floor, and it has no network but that of Morelli's smallest board.
    """
    kernel, weights = Kernel(), replace(weights, large=None)

    def choose_turn(position: Position, seed: int) -> str:
        rng = random.Random(f"{seed} {position}")
        kernel.load(position)
        phase = kernel.phase
        used = weights.choose_for(Level.EXPERT, phase, is_known=kernel.chances is not None)
        kernel.set_weights(replace(used, settings=used.settings | {"prior_floor": 0.0}).pack())
        if used.network:
            kernel.set_network(used.network)
        simulations = used.count_simulations(Level.EXPERT, phase)
        limit = used.limit_playouts(Level.EXPERT)
        candidates = kernel.think(simulations, rng.getrandbits(31), step_limit=limit)
        return choose(candidates, used.levels[Level.EXPERT], rng).text

    return choose_turn


def start_position(
    game: str,
    options: dict[str, OptionValue],
    rng: random.Random,
    random_moves: int | None = None,
    *,
    balanced: bool = False,
) -> Position:
    """Return a position after some random moves; None: as many as the measured games begin with.

    Raises SystemExit if none of many is `balanced`.
    """
    if random_moves is None:
        random_moves = 1 if PIE_MUTATOR in str(options.get("mutators", "")) else RANDOM_MOVES
    for _ in range(MOST_DRAWN):
        position = _play_at_random(game, options, rng, random_moves)
        if not balanced or is_balanced(position):
            return position
    raise SystemExit(f"None of {MOST_DRAWN} starts of {game} has even chances. Leave out --balanced.")


def is_balanced(position: Position) -> bool:
    """Return whether both sides have about the same chances."""
    found = find_judge().find_best_line(position, JUDGING_SIMULATIONS, 0, proof=ENDINGS_ONLY)
    return found is not None and abs(found[0] - 0.5) <= BALANCE


@cache
def find_judge() -> Opponent:
    """Return the computer opponent that judges starts."""
    return Opponent.start()


def _play_at_random(
    game: str, options: dict[str, OptionValue], rng: random.Random, random_moves: int
) -> Position:
    position: Position = GAMES[game].initial_position(**options)
    for _ in range(random_moves):
        moves = list(islice(position.moves_with_prefix(""), 1000))
        position = position.play(rng.choice(moves))
    return position


@dataclass(slots=True)
class Series:
    """Pairs of games of two players from one start, and what they have come to so far."""

    label: str
    game: str
    options: dict[str, OptionValue]
    players: tuple[str, str]
    random_moves: int | None = None
    most_plies: int = MAX_PLIES
    balanced: bool = False
    score: float = 0.0  # of the first player
    draws: int = 0
    pairs: int = 0
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    moves: list[int] = field(default_factory=lambda: [0, 0])

    def play_pairs(self, pairs: int = 1) -> Series:
        """Play so many pairs more: two games from the same position, of which each player begins one."""
        for _ in range(pairs):
            rng, seed = random.Random(self.pairs), 1000 * self.pairs
            position = start_position(self.game, self.options, rng, self.random_moves, balanced=self.balanced)
            results = self._play(position, (0, 1), seed), 1 - self._play(position, (1, 0), seed + 500)
            self.score += sum(results)
            self.draws += results.count(0.5)
            self.pairs += 1
        return self

    def _play(self, position: Position, order: tuple[int, int], seed: int) -> float:
        """Play to the end and return the result of the player who begins; `order` numbers the players."""
        swapped = False
        for ply in range(self.most_plies):
            if position.to_move is None:
                break
            number = order[player_to_move(position, swapped=swapped)]
            began = time.process_time()
            text = find_player(self.players[number], self.game)(position, seed + ply)
            self.seconds[number] += time.process_time() - began
            self.moves[number] += 1
            move = position.parse(text)
            after = position.play(move)
            swapped ^= swaps_sides(position, move, after)
            position = after
        return result_for(position, 0, swapped=swapped)

    def row(self, goal: str = "") -> Row:
        """Return the score of the first player."""
        times = [
            f"{spent / max(1, count):.3f} s" for spent, count in zip(self.seconds, self.moves, strict=True)
        ]
        return score_row(
            self.label, self.score, 2 * self.pairs, goal, f"; {times[0]} a move against {times[1]}"
        )


def score_row(label: str, score: float, games: int, goal: str, comparison: str = "") -> Row:
    """Return a score as a percentage, with its 95 % interval in place of the quartiles."""
    share, z = score / games, 1.96
    middle = share + z * z / (2 * games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    low, high = (100 * (middle + each) / (1 + z * z / games) for each in (-half, half))
    return Row(label, 100 * share, "%", (low, high), goal, f"{score:g} of {games}{comparison}")


def rival_series(
    game: str,
    only: str = "",
    random_moves: int | None = None,
    level: Level = Level.EXPERT,
    rival: Rival = Rival.UCT,
    *,
    balanced: bool = False,
) -> list[Series]:
    """Return a level against a rival from every start of a game whose name contains `only`."""
    balance = ", balanced" if balanced else ""
    return [
        Series(
            f"{name}{balance}: {level} against {RIVAL_NAMES[rival]}",
            game,
            options,
            (level, rival),
            random_moves,
            balanced=balanced,
        )
        for name, options in named_starts(game, only).items()
    ]


def named_starts(game: str, only: str) -> dict[str, dict[str, OptionValue]]:
    """Return the starts of a game whose name contains `only`, by name."""
    names = (" ".join([game, *(f"{key}={value}" for key, value in each.items())]) for each in STARTS[game])
    return {name: each for name, each in zip(names, STARTS[game], strict=True) if only in name}


def draw_rows(game: str, level: Level, only: str, pairs: int) -> Iterator[Row]:
    """Let a level play itself from every such start, and return how many games are drawn."""
    for name, options in named_starts(game, only).items():
        series = Series(name, game, options, (level, level)).play_pairs(pairs)
        comparison = f"; {sum(series.moves) / (2 * pairs):.0f} turns a game"
        yield score_row(f"{name}: {level} against itself, drawn", series.draws, 2 * pairs, "", comparison)


def rival_rows(series: Sequence[Series]) -> list[Row]:
    """Return a row for each start of a game against one rival, and one for all together."""
    game, players = series[0].game, series[0].players
    goal = GOALS.get(players, {}).get(game, "")
    score, games = sum(each.score for each in series), 2 * sum(each.pairs for each in series)
    total = [score_row(f"{game}, all starts", score, games, goal)] if len(series) > 1 else []
    return [*(each.row(goal) for each in series), *total]


def rows(
    pairs: int = 1,
    level: Level = Level.EXPERT,
    games: Iterable[str] = STARTS,
    only: str = "",
    most_plies: int = MAX_PLIES,
) -> Iterator[Row]:
    """Play a few pairs from every start against plain UCT, and master against its rivals, on all processors.

    Master's games begin from starts of the same games.
    """
    everything = [rival_series(game, only, level=level) for game in games]
    for rival, game in product((Rival.EXPERT_BEFORE, Rival.LONG_UCT), games):
        series = rival_series(game, level=Level.MASTER, rival=rival, balanced=game in BALANCED_GAMES)
        everything.append(series[: MASTER_STARTS[game]])
    with ProcessPoolExecutor(
        mp_context=get_context("spawn")
    ) as pool:  # a fork would copy the kernel's threads
        started = [
            [pool.submit(replace(one, most_plies=most_plies).play_pairs, pairs) for one in series]
            for series in everything
        ]
        for results in started:
            yield from rival_rows([each.result() for each in results])


def main() -> None:
    """Play a level against a rival, a pair from every start at a time, and print the table after each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(STARTS))
    parser.add_argument("--pairs", type=int, default=4)
    parser.add_argument("--only", default="", help="play only from starts whose name contains this: size=9")
    parser.add_argument("--level", choices=list(Level), default=Level.EXPERT)
    parser.add_argument("--against", choices=list(Rival), default=Rival.UCT)
    parser.add_argument("--random-moves", type=int, help="how many begin each game against the rival")
    parser.add_argument(
        "--balanced", action="store_true", help="begin games where the chances are about even"
    )
    parser.add_argument("--draws", choices=list(Level), help="count draws of this level against itself")
    arguments = parser.parse_args()
    if not named_starts(arguments.game, arguments.only):
        parser.error(f"No start of {arguments.game} contains {arguments.only}.")
    if arguments.draws:
        level = Level(arguments.draws)
        print(format_table("Draws", draw_rows(arguments.game, level, arguments.only, arguments.pairs)))
        return
    level, rival = Level(arguments.level), Rival(arguments.against)
    series = rival_series(
        arguments.game,
        arguments.only,
        arguments.random_moves,
        level,
        rival,
        balanced=arguments.balanced,
    )
    for number in range(arguments.pairs):
        for each in series:
            each.play_pairs()
        print(format_table(f"{number + 1} pairs", rival_rows(series)), flush=True)


if __name__ == "__main__":
    main()
