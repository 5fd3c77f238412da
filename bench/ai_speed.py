"""How fast the computer opponent's kernel is, beside the engine in Python and OpenSpiel through Python.

OpenSpiel without Python between is measured by ``bench/openspiel_native``.

Random moves are counted in the playouts of a plain search, which also grows its tree. The engine and
OpenSpiel (C++, called from Python) play random games: list the moves, choose one, play it. Simulations are
those of the expert, in the position after the random moves that begin a measured game.
"""

from __future__ import annotations

import random
import time
from statistics import median
from typing import TYPE_CHECKING

from ai.kernel import Kernel
from ai.levels import Level
from ai.search import load_weights
from bench.ai_strength import STARTS, start_position
from bench.engine_speed import COMPARED_GAME, PeerProcess, Subject
from bench.table import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Position

ROUNDS = 5
RANDOM_MOVES = 200_000
MILLION = 1e6


def random_moves_per_second(kernel: Kernel, position: Position) -> float:
    """Return how many random moves a plain search plays in a second."""
    kernel.load(position)
    began = time.perf_counter()
    kernel.think(RANDOM_MOVES, 1, step_limit=RANDOM_MOVES, plain=True)
    return kernel.steps_searched / (time.perf_counter() - began)


def simulations_per_second(kernel: Kernel, position: Position, simulations: int) -> float:
    """Return how many simulations the search does in a second; it may end early with a proof."""
    kernel.load(position)
    began = time.perf_counter()
    visits = sum(each.visits for each in kernel.think(simulations, 1))
    return visits / (time.perf_counter() - began)


def rows(python: str | None) -> Iterator[Row]:
    """Return two rows for each game; `python` is the interpreter with the peers."""
    peers = PeerProcess(python) if python else None
    for game, starts in STARTS.items():
        kernel, weights = Kernel(), load_weights(game)
        if weights is None:
            continue
        kernel.set_weights(weights.pack())
        position = start_position(game, starts[0], random.Random(1))
        subject = Subject(game, {})
        moves: list[float] = []
        others: dict[str, list[float]] = {"engine": []}
        for _ in range(ROUNDS):
            moves.append(random_moves_per_second(kernel, position))
            others["engine"].append(MILLION / subject.time_random_games())
            for name, times in peers.time_round().items() if peers else ():
                if COMPARED_GAME[name] == game:
                    others.setdefault(name, []).append(MILLION / times[-1])
        comparison = "; ".join(f"{name} {median(values) / MILLION:.2g} M" for name, values in others.items())
        yield Row.from_values(
            f"{game}: random moves", [each / MILLION for each in moves], "M/s", comparison=comparison
        )
        simulations = weights.levels[Level.EXPERT].simulations
        speeds = [simulations_per_second(kernel, position, simulations) for _ in range(ROUNDS)]
        yield Row.from_values(f"{game}: simulations of the expert", speeds, "/s")
    if peers:
        peers.close()
