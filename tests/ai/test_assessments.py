"""Boards of tournament games are assessed from the view of the game's first side."""

import pytest

from ai.search import Opponent
from ai.worker.assessments import assess_board
from engine import GAMES


@pytest.mark.long
def test_chances_are_those_of_the_first_side_whoever_is_to_move() -> None:
    opponent = Opponent.start()
    game = GAMES["morabaraba"]
    start = game.initial_position(**game.complete_options())
    after = start.play(start.legal_moves()[0])
    for position in (start, after):
        chances = assess_board(opponent, position)
        assert chances is not None
        assert 0.3 < chances < 0.85


def test_game_that_the_kernel_does_not_play_is_not_assessed() -> None:
    game = GAMES["morabaraba"]
    assert assess_board(Opponent(None), game.initial_position(**game.complete_options())) is None
