"""Puzzles from games: positions in which exactly one turn is right, proven or searched with two seeds.

A turn is right if it wins by force, or if the winning chances after it are higher by :data:`MIN_GAP` than
after every other one; also where it wins by force, no other turn may come closer. Turns that lead to the same
position are one turn. Chances are those that a search expects, so whatever is replied is part of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ai.game_analysis import MISTAKE_LOSS, find_loss
from ai.levels import PROOF_POSITIONS
from engine.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ai.game_analysis import AnalysedGame, Assessment
    from ai.search import Opponent
    from engine.game import Move, Position, Side

MIN_GAP = 0.25
"""How much better, as a share of the winning chances, the right turn is than every other one."""

WANTED_GAP = 0.3
"""The gap of new puzzles: a longer search will find it somewhat larger or smaller."""

MIN_CHANCES = 0.5
"""Those after the right turn at least: nobody is asked for the best turn in a position that stays bad."""

SIMULATIONS = 8000
"""How long every search is that decides about a puzzle, times the `analysis_effort` of the game."""

QUICK_SIMULATIONS, QUICK_PROOF = 300, 2000
"""For each turn of a position, to see which come close to the best one."""

LONGER = 10
"""So many times longer searches check puzzles, and turns that somebody has reported as second solutions."""

CHECK_SEED = 11
SHORTER = 16
"""So many times shorter searches decide first whether a position is worth the others."""

DOUBT = 0.15
"""Turns whose chances seem worse than wanted by no more than this are searched as long as the best one."""

MIN_CLOSE_TURNS = 3
SEEDS = (0, 1)
SCAN_PROOF = 20_000
"""In so many positions a forced win is looked for on each board of a game."""

MOST_TURNS = 3
"""Of the solver: in a forced win that is looked for, and in a line."""

MIN_CHOICES, MOST_CHOICES = 4, 250
"""Between so many turns the solver chooses at first."""

MOST_DEFENCES = 4
"""So many replies that lose equally late are tried, until the solver has one right answer again."""

MOST_PER_GAME = 3
DISTANCE = 6
"""So many turns after a puzzle the next one begins at the earliest: before that it is still the same win."""

MOST_THEMES = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """The only right turn of a position: the position after it, and the chances of whoever plays it (0 to 1).

    `wins_in` is in how many turns it wins by force, itself included; 0 if that is not known. `second` are the
    chances after the best other turn.
    """

    move: Move
    after: Position
    wins_in: int
    chances: float
    second: float


class PuzzleFinder:
    """Looks for puzzles with an opponent that the kernel makes strong at their game.

    `simulations` is how long it searches. `before_search` is called before each search, which takes less than
    a second on most boards; it may raise an exception to end a look. Not for use in several threads at once.
    """

    def __init__(
        self,
        opponent: Opponent,
        *,
        simulations: int = SIMULATIONS,
        before_search: Callable[[], None] = lambda: None,
    ) -> None:
        self._opponent = opponent
        self._simulations = simulations
        self._before_search = before_search

    def find_puzzles(self, game: AnalysedGame, assessments: Mapping[int, Assessment]) -> Iterator[Puzzle]:
        """Yield the puzzles of a game, at most :data:`MOST_PER_GAME`, in its order. Raise KernelError."""
        count, next_number = 0, 0
        for number in range(len(game.turns) + 1):
            if number < next_number or not self.is_promising(game, assessments, number):
                continue
            puzzle = self.find_puzzle(game.at(number)[0])
            if puzzle is None:
                continue
            yield puzzle
            count, next_number = count + 1, number + DISTANCE
            if count == MOST_PER_GAME:
                return

    def is_promising(self, game: AnalysedGame, assessments: Mapping[int, Assessment], number: int) -> bool:
        """Return whether the position after the turn `number` can be a puzzle. Raise KernelError.

        It can after a turn that lost much, before one that did, and where a win is forced.
        """
        position, _ = game.at(number)
        if position.to_move is None or position.moves_due > 1:
            return False
        turns = [each for each in (number, number + 1) if {each - 1, each} <= assessments.keys()]
        return (
            any(find_loss(game, assessments, each) >= MISTAKE_LOSS for each in turns)
            or self._opponent.turns_to_win(position, MOST_TURNS, SCAN_PROOF) > 0
        )

    def find_puzzle(self, start: Position) -> Puzzle | None:
        """Return the puzzle that begins in a position, with its themes, or None. Raise KernelError.

        Its rating is still to be estimated (see :mod:`ai.puzzle_ratings`).
        """
        first = answer = self.find_answer(start) if len(_distinct_results(start)) >= MIN_CHOICES else None
        if first is None or answer is None:
            return None
        line = list[str]()
        while True:
            line.append(str(answer.move))
            next_part = self._find_defence(answer) if len(line) < 2 * MOST_TURNS - 1 else None
            if next_part is None:
                break
            reply, answer = next_part
            line.append(str(reply))
        puzzle = Puzzle(start, tuple(line), first.wins_in)
        return replace(puzzle, themes=find_themes(puzzle))

    def find_answer(self, position: Position) -> Answer | None:
        """Return the only right turn of a position, or None. Raise KernelError.

        A position with a single legal turn asks nothing.
        """
        results, side = _distinct_results(position), position.to_move
        if len(results) < 2 or side is None:
            return None
        wins_in = self.turns_to_win(position, MOST_TURNS)
        best = self._find_best(position, wins_in)
        rivals = None if best is None else self._find_rivals(position, *best)
        if best is None or rivals is None:
            return None
        move, _ = best
        after = position.play(move)
        chances = 1.0 if wins_in else min(self.chances_after(after, side, seed) for seed in SEEDS)
        if chances < MIN_CHANCES:
            return None
        others = [each for each in results if each != after]
        second = self._find_second(side, others, rivals, chances, is_win=wins_in > 0)
        return None if second is None else Answer(move, after, wins_in, chances, second)

    def _find_best(self, position: Position, wins_in: int) -> tuple[Move, float] | None:
        """Return the best turn and the chances before it; None if it cannot be the only right one."""
        if not self._may_have_answer(position, is_win=wins_in > 0):
            return None
        chances, text = self.search(position, SEEDS[0])
        move = position.parse(text)
        if wins_in and not self.keeps_win(position.play(move), position.to_move, wins_in - 1):
            return None
        return move, chances

    def _find_rivals(self, position: Position, best: Move, chances: float) -> list[Position] | None:
        """Return the positions after the best other turn, with each seed; None if one comes too close."""
        after, rivals = position.play(best), []
        for seed in SEEDS:
            other_chances, text = self.search(position, seed, excluded=str(best))
            rival = position.play(position.parse(text))
            if rival != after and other_chances > chances - WANTED_GAP:
                return None
            rivals.append(rival)
        return rivals

    def _may_have_answer(self, position: Position, *, is_win: bool) -> bool:
        """Return whether short searches leave it possible that a position has exactly one right turn."""
        seed = SEEDS[0]
        chances, best = self.search(position, seed, is_short=True)
        if not best or (not is_win and chances < MIN_CHANCES - DOUBT):
            return False
        other_chances, other = self.search(position, seed, excluded=best, is_short=True)
        gap = (1.0 if is_win else chances) - other_chances
        return gap > WANTED_GAP - DOUBT or _is_same_turn(position, best, other)

    def keeps_win(self, after: Position, side: Side | None, turns: int) -> bool:
        """Return whether `side`, whose turn led to `after`, wins in at most `turns` turns more by force."""
        if after.outcome is not None:
            return after.outcome.winner is side
        for reply in after.legal_moves():
            position = after.play(reply)
            if position.outcome is not None:
                is_winning = position.outcome.winner is side
            else:
                is_winning = turns > 0 and self.turns_to_win(position, turns) > 0
            if not is_winning:
                return False
        return True

    def _find_second(
        self, side: Side, others: list[Position], rivals: list[Position], chances: float, *, is_win: bool
    ) -> float | None:
        """Return the chances of `side` after the best of the other turns; None if that comes too close."""
        limit = chances - WANTED_GAP
        rated = sorted(
            ((self.chances_after(each, side, SEEDS[0], is_quick=True), str(each), each) for each in others),
            key=lambda one: one[:2],
            reverse=True,
        )
        second = 0.0
        for number, (quick_chances, _text, after) in enumerate(rated):
            if number >= MIN_CLOSE_TURNS and quick_chances < limit - DOUBT and after not in rivals:
                continue
            for seed in SEEDS:
                second = max(second, self.chances_after(after, side, seed))
                if second > limit:
                    return None
            if is_win and self.keeps_win(after, side, MOST_TURNS - 1):
                return None
        return second

    def _find_defence(self, answer: Answer) -> tuple[Move, Answer] | None:
        """Return the reply that holds out longest, and the only right turn after it.

        None if the game is over, the win needs no turn more, or several turns are right.
        """
        after = answer.after
        if after.to_move is None or answer.wins_in == 1:
            return None
        _, best = self.search(after, SEEDS[0])
        replies = [after.parse(best)]
        if answer.wins_in:
            replies += [move for move in after.legal_moves() if str(move) != best]
            turns = [self._turns_left(after.play(move), answer.wins_in - 1) for move in replies]
            replies = [move for move, left in zip(replies, turns, strict=True) if left == max(turns)]
        for reply in replies[:MOST_DEFENCES]:
            position = after.play(reply)
            found = None if position.to_move is None else self.find_answer(position)
            if found is not None:
                return reply, found
        return None

    def _turns_left(self, position: Position, most: int) -> int:
        return 0 if position.to_move is None else self.turns_to_win(position, most)

    def is_second_solution(self, puzzle: Puzzle, step: int, turn: str) -> bool:
        """Return whether another turn at the solver's turn `step` of a puzzle (0, 2, 4, ...) is as good.

        It is if it wins by force where the right one does, or is not worse by MIN_GAP. Not if the kernel does
        not play the game, which knows no chances then. Raise KernelError.
        """
        position, side = puzzle.position_at(step), puzzle.solver
        if puzzle.is_answer(step, turn) or not self._opponent.is_strong_at(puzzle.game):
            return False
        after = position.play(position.parse(turn))
        is_win = puzzle.wins_in > step // 2
        if is_win and self.keeps_win(after, side, MOST_TURNS - 1):
            return True
        right = 1.0 if is_win else self.chances_after(puzzle.position_at(step + 1), side, CHECK_SEED)
        return right - self.chances_after(after, side, CHECK_SEED) < MIN_GAP

    def turns_to_win(self, position: Position, most: int) -> int:
        """Return in how many turns, at most `most`, the side to move wins by force; 0 if it does not."""
        self._before_search()
        return self._opponent.turns_to_win(position, most, PROOF_POSITIONS)

    def search(
        self, position: Position, seed: int, *, excluded: str = "", is_short: bool = False
    ) -> tuple[float, str]:
        """Return the chances of the side to move, and its best turn: empty if the kernel does not play it."""
        self._before_search()
        found = self._opponent.find_best_line(
            position,
            self._simulations // SHORTER if is_short else self._simulations,
            seed,
            excluded=excluded,
            proof=QUICK_PROOF if is_short else PROOF_POSITIONS,
        )
        return (0.0, "") if found is None else (found[0], found[1][0])

    def chances_after(self, after: Position, side: Side, seed: int, *, is_quick: bool = False) -> float:
        """Return the chances of `side`, whose turn led to a position."""
        if after.outcome is not None:
            return 0.5 if after.outcome.winner is None else float(after.outcome.winner is side)
        self._before_search()
        found = self._opponent.find_best_line(
            after,
            QUICK_SIMULATIONS if is_quick else self._simulations,
            seed,
            proof=QUICK_PROOF if is_quick else PROOF_POSITIONS,
        )
        return 0.0 if found is None else 1 - found[0]


def find_themes(puzzle: Puzzle) -> tuple[str, ...]:
    """Return the keys of what is true of the solver's turns, the most important first."""
    position, found = puzzle.start, set[str]()
    for step, text in enumerate(puzzle.line):
        move = position.parse(text)
        if step % 2 == 0:
            found.update(fact.key for fact in position.facts((move,)) if not fact.is_drawback)
        position = position.play(move)
    return tuple(key for key in puzzle.game.fact_keys if key in found)[:MOST_THEMES]


def _is_same_turn(position: Position, text: str, other: str) -> bool:
    return position.play(position.parse(text)) == position.play(position.parse(other))


def _distinct_results(position: Position) -> tuple[Position, ...]:
    """Return the positions after the legal turns; none where they are too many, or no turns of their own."""
    if position.to_move is None or position.moves_due > 1:
        return ()
    moves = position.legal_moves()
    if len(moves) > MOST_CHOICES:
        return ()
    results = tuple(dict.fromkeys(position.play(move) for move in moves))
    is_odd = any(each.to_move is position.to_move for each in results)  # the players may change sides
    return () if is_odd else results
