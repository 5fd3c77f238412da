"""How fast and how small the pictures are: ``python -m bench.render_speed``.

Boards are those of whole random games, each with its last move. With RAYUELA_PEERS naming a Python
that has `chess` and `cairosvg`, python-chess's SVG board painted by CairoSVG is timed in between, on
boards of a random chess game of the same width.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

import engine
from engine.game import Position
from render import ThemeName, View, animation, png, scene, svg

if TYPE_CHECKING:
    from collections.abc import Callable


PEER = Path(__file__).with_name("render_peer.py")
WIDTH = 700
ROUNDS = 3
FILM_WIDTH, FILM_TURNS = 500, 100


@dataclass(frozen=True, slots=True)
class Figures:
    """Milliseconds and bytes of single pictures."""

    name: str
    times: tuple[float, ...]
    sizes: tuple[int, ...]

    def __str__(self) -> str:
        low, middle, high = quantiles(self.times)
        return (
            f"{self.name:<44} {middle:7.2f} ms  ({low:.2f} to {high:.2f})"
            f"  {median(self.sizes) / 1000:6.1f} kB  (at most {max(self.sizes) / 1000:.1f})"
        )


Board = tuple[Position, View]


def boards(game: str, theme: ThemeName, width: int, seed: int = 1) -> list[Board]:
    """Give the position after each turn of a random game, and the view that shows that turn."""
    chance = random.Random(seed)
    position = engine.GAMES[game].start()
    seen: list[Board] = []
    while moves := position.legal_moves():
        move = chance.choice(moves)
        last = position.events(move)
        position = position.play(move)
        seen.append((position, View(theme=theme, width=width, last=last)))
    return seen


def timed(name: str, paint: Callable[[Position, View], bytes], seen: list[Board]) -> Figures:
    """Time `paint` on every board, the best of some rounds each; the first round warms the caches."""
    best = [float("inf")] * len(seen)
    for _ in range(ROUNDS + 1):
        for index, board in enumerate(seen):
            start = time.perf_counter()
            paint(*board)
            best[index] = min(best[index], time.perf_counter() - start)
    return Figures(name, tuple(1000 * value for value in best), tuple(len(paint(*board)) for board in seen))


def painted(position: Position, view: View) -> bytes:
    """Give a position as PNG."""
    return png(scene(position, view))


def drawn(position: Position, view: View) -> bytes:
    """Give a position as SVG."""
    return svg(scene(position, view)).encode()


def film(game: str) -> Figures:
    """Time the animation of a random game of a hundred turns, from its positions."""
    seen = next(
        found
        for seed in range(1, 100)
        if len(found := boards(game, ThemeName.RAINBOW, FILM_WIDTH, seed)) >= FILM_TURNS
    )[:FILM_TURNS]
    times = []
    for _ in range(2 * ROUNDS + 1):
        start = time.perf_counter()
        made = animation([scene(*board) for board in seen])
        times.append(1000 * (time.perf_counter() - start))
    return Figures(f"{game}, {FILM_TURNS} turns at {FILM_WIDTH} px, GIF", tuple(times[1:]), (len(made),))


def peer(python: str) -> Figures | None:
    """Time the peer in its own interpreter; None, and a line that says so, where it does not run."""
    done = subprocess.run(  # noqa: S603 - the interpreter that whoever runs this has named
        [python, str(PEER), str(WIDTH)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(f"peer left out: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    told = json.loads(done.stdout)
    return Figures("python-chess SVG, painted by CairoSVG", tuple(told["times"]), tuple(told["sizes"]))


def measure(python: str | None) -> tuple[list[Figures], Figures | None]:
    """Give the figures of every game and theme, and the peer's."""
    found = [
        timed(f"{game}, {theme}, {WIDTH} px, PNG", painted, boards(game, theme, WIDTH))
        for game in engine.GAMES
        for theme in ThemeName
    ]
    rival = peer(python) if python else None
    game = next(iter(engine.GAMES))
    found.append(timed(f"{game}, SVG", drawn, boards(game, ThemeName.RAINBOW, WIDTH)))
    found.append(film(game))
    return found, rival


def main() -> None:
    """Print the table, and each game's ratio to the peer."""
    found, rival = measure(os.environ.get("RAYUELA_PEERS") or next(iter(sys.argv[1:]), None))
    for figures in found:
        print(figures)
    if rival:
        print(rival)
        for figures in (each for each in found if each.name.endswith("PNG")):
            speed = median(rival.times) / median(figures.times)
            size = median(rival.sizes) / median(figures.sizes)
            print(f"{figures.name:<44} {speed:5.1f} times as fast, {size:.1f} times as small as the peer")


if __name__ == "__main__":
    main()
