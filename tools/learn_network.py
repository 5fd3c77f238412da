"""``python -m tools.learn_network GAME BOARDS``: teach a network by games against itself.

Morelli has one of the smallest board (`small`) and one of the others (`large`), Morabaraba has one (`large`).
There are several lessons (:data:`LESSONS`). In each, the computer plays against itself with what the lessons
before have taught. Then a network of random numbers learns from the latest games: the chances from results
and values, the priors from the visits of the searches. After each lesson the file of the network in
`ai/weights` is written. The same seed gives the same bytes, however many processes play. ``--from-lesson N``
goes on with the file that the lessons before N have left, if lesson N learns from its own games only.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import struct
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from ai.kernel import Kernel
from ai.levels import BEST, choose
from ai.search import mean_value
from ai.weights import Weights, network_file, pack_network, unpack_network
from engine import GAMES
from engine.game import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ai.levels import Candidate
    from engine import OptionValue, Position

SMALL: dict[str, OptionValue] = {"size": 9}
RANDOM: dict[str, OptionValue] = SMALL | {"setup": "random"}
MIDDLE: dict[str, OptionValue] = {"size": 11}
RANDOM_MIDDLE: dict[str, OptionValue] = MIDDLE | {"setup": "random"}
LARGE: dict[str, OptionValue] = {"size": 13}
RANDOM_LARGE: dict[str, OptionValue] = LARGE | {"setup": "random"}


@dataclass(frozen=True, slots=True)
class Boards:
    """What a network is for.

    Attributes:
        starts: The starts of its games, each as often as it stands here; random ones get a seed each time.
        units: Its hidden units.
        layout: Its numbers in their order: so many rows with a number for each unit, then so many biases,
            twice (kernel/network.h).
        network: Which of the kernel's networks it is (:data:`ai.kernel.NETWORKS`).
        by_playouts: Settings of the searches without the network, where they differ from those of the game.
        exploration: Of the searches with it.

    """

    starts: tuple[dict[str, OptionValue], ...]
    units: int
    layout: tuple[tuple[int, int], tuple[int, int]]
    network: int
    by_playouts: dict[str, float] = field(default_factory=dict)
    exploration: float = 2.0

    @property
    def is_large(self) -> bool:
        """Whether it is not for a smallest board."""
        return self.network > 0


BY_PLAYOUTS = {"exploration": 1.5, "temperature": 1.3}
BOARDS = {
    ("morelli", "small"): Boards(
        (
            *(SMALL | {"setup": "adjacent"},) * 5,
            *(SMALL | {"setup": "facing"},) * 2,
            RANDOM | {"edition": "2015"},
            *(RANDOM | {"edition": "mindsports"},) * 2,
        ),
        units=256,
        layout=((496, 6), (194, 96)),
        network=0,
        by_playouts=BY_PLAYOUTS,
    ),
    ("morelli", "large"): Boards(
        (
            *(LARGE | {"setup": "facing"},) * 4,
            *(LARGE | {"setup": "adjacent"},) * 2,
            RANDOM_LARGE | {"edition": "2015"},
            RANDOM_LARGE | {"edition": "mindsports"},
            MIDDLE | {"setup": "facing"},
            MIDDLE | {"setup": "adjacent"},
            RANDOM_MIDDLE | {"edition": "2015"},
        ),
        units=128,
        layout=((1041, 6), (370, 96)),
        network=1,
        by_playouts=BY_PLAYOUTS,
    ),
    ("morabaraba", "large"): Boards(
        ({"men": 12}, {"men": 12}, {"men": 11}),
        units=64,
        layout=((668, 6), (128, 96)),
        network=2,
        exploration=1.5,
    ),
}

RANDOM_MOVES = 6
"""At most so many random moves begin a game."""

FREE_PLIES = 10
"""So many plies are chosen in proportion to their visits; later ones seldom (:data:`SURPRISE`)."""

SURPRISE = 0.06

INITIAL_SPREAD = 0.02
WARM_UP = 0.05
"""The rate rises for this part of the lesson, and then falls to zero."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Games to learn from, and how to learn from them.

    Attributes:
        games: How many games are played.
        simulations: How many a turn has.
        value_share: How much of a leaf's value the network decides; playouts decide the rest. With 0 it is
            not used at all, nor for priors.
        latest: From how many lessons' games the network learns, this one included.
        rounds: How often it learns from each position.
        units: How many hidden units learn; the others stay zero.
        rate: How large its steps are at most.
        playout_steps: After how many steps a playout ends and is valued, whatever `value_share` is; 0 for
            playouts to the end.

    """

    games: int
    simulations: int
    value_share: float
    latest: int = 1
    rounds: int = 12
    units: int = 128
    rate: float = 0.015
    playout_steps: int = 0


LESSONS = {
    ("morelli", "small"): (
        Lesson(1000, 1500, value_share=0),
        Lesson(2500, 1500, value_share=1, latest=2),
        Lesson(4000, 2000, value_share=1, latest=2),
        Lesson(4500, 1600, value_share=0.5, latest=2),
        Lesson(9000, 1600, value_share=0.5, units=256),
    ),
    ("morelli", "large"): (
        Lesson(1200, 800, value_share=0, rounds=8, playout_steps=16),
        Lesson(1200, 800, value_share=1, latest=2, rounds=6, rate=0.007, playout_steps=16),
    ),
    ("morabaraba", "large"): (
        Lesson(3000, 2000, value_share=0, rounds=6, units=64, playout_steps=8),
        Lesson(6000, 2000, value_share=1, rounds=6, units=64),
        Lesson(8000, 2000, value_share=1, rounds=6, units=64, latest=2),
    ),
}
"""On the smallest board, the first games have playouts alone; the next ones, which are much quicker, the
network alone; the last ones both, as expert plays. Only the last lesson has positions enough for all units:
with fewer positions, so many units learn them by heart. On the other boards a playout ends after 16 steps and
is valued: in the first lesson by the value function, in the second by the network. In Morabaraba it ends
after eight steps in the first lesson; the network of the later ones takes no longer than these."""


class Example(NamedTuple):
    """A position to learn from, as :meth:`ai.kernel.Kernel.learn` takes it."""

    position: bytes
    version: int
    result: int
    value: float
    shares: bytes


class Player:
    """The computer, as it plays in one lesson, in one process."""

    current: ClassVar[Player]

    def __init__(self, game: str, boards: Boards, lesson: Lesson, taught: bytes) -> None:
        common = Weights.load(game)
        weights = common if boards.is_large else common.small
        if weights is None:
            raise ValueError(f"{game} has no small board.")
        self._game, self._boards, self._lesson = game, boards, lesson
        self._kernel = Kernel()
        by_network = {
            "network": 1.0,
            "exploration": boards.exploration,
            "temperature": 1.0,
            "value_share": lesson.value_share,
        }
        by_playouts = {"network": 0.0, "value_share": 0.0} | boards.by_playouts
        changes = by_network if lesson.value_share else by_playouts
        settings = weights.settings | {"contempt": 0.0, "playout_steps": lesson.playout_steps} | changes
        self._kernel.set_weights(replace(weights, settings=settings).pack())
        self._kernel.set_network(taught)

    def play(self, seed: int) -> list[Example]:
        """Play one game and return its positions."""
        rng = random.Random(f"{seed} {self._game}")  # noqa: S311 - a game, no secret
        position, kernel = _start(self._game, self._boards, rng), self._kernel
        kernel.load(position)
        found: list[tuple[str, float, bytes]] = []
        while kernel.outcome is None:
            line = kernel.position_line
            candidates = kernel.think(self._lesson.simulations, rng.getrandbits(31))
            best = choose(candidates, BEST, rng)
            total = sum(each.visits for each in candidates)
            shares = (
                _shares(candidates) if total >= self._lesson.simulations // 2 and len(candidates) > 1 else b""
            )
            found.append((line, mean_value(candidates, best), shares))
            kernel.play(_choose(candidates, best, len(found), rng).text)
        return [
            Example(line.encode(), position.game.rules_version, _result(line, kernel.outcome), value, shares)
            for line, value, shares in found
        ]


def _start(game: str, boards: Boards, rng: random.Random) -> Position:
    options = rng.choice(boards.starts)
    if options.get("setup") == "random":
        options = {**options, "seed": rng.randrange(1_000_000)}
    position: Position = GAMES[game].initial_position(**options)
    for _ in range(rng.randrange(RANDOM_MOVES + 1)):
        position = position.play(
            rng.choice([move for _, move in zip(range(1000), position.moves_with_prefix(""), strict=False)])
        )
    return position


def _shares(candidates: Sequence[Candidate]) -> bytes:
    total = sum(each.visits for each in candidates)
    return struct.pack(f"<{len(candidates)}f", *(each.visits / total for each in candidates))


def _choose(candidates: Sequence[Candidate], best: Candidate, ply: int, rng: random.Random) -> Candidate:
    total = sum(each.visits for each in candidates)
    if best.proven == 1 or not total:
        return best
    if ply <= FREE_PLIES:
        return rng.choices(candidates, [each.visits for each in candidates])[0]
    if rng.random() < SURPRISE:
        return rng.choices(candidates, [each.visits + total / 20 for each in candidates])[0]
    return best


def _result(line: str, outcome: Outcome) -> int:
    """Return 0 if the player to move has lost, 1 for a draw, 2 for a win."""
    if outcome is Outcome.DRAW:
        return 1
    return 2 if outcome.value[0] == line.split()[3] else 0


def _begin(game: str, boards: Boards, lesson: Lesson, taught: bytes) -> None:
    Player.current = Player(game, boards, lesson, taught)


def _play(seed: int) -> list[Example]:
    return Player.current.play(seed)


def play_games(
    game: str, boards: Boards, lesson: Lesson, taught: bytes, seed: int, processes: int
) -> list[Example]:
    """Return the positions of a lesson's games, in the order of the games."""
    # Started anew: the threads of a kernel do not survive a fork.
    context = multiprocessing.get_context("spawn")
    given = game, boards, lesson, taught
    with ProcessPoolExecutor(processes, context, initializer=_begin, initargs=given) as pool:
        games = pool.map(_play, range(seed, seed + lesson.games), chunksize=8)
        return [example for each in games for example in each]


