"""``python -m tools.forced_wins [GAME ...]``: find positions with forced wins, by trying out everything.

They come from games of random moves and from games of the lower levels against each other. What is written to
`tests/ai/forced_wins/GAME.txt`, one position a line: in how many of its turns, and not sooner, the player to
move wins by force, and the position line. The kernel decides that without what a search knows
(`Kernel.turns_to_win`). The same seed gives the same bytes.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from ai.kernel import Kernel
from ai.levels import Level
from ai.search import Opponent
from engine import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import OptionValue, Position

FOLDER = Path("tests/ai/forced_wins")
STARTS: dict[str, tuple[dict[str, OptionValue], ...]] = {
    "morabaraba": ({}, {"men": 11}),
    "morelli": (
        {"size": 9, "setup": "adjacent"},
        {"size": 9, "setup": "facing"},
        {"size": 9, "edition": "2015", "setup": "random", "seed": 3},
        {"size": 9, "edition": "mindsports", "setup": "random", "seed": 4},
        {"size": 11, "setup": "facing"},
    ),
    "morphos": (
        {"size": 5},
        {"size": 7},
        {"size": 9},
        {"size": 7, "mutators": "a"},
        {"size": 7, "mutators": "b"},
        {"size": 5, "mutators": "c"},
        {"size": 5, "mutators": "d"},
        {"size": 5, "mutators": "e"},
        {"size": 13},
    ),
}
WANTED = {2: 200, 3: 120}
LAST_PLIES = 9
"""So many positions before the end of a game are looked at."""

MOST_PLIES = 300
MOST_COSTLY = 3e6
"""About so many positions at most are tried out for one answer."""

PLAYERS = (Level.BEGINNER, Level.CASUAL)


@dataclass(frozen=True, slots=True)
class ForcedPosition:
    """A position of the files, and in how many `turns` of its own the player to move wins."""

    turns: int
    position: Position

    def is_kept(self, kernel: Kernel, text: str) -> bool:
        """Return whether a turn keeps the win, as soon as it is possible; the kernel tries out everything."""
        after = self.position.play(self.position.parse(text))
        if after.outcome is not None:
            return after.outcome.winner is self.position.to_move
        return all(
            reply.outcome.winner is self.position.to_move
            if reply.outcome is not None
            else turns_to_win(kernel, reply, self.turns - 1) > 0
            for reply in map(after.play, after.legal_moves())
        )


def load_positions(game: str) -> list[ForcedPosition]:
    """Return the positions of a game's file."""
    found = []
    for line in (FOLDER / f"{game}.txt").read_text(encoding="ascii").splitlines():
        turns, position = line.split(" ", 1)
        found.append(ForcedPosition(int(turns), GAMES[game].load(position)))
    return found


def turns_to_win(kernel: Kernel, position: Position, turns: int) -> int:
    """Return in how many turns the side to move wins by force, at most `turns`; 0 if it does not."""
    kernel.load(position)
    return kernel.turns_to_win(turns)


def play_game(
    opponent: Opponent, position: Position, rng: random.Random, *, is_random: bool
) -> list[Position]:
    """Play a game, with random moves or by levels that seldom win at once, and return its last positions."""
    positions = [position]
    for ply in range(MOST_PLIES):
        if position.to_move is None:
            break
        if is_random or ply < 2:
            text = str(rng.choice(position.legal_moves()))
        else:
            text = opponent.choose_move(position, PLAYERS[ply % 2], rng.getrandbits(30))
        position = position.play(position.parse(text))
        positions.append(position)
    return [each for each in positions[-LAST_PLIES:] if each.to_move is not None]


def count_turns(kernel: Kernel, position: Position) -> int:
    """Return in how many turns the side to move wins by force; 0 also where that is too much to try out."""
    width = len(position.legal_moves())
    if width**2 > MOST_COSTLY:
        return 0
    return turns_to_win(kernel, position, 3 if width**4 / 5 <= MOST_COSTLY else 2)


def find_positions(game: str, seed: int) -> Iterator[tuple[int, Position]]:
    """Yield positions until there are as many as are wanted, half of them from random games."""
    kernel, opponent, rng = Kernel(), Opponent.start(), random.Random(seed)  # noqa: S311 - a game, no secret
    missing = Counter(
        {(turns, half): number // 2 for turns, number in WANTED.items() for half in (False, True)}
    )
    seen = set[str]()
    for number in count():
        is_random = number % 2 == 0
        start = GAMES[game].initial_position(**STARTS[game][number // 2 % len(STARTS[game])])
        found = set[int]()
        for position in play_game(opponent, start, rng, is_random=is_random):
            turns = count_turns(kernel, position)
            if turns in found or not missing[turns, is_random] or str(position) in seen:
                continue
            found.add(turns)
            seen.add(str(position))
            missing[turns, is_random] -= 1
            yield turns, position
        if not any(missing.values()):
            return


def main() -> None:
    """Find the positions and write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=sorted(STARTS))
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for game in arguments.games:
        lines = sorted(f"{turns} {position}\n" for turns, position in find_positions(game, arguments.seed))
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{game}.txt").write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    main()
