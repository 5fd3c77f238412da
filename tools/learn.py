"""``python -m tools.learn GAME``: fit the weights of the computer opponent by games against itself.

Learning begins with weights of zero and has several lessons (:data:`COURSES`). In each, the search plays
games from random starts with the weights that the lesson before has left. Then the policy is fitted to what
the search preferred (softmax regression) and the value function to the results (logistic regression). At the
end the tables `policy` and `value` of the file in `ai/weights` are written anew; its other settings stay.
The same seed gives the same bytes.
"""

from __future__ import annotations

import argparse
import math
import random
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ai.kernel import Kernel
from ai.seats import player_to_move, result_for, swaps_sides
from ai.weights import FOLDER, GAME_PHASES, Weights
from engine import GAMES, get_game

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ai.weights import Table
    from engine import OptionValue, Position

    Start = dict[str, OptionValue]

RANDOM_MOVES = 6
"""At most so many random moves begin a game, so that games differ."""

FREE_PLIES = 16
"""So many plies are chosen in proportion to their visits, the others are those searched most."""

MAX_PLIES = 300
POLICY_ROUNDS, VALUE_ROUNDS = 6, 12
"""How often each position is learned from."""

SHRINKAGE = 1e-4


@dataclass(frozen=True, slots=True)
class Lesson:
    """Games to learn from: how many, with how many simulations a turn, and how long playouts are.

    Playouts of 0 steps go on to the end: a value function that knows nothing cannot cut them off.
    """

    games: int
    simulations: int
    playout_steps: int | None = None


@dataclass(frozen=True, slots=True)
class Course:
    """Lessons whose games begin from these starts in turn, by default under the newest rules."""

    starts: Sequence[Start]
    lessons: Sequence[Lesson]
    rules_version: int | None = None


COURSES = {
    "morelli": Course(
        (
            {"size": 13, "setup": "facing"},
            {"size": 13, "setup": "adjacent"},
            {"size": 11, "setup": "facing"},
            {"size": 9, "setup": "adjacent"},
            {"size": 9, "setup": "free"},
            {"edition": "2015", "size": 13, "setup": "random", "seed": 1},
            {"edition": "mindsports", "size": 11, "setup": "random", "seed": 2},
        ),
        (Lesson(42, 500, playout_steps=0), Lesson(84, 300), Lesson(168, 400)),
    ),
    "morphos": Course(
        (
            {},
            {"mutators": "e"},
            {"mutators": "a"},
            {"mutators": "b"},
            {"size": 9},
            {"mutators": "c"},
            {"mutators": "d"},
        ),
        (Lesson(42, 600),),
    ),
    "morabaraba": Course(
        ({"men": 12}, {"men": 12}, {"men": 11}),
        (Lesson(60, 400, playout_steps=0), Lesson(150, 500), Lesson(300, 1000)),
        rules_version=1,
    ),
}

SMALL_COURSES = {
    "morelli": Course(
        (
            {"size": 9, "setup": "adjacent"},
            {"size": 9, "setup": "facing"},
            {"size": 9, "setup": "free"},
            {"edition": "2015", "size": 9, "setup": "random", "seed": 1},
            {"edition": "mindsports", "size": 9, "setup": "random", "seed": 2},
            {"size": 9, "setup": "adjacent"},
        ),
        (Lesson(150, 500), Lesson(240, 800)),
    ),
}
"""What follows on the small board alone; the weights of all other boards stay."""


@dataclass(frozen=True, slots=True)
class Example:
    """One position of a game: what the search preferred, and what came of it.

    Attributes:
        phase: The phase of the game, which chooses the weights.
        numbers: The numbers for the value function.
        choices: By features (bits): how many turns have them, and the share of the visits they got.
        result: The result for the player to move, from 0 to 1, half of it from the search.

    """

    phase: int
    numbers: tuple[float, ...]
    choices: tuple[tuple[int, int, float], ...]
    result: float


