"""Puzzles have exactly one right answer at each turn; the shipped ones and those that are found."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from ai.game_analysis import AnalysedGame
from ai.kernel import Kernel
from ai.levels import PROOF_POSITIONS
from ai.puzzle_ratings import estimate_rating, fit_rating
from ai.puzzles import CHECK_SEED, DISTANCE, MOST_PER_GAME, PuzzleFinder, find_themes
from ai.search import Opponent
from engine import GAMES
from engine.puzzle import Puzzle
from tools import puzzles as tool

if TYPE_CHECKING:
    from pathlib import Path

    from engine.game import Position

# A random game on 5 x 5; on two of its boards exactly one turn wins.
RANDOM_GAME = (
    *("B3", "C1", "A4", "D1", "D5", "B1", "A3", "A5", "A1", "E2", "D2", "C2", "E5", "xD2", "A2", "C3"),
    *("E3", "E4", "D3", "C5", "xB1", "B4", "B2", "D4", "C4", "B5", "xC1", "xC4"),
)

SAME_TURNS = "2 | win 1 | 700 | - | C2+C3 | morphos d bbbbb/bwwbw/ww1bw/ww1ww/bbbww b 24 owed"
SHIPPED = sorted(path.stem for path in tool.FOLDER.glob("*.txt"))
TWO_WINS = "morphos - bbwww/wbwwb/b1bbw/b1wbw/wbwbb b 24 -"  # B3 and xC4


@pytest.fixture(scope="module")
def opponent() -> Opponent:
    return Opponent.start()


@pytest.fixture(scope="module")
def finder(opponent: Opponent) -> PuzzleFinder:
    return PuzzleFinder(opponent)


@cache
def shipped(game: str) -> list[Puzzle]:
    return tool.load_puzzles(game)


def random_game() -> AnalysedGame:
    start = GAMES["morphos"].initial_position(size=5)
    return AnalysedGame.from_turns(start, [[text] for text in RANDOM_GAME])


def load(line: str) -> Position:
    return GAMES[line.split(maxsplit=1)[0]].load(line)


@pytest.mark.parametrize("game", SHIPPED)
def test_shipped_puzzles_are_many_and_different(game: str) -> None:
    """Loading has checked that lines are legal and alternate."""
    found = shipped(game)
    assert len(found) >= 100
    assert len({puzzle.key for puzzle in found}) == len({puzzle.start for puzzle in found}) == len(found)
    assert [str(puzzle) for puzzle in found] == sorted(str(puzzle) for puzzle in found)
    assert len({puzzle.wins_in for puzzle in found}) == 4
    assert {puzzle.solver_turns for puzzle in found} >= {1, 2}
    themes = {theme for puzzle in found for theme in puzzle.themes}
    assert themes <= set(GAMES[game].fact_keys)
    assert len(themes) > 5
    assert len({str(puzzle.start).split()[1] for puzzle in found}) > 1  # boards or editions


@pytest.mark.parametrize("game", SHIPPED)
def test_turns_of_shipped_puzzles_are_no_other_turns_in_disguise(game: str) -> None:
    """Every other turn leads to another position, unless it is an answer too."""
    for puzzle in shipped(game)[::10]:
        for step in range(0, len(puzzle.line), 2):
            before, wanted = puzzle.position_at(step), puzzle.position_at(step + 1)
            results = {before.play(move) for move in before.legal_moves()}
            assert len(results) > 1
            for move in before.legal_moves():
                if before.play(move) == wanted:
                    assert puzzle.is_answer(step, move)


@pytest.mark.parametrize("game", SHIPPED)
def test_shipped_puzzles_win_as_soon_as_they_promise(game: str) -> None:
    kernel = Kernel()
    for puzzle in shipped(game):
        for step in range(0, len(puzzle.line) if puzzle.wins_in else 0, 2):
            kernel.load(puzzle.position_at(step))
            left = puzzle.wins_in - step // 2
            assert kernel.turns_to_win(left, PROOF_POSITIONS) == left, str(puzzle)
        if puzzle.wins_in == puzzle.solver_turns:
            assert all(
                reply.outcome is not None and reply.outcome.winner is puzzle.solver
                for reply in _last_positions(puzzle)
            )


def _last_positions(puzzle: Puzzle) -> list[Position]:
    last = puzzle.position_at(len(puzzle.line))
    return [last] if last.to_move is None else [last.play(move) for move in last.legal_moves()]


@pytest.mark.long
@pytest.mark.parametrize("game", SHIPPED)
def test_longer_searches_find_the_same_answers(game: str) -> None:
    finder = tool.start_checker()
    faults = [fault for puzzle in shipped(game)[::10] for fault in tool.find_faults(finder, puzzle)]
    assert faults == []


@pytest.mark.long
def test_puzzles_of_a_game_are_its_boards_in_order(finder: PuzzleFinder) -> None:
    game = random_game()
    found = list(finder.find_puzzles(game, {}))
    numbers = [
        number for number in range(len(game.turns)) for each in found if each.start == game.at(number)[0]
    ]
    assert 1 < len(numbers) == len(found) <= MOST_PER_GAME
    assert all(later - earlier >= DISTANCE for earlier, later in pairwise(numbers))
    for puzzle in found:
        puzzle.check()
        assert puzzle.wins_in
        assert puzzle.themes == find_themes(puzzle) != ()


@pytest.mark.long
def test_answers_to_the_same_puzzle_do_not_depend_on_what_was_searched_before(finder: PuzzleFinder) -> None:
    first = list(finder.find_puzzles(random_game(), {}))
    assert list(finder.find_puzzles(random_game(), {})) == first


def test_two_winning_turns_are_no_puzzle(finder: PuzzleFinder) -> None:
    assert finder.find_answer(load(TWO_WINS)) is None


def test_two_turns_to_the_same_position_are_one(finder: PuzzleFinder) -> None:
    puzzle = Puzzle.parse(SAME_TURNS, GAMES)
    answer = finder.find_answer(puzzle.start)
    assert answer is not None
    assert puzzle.is_answer(0, answer.move)
    moves = [move for move in puzzle.start.legal_moves() if puzzle.start.play(move) == answer.after]
    assert len(moves) == 2


def test_defence_is_the_reply_that_holds_out_longest(finder: PuzzleFinder, opponent: Opponent) -> None:
    puzzle = next(each for each in shipped("morphos") if each.wins_in == 3 and each.solver_turns > 1)
    after = puzzle.position_at(1)
    left = [opponent.turns_to_win(after.play(move), 2, PROOF_POSITIONS) for move in after.legal_moves()]
    assert max(left) == opponent.turns_to_win(puzzle.position_at(2), 2, PROOF_POSITIONS) == 2
    assert finder.find_puzzle(puzzle.start) == replace(puzzle, rating=1500)


def test_a_look_can_be_ended_before_each_search(opponent: Opponent) -> None:
    class StopError(Exception):
        pass

    def stop() -> None:
        raise StopError

    finder = PuzzleFinder(opponent, before_search=stop)
    with pytest.raises(StopError):
        finder.find_puzzle(random_game().at(17)[0])


def test_without_the_kernel_no_other_turn_is_called_right() -> None:
    puzzle = next(one for one in tool.load_puzzles("morphos") if not one.wins_in)
    others = [str(move) for move in puzzle.start.legal_moves() if not puzzle.is_answer(0, move)]
    assert not PuzzleFinder(Opponent(None)).is_second_solution(puzzle, 0, others[0])


def test_check_finds_wrong_answers(opponent: Opponent) -> None:
    finder = PuzzleFinder(opponent, simulations=1000)

    def faults(puzzle: Puzzle) -> list[str]:
        return list(tool.find_faults(finder, puzzle))

    puzzle = next(each for each in shipped("morphos") if each.wins_in == each.solver_turns == 1)
    assert faults(puzzle) == []
    other = next(move for move in puzzle.start.legal_moves() if not puzzle.is_answer(0, move))
    assert faults(replace(puzzle, line=(str(other),), wins_in=0)) == [
        f"turn 1: {puzzle.line[0]} seems better"
    ]
    assert faults(replace(puzzle, wins_in=2)) == ["turn 1 does not win in 2"]
    two_ways = load(TWO_WINS)
    best = finder.search(two_ways, CHECK_SEED)[1]
    assert tool.rate_second(finder, two_ways, best)[0] == 1.0


def test_check_fails_if_one_game_has_a_faulty_puzzle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    for game, lines in (("morphos", [f"2 | win 1 | 700 | - | B3 | {TWO_WINS}\n"]), ("morelli", [])):
        (tmp_path / f"{game}.txt").write_text("".join(lines), encoding="ascii")
    for games, code in ((["morelli"], 0), (["morphos", "morelli"], 1), (["morelli", "morphos"], 1)):
        monkeypatch.setattr("sys.argv", ["puzzles", *games, "--check"])
        assert tool.main() == code


def test_rating_is_that_at_which_levels_would_miss_it_so_often(opponent: Opponent) -> None:
    ratings = [1500, 1500, 1000, 2000]
    found = [fit_rating(ratings, missed) for missed in (1, 2, 3)]
    assert found == sorted(set(found))
    assert abs(found[1] - 1500) < 20
    puzzle = next(each for each in shipped("morphos") if each.wins_in == 1)
    assert estimate_rating(opponent, puzzle) < 1000
    unsolved = replace(puzzle, line=(str(puzzle.start.legal_moves()[0]),))
    assert estimate_rating(opponent, unsolved) > 1800


@pytest.mark.long
def test_the_same_seed_finds_the_same_puzzles() -> None:
    first, second = (
        [str(puzzle) for puzzle, _ in zip(tool.find_puzzles("morphos", 5), range(3), strict=False)]
        for _ in range(2)
    )
    assert first == second
