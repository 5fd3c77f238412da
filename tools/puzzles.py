"""``python -m tools.puzzles [GAME ...]``: find the first puzzles of each game, in games of the computer.

Levels play each other from several starts, and each game is looked through as finished matches are (see
:mod:`ai.puzzles`). Most games have random moves, because their boards have puzzles more often. What is found
is written to `matches/puzzles/first_set/GAME.txt`, one puzzle a line (see :class:`engine.puzzle.Puzzle`). The
same seed gives the same bytes.

``--check`` solves the puzzles of the files again instead, with searches ten times as long and another seed,
and tells which have no answer or several; ``--every 2`` takes every second one.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ai.game_analysis import AnalysedGame, Assessment, assess
from ai.levels import Level
from ai.puzzle_ratings import estimate_rating
from ai.puzzles import CHECK_SEED, LONGER, MIN_GAP, MOST_TURNS, SIMULATIONS, PuzzleFinder
from ai.search import Opponent
from engine import GAMES
from engine.puzzle import Puzzle
from tools.forced_wins import STARTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine import OptionValue, Position

FOLDER = Path("matches/puzzles/first_set")
WANTED = 102
MOST_OF_A_KIND = {0: 64, 1: 8, 2: 36, 3: 36}
"""So many puzzles at most with a forced win in so many turns; 0: where a turn is only clearly better."""

MOST_SHORT = 92
"""So many puzzles at most ask for a single turn."""

GAMES_IN_TURN = 8
"""The first of so many games is one of levels."""

SCAN_SIMULATIONS = 300
"""For each position of a game, times the `analysis_effort`: enough to see most mistakes."""

PLAYERS = ((Level.CASUAL, Level.CLUB), (Level.STRONG, Level.CLUB), (Level.CASUAL, Level.STRONG))
RANDOM_PLIES = 2
LAST_PLIES = 30
"""So many turns at the end of a random game are looked at."""

MOST_PLIES, MOST_GAMES = 200, 2000


def load_puzzles(game: str) -> list[Puzzle]:
    """Return the puzzles of a game's file."""
    text = (FOLDER / f"{game}.txt").read_text(encoding="ascii")
    return [Puzzle.parse(line, GAMES) for line in text.splitlines()]


class Source:
    """The games of the computer in which puzzles are looked for; the same seed gives the same games."""

    def __init__(self, game: str, opponent: Opponent, seed: int) -> None:
        self._game = game
        self._opponent = opponent
        self._rng = random.Random(seed)  # noqa: S311 - a game, no secret

    def play_levels(self, origin: int) -> AnalysedGame:
        """Return a game of two levels from the start number `origin`, after a few random moves."""
        players = self._rng.choice(PLAYERS)
        start, turns = self._play(origin, players)
        return AnalysedGame.from_turns(start, turns)

    def play_randomly(self, origin: int) -> AnalysedGame:
        """Return the last turns of a game of random moves from the start number `origin`."""
        start, turns = self._play(origin, ())
        game = AnalysedGame.from_turns(start, turns)
        first = max(0, len(turns) - LAST_PLIES)
        return AnalysedGame.from_turns(game.at(first)[0], turns[first:])

    def _play(self, origin: int, players: Sequence[Level]) -> tuple[Position, list[list[str]]]:
        position = start = self._start(STARTS[self._game][origin])
        turns = list[list[str]]()
        while position.to_move is not None and len(turns) < MOST_PLIES:
            is_random = not players or len(turns) < RANDOM_PLIES or position.moves_due > 1
            turn = list[str]()
            for _ in range(position.moves_due):
                level = None if is_random else players[len(turns) % 2]
                turn.append(self._choose_move(position, level))
                position = position.play(position.parse(turn[-1]))
            turns.append(turn)
        return start, turns

    def _choose_move(self, position: Position, level: Level | None) -> str:
        if level is None:
            return str(self._rng.choice(position.legal_moves()))
        return self._opponent.choose_move(position, level, self._rng.getrandbits(30))

    def _start(self, options: dict[str, OptionValue]) -> Position:
        game = GAMES[self._game]
        drawn = {
            option.name: self._rng.randint(option.minimum, option.maximum)
            for option in game.options
            if option.name in options and option.is_random
        }
        return game.initial_position(**options | drawn)


@dataclass(slots=True)
class Selection:
    """The puzzles so far, with a limit for each kind, so that they are a mixture."""

    most_from_a_start: int
    keys: set[str] = field(default_factory=set)
    counts: Counter[object] = field(default_factory=Counter)

    def has_room(self, puzzle: Puzzle, origin: int) -> bool:
        """Return whether a puzzle is new and there are not enough of its kind."""
        limits = self._limits(puzzle, origin)
        return puzzle.key not in self.keys and all(self.counts[each] < most for each, most in limits.items())

    def add(self, puzzle: Puzzle, origin: int) -> None:
        """Add a puzzle for which there is room."""
        self.keys.add(puzzle.key)
        self.counts.update(self._limits(puzzle, origin).keys())

    def _limits(self, puzzle: Puzzle, origin: int) -> dict[str, int]:
        limits = {
            f"wins in {puzzle.wins_in}": MOST_OF_A_KIND[puzzle.wins_in],
            f"from {origin}": self.most_from_a_start,
        }
        if puzzle.solver_turns == 1:
            limits["short"] = MOST_SHORT
        return limits


