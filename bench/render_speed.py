"""How fast and how small the pictures are: ``python -m bench.render_speed``.

The boards are those of whole random games, each with its last move. If RAYUELA_PEERS is a Python with `chess`
and `cairosvg`, the SVG boards of python-chess, converted by CairoSVG, are timed too, at the same width.
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
from bench.table import Row, format_table
from engine.game import Position
from render import NO_WORDS, RenderOptions, ThemeName, build_scene, to_gif, to_png, to_svg
from render.png import encode_strip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


PEER = Path(__file__).with_name("render_peer.py")
WIDTH = 700
ROUNDS = 3
GOALS = {"PNG": ("at most 5 ms", "at most 26 kB"), "GIF": ("at most 150 ms", "at most 400 kB")}
GIF_WIDTH, GIF_TURNS = 500, 100


@dataclass(frozen=True, slots=True)
class PictureTimings:
    """Milliseconds and bytes of single pictures."""

    name: str
    times: tuple[float, ...]
    sizes: tuple[int, ...]


RenderedBoard = tuple[Position, RenderOptions]


def random_game_boards(game: str, theme: ThemeName, width: int, seed: int = 1) -> list[RenderedBoard]:
    """Return the position after each turn of a random game, with options that show that turn."""
    rng = random.Random(seed)
    position = engine.GAMES[game].initial_position()
    boards: list[RenderedBoard] = []
    while moves := position.legal_moves():
        move = rng.choice(moves)
        last = position.events(move)
        position = position.play(move)
        boards.append((position, RenderOptions(NO_WORDS, theme=theme, width=width, last_turn=last)))
    return boards


def time_pictures(
    name: str, paint: Callable[[Position, RenderOptions], bytes], boards: list[RenderedBoard]
) -> PictureTimings:
    """Time `paint` on every board; the best of several rounds counts, after one that fills the caches."""
    best = [float("inf")] * len(boards)
    for _ in range(ROUNDS + 1):
        for index, board in enumerate(boards):
            start = time.perf_counter()
            paint(*board)
            best[index] = min(best[index], time.perf_counter() - start)
    return PictureTimings(
        name, tuple(1000 * value for value in best), tuple(len(paint(*board)) for board in boards)
    )


def render_png(position: Position, options: RenderOptions) -> bytes:
    """Return a position as PNG, none of whose strips is in the cache, as of a board that was never drawn."""
    encode_strip.cache_clear()
    return to_png(build_scene(position, options))


def render_svg(position: Position, options: RenderOptions) -> bytes:
    """Return a position as SVG."""
    return to_svg(build_scene(position, options)).encode()


def time_gif(game: str) -> PictureTimings:
    """Time the animation of a random game of GIF_TURNS turns."""
    boards = next(
        game_boards
        for seed in range(1, 100)
        if len(game_boards := random_game_boards(game, ThemeName.RAINBOW, GIF_WIDTH, seed)) >= GIF_TURNS
    )[:GIF_TURNS]
    times = []
    for _ in range(2 * ROUNDS + 1):
        start = time.perf_counter()
        gif = to_gif([build_scene(*board) for board in boards])
        times.append(1000 * (time.perf_counter() - start))
    return PictureTimings(f"{game}, {GIF_TURNS} turns at {GIF_WIDTH} px, GIF", tuple(times[1:]), (len(gif),))


def time_peer(python: str) -> PictureTimings | None:
    """Time the peer in its own interpreter; None, with a line on standard error, where it fails."""
    result = subprocess.run(  # noqa: S603 - an interpreter that the caller has named
        [python, str(PEER), str(WIDTH)], capture_output=True, text=True, check=False
    )
    if result.returncode:
        print(f"peer left out: {result.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    timings = json.loads(result.stdout)
    return PictureTimings(
        "python-chess SVG, converted by CairoSVG", tuple(timings["times"]), tuple(timings["sizes"])
    )


def measure(python: str | None) -> tuple[list[PictureTimings], PictureTimings | None]:
    """Return the timings of every game and theme, and those of the peer."""
    timings = [
        time_pictures(f"{game}, {theme}, {WIDTH} px, PNG", render_png, random_game_boards(game, theme, WIDTH))
        for game in engine.GAMES
        for theme in ThemeName
    ]
    peer_timings = time_peer(python) if python else None
    game = next(iter(engine.GAMES))
    timings.append(
        time_pictures(f"{game}, SVG", render_svg, random_game_boards(game, ThemeName.RAINBOW, WIDTH))
    )
    timings.append(time_gif(game))
    return timings, peer_timings


def rows(python: str | None) -> Iterator[Row]:
    """Return the rows with time and size of every kind of picture, compared with the peer where possible."""
    timings, peer_timings = measure(python)
    for figures in timings:
        times, sizes = "", ""
        if peer_timings and figures.name.endswith("PNG"):
            times = f"{median(peer_timings.times) / median(figures.times):.1f} times as fast as the peer"
            sizes = f"{median(peer_timings.sizes) / median(figures.sizes):.1f} times as small"
        time_goal, size_goal = GOALS.get(figures.name.rpartition(" ")[2], ("", ""))
        yield Row.from_values(figures.name, figures.times, "ms", goal=time_goal, comparison=times)
        yield Row.from_values(
            "  its size", [size / 1000 for size in figures.sizes], "kB", goal=size_goal, comparison=sizes
        )
    if peer_timings:
        yield Row.from_values(f"peer: {peer_timings.name}", peer_timings.times, "ms")
        yield Row.from_values("  its size", [size / 1000 for size in peer_timings.sizes], "kB")


def main() -> None:
    """Print the table."""
    python = os.environ.get("RAYUELA_PEERS") or next(iter(sys.argv[1:]), None)
    print(format_table("Pictures", rows(python)))


if __name__ == "__main__":
    main()
