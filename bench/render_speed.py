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
from statistics import median
from typing import TYPE_CHECKING

import engine
from bench.table import Row, printed
from engine.game import Position
from render import ThemeName, View, animation, png, scene, svg

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


PEER = Path(__file__).with_name("render_peer.py")
WIDTH = 700
ROUNDS = 3
GOALS = {"PNG": ("at most 5 ms", "at most 26 kB"), "GIF": ("at most 150 ms", "at most 400 kB")}
FILM_WIDTH, FILM_TURNS = 500, 100


@dataclass(frozen=True, slots=True)
class Figures:
    """Milliseconds and bytes of single pictures."""

    name: str
    times: tuple[float, ...]
    sizes: tuple[int, ...]


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


def rows(python: str | None) -> Iterator[Row]:
    """Give time and size of every picture, beside the peer's where it draws the same kind."""
    found, rival = measure(python)
    for figures in found:
        times, sizes = "", ""
        if rival and figures.name.endswith("PNG"):
            times = f"{median(rival.times) / median(figures.times):.1f} times as fast as the peer"
            sizes = f"{median(rival.sizes) / median(figures.sizes):.1f} times as small"
        most_ms, most_kb = GOALS.get(figures.name.rpartition(" ")[2], ("", ""))
        yield Row.of(figures.name, figures.times, "ms", goal=most_ms, beside=times)
        yield Row.of("  its size", [size / 1000 for size in figures.sizes], "kB", goal=most_kb, beside=sizes)
    if rival:
        yield Row.of(f"peer: {rival.name}", rival.times, "ms")
        yield Row.of("  its size", [size / 1000 for size in rival.sizes], "kB")


def main() -> None:
    """Print the table."""
    python = os.environ.get("RAYUELA_PEERS") or next(iter(sys.argv[1:]), None)
    print(printed("Pictures", rows(python)))


if __name__ == "__main__":
    main()