def find_puzzles(game: str, seed: int) -> Iterator[Puzzle]:
    """Yield puzzles until there are enough, from games of levels and from random ones.

    Those in which longer searches find a fault are left out.
    """
    opponent, checker, starts = Opponent.start(), start_checker(), STARTS[game]
    source, finder = Source(game, opponent, seed), PuzzleFinder(opponent)
    selection = Selection(2 * WANTED // len(starts))
    for number in range(MOST_GAMES):
        origin = (number + number // GAMES_IN_TURN) % len(starts)
        if selection.counts[f"from {origin}"] >= selection.most_from_a_start:
            continue
        if number % GAMES_IN_TURN:
            found = find_first(finder, source.play_randomly(origin))
        else:
            found = finder.find_puzzles(*scan(opponent, source.play_levels(origin)))
        for puzzle in found:
            if selection.has_room(puzzle, origin) and not any(find_faults(checker, puzzle)):
                selection.add(puzzle, origin)
                yield replace(puzzle, rating=estimate_rating(opponent, puzzle))
            if len(selection.keys) == WANTED:
                return


def scan(opponent: Opponent, game: AnalysedGame) -> tuple[AnalysedGame, dict[int, Assessment]]:
    """Return a game with a short analysis."""
    assessments = dict[int, Assessment]()
    for number in range(len(game.turns) + 1):
        assessments[number] = assess(opponent, game, assessments, (number, SCAN_SIMULATIONS))
    return game, assessments


def find_first(finder: PuzzleFinder, game: AnalysedGame) -> Iterator[Puzzle]:
    """Yield the first puzzle on the boards of a game: the next ones would be much like it.

    Forced wins are looked for on each board, others on every third.
    """
    for number in range(len(game.turns) + 1):
        is_looked_at = number % 3 == 0 or finder.is_promising(game, {}, number)
        puzzle = finder.find_puzzle(game.at(number)[0]) if is_looked_at else None
        if puzzle is not None:
            yield puzzle
            return


def start_checker() -> PuzzleFinder:
    """Return a finder that searches longer than the one that has found the puzzles."""
    return PuzzleFinder(Opponent.start(), simulations=LONGER * SIMULATIONS)


def find_faults(finder: PuzzleFinder, puzzle: Puzzle) -> Iterator[str]:
    """Yield what is wrong with a puzzle according to long searches, and to trying out all wins."""
    for step in range(0, len(puzzle.line), 2):
        position, name = puzzle.position_at(step), f"turn {step // 2 + 1}"
        chances, best = finder.search(position, CHECK_SEED)
        if not puzzle.is_answer(step, best):
            yield f"{name}: {best} seems better"
            continue
        turns_left = max(0, puzzle.wins_in - step // 2)
        if turns_left:
            chances = 1.0
            if finder.turns_to_win(position, MOST_TURNS) != turns_left:
                yield f"{name} does not win in {turns_left}"
            for move in position.legal_moves():
                after = position.play(move)
                if not puzzle.is_answer(step, move) and finder.keeps_win(
                    after, puzzle.solver, MOST_TURNS - 1
                ):
                    yield f"{name}: {move} wins too"
        second, text = rate_second(finder, position, best)
        if chances - second < MIN_GAP and not puzzle.is_answer(step, text):
            yield f"{name}: {best} has {chances:.2f}, {text} {second:.2f}"


def rate_second(finder: PuzzleFinder, position: Position, best: str) -> tuple[float, str]:
    """Return the chances after the best turn other than `best`, as two searches find them, and its text."""
    chances, text = finder.search(position, CHECK_SEED, excluded=best)
    after = position.play(position.parse(text))
    if position.to_move is None:
        return chances, text
    return max(chances, finder.chances_after(after, position.to_move, CHECK_SEED)), text


def check(game: str, every: int) -> int:
    """Solve puzzles of a game again and print how many have exactly one answer; return how many have not."""
    finder = start_checker()
    puzzles = load_puzzles(game)[::every]
    faulty = 0
    for puzzle in puzzles:
        faults = list(find_faults(finder, puzzle))
        faulty += bool(faults)
        for fault in faults:
            _print(f"{puzzle.key}: {fault}: {puzzle}")
    _print(f"{game}: {len(puzzles) - faulty} of {len(puzzles)} have exactly one answer")
    return faulty


def main() -> int:
    """Find the puzzles and write the files, or check them; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=sorted(STARTS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.check:
        return min(1, sum(check(game, arguments.every) for game in arguments.games))
    for game in arguments.games:
        lines = list[str]()
        for puzzle in find_puzzles(game, arguments.seed):
            lines.append(f"{puzzle}\n")
            _print(f"{game} {len(lines)}: {puzzle}")
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / f"{game}.txt").write_text("".join(sorted(lines)), encoding="ascii")
    return 0


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
