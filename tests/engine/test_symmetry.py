"""Turned and mirrored boards, for every game that has symmetries."""

from __future__ import annotations

import pytest

from engine.symmetry import find_canonical, move_text
from tests.engine.random_games import GameStart, all_starts, random_game
from tests.examples import for_each
from tests.games import GAMES

every_start = for_each("start", all_starts())
STEP = 9  # of the positions of a game, every ninth


@every_start
def test_an_image_has_the_images_of_the_moves(start: GameStart) -> None:
    for position in [*random_game(start.position(), seed=5)][::STEP]:
        for cells in position.symmetries:
            image = position.image(cells)
            assert image.outcome == position.outcome
            assert image.to_move == position.to_move
            for move in position.legal_moves()[:: STEP * 3]:
                moved = image.parse(move_text(str(move), cells))
                assert image.play(moved) == position.play(move).image(cells)


@every_start
def test_all_images_have_one_canonical_form(start: GameStart) -> None:
    for position in [*random_game(start.position(), seed=6)][:: STEP * 2]:
        form = find_canonical(position)
        for cells in position.symmetries:
            assert find_canonical(position.image(cells)).key == form.key
        for move in position.legal_moves()[:: STEP * 3]:
            own = form.to_own(form.to_canonical(str(move)))
            assert own is not None
            after = find_canonical(position.play(position.parse(own))).key
            assert after == find_canonical(position.play(move)).key


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.initial_position().symmetries])
def test_symmetries_are_different_and_have_inverses(game: object) -> None:
    start = GAMES[str(getattr(game, "name", ""))].initial_position()
    maps = [dict(cells) for cells in start.symmetries]
    identity = {cell: cell for cell in maps[0]}
    assert identity not in maps
    assert all(sorted(cells) == sorted(cells.values()) for cells in maps)
    assert all({image: cell for cell, image in cells.items()} in maps for cells in maps)
    assert len({tuple(sorted(cells.items())) for cells in maps}) == len(maps)


def test_symmetric_replies_are_one_move_of_the_canonical_form() -> None:
    """After D6 in Morabaraba the left and the right side of the board are alike; A1 and G1 are one move."""
    start = GAMES["morabaraba"].initial_position()
    form = find_canonical(start.play(start.parse("D6")))
    assert form.to_canonical("A1") == form.to_canonical("G1") != form.to_canonical("A7")
    assert form.to_own(form.to_canonical("G1")) == "A1"


def test_move_of_other_rules_is_left_out() -> None:
    start = GAMES["morabaraba"].initial_position()
    assert find_canonical(start).to_own("A1-A4") is None
