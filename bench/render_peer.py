"""The peer of the picture benchmark: the SVG board of python-chess, converted to PNG by CairoSVG.

Runs in an interpreter that has `chess` and `cairosvg`; prints milliseconds and bytes as JSON.
"""

import json
import random
import sys
import time

import cairosvg  # type: ignore[import-not-found]
import chess  # type: ignore[import-not-found]
import chess.svg  # type: ignore[import-not-found]

BOARDS = 12


def main() -> None:
    """Time boards of a random game, each with its last move; the best of three rounds counts."""
    width, rng, board = int(sys.argv[1]), random.Random(1), chess.Board()
    times, sizes = [], []
    for _ in range(BOARDS):
        for _ in range(3):
            board.push(rng.choice(list(board.legal_moves)))
        best = float("inf")
        for _ in range(3):
            start = time.perf_counter()
            drawn = chess.svg.board(board, size=width, lastmove=board.peek())
            picture = cairosvg.svg2png(bytestring=drawn.encode())
            best = min(best, time.perf_counter() - start)
        times.append(1000 * best)
        sizes.append(len(picture))
    print(json.dumps({"times": times, "sizes": sizes}))


if __name__ == "__main__":
    main()
