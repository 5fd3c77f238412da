"""Morabaraba on random games and positions: compared with the oracle and with symmetric positions."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.morabaraba import MORABARABA_VERSIONS
from tests.engine.morabaraba_oracle import OPPONENT, POINTS, SQUARES, MorabarabaOracle

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.morabaraba import MorabarabaPosition

brief = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
every_version = pytest.mark.parametrize("version", MORABARABA_VERSIONS)
STRATEGIES: dict[str, Callable[[str], bool]] = {
    "any turn": lambda _: True,
    "capturing": lambda text: "x" in text,
    "sparing": lambda text: "x" not in text,
}


@st.composite
def positions(draw: st.DrawFn) -> MorabarabaOracle:
    """Draw positions that need not be reachable, from the first placements to a few men each."""
    men_per_side = draw(st.sampled_from([12, 11]))
    shuffled = draw(st.permutations(POINTS))
    counts = draw(st.tuples(st.integers(0, men_per_side), st.integers(0, men_per_side)))
    men = dict.fromkeys(shuffled[: counts[0]], "w")
    men |= dict.fromkeys(shuffled[counts[0] : sum(counts)], "r")
    placing = draw(st.booleans())
    hands = {
        side: draw(st.integers(0, men_per_side - count)) if placing else 0
        for side, count in zip("wr", counts, strict=True)
    }
    steps = st.tuples(st.sampled_from(POINTS), st.sampled_from(POINTS)).filter(
        lambda step: step[0] != step[1]
    )
    forbidden = {side: "-".join(draw(steps)) for side in "wr" if draw(st.booleans())}
    rules, side = draw(st.sampled_from(list(MORABARABA_VERSIONS))), draw(st.sampled_from("wr"))
    position = MorabarabaOracle(men_per_side, men, side, hands, forbidden, rules=rules)
    was_placed = rules == 2 and hands[OPPONENT[side]] > 0
    quiet = draw(st.integers(0, 0 if was_placed else position.most_quiet_turns))
    return replace(position, no_capture_count=quiet)


def load_position(plain: MorabarabaOracle) -> MorabarabaPosition:
    return MORABARABA_VERSIONS[plain.rules].load(plain.line())


def move_texts(plain: MorabarabaOracle) -> list[str]:
    return list(map(str, load_position(plain).legal_moves()))


@every_version
@pytest.mark.parametrize("men", [12, 11])
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("seed", range(4))
def test_random_games_agree_with_the_oracle(men: int, strategy: str, seed: int, version: int) -> None:
    chance = random.Random(seed)
    position = MORABARABA_VERSIONS[version].initial_position(men=men)
    plain = MorabarabaOracle.start(men, version)
    while moves := plain.moves():
        assert [str(move) for move in position.legal_moves()] == moves
        text = chance.choice([move for move in moves if STRATEGIES[strategy](move)] or moves)
        position, plain = position.play(position.parse(text)), plain.play(text)
        assert str(position) == plain.line()
    assert position.outcome == plain.outcome()


@pytest.mark.long
@brief
@given(positions())
def test_legal_turns_and_outcome_agree_with_the_oracle(plain: MorabarabaOracle) -> None:
    position = load_position(plain)
    assert str(position) == plain.line()
    assert position.outcome == plain.outcome()
    assert [str(move) for move in position.legal_moves()] == plain.moves()


@pytest.mark.long
@brief
@given(positions(), st.integers(0, 10))
def test_played_turns_agree_with_the_oracle(plain: MorabarabaOracle, first: int) -> None:
    position = load_position(plain)
    for text in plain.moves()[first::11]:
        assert str(position.play(position.parse(text))) == plain.play(text).line()


@pytest.mark.long
@brief
@given(positions())
def test_version_2_changes_only_how_long_a_game_may_last(plain: MorabarabaOracle) -> None:
    uncounted = replace(plain, no_capture_count=0)
    before, after = (load_position(replace(uncounted, rules=version)) for version in (1, 2))
    assert before != after
    assert (str(before), before.outcome) == (str(after), after.outcome)
    assert list(map(str, before.legal_moves())) == list(map(str, after.legal_moves()))


def symmetries() -> list[dict[str, str]]:
    """Return the symmetries of the board, point by point: rotations, reflections, squares inside out."""
    return [
        {
            square[step]: target[(sign * step + turn) % 8]
            for square, target in zip(SQUARES, SQUARES[::order], strict=True)
            for step in range(8)
        }
        for turn in (0, 2, 4, 6)
        for sign in (1, -1)
        for order in (1, -1)
    ]


def transform_text(text: str, image: dict[str, str]) -> str:
    return re.sub(r"[A-G][1-7]", lambda point: image[point[0]], text)


@pytest.mark.long
@brief
@given(positions(), st.sampled_from(symmetries()))
def test_symmetric_positions_have_symmetric_turns(plain: MorabarabaOracle, image: dict[str, str]) -> None:
    men = {image[point]: owner for point, owner in plain.men.items()}
    forbidden = {side: transform_text(step, image) for side, step in plain.forbidden_steps.items()}
    assert move_texts(replace(plain, men=men, forbidden_steps=forbidden)) == sorted(
        transform_text(text, image) for text in move_texts(plain)
    )


@pytest.mark.long
@brief
@given(positions())
def test_swapping_the_sides_changes_no_turn(plain: MorabarabaOracle) -> None:
    other = {"w": "r", "r": "w"}
    exchanged = replace(
        plain,
        men={point: other[owner] for point, owner in plain.men.items()},
        side=other[plain.side],
        hands={other[side]: hand for side, hand in plain.hands.items()},
        forbidden_steps={other[side]: step for side, step in plain.forbidden_steps.items()},
    )
    assert move_texts(exchanged) == move_texts(plain)