def play_game(kernel: Kernel, position: Position, simulations: int, rng: random.Random) -> list[Example]:
    """Play one game of the search against itself and return its positions."""
    for _ in range(position.moves_due and rng.randrange(RANDOM_MOVES + 1)):
        moves = [move for _, move in zip(range(2000), position.moves_with_prefix(""), strict=False)]
        position = position.play(rng.choice(moves)) if moves else position
    found: list[tuple[Example, int]] = []
    swapped = False
    for ply in range(MAX_PLIES):
        if position.to_move is None:
            break
        player = player_to_move(position, swapped=swapped)
        kernel.load(position)
        candidates = kernel.think(simulations, rng.getrandbits(31))
        total = sum(each.visits for each in candidates)
        best = max(candidates, key=lambda each: (each.proven == 1, each.proven != 0, each.visits))
        if total >= simulations // 2:
            phase, numbers = kernel.values()
            choices: dict[int, tuple[int, float]] = {}
            for index, each in enumerate(candidates):
                bits = kernel.features(index)
                count, share = choices.get(bits, (0, 0.0))
                choices[bits] = count + 1, share + each.visits / total
            rows = tuple((bits, count, share) for bits, (count, share) in choices.items())
            found.append((Example(phase, numbers, rows, best.value), player))
        chosen = best
        if ply < FREE_PLIES and best.proven != 1 and total:
            chosen = rng.choices(candidates, [each.visits for each in candidates])[0]
        move = position.parse(chosen.text)
        after = position.play(move)
        swapped ^= swaps_sides(position, move, after)
        position = after
    return [
        replace(example, result=(example.result + result_for(position, player, swapped=swapped)) / 2)
        for example, player in found
    ]


def fit_policy(table: Table, examples: Sequence[Example], rounds: int, rng: random.Random) -> Table:
    """Return the weights after softmax regression from `table` on."""
    names = list(table)
    weights = _to_rows(table)
    prepared = [
        (each.phase % len(weights), [(_bits(bits), count, share) for bits, count, share in each.choices])
        for each in examples
    ]
    for round_number in range(rounds):
        rate = 0.1 / (1 + round_number)
        rng.shuffle(prepared)
        for phase, choices in prepared:
            row = weights[phase]
            logits = [sum(row[bit] for bit in bits) for bits, _, _ in choices]
            highest = max(logits)
            odds = [
                count * math.exp(logit - highest)
                for logit, (_, count, _) in zip(logits, choices, strict=True)
            ]
            total = sum(odds)
            for odd, (bits, _, share) in zip(odds, choices, strict=True):
                step = rate * (share - odd / total)
                for bit in bits:
                    row[bit] += step
            for bit in range(len(row)):
                row[bit] *= 1 - rate * SHRINKAGE
    return _to_table(names, weights)


def fit_value(table: Table, examples: Sequence[Example], rounds: int, rng: random.Random) -> Table:
    """Return the weights after logistic regression from `table` on."""
    names = list(table)
    weights = _to_rows(table)
    shuffled = list(examples)
    for round_number in range(rounds):
        rate = 0.02 / (1 + 0.3 * round_number)
        rng.shuffle(shuffled)
        for each in shuffled:
            row = weights[each.phase % len(weights)]
            total = sum(weight * number for weight, number in zip(row, each.numbers, strict=False))
            step = rate * (each.result - 1 / (1 + math.exp(-max(-30, min(30, total)))))
            for index in range(len(row)):
                row[index] += step * each.numbers[index] - rate * SHRINKAGE * row[index]
    return _to_table(names, weights)


def value_error(table: Table, examples: Sequence[Example]) -> float:
    """Return the mean squared error of the value function."""
    rows = list(table.values())
    error = 0.0
    for each in examples:
        total = sum(
            row[each.phase % len(row)] * number for row, number in zip(rows, each.numbers, strict=False)
        )
        error += (each.result - 1 / (1 + math.exp(-max(-30, min(30, total))))) ** 2
    return error / max(1, len(examples))


