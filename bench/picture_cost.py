"""What single pictures cost: ``PYTHONPATH=TREE python bench/picture_cost.py``, for any version in TREE.

Prints, by game, the milliseconds of processor time and the bytes of two kinds of pictures as JSON: `played`
are the boards of a few games that go on side by side, so that the board before is still in the caches;
`unseen` are boards of other games, one of each. No board is drawn twice; run it several times.
"""

import json
import random
import time
from typing import Any

import engine
from render import NO_WORDS, RenderOptions, build_scene, to_png

WIDTH = 700
PLAYED_GAMES, PLAYED_TURNS = 4, 40
UNSEEN_GAMES, UNSEEN_TURN = 40, 30
FIRST_SEEDS = {"warm": 1, "played": 1000, "unseen": 2000}

Board = tuple[Any, RenderOptions]


def random_game(game: str, seed: int, turns: int) -> list[Board]:
    """Return the boards after each of the first turns of a random game, with options that show the turn."""
    rng, position = random.Random(seed), engine.GAMES[game].initial_position()
    boards: list[Board] = []
    while len(boards) < turns and (moves := position.legal_moves()):
        move = rng.choice(moves)
        last, position = position.events(move), position.play(move)
        boards.append((position, RenderOptions(NO_WORDS, width=WIDTH, last_turn=last)))
    return boards


def measure(boards: list[Board]) -> dict[str, list[float]]:
    """Return the milliseconds and the bytes of each board."""
    times: list[float] = []
    sizes: list[float] = []
    for position, options in boards:
        start = time.thread_time()
        picture = to_png(build_scene(position, options))
        times.append(1000 * (time.thread_time() - start))
        sizes.append(len(picture))
    return {"times": times, "sizes": sizes}


def measure_game(game: str) -> dict[str, dict[str, list[float]]]:
    """Measure both kinds of pictures of a game, with tiles that other games have put into the caches."""
    first = FIRST_SEEDS["warm"]
    measure([board for seed in range(first, first + 10) for board in random_game(game, seed, PLAYED_TURNS)])
    first = FIRST_SEEDS["played"]
    games = [random_game(game, seed, PLAYED_TURNS) for seed in range(first, first + PLAYED_GAMES)]
    side_by_side = [board for boards in zip(*games, strict=False) for board in boards]
    first = FIRST_SEEDS["unseen"]
    unseen = [random_game(game, seed, UNSEEN_TURN)[-1] for seed in range(first, first + UNSEEN_GAMES)]
    return {"played": measure(side_by_side), "unseen": measure(unseen)}


def main() -> None:
    """Print the figures of all games."""
    print(json.dumps({game: measure_game(game) for game in engine.GAMES}))


if __name__ == "__main__":
    main()
