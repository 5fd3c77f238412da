"""The assessment of the turns at a turning point: which are searched, for how long, and what is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ai.game_analysis import AnalysedGame, NoAnalysisError, TurningPoint
from ai.search import Opponent
from ai.turn_assessment import (
    LONGEST,
    MAX_POINTS,
    ROUNDS,
    AssessedTurn,
    assess_turn,
    choose_points,
    list_turns,
    next_turn,
    next_turn_search,
)
from engine import GAMES
from tests.ai.test_game_analysis import blundered_game
from tests.toy_games import BREAKTHROUGH

if TYPE_CHECKING:
    from collections.abc import Mapping


@pytest.fixture(scope="module")
def opponent() -> Opponent:
    return Opponent.start()


def compare_all(
    opponent: Opponent, game: AnalysedGame, point: TurningPoint
) -> Mapping[tuple[str, ...], AssessedTurn]:
    assessed = {point.number: list_turns(game, point)}
    while (search := next_turn_search(game, [point], assessed)) is not None:
        assessed[search[0].number][search[1]] = assess_turn(opponent, game, search)
    return assessed[point.number]


@pytest.mark.long
def test_better_turn_is_the_best_and_the_one_that_was_played_loses(opponent: Opponent) -> None:
    game = blundered_game()
    point = TurningPoint(1, 0.3, ("C3",), ("C3",))
    turns = compare_all(opponent, game, point)
    assert len(turns) == len({str(game.start.play(move)) for move in game.start.legal_moves()})
    assert min(each.simulations for each in turns.values()) >= ROUNDS[0][0]
    assert turns["C3",].simulations == turns["E1",].simulations == LONGEST
    best = max(each.chances for each in turns.values() if each.simulations == LONGEST)
    assert best - turns["C3",].chances < 0.05
    assert best - turns["E1",].chances > 0.2


def test_turn_that_ends_the_game_needs_no_search(opponent: Opponent) -> None:
    start = GAMES["morphos"].load("morphos - wb3/1b3/1b3/1b3/w1w2 b 7 -")
    wins = [move for move in start.legal_moves() if start.play(move).outcome is not None]
    assert wins
    (played,) = (next(move for move in start.legal_moves() if move not in wins),)
    game = AnalysedGame.from_turns(start, [(str(played),)])
    point = TurningPoint(1, 0.5, (str(wins[0]),), (str(wins[0]),))
    assert assess_turn(opponent, game, (point, point.better, 400)) == AssessedTurn(point.better, LONGEST, 1.0)


def test_chances_are_those_of_the_player_also_after_a_change_of_sides(opponent: Opponent) -> None:
    game = AnalysedGame.from_turns(GAMES["morphos"].initial_position(), [("G7",), ("A1",)])
    point = TurningPoint(2, 0.2, ("swap",), ("swap",))
    stays, swaps = (assess_turn(opponent, game, (point, moves, 400)) for moves in (("A1",), ("swap",)))
    # G7 is the middle of the board: whoever has it is better.
    assert swaps.chances > 0.5 > stays.chances


def test_turns_that_lead_to_the_same_board_are_one() -> None:
    game = blundered_game()
    texts = [str(move) for move in game.start.legal_moves()]
    listed = list_turns(game, TurningPoint(1, 0.3, ("C3",), ("C3",)))
    boards = [str(game.start.play(game.start.parse(moves[0]))) for moves in listed]
    assert (len(boards), list(listed)[:2]) == (len(set(boards)), [("C3",), ("E1",)])
    assert len(listed) <= len(texts)


def test_same_placements_in_another_order_are_one_turn() -> None:
    start = GAMES["morelli"].initial_position(edition="nestor", size=9, setup="free", seed=1)
    game = AnalysedGame.from_turns(start, [("A1",), ("A2", "A3")])
    better = ("A3", "A2")
    turns = list_turns(game, TurningPoint(2, 0.2, better, better))
    assert list(turns) == [better]
    assert next_turn(turns, [better, ("A2", "A3")]) == (better, ROUNDS[0][0])


def test_only_turns_near_the_best_are_searched_longer_and_those_to_keep() -> None:
    first, second, third = (count for count, _, _ in ROUNDS)
    turns: dict[tuple[str, ...], AssessedTurn] = {(text,): AssessedTurn((text,), 0, 0.0) for text in "ABCD"}
    chances = {"A": 0.6, "B": 0.55, "C": 0.45, "D": 0.1}
    searches = []
    while (search := next_turn(turns, [("D",)])) is not None:
        moves, simulations = search
        searches.append((moves[0], simulations))
        turns[moves] = AssessedTurn(moves, simulations, chances[moves[0]])
    assert searches == [
        *((text, first) for text in "ABCD"),
        *((text, second) for text in "ABCD"),
        *((text, third) for text in "ABD"),
    ]


def test_turning_points_that_lost_most_are_assessed_for_each_player() -> None:
    game = AnalysedGame.from_turns(
        GAMES["morabaraba"].initial_position(), [(text,) for text in ("D2", "D6", "A1", "B2", "A4", "B4") * 1]
    )
    losses = {1: 0.1, 3: 0.4, 5: 0.2, 2: 0.3}
    points = [TurningPoint(number, loss, ("G1",), ("G1",)) for number, loss in losses.items()]
    assert [point.number for point in choose_points(game, points)] == [1, 2, 3, 5]
    many = [TurningPoint(1, loss / 100, ("G1",), ("G1",)) for loss in range(10, 20)]
    assert [round(100 * point.loss) for point in choose_points(game, many)] == [19, 18, 17][:MAX_POINTS]


def test_without_the_kernel_no_turn_is_assessed() -> None:
    start = BREAKTHROUGH.initial_position()
    played, better = (str(move) for move in start.legal_moves()[:2])
    game = AnalysedGame.from_turns(start, [(played,)])
    with pytest.raises(NoAnalysisError):
        assess_turn(Opponent(None), game, (TurningPoint(1, 0.3, (better,), (better,)), (better,), 400))
