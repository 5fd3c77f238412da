"""Morelli: fixed and random set-ups, set-ups by placements, closed fists and options."""

from __future__ import annotations

import pytest

from engine import EventKind, Move, MoveChoice, OptionError, Side
from engine.morelli import MORELLI, MorelliPosition
from tests.engine.morelli_diagrams import from_diagram
from tests.engine.random_games import random_game

BLACK, WHITE = Side.BLACK, Side.WHITE


def started(**options: str | int) -> MorelliPosition:
    return MORELLI.initial_position(**options)


def owners(position: MorelliPosition) -> str:
    """Return the side that makes each placement of a set-up, as letters."""
    letters = ""
    for each in random_game(position, seed=5):
        if each.vocabulary and isinstance(each, MorelliPosition) and each.phase != "-":
            letters += "bw"[each.mover is WHITE]
        else:
            break
    return letters


@pytest.mark.parametrize(
    ("setup", "picture"),
    [
        (
            "facing",
            """
            w b b b b b b b b
            w . . . . . . . w
            w . . . . . . . w
            w . . . . . . . w
            w . . . . . . . w
            w . . . . . . . w
            w . . . . . . . w
            w . . . . . . . w
            b b b b b b b b w
            """,
        ),
        (
            "adjacent",
            """
            b w w w w w w w w
            b . . . . . . . w
            b . . . . . . . w
            b . . . . . . . w
            b . . . . . . . w
            b . . . . . . . w
            b . . . . . . . w
            b . . . . . . . w
            b b b b b b b b w
            """,
        ),
    ],
)
def test_fixed_start_modes(setup: str, picture: str) -> None:
    """§2.2, §2.3, §8.1."""
    assert started(size=9, setup=setup) == from_diagram(picture)


@pytest.mark.parametrize(("size", "stones"), [(13, 24), (11, 20), (9, 16)])
@pytest.mark.parametrize("setup", ["facing", "adjacent"])
def test_each_side_starts_with_half_of_the_outermost_band(size: int, stones: int, setup: str) -> None:
    """§2.1, §8.1."""
    sides = list(started(size=size, setup=setup).stones.values())
    assert (sides.count(BLACK), sides.count(WHITE)) == (stones, stones)


