"""Four men against three in Morabaraba: every result is right, and expert and analyses play by it."""

from __future__ import annotations

import random
import shutil
import subprocess
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ai.game_analysis import AnalysedGame, TurningPoint
from ai.levels import ENDINGS_ONLY, PROOF_POSITIONS, Level
from ai.search import Opponent
from ai.turn_assessment import ROUNDS, assess_turn
from engine.game import Side
from engine.morabaraba.board import get_board
from engine.morabaraba.game import MORABARABA_VERSIONS, MorabarabaPosition
from engine.morabaraba.side_state import MEN_CHOICES, SideState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ai.kernel import Kernel

ROOT = Path(__file__).parents[2]
SOURCES = ("tests/ai/every_ending.c", "ai/kernel/endings.c", "ai/kernel/text.c")
SOME = 16
"""Of so many sets of four men one is looked at."""

VERSION = max(MORABARABA_VERSIONS)
LIMIT = 100
"""So many turns in a row without a capture are a draw."""

LATEST_END = 100
"""The visits of a turn that wins at once; there is one less for each turn that the win takes longer."""

LONGEST_WITH_THREE_EACH = 16


def random_endings(seed: int) -> Iterator[MorabarabaPosition]:
    """Yield positions with four men of one side against three of the other."""
    rng, points = random.Random(seed), list(get_board().cell_at)
    while True:
        men, white = rng.sample(points, 7), rng.choice((3, 4))
        sides = SideState(sum(men[:white]), 0), SideState(sum(men[white:]), 0)
        yield MorabarabaPosition(VERSION, 12, *sides, rng.choice((Side.WHITE, Side.RED)))


def forbid_steps(position: MorabarabaPosition, rng: random.Random) -> MorabarabaPosition:
    """Return the position with a forbidden step of the side to move, and perhaps one of the other side."""
    sides = {Side.WHITE: position.white, Side.RED: position.red}
    for side, state in sides.items():
        steps = [
            (start, end)
            for start, ends in state.destinations_by_start(position.empty)
            for end in get_board().split_bits(ends)
        ]
        if side is position.mover or rng.random() < 0.5:
            sides[side] = replace(state, forbidden_step=rng.choice(steps))
    return replace(position, white=sides[Side.WHITE], red=sides[Side.RED])


def has_three_each(position: MorabarabaPosition) -> bool:
    return position.own.can_fly and position.enemy.can_fly


def find_result(kernel: Kernel, position: MorabarabaPosition) -> float:
    """Return the proven result for the player to move: the best of the candidates."""
    if position.outcome is not None:
        return {None: 0.5, position.mover: 1.0}.get(position.outcome.winner, 0.0)
    kernel.load(position)
    results = [each.proven for each in kernel.think(0, 1, proof=ENDINGS_ONLY)]
    assert None not in results
    return max(each for each in results if each is not None)


def count_turns_to_capture(kernel: Kernel, position: MorabarabaPosition) -> int:
    """Return after how many turns the man is taken that decides a position which is won; 0 if it is not."""
    kernel.load(position)
    winning = [each.visits for each in kernel.think(0, 1, proof=ENDINGS_ONLY) if each.proven == 1]
    if not winning:
        return 0
    turns = LATEST_END + 1 - max(winning)
    return max(1, turns - LONGEST_WITH_THREE_EACH) if position.own.can_fly else turns


def find_result_by_turns(kernel: Kernel, position: MorabarabaPosition) -> float:
    """Return the same result by trying out all turns as long as a step is forbidden."""
    if position.outcome is not None or not position.forbidden_steps:
        return find_result(kernel, position)
    afters = [position.play(move) for move in position.legal_moves()]
    if any(after.outcome and after.outcome.winner is position.mover for after in afters):
        return 1
    return max(1 - find_result_by_turns(kernel, after) for after in afters)


def find_longest_win(kernel: Kernel, position: MorabarabaPosition, seen: dict[str, int]) -> int:
    """Return how many turns expert needs at most until it takes the decisive man, whatever is replied."""
    winner, most = position.mover, 0
    after = position.play(position.parse(Opponent(kernel).choose_move(position, Level.EXPERT, seed=1)))
    if after.outcome is not None or has_three_each(after):
        assert find_result(kernel, after) == 0
        return 1
    for move in after.legal_moves():
        reply = after.play(move)
        if reply.outcome is not None or has_three_each(reply):
            assert reply.mover is winner
            assert find_result(kernel, reply) == 1
        elif str(reply) not in seen:
            seen[str(reply)] = LIMIT  # no win goes round in a circle
            seen[str(reply)] = find_longest_win(kernel, reply, seen)
        most = max(most, seen.get(str(reply), 0))
    return 2 + most


