"""``python -m tests.ai``: compare the kernel with the engine in many random games of every set of options.

Every first position is searched too, and a network learns from those that it knows. With `--library`, it is
the kernel in a library for this machine (see tools/sanitize).
"""

from __future__ import annotations

import argparse
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from ai.kernel import Kernel
from ai.search import load_weights
from engine import GAMES
from tests.ai.agreement import compare_game, kernel_starts, start_positions
from tests.ai.native import NativeKernel

if TYPE_CHECKING:
    from engine import Position

SIMULATIONS = 300
PROOF = 3000  # positions
ENDINGS = (
    "morabaraba 12 r1r/3/1r1/1w1w2/3/3/w2 w 0,0 -",
    "morabaraba 12 r1r/3/1r1/1w1w2/3/3/w1w r 0,0 -",
    "morabaraba 12 3/r2/1r1/2r3/w1w/1w1/2w w 0,0 w:D2-D1,r:C4-B4",
)


def search(kernel: Kernel, position: Position) -> None:
    """Search a position with the weights of its game, and without."""
    weights = load_weights(position.game.name)
    if weights is None:
        return
    kernel.load(position)
    boards = [each for each in (weights, weights.small, weights.large) if each]
    for each in [*boards, *(board.master for board in boards if board.master)]:
        kernel.set_weights(each.pack())
        if each.network:
            kernel.set_network(each.network)
        for plain in (False, True):
            for index, _ in enumerate(kernel.think(SIMULATIONS, 1, plain=plain, proof=0 if plain else PROOF)):
                kernel.features(index)
                kernel.line(index)
    kernel.values()
    learn(kernel, position)


def learn(kernel: Kernel, position: Position) -> None:
    """Let a network learn from a position in every way, if one knows such positions."""
    if kernel.chances is None:
        return
    candidates = len(kernel.think(1, 1))
    shares = struct.pack(f"<{candidates}f", *[1 / candidates] * candidates)
    for symmetry in range(8):
        version = position.game.rules_version
        kernel.learn(str(position).encode(), version, symmetry % 3, 0.5, shares, symmetry, 0.001)


def main() -> None:
    """Play the games; the first difference ends with its position."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10, help="games of every set of options")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--library", type=Path, help="the kernel as a shared library")
    arguments = parser.parse_args()
    kernel = NativeKernel(arguments.library) if arguments.library else Kernel()
    for start in kernel_starts():
        for position in start_positions(start):
            for number in range(arguments.games):
                compare_game(kernel, position, arguments.seed * 1_000_003 + number)
            search(kernel, position)
        if start.game == "morabaraba":
            for line in ENDINGS:
                search(kernel, GAMES["morabaraba"].load(line))
        print(f"{start}: {arguments.games} games agree", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
