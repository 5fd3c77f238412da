"""Random games through the kernel and the engine at once, compared after every move."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ai.search import load_weights
from engine import get_game
from tests.engine.random_games import GameStart, all_starts

if TYPE_CHECKING:
    from ai.kernel import Kernel
    from engine import Position

MAX_PLIES = 400
LOADED_AGAIN = 0.1
"""How often the kernel loads the engine's position instead of going on with its own."""


def kernel_starts() -> list[GameStart]:
    """Return the starts of the games that the kernel plays."""
    return [start for start in all_starts() if load_weights(start.game) is not None]


def start_positions(start: GameStart) -> list[Position]:
    """Return the first position of `start` under every version of the game's rules."""
    position = start.position()
    versions = position.game.versions
    return [get_game(start.game, version).initial_position(**dict(start.options)) for version in versions]


def compare_game(kernel: Kernel, position: Position, seed: int) -> None:
    """Play one random game; raise AssertionError where the kernel differs from the engine."""
    rng = random.Random(seed)
    kernel.load(position)
    for _ in range(MAX_PLIES):
        assert kernel.position_line == str(position)
        assert kernel.outcome == position.outcome, str(position)
        texts = list(map(str, position.legal_moves()))
        assert kernel.moves() == texts, str(position)
        if not texts:
            return
        text = rng.choice(texts)
        position = position.play(position.parse(text))
        if rng.random() < LOADED_AGAIN:
            kernel.load(position)
        else:
            kernel.play(text)
