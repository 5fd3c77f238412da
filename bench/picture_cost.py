"""What pictures cost: ``PYTHONPATH=TREE python bench/picture_cost.py [GAMES]``, for any version in TREE.

Prints, by kind of picture, the milliseconds of processor time and the bytes as JSON. The boards of a match
that goes on are those of GAMES games side by side, so that the board before is still in the caches; boards
never seen are of other games, ten times GAMES, one of each. No board is drawn twice; run it several times.
"""

import json
import random
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

import engine
import render
from render import RenderOptions, build_scene, to_gif, to_png

WIDTH, GIF_WIDTH = 700, 500
PLAYED_TURNS, UNSEEN_TURN, GIF_TURNS = 40, 30, 100
FIRST_SEEDS = {"warm": 1, "played": 1000, "unseen": 2000}

# Earlier versions ask for no words.
WORDS: dict[str, Any] = {"words": render.NO_WORDS} if hasattr(render, "NO_WORDS") else {}

Board = tuple[Any, RenderOptions]


def random_game(game: str, seed: int, turns: int, width: int = WIDTH) -> list[Board]:
    """Return the boards after each of the first turns of a random game, with options that show the turn."""
    rng, position = random.Random(seed), engine.GAMES[game].initial_position()
    boards: list[Board] = []
    while len(boards) < turns and (moves := position.legal_moves()):
        move = rng.choice(moves)
        last, position = position.events(move), position.play(move)
        boards.append((position, RenderOptions(**WORDS, width=width, last_turn=last)))
    return boards


def measure(draw: Callable[[Any], bytes], pictures: Iterable[Any]) -> dict[str, list[float]]:
    """Return the milliseconds and the bytes of each picture."""
    times: list[float] = []
    sizes: list[float] = []
    for picture in pictures:
        start = time.thread_time()
        drawn = draw(picture)
        times.append(1000 * (time.thread_time() - start))
        sizes.append(len(drawn))
    return {"times": times, "sizes": sizes}


def draw_png(board: Board) -> bytes:
    """Return a board as PNG."""
    return to_png(build_scene(*board))


def measure_game(game: str, count: int) -> dict[str, dict[str, list[float]]]:
    """Measure the pictures of a game, with tiles that other games have put into the caches."""
    first = FIRST_SEEDS["warm"]
    warm = [random_game(game, seed, PLAYED_TURNS) for seed in range(first, first + 3 * count)]
    measure(draw_png, (board for boards in warm for board in boards))
    first = FIRST_SEEDS["played"]
    games = [random_game(game, seed, PLAYED_TURNS) for seed in range(first, first + count)]
    played = [board for boards in zip(*games, strict=False) for board in boards]
    first = FIRST_SEEDS["unseen"]
    unseen = [random_game(game, seed, UNSEEN_TURN)[-1] for seed in range(first, first + 10 * count)]
    animated = random_game(game, 1, GIF_TURNS, GIF_WIDTH)
    return {
        f"picture of a match that goes on, {game}": measure(draw_png, played),
        f"picture of a board never seen, {game}": measure(draw_png, unseen),
        f"animation of {len(animated)} turns, {game}": measure(
            lambda boards: to_gif([build_scene(*board) for board in boards]), [animated]
        ),
    }


if __name__ == "__main__":
    games_drawn = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    costs = [measure_game(game, games_drawn) for game in engine.GAMES]
    print(json.dumps({kind: figures for each in costs for kind, figures in each.items()}))