@pytest.mark.long
def test_every_result_follows_from_those_after_all_turns(tmp_path: Path) -> None:
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("no gcc")
    program, first = str(tmp_path / "every_ending"), random.randrange(SOME)
    options = ("-std=c11", "-O2", "-fno-strict-aliasing", "-Wall", "-Wextra", "-Wno-attributes", "-Werror")
    subprocess.run((compiler, *options, "-o", program, *SOURCES), cwd=ROOT, check=True)  # noqa: S603 - our own file
    found = subprocess.run(  # noqa: S603
        (program, str(SOME), str(first)), capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout


@pytest.mark.long
def test_results_agree_with_the_engines_turns(kernel: Kernel) -> None:
    found = set[float]()
    for position in islice(random_endings(1), 12):
        result = find_result(kernel, position)
        afters = [position.play(move) for move in position.legal_moves()]
        assert result == 1 - min(find_result(kernel, after) for after in afters), str(position)
        found.add(result)
    assert len(found) > 1


@pytest.mark.long
def test_no_win_that_is_found_by_trying_out_everything_is_missed(kernel: Kernel) -> None:
    found = 0
    for position in islice(random_endings(2), 60):
        turns = count_turns_to_capture(kernel, position)
        kernel.load(position)
        by_force = kernel.turns_to_win(2)
        found += by_force > 0
        assert turns or not by_force, str(position)
        assert position.own.can_fly or (turns == 1) == (by_force == 1), str(position)
    assert found


def test_symmetric_positions_have_the_same_results(kernel: Kernel) -> None:
    for position in islice(random_endings(3), 8):
        turns = {count_turns_to_capture(kernel, position.image(each)) for each in position.symmetries}
        assert turns == {count_turns_to_capture(kernel, position)}, str(position)


@pytest.mark.long
def test_forbidden_steps_are_seen(kernel: Kernel) -> None:
    rng, changed, kept = random.Random(4), list[MorabarabaPosition](), list[MorabarabaPosition]()
    for position in random_endings(4):
        limited = forbid_steps(position, rng)
        is_changed = find_result(kernel, limited) != find_result(kernel, position)
        (changed if is_changed else kept).append(limited)
        if len(changed) == 4:
            break
    for limited in (*changed, *kept[:3]):
        assert find_result(kernel, limited) == find_result_by_turns(kernel, limited), str(limited)


@pytest.mark.long
def test_forbidden_steps_of_an_imported_position_may_be_any(kernel: Kernel) -> None:
    """They need not be possible, or follow from a turn; both versions of the rules, both numbers of men."""
    rng, points = random.Random(13), list(get_board().cell_at)
    for number, position in enumerate(islice(random_endings(13), 16)):
        white, red = (
            replace(side, forbidden_step=(start, end))
            for side in (position.white, position.red)
            for start, end in [rng.sample(points, 2)]
        )
        version, men = 1 + number % 2, MEN_CHOICES[number // 2 % 2]
        odd = replace(position, rules_version=version, men_per_side=men, white=white, red=red)
        odd = MORABARABA_VERSIONS[version].load(str(odd))
        assert find_result(kernel, odd) == find_result_by_turns(kernel, odd), str(odd)


@pytest.mark.parametrize("can_fly", [False, True])
def test_win_counts_until_the_limit_of_quiet_turns(kernel: Kernel, *, can_fly: bool) -> None:
    for position in random_endings(5):
        turns = count_turns_to_capture(kernel, position)
        if position.own.can_fly is not can_fly or turns < 3:
            continue
        last = replace(position, no_capture_count=LIMIT - turns)
        assert find_result(kernel, last) == 1
        assert find_result(kernel, replace(last, no_capture_count=LIMIT - turns + 1)) == 0.5
        break


def test_rules_without_that_limit_know_no_draw_by_it(kernel: Kernel) -> None:
    position = next(each for each in random_endings(5) if count_turns_to_capture(kernel, each) > 2)
    assert find_result(kernel, replace(position, rules_version=1)) == 1


@pytest.mark.parametrize(("can_fly", "turns"), [(False, 3), (True, 5), (True, 7)])
def test_expert_wins_in_time_against_every_reply(kernel: Kernel, turns: int, *, can_fly: bool) -> None:
    for position in random_endings(6):
        if position.own.can_fly is can_fly and count_turns_to_capture(kernel, position) == turns:
            assert find_longest_win(kernel, position, {}) == turns, str(position)
            break


@pytest.mark.long
def test_expert_holds_every_draw(kernel: Kernel) -> None:
    """It does so against random turns, which may lose, and against itself."""
    rng, opponent = random.Random(7), Opponent(kernel)
    drawn = (each for each in random_endings(7) if find_result(kernel, each) == 0.5)
    for number, start in enumerate(islice(drawn, 4)):
        position, held = start, start.mover
        while position.outcome is None:
            if position.mover is held or number % 2:
                move = position.parse(opponent.choose_move(position, Level.EXPERT, seed=1))
            else:
                move = rng.choice(position.legal_moves())
            position = position.play(move)
        winner = position.outcome.winner
        assert winner is None if number % 2 else winner in (None, held), str(start)


def test_expert_draws_so_that_the_opponent_can_go_wrong(kernel: Kernel) -> None:
    """Where it cannot win, it takes the draw after which most turns of the opponent lose."""
    tested = 0
    for position in random_endings(8):
        kernel.load(position)
        candidates = kernel.think(0, 1, proof=ENDINGS_ONLY)
        drawn = [each for each in candidates if each.proven == 0.5]
        if any(each.proven == 1 for each in candidates) or len({each.visits for each in drawn}) < 2:
            continue
        chosen = Opponent(kernel).choose_move(position, Level.EXPERT, seed=1)
        other = min(drawn, key=lambda each: each.visits).text
        most, least = (_share_of_mistakes(kernel, position, text) for text in (chosen, other))
        assert most > least, str(position)
        tested += 1
        if tested == 3:
            break


def _share_of_mistakes(kernel: Kernel, position: MorabarabaPosition, text: str) -> float:
    after = position.play(position.parse(text))
    replies = [after.play(move) for move in after.legal_moves()]
    return sum(find_result(kernel, reply) == 1 for reply in replies) / len(replies)


def test_analyses_and_offers_know_what_a_position_is_worth(kernel: Kernel) -> None:
    opponent = Opponent(kernel)
    for position in islice(random_endings(9), 10):
        result = find_result(kernel, position)
        for proof in (ENDINGS_ONLY, PROOF_POSITIONS):
            found = opponent.find_best_line(position, 400, seed=1, proof=proof)
            assert found is not None
            assert found[0] == result, str(position)
        assert opponent.expect_result(position, seed=1) == result, str(position)


def test_analysis_shows_the_whole_way_to_the_capture(kernel: Kernel) -> None:
    won = (each for each in random_endings(12) if not each.own.can_fly)
    start = position = next(each for each in won if count_turns_to_capture(kernel, each) == 5)
    found = Opponent(kernel).find_best_line(start, 400, seed=1)
    assert found is not None
    assert len(found[1]) == 5
    for text in found[1]:
        position = position.play(position.parse(text))
    assert position.outcome is not None
    assert position.outcome.winner is start.mover


def test_short_searches_of_turns_know_endings_too(kernel: Kernel) -> None:
    start = next(each for each in random_endings(10) if find_result(kernel, each) == 0.5)
    texts = [str(move) for move in start.legal_moves()]
    game = AnalysedGame.from_turns(start, [(texts[0],)])
    point = TurningPoint(1, 0.3, (texts[1],), (texts[1],))
    chances = {assess_turn(Opponent(kernel), game, (point, (text,), ROUNDS[0][0])).chances for text in texts}
    assert 0.5 in chances <= {0, 0.5}


def test_capture_that_leads_to_such_an_ending_is_judged_at_once(kernel: Kernel) -> None:
    """A search with four men on each side knows what follows from a capture."""
    judged = 0
    for smaller in islice(random_endings(11), 20):
        fourth = get_board().split_bits(smaller.empty)[0]
        white, red = (
            replace(side, men=side.men | fourth) if side.can_fly else side
            for side in (smaller.white, smaller.red)
        )
        position = replace(smaller, white=white, red=red)
        kernel.load(position)
        captures = [
            each for each in kernel.think(2000, 1, proof=ENDINGS_ONLY) if "x" in each.text and each.visits
        ]
        for each in captures:
            after = position.play(position.parse(each.text))
            assert each.proven == 1 - find_result(kernel, after), str(position)
            judged += 1
    assert judged