def forget(kernel: Kernel, rng: random.Random, boards: Boards, units: int | None = None) -> None:
    """Set the first `units` of the network to small random numbers, the others to zero, which they stay."""
    units, numbers = units or boards.units, list[float]()
    for rows, biases in boards.layout:
        for _ in range(rows):
            numbers += [rng.gauss(0, INITIAL_SPREAD) for _ in range(units)] + [0.0] * (boards.units - units)
        numbers += [rng.gauss(0, INITIAL_SPREAD) for _ in range(biases)]
    kernel.set_network(struct.pack(f"<{len(numbers)}f", *numbers))


def learn(kernel: Kernel, examples: Sequence[Example], lesson: Lesson, rng: random.Random) -> None:
    """Let the network learn from each example as often as the lesson says, turned or mirrored at random."""
    shuffled, done, total = list(examples), 0, lesson.rounds * len(examples)
    for _ in range(lesson.rounds):
        rng.shuffle(shuffled)
        for example in shuffled:
            part = done / total
            kernel.learn(*example, rng.getrandbits(3), lesson.rate * min(1, part / WARM_UP) * (1 - part))
            done += 1


def teach(
    game: str,
    boards: Boards,
    lessons: Sequence[Lesson],
    seed: int,
    processes: int,
    *,
    taught: bytes = b"",
    first: int = 0,
) -> Iterator[tuple[bytes, str]]:
    """Yield the network after each lesson from `first` on, with a line that says what it was learned from.

    `taught` is the network after the lessons before `first`.
    """
    kernel, rng = Kernel(), random.Random(seed)  # noqa: S311 - a game, no secret
    forget(kernel, rng, boards, lessons[0].units)
    if taught:
        kernel.set_network(taught)
    played: deque[list[Example]] = deque(maxlen=max(lesson.latest for lesson in lessons))
    for number, lesson in enumerate(lessons[first:], first):
        if number and lesson.latest == 1:
            # It depends on nothing but the network before it, so that it can be repeated alone.
            rng = random.Random(seed + number)  # noqa: S311 - a game, no secret
        before = kernel.read_network(boards.network)
        played.append(play_games(game, boards, lesson, before, 1_000_000 * (seed + number), processes))
        examples = [each for games in list(played)[-lesson.latest :] for each in games]
        forget(kernel, rng, boards, lesson.units)
        learn(kernel, examples, lesson, rng)
        data = pack_network(kernel.read_network(boards.network))
        # The next games are played with what will be in the file.
        kernel.set_network(unpack_network(data))
        yield data, f"{lesson}: {len(examples)} positions"


def main() -> None:
    """Play, learn and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted({game for game, _ in BOARDS}))
    parser.add_argument("boards", choices=sorted({boards for _, boards in BOARDS}))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--from-lesson", type=int, default=1, help="the first lesson, counted from 1")
    arguments = parser.parse_args()
    chosen = arguments.game, arguments.boards
    if chosen not in BOARDS:
        parser.error(f"There is no network of the {arguments.boards} boards of {arguments.game}.")
    boards, lessons = BOARDS[chosen], LESSONS[chosen]
    file = network_file(arguments.game, large=boards.is_large)
    first = arguments.from_lesson - 1
    if first not in range(len(lessons)) or lessons[first].latest > 1:
        alone = [str(n) for n, lesson in enumerate(lessons, 1) if lesson.latest == 1]
        parser.error(f"These lessons can be the first: {', '.join(alone)}.")
    taught = unpack_network(file.read_bytes()) if first else b""
    seed, processes = arguments.seed, arguments.processes
    course = teach(arguments.game, boards, lessons, seed, processes, taught=taught, first=first)
    for data, summary in course:
        print(summary, flush=True)  # noqa: T201
        file.write_bytes(data)


if __name__ == "__main__":
    main()