def rewrite(text: str, tables: dict[str, Table]) -> str:
    """Return the text of a file of weights with other numbers in its tables."""
    for part, table in tables.items():
        lines = "".join(
            f"{name} = [{', '.join(f'{number:.3f}' for number in row)}]\n" for name, row in table.items()
        )
        text = re.sub(rf"(?<=\n)\[{part}\]\n([^\[\n][^\n]*\n)*", f"[{part}]\n{lines}", text)
    return text


def _bits(bits: int) -> tuple[int, ...]:
    return tuple(index for index in range(bits.bit_length()) if bits >> index & 1)


def _to_table(names: Sequence[str], weights: Sequence[Sequence[float]]) -> Table:
    return {name: tuple(round(row[index], 3) for row in weights) for index, name in enumerate(names)}


def _to_rows(table: Table) -> list[list[float]]:
    """Return the weights of each phase."""
    return [list(row) for row in zip(*table.values(), strict=True)]


def _games(
    kernel: Kernel, name: str, course: Course, lesson: Lesson, rng: random.Random
) -> Iterator[Example]:
    game = GAMES[name] if course.rules_version is None else get_game(name, course.rules_version)
    for number in range(lesson.games):
        position: Position = game.initial_position(**course.starts[number % len(course.starts)])
        yield from play_game(kernel, position, lesson.simulations, rng)


def learn(
    kernel: Kernel, name: str, weights: Weights, course: Course, rng: random.Random
) -> Iterator[tuple[Weights, str]]:
    """Yield the weights after each lesson, with a line that says what it was learned from."""
    for lesson in course.lessons:
        settings = {**weights.settings, "prior_floor": 0.0}
        if lesson.playout_steps is not None:
            settings["playout_steps"] = lesson.playout_steps
        kernel.set_weights(replace(weights, settings=settings).pack())
        examples = list(_games(kernel, name, course, lesson, rng))
        weights = replace(
            weights,
            policy=fit_policy(weights.policy, examples, POLICY_ROUNDS, rng),
            value=fit_value(weights.value, examples, VALUE_ROUNDS, rng),
        )
        error = value_error(weights.value, examples)
        yield weights, f"{lesson}: {len(examples)} positions; error of the value {error:.4f}"


def forget(weights: Weights) -> Weights:
    """Return weights of zero."""
    zeros = (0.0,) * GAME_PHASES
    return replace(
        weights, policy=dict.fromkeys(weights.policy, zeros), value=dict.fromkeys(weights.value, zeros)
    )


def extend_to_small_board(weights: Weights) -> Weights:
    """Return weights with which the small board begins as all other boards have ended."""

    def extend(table: Table) -> Table:
        return {name: row[:GAME_PHASES] * 2 for name, row in table.items()}

    return replace(weights, policy=extend(weights.policy), value=extend(weights.value))


def main() -> None:
    """Play, fit and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(COURSES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small-board", action="store_true", help="learn again for the small board alone")
    arguments = parser.parse_args()
    name, seed = arguments.game, arguments.seed
    weights, kernel = Weights.load(name), Kernel()
    if not arguments.small_board:
        rng = random.Random(seed)  # noqa: S311 - a game, no secret
        weights = _learn_and_write(learn(kernel, name, forget(weights), COURSES[name], rng), name)
    if name in SMALL_COURSES:
        rng = random.Random(seed)  # noqa: S311
        _learn_and_write(learn(kernel, name, extend_to_small_board(weights), SMALL_COURSES[name], rng), name)


def _learn_and_write(lessons: Iterator[tuple[Weights, str]], name: str) -> Weights:
    """Write the weights after each lesson; return the last."""
    path = FOLDER / f"{name}.toml"
    for learned, summary in lessons:
        print(summary, flush=True)  # noqa: T201
        tables = {"policy": learned.policy, "value": learned.value}
        path.write_text(rewrite(path.read_text(encoding="utf-8"), tables), encoding="utf-8")
    return learned


if __name__ == "__main__":
    main()
