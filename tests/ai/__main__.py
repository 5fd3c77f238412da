"""``python -m tests.ai``: compare the kernel with the engine in many random games of every set of options."""

from __future__ import annotations

import argparse

from ai.kernel import Kernel
from tests.ai.agreement import compare_game, kernel_starts, start_positions


def main() -> None:
    """Play the games; the first difference ends with its position."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10, help="games of every set of options")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    kernel = Kernel()
    for start in kernel_starts():
        for position in start_positions(start):
            for number in range(arguments.games):
                compare_game(kernel, position, arguments.seed * 1_000_003 + number)
        print(f"{start}: {arguments.games} games agree", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
