"""How fast the computer opponent's kernel is, beside the engine in Python, and what an analysis costs.

Random moves are counted in the playouts of a plain search, which also grows its tree; the engine plays random
games: list the moves, choose one, play it. Simulations are those of the expert, in the position after the
random moves that begin a measured game. A match of two levels is then analysed. All times are processor time.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from ai.game_analysis import PASSES, AnalysedGame, Assessment, assess, next_search
from ai.kernel import Kernel
from ai.levels import Level
from ai.search import Opponent, load_weights
from bench.ai_strength import STARTS, start_position
from bench.games import random_game
from bench.table import Row, timed
from engine import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Position

LEVELS = (Level.CLUB, Level.CASUAL)
MILLION = 1e6


def rows(rounds: int = 5, random_moves: int = 200_000, turns: int = 60) -> Iterator[Row]:
    """Measure one game after the other."""
    opponent = Opponent.start()
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
        yield Row.from_values(f"{game}: simulations of the expert", simulated, "/s")
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


def _analyse(opponent: Opponent, name: str, turns: int) -> Iterator[Row]:
    """Play a match of two levels and analyse it."""
    start = position = GAMES[name].initial_position()
    texts = list[tuple[str]]()
    while position.to_move is not None and len(texts) < turns:
        text = opponent.choose_move(position, LEVELS[len(texts) % 2], seed=len(texts))
        texts.append((text,))
        position = position.play(position.parse(text))
    game, known = AnalysedGame.from_turns(start, texts), dict[int, Assessment]()
    first, deeper = list[float](), list[float]()
    while (search := next_search(game, known)) is not None:
        number, simulations = search
        with timed(first if simulations == PASSES[0] else deeper, time.process_time):
            known[number] = assess(opponent, game, known, search)
    label = f"{name}: analysis of {len(texts)} turns"
    yield Row(f"{label}, first result", sum(first) / 1000, "s", goal="at most 20 s")
    yield Row("  complete", sum([*first, *deeper]) / 1000, "s")
    yield Row("  its longest search", max([*first, *deeper]) / 1000, "s", goal="at most 1 s")
