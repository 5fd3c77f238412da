"""``python -m tools.forced_wins [GAME ...]``: find forced wins and losses, by trying out everything.

They come from games of random moves and from games of the lower levels against each other, and are written to
`tests/ai/forced_wins`, one position a line. In `GAME.txt` stands in how many of its turns, and not sooner,
the player to move wins by force, and the position line. In `GAME-losses.txt` the player to move has turns
after which the opponent wins by force in so many turns of its own, and not sooner, at least a third of those
that do not lose sooner, and turns after which the opponent does not win by force in three. The kernel decides
that without what a search knows (`Kernel.turns_to_win`). The same seed gives the same bytes.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import dataclass
from itertools import count, product
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
WANTED_LOSSES = {2: 60, 3: 60}
LOSING_SHARE = 1 / 3
"""So many of the turns that do not lose sooner must lose, so that a loss is not avoided by chance."""

LOSSES_SEED = 1000
"""Added to the seed, so that the games are not those with the forced wins."""

LAST_PLIES = 9
"""So many positions before the end of a game are looked at."""

MOST_PLIES = 300
MOST_COSTLY = 3e6
"""About so many positions at most are tried out for one answer."""

MOST_TURNS = 3

PLAYERS = (Level.BEGINNER, Level.CASUAL)


@dataclass(frozen=True, slots=True)
class ForcedPosition:
    """A position of the files, and in how many `turns` of its own the player to move wins.

    If it `is_loss`, they are those in which the opponent wins after many of the wrong turns.
    """

    turns: int
    position: Position

    is_loss: bool = False

    def is_kept(self, kernel: Kernel, text: str) -> bool:
        """Return whether a turn keeps the win, as soon as it is possible, or avoids the loss.

        The kernel tries out everything.
        """
        after = self.position.play(self.position.parse(text))
        if self.is_loss:
            return turns_to_lose(kernel, self.position, after, MOST_TURNS) == 0
        if after.outcome is not None:
            return after.outcome.winner is self.position.to_move
        return all(
            reply.outcome.winner is self.position.to_move
            if reply.outcome is not None
            else turns_to_win(kernel, reply, self.turns - 1) > 0
            for reply in map(after.play, after.legal_moves())
        )


def load_positions(game: str, *, losses: bool = False) -> list[ForcedPosition]:
    """Return the positions of a game's file: those with forced wins, or those with forced losses."""
    found = []
    for line in (FOLDER / file_name(game, losses=losses)).read_text(encoding="ascii").splitlines():
        turns, position = line.split(" ", 1)
        found.append(ForcedPosition(int(turns), GAMES[game].load(position), losses))
    return found


def file_name(game: str, *, losses: bool) -> str:
    """Return the name of a game's file."""
    return f"{game}-losses.txt" if losses else f"{game}.txt"


def turns_to_win(kernel: Kernel, position: Position, turns: int) -> int:
    """Return in how many turns the side to move wins by force, at most `turns`; 0 if it does not."""
    kernel.load(position)
    return kernel.turns_to_win(turns)


def turns_to_lose(kernel: Kernel, before: Position, after: Position, turns: int) -> int:
    """Return in how many turns the opponent of who has just moved wins by force, at most `turns`; 0 if not.

    A game that is lost already counts as one turn.
    """
    if after.outcome is not None:
        return int(after.outcome.winner not in (None, before.to_move))
    return turns_to_win(kernel, after, turns)


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
    return turns_to_win(kernel, position, MOST_TURNS if width**4 / 5 <= MOST_COSTLY else MOST_TURNS - 1)


def count_turns_to_loss(kernel: Kernel, position: Position) -> int:
    """Return in how many turns, 2 or 3, the opponent wins by force after many turns, but not after all.

    0 if there is no such number, or if that is too much to try out.
    """

    def loses(after: Position, turns: int) -> bool:
        return turns_to_lose(kernel, position, after, turns) > 0

    left = [*{str(each): each for each in map(position.play, position.legal_moves())}.values()]
    width = len(left)
    if width**4 / 5 > MOST_COSTLY:
        return 0
    for turns in range(1, MOST_TURNS + 1 if width**5 / 5 <= MOST_COSTLY else MOST_TURNS):
        lasting = [each for each in left if not loses(each, turns)]
        is_many = turns > 1 and len(lasting) <= (1 - LOSING_SHARE) * len(left)
        if is_many and not all(loses(each, MOST_TURNS) for each in lasting):
            return turns
        left = lasting
    return 0


def find_positions(game: str, seed: int, *, losses: bool = False) -> Iterator[tuple[int, Position]]:
    """Yield positions until there are as many as are wanted, half of them from random games."""
    kernel, opponent, rng = Kernel(), Opponent.start(), random.Random(seed)  # noqa: S311 - a game, no secret
    wanted, count_them = (WANTED_LOSSES, count_turns_to_loss) if losses else (WANTED, count_turns)
    missing = Counter(
        {(turns, half): number // 2 for turns, number in wanted.items() for half in (False, True)}
    )
    seen = set[str]()
    for number in count():
        is_random = number % 2 == 0
        start = GAMES[game].initial_position(**STARTS[game][number // 2 % len(STARTS[game])])
        found = set[int]()
        for position in play_game(opponent, start, rng, is_random=is_random):
            turns = count_them(kernel, position)
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
    FOLDER.mkdir(exist_ok=True)
    for game, losses in product(arguments.games, (False, True)):
        found = find_positions(game, arguments.seed + LOSSES_SEED * losses, losses=losses)
        lines = sorted(f"{turns} {position}\n" for turns, position in found)
        (FOLDER / file_name(game, losses=losses)).write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    main()
