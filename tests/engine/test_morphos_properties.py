"""Morphos on random games and positions: compared with the oracle and with symmetric positions."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import MoveChoice
from engine.morphos import MORPHOS, MORPHOS_VERSIONS
from engine.morphos.board import MAX_SIZE
from engine.morphos.ruleset import MUTATORS, RULES_VERSIONS
from engine.morphos.stones import Stones
from tests.engine.morphos_oracle import OPPONENT, Coordinates, MorphosOracle, cell_name, parse_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.morphos import MorphosPosition

brief = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
every_set = pytest.mark.parametrize("mutators", MUTATORS)
every_version = pytest.mark.parametrize(
    ("version", "mutators"),
    [
        (version, mutators)
        for version in RULES_VERSIONS
        for mutators in MUTATORS
        if version == MORPHOS.rules_version or {"b", "d"} <= set(mutators)
    ],
)
"""Every set of mutators under the current rules, and those that earlier versions treat differently."""


def move_texts(position: MorphosOracle) -> list[str]:
    return list(map(str, load_position(position).legal_moves()))


def load_position(plain: MorphosOracle) -> MorphosPosition:
    return MORPHOS_VERSIONS[plain.rules].load(plain.line())


def random_turns(
    position: MorphosPosition, seed: int, max_turns: int = 500
) -> Iterator[tuple[MorphosPosition, str]]:
    """Yield the positions of a random game, each with the turn played, without listing all turns."""
    chance = random.Random(seed)
    for _ in range(max_turns):
        if position.outcome:
            return
        step = position.next_choice()
        path: list[str] = []
        while isinstance(step, MoveChoice):
            path.append(chance.choice(step.options))
            step = position.next_choice(tuple(path))
        yield position, str(step)
        position = position.play(step)


@st.composite
def positions(draw: st.DrawFn) -> MorphosOracle:
    """Draw positions that need not be reachable; crowded ones where every pair of points is a turn."""
    mutators = draw(st.sampled_from(MUTATORS)).strip("-")
    size = draw(st.integers(5, 7 if "c" not in mutators else 5))
    signs = "...bbww" if not {"c", "d"} <= set(mutators) else ".bbbwww"
    cells = draw(st.lists(st.sampled_from(signs), min_size=size**2, max_size=size**2))
    stones = {(at % size, at // size): sign for at, sign in enumerate(cells) if sign != "."}
    side = draw(st.sampled_from("bw"))
    enemies = sorted(place for place, owner in stones.items() if owner == OPPONENT[side])
    flipped = draw(st.sampled_from([None, *enemies])) if "b" in mutators else None
    owed = "d" in mutators and len(stones) < size**2 and draw(st.booleans())
    passed = not owed and not flipped and draw(st.booleans())
    turns = draw(st.sampled_from([2, 3, 30]))
    rules = draw(st.sampled_from(RULES_VERSIONS))
    return MorphosOracle(
        size, mutators, stones, side, turns, draw(st.booleans()), flipped, owed, passed, rules
    )


@every_version
def test_random_games_agree_with_the_oracle(version: int, mutators: str) -> None:
    size = 6 if set(mutators) <= set("-abe") else 5
    plain = MorphosOracle.start(size, mutators.strip("-"), version)
    start = MORPHOS_VERSIONS[version].initial_position(size=size, mutators=mutators)
    for position, text in random_turns(start, seed=11):
        assert str(position) == plain.line()
        assert [str(move) for move in position.legal_moves()] == plain.moves()
        plain = plain.play(text)
    assert plain.outcome()


@every_set
def test_a_swap_agrees_with_the_oracle(mutators: str) -> None:
    position, plain = (
        MORPHOS.initial_position(size=5, mutators=mutators),
        MorphosOracle.start(5, mutators.strip("-")),
    )
    for text in (plain.moves()[3], "swap"):
        position, plain = position.play(position.parse(text)), plain.play(text)
    assert str(position) == plain.line()
    assert [str(move) for move in position.legal_moves()] == plain.moves()


@pytest.mark.long
@brief
@given(positions())
def test_legal_turns_and_outcome_agree_with_the_oracle(plain: MorphosOracle) -> None:
    position = load_position(plain)
    assert str(position) == plain.line()
    assert position.outcome == plain.outcome()
    assert [str(move) for move in position.legal_moves()] == plain.moves()


@pytest.mark.long
@brief
@given(positions(), st.integers(0, 20))
def test_played_turns_agree_with_the_oracle(plain: MorphosOracle, first: int) -> None:
    position = load_position(plain)
    for text in plain.moves()[first::37]:
        assert str(position.play(position.parse(text))) == plain.play(text).line()


def transform(
    plain: MorphosOracle, change: Callable[[Coordinates], Coordinates], *, recoloured: bool
) -> MorphosOracle:
    """Return the position with every place changed and, if `recoloured`, with the colours exchanged."""
    colours = OPPONENT if recoloured else {"b": "b", "w": "w"}
    return replace(
        plain,
        stones={change(place): colours[owner] for place, owner in plain.stones.items()},
        side=colours[plain.side],
        flipped=change(plain.flipped) if plain.flipped else None,
    )


def transform_text(text: str, change: Callable[[Coordinates], Coordinates]) -> str:
    """Return a turn with every cell changed and two placements sorted again."""
    text = re.sub(r"[A-S][0-9]+", lambda cell: cell_name(change(parse_cell(cell[0]))), text)
    head, plus, regular = text.rpartition("+")
    return (
        head + plus + ",".join(sorted(regular.split(","), key=lambda cell: (cell[0], int(cell[1:]))))
        if ("," in regular)
        else text
    )


@pytest.mark.long
@brief
@given(positions())
def test_version_2_only_forbids_some_flips_under_b_and_d(plain: MorphosOracle) -> None:
    before, after = (set(move_texts(replace(plain, rules=version))) for version in (1, 2))
    assert after <= before
    assert all("x" in text for text in before - after)
    assert before == after or {"b", "d"} <= set(plain.mutators)


SYMMETRIES = {
    "mirrored left to right": lambda last: lambda place: (last - place[0], place[1]),
    "mirrored top to bottom": lambda last: lambda place: (place[0], last - place[1]),
    "rotated by 180 degrees": lambda last: lambda place: (last - place[0], last - place[1]),
}
COLOUR_SWAPPING_SYMMETRIES = {
    "rotated to the left": lambda last: lambda place: (last - place[1], place[0]),
    "rotated to the right": lambda last: lambda place: (place[1], last - place[0]),
    "mirrored along the diagonal": lambda _: lambda place: (place[1], place[0]),
    "mirrored along the other diagonal": lambda last: lambda place: (last - place[1], last - place[0]),
}


@pytest.mark.long
@pytest.mark.parametrize("name", [*SYMMETRIES, *COLOUR_SWAPPING_SYMMETRIES])
def test_symmetric_positions_have_symmetric_turns(name: str) -> None:
    @settings(brief, max_examples=50)
    @given(positions())
    def agree(plain: MorphosOracle) -> None:
        change = (SYMMETRIES | COLOUR_SWAPPING_SYMMETRIES)[name](plain.size - 1)
        image = transform(plain, change, recoloured=name in COLOUR_SWAPPING_SYMMETRIES)
        assert move_texts(image) == sorted(transform_text(text, change) for text in move_texts(plain))

    agree()


@pytest.mark.parametrize(("size", "mutators"), [(5, "ab"), (8, "-"), (8, "ad"), (13, "-"), (19, "abcd")])
def test_incremental_state_agrees_with_a_full_computation(size: int, mutators: str) -> None:
    for position, _ in random_turns(MORPHOS.initial_position(size=size, mutators=mutators), seed=3):
        carried, rules = position.board_stones, position.rules
        black, white = (side.stones_and_edges & rules.board.points for side in (carried.black, carried.white))
        fresh = Stones.from_points(rules.board, rules.patterns, black, white)
        assert (carried.vulnerable, carried.empty_flags) == (fresh.vulnerable, fresh.empty_flags)
        for carried_side, fresh_side in ((carried.black, fresh.black), (carried.white, fresh.white)):
            assert (carried_side.connected_low, carried_side.connected_high) == (
                fresh_side.connected_low,
                fresh_side.connected_high,
            )


@pytest.mark.long
def test_turns_are_parsed_and_played_without_listing_millions() -> None:
    position = MORPHOS.initial_position(size=MAX_SIZE, mutators="acd")
    restoring = 0
    for before, text in random_turns(position, seed=5, max_turns=120):
        assert str(before.parse(text)) == text
        assert all(str(move)[:2] == text[:2] for move in islice(before.moves_with_prefix(text[:2]), 20))
        restoring += before.must_restore
    assert restoring > 3


@every_set
def test_moves_with_prefix_are_the_legal_moves_that_begin_so(mutators: str) -> None:
    for position, text in islice(
        random_turns(MORPHOS.initial_position(size=5, mutators=mutators), seed=8), 6, None, 5
    ):
        moves = position.legal_moves()
        for length in range(len(text) + 1):
            typed = text[:length].swapcase()
            expected = [move for move in moves if str(move).upper().startswith(typed.upper())]
            assert list(position.moves_with_prefix(typed)) == expected
