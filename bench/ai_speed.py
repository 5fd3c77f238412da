"""How fast the computer opponent's kernel is, beside the engine in Python, and what an analysis costs.

Random moves are counted in the playouts of a plain search, which also grows its tree; the engine plays random
games: list the moves, choose one, play it. Simulations are as many as those of expert, but with the common
settings, in the position after the random moves that begin a measured game. A match of two levels is then
analysed. The endings that the kernel works out are those of Morabaraba. All times are processor time.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from ai.game_analysis import PASSES, AnalysedGame, Assessment, assess, find_turning_points, next_search
from ai.kernel import Kernel
from ai.levels import Level
from ai.search import Opponent, load_weights
from ai.turn_assessment import assess_turn, choose_points, list_turns, next_turn_search
from bench.ai_strength import STARTS, start_position
from bench.games import random_game
from bench.table import Row, timed
from engine import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Position

LEVELS = (Level.CLUB, Level.CASUAL)
MILLION = 1e6
ENDINGS = {
    "3 men against 3": "morabaraba 12 r1r/3/1r1/1w1w2/3/3/w2 w 0,0 -",
    "4 men against 3, and those": "morabaraba 12 r1r/3/1r1/1w1w2/3/3/w1w w 0,0 -",
}


def rows(rounds: int = 5, random_moves: int = 200_000, turns: int = 60) -> Iterator[Row]:
    """Measure one game after the other."""
    opponent = Opponent.start()
    yield from _work_out_endings(rounds)
    for game, starts in STARTS.items():
        kernel, weights = Kernel(), load_weights(game)
        if weights is None:
            raise ValueError(f"The kernel does not play {game}.")
        kernel.set_weights(weights.pack())
        position = start_position(game, starts[0], random.Random(1))
        plain, simulated, engine = list[float](), list[float](), list[float]()
        for number in range(rounds):
            plain.append(_think(kernel, position, random_moves, plain=True))
            simulated.append(_think(kernel, position, weights.levels[Level.EXPERT].simulations, plain=False))
            began, start = time.process_time(), GAMES[game].initial_position()
            played = sum(1 for _ in random_game(start, number))
            engine.append(played / (time.process_time() - began))
        comparison = f"engine {sum(engine) / len(engine) / MILLION:.2g} M/s"
        speeds = [each / MILLION for each in plain]
        yield Row.from_values(f"{game}: random moves", speeds, "M/s", comparison=comparison)
        yield Row.from_values(f"{game}: simulations with the common settings", simulated, "/s")
        yield from _analyse(opponent, game, turns)


def _think(kernel: Kernel, position: Position, count: int, *, plain: bool) -> float:
    """Return how many random moves or simulations the search does in a second; a proof may end it early."""
    kernel.load(position)
    began = time.process_time()
    if plain:
        kernel.think(count, 1, step_limit=count, plain=True)
        return kernel.steps_searched / (time.process_time() - began)
    visits = sum(each.visits for each in kernel.think(count, 1))
    return visits / (time.process_time() - began)


def _work_out_endings(rounds: int) -> Iterator[Row]:
    """Measure the first search of a kernel in an ending of Morabaraba, which is over once that is known."""
    for men, line in ENDINGS.items():
        times = list[float]()
        for _ in range(rounds):
            kernel = Kernel()
            kernel.load(GAMES["morabaraba"].load(line))
            with timed(times, time.process_time):
                kernel.think(1, 1, proof=1)
        yield Row.from_values(f"morabaraba: endings with {men}", times, "ms")


def _analyse(opponent: Opponent, name: str, turns: int) -> Iterator[Row]:
    """Play a match of two levels and analyse it."""
    start = position = GAMES[name].initial_position()
    texts = list[tuple[str]]()
    while position.to_move is not None and len(texts) < turns:
        text = opponent.choose_move(position, LEVELS[len(texts) % 2], seed=len(texts))
        texts.append((text,))
        position = position.play(position.parse(text))
    game, known = AnalysedGame.from_turns(start, texts), dict[int, Assessment]()
    first, deeper, turn_searches = list[float](), list[float](), list[float]()
    while (search := next_search(game, known)) is not None:
        number, simulations = search
        with timed(first if simulations == PASSES[0] else deeper, time.process_time):
            known[number] = assess(opponent, game, known, search)
    points = choose_points(game, find_turning_points(game, known))
    assessed = {point.number: list_turns(game, point) for point in points}
    while (turn_search := next_turn_search(game, points, assessed)) is not None:
        with timed(turn_searches, time.process_time):
            assessed[turn_search[0].number][turn_search[1]] = assess_turn(opponent, game, turn_search)
    label = f"{name}: analysis of {len(texts)} turns"
    yield Row(f"{label}, first result", sum(first) / 1000, "s", goal="at most 20 s")
    yield Row("  all positions", sum([*first, *deeper]) / 1000, "s")
    yield Row(f"  the turns at {len(points)} turning points", sum(turn_searches) / 1000, "s")
    longest = max([*first, *deeper, *turn_searches])
    yield Row("  its longest search", longest / 1000, "s", goal="at most 1 s")