@pytest.mark.parametrize(("size", "stones"), [(13, 48), (11, 40), (9, 32)])
def test_free_placements_come_one_two_two_and_one(size: int, stones: int) -> None:
    """§2.6."""
    assert owners(started(size=size, setup="free")) == "b" + "wwbb" * (stones // 4 - 1) + "wwb"


@pytest.mark.parametrize(("size", "pairs"), [(13, 24), (11, 20), (9, 16)])
def test_mindsports_pairs_come_one_two_two_and_one(size: int, pairs: int) -> None:
    """Mindsports, Setting up."""
    position = started(edition="mindsports", size=size, setup="pairs")
    assert owners(position) == "b" + "wwbb" * (pairs // 4 - 1) + "wwb"


@pytest.mark.parametrize(("size", "pairs"), [(13, 24), (11, 20), (9, 16)])
def test_pairs_of_2015_alternate_and_black_places_the_last_two(size: int, pairs: int) -> None:
    """Rules of 2015 §2.3.2 to §2.3.5."""
    assert owners(started(edition="2015", size=size, setup="pairs")) == "bw" * (pairs // 2 - 1) + "bb"


@pytest.mark.parametrize(
    ("edition", "setup"), [("nestor", "free"), ("2015", "pairs"), ("mindsports", "pairs")]
)
def test_after_the_set_up_black_moves_first(edition: str, setup: str) -> None:
    """§4.1."""
    position = next(
        each
        for each in random_game(started(edition=edition, size=9, setup=setup), seed=3)
        if isinstance(each, MorelliPosition) and each.phase == "-"
    )
    assert (position.to_move, position.moves_due, len(position.stones), position.tower) == (
        BLACK,
        1,
        32,
        None,
    )


def test_a_free_placement_adds_one_own_stone() -> None:
    position = started(size=9, setup="free")
    after = position.play(position.parse("a4"))
    assert dict(after.stones) == {"A4": BLACK}
    assert [(event.kind, event.side, event.cells) for event in position.events(position.parse("A4"))] == [
        (EventKind.PLACE, BLACK, ("A4",))
    ]


def test_a_pair_adds_an_enemy_piece_diametrically_opposite() -> None:
    position = started(edition="2015", size=9, setup="pairs")
    position = position.play(position.parse("A4"))
    after = position.play(position.parse("C9"))
    assert dict(after.stones) == {"A4": BLACK, "I6": WHITE, "C9": WHITE, "G1": BLACK}
    assert [(event.kind, event.side, event.cells) for event in position.events(position.parse("C9"))] == [
        (EventKind.PLACE, WHITE, ("C9",)),
        (EventKind.PLACE, BLACK, ("G1",)),
    ]


def test_moves_due_counts_the_placements_of_the_side_to_move() -> None:
    position = started(size=9, setup="free")
    counts = []
    for text in ["A1", "A2", "A3", "A4", "A5"]:
        counts.append(position.moves_due)
        position = position.play(position.parse(text))
    assert counts == [1, 2, 1, 2, 1]


def test_the_last_two_pairs_of_2015_are_due_in_a_row() -> None:
    position = MORELLI.load("morelli 2015 bbbbbbb2/b7w/b7w/b7w/b7w/b7w/b7w/b7w/2wwwwwww b pairs")
    assert position.moves_due == 2


def test_a_placement_is_built_from_one_cell() -> None:
    position = started(size=9, setup="free")
    question = position.next_choice()
    assert isinstance(question, MoveChoice)
    assert len(question.options) == 32
    placed = position.next_choice(("A4",))
    assert isinstance(placed, Move)
    assert str(placed) == "A4"


@pytest.mark.parametrize(("size", "seed"), [(size, seed) for size in (13, 11, 9) for seed in (0, 1, 77)])
@pytest.mark.parametrize("edition", ["2015", "mindsports"])
def test_random_pieces_face_the_enemy_colour_across_the_board(edition: str, size: int, seed: int) -> None:
    """Rules of 2015 §2.2."""
    stones = started(edition=edition, size=size, seed=seed).stones
    last = size - 1
    assert len(stones) == 4 * last
    for cell, side in stones.items():
        file, rank = ord(cell[0]) - 65, int(cell[1:]) - 1
        assert stones[type(cell)(f"{chr(65 + last - file)}{last - rank + 1}")] is not side


@pytest.mark.parametrize(
    ("size", "seed", "rows"),
    [
        (13, 1, "wbbwbwbbwbbbb/w11w/w11b/b11w/w11w/w11b/w11b/w11b/b11b/b11w/w11b/b11b/wwwwbwwbwbwwb"),
        (11, 2, "wwwwwwwbwbw/b9b/w9w/b9w/w9b/b9w/w9b/b9w/b9b/w9w/bwbwbbbbbbb"),
        (9, 4, "bbbbwbbww/b7b/b7b/b7b/w7b/w7w/w7w/w7w/bbwwbwwww"),
    ],
)
def test_a_seed_always_gives_the_same_board(size: int, seed: int, rows: str) -> None:
    """Stored matches depend on it; `engine.morelli.setup.random_setup` describes the algorithm."""
    assert str(started(edition="2015", size=size, seed=seed)) == f"morelli 2015 {rows} b -"


def test_different_seeds_give_different_boards() -> None:
    assert len({started(edition="2015", seed=seed) for seed in range(50)}) == 50


def test_without_a_seed_boards_differ() -> None:
    assert len({started(edition="2015") for _ in range(20)}) > 1


def test_a_seed_changes_only_random_boards() -> None:
    assert started(seed=3) == started(seed=4) == started()


@pytest.mark.parametrize(
    ("first", "second", "mode"),
    [
        ("LL", "LL", "adjacent"),
        ("RR", "RR", "facing"),
        ("LR", "LR", "free"),
        ("LL", "RR", "free"),
        ("LL", "LR", "facing"),
        ("RR", "LR", "adjacent"),
        ("lr", " rr ", "adjacent"),
    ],
)
def test_fists_resolve_to_the_mode_both_picked_or_to_the_third(first: str, second: str, mode: str) -> None:
    """§2.5."""
    assert MORELLI.resolve_picks(first, second) == mode
    assert MORELLI.resolve_picks(second, first) == mode


@pytest.mark.parametrize("pick", ["", "RL", "L", "facing"])
def test_unknown_picks_are_refused(pick: str) -> None:
    with pytest.raises(OptionError, match="Closed fists hold LL, RR, LR, not"):
        MORELLI.resolve_picks("LL", pick)


@pytest.mark.parametrize(
    ("edition", "setup"), [("nestor", "facing"), ("2015", "random"), ("mindsports", "random")]
)
def test_the_default_set_up(edition: str, setup: str) -> None:
    assert MORELLI.complete_options(edition=edition)["setup"] == setup


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (
            {"edition": "nestor", "setup": "pairs"},
            "Edition nestor is set up facing, adjacent, free, not pairs.",
        ),
        ({"edition": "2015", "setup": "free"}, "Edition 2015 is set up random, pairs, not free."),
        ({"edition": "2015", "setup": "fists"}, "Closed fists belong to edition nestor."),
        ({"edition": "2016"}, "edition cannot be 2016; it is one of nestor, 2015, mindsports."),
        ({"size": 10}, "size cannot be 10; it is one of 13, 11, 9."),
        ({"seed": -1}, "seed cannot be -1; it is a whole number from 0 to 4294967295."),
        ({"board": 9}, "morelli has no option board; its options are edition, size, setup, seed."),
        (
            {"setup": "fists"},
            "The fists are still closed: the set-up must be settled before the game can start.",
        ),
    ],
)
def test_invalid_options_are_refused_with_the_reason(options: dict[str, str | int], reason: str) -> None:
    with pytest.raises(OptionError) as caught:
        MORELLI.initial_position(**options)
    assert caught.value.reason == reason
