"""The kernel knows the same rules as the engine."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from ai.kernel import Kernel, KernelError
from ai.weights import FOLDER, GAME_PHASES, PHASES, Weights
from engine import GAMES, Outcome, get_game
from tests.ai.agreement import compare_game, kernel_starts, start_positions
from tests.engine.random_games import random_game
from tests.engine.test_vectors import PerftCount, Trace, digest, load_counts, load_traces, trace_id
from tests.examples import for_each
from tests.toy_games import BREAKTHROUGH

if TYPE_CHECKING:
    from tests.engine.random_games import GameStart

STACK_SIZE = 2**20
"""As tools/kernel says; the stack grows down to address 0, and a write below it ends the call."""

LONG_SEARCH = 100_000
"""As kernel/search.c says; so many simulations may end early."""

KERNEL_GAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))
kernel_games = pytest.mark.parametrize("game", KERNEL_GAMES)
COUNTS = [count for count in load_counts() if count.start.split()[0] in KERNEL_GAMES]
TRACES = [trace for trace in load_traces() if trace.game in KERNEL_GAMES]


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return Kernel()


@pytest.mark.long
@for_each("start", kernel_starts())
def test_random_games_agree_with_the_engine(kernel: Kernel, start: GameStart) -> None:
    for position in start_positions(start):
        compare_game(kernel, position, seed=3)


FOUR_EACH = "morabaraba 12 2w/1r1/1w1/w2r2/r2/3/w1r w 0,0"
THREE_EACH = "morabaraba 12 w2/3/3/w2r2/1r1/3/w1r w 0,0"


@pytest.mark.parametrize(
    ("version", "line"),
    [
        (1, f"{FOUR_EACH} -"),
        (2, f"{FOUR_EACH} quiet=90"),
        (2, f"{FOUR_EACH} -".replace("0,0", "0,1")),
        *((version, f"{THREE_EACH} quiet=9") for version in (1, 2)),
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_turns_without_a_capture_are_counted_as_by_the_engine(
    kernel: Kernel, version: int, line: str, seed: int
) -> None:
    compare_game(kernel, get_game("morabaraba", version).load(line), seed)


@pytest.mark.parametrize(
    ("version", "extra", "proven"), [(1, "-", None), (2, "quiet=85", None), (2, "quiet=99", 0.5)]
)
def test_a_search_knows_that_the_hundredth_turn_is_a_draw(
    kernel: Kernel, version: int, extra: str, proven: float | None
) -> None:
    kernel.set_weights(Weights.load("morabaraba").pack())
    kernel.load(get_game("morabaraba", version).load(f"{FOUR_EACH} {extra}"))
    assert {each.proven for each in kernel.think(200, seed=1)} == {proven}


@pytest.mark.long
@for_each("trace", TRACES, trace_id)
def test_traces_agree(kernel: Kernel, trace: Trace) -> None:
    kernel.load(get_game(trace.game, trace.rules).load(trace.start))
    for text, number, expected in trace.plies:
        texts = kernel.moves()
        assert (len(texts), digest(texts)) == (number, expected)
        kernel.play(text)
    assert kernel.position_line == trace.end
    assert kernel.outcome == Outcome(trace.outcome)


@pytest.mark.parametrize("count", COUNTS, ids=lambda count: f"{count.start} depth={count.depth}")
def test_perft_counts(kernel: Kernel, count: PerftCount) -> None:
    name, *settings = count.start.split()
    kernel.load(GAMES[name].initial_position(**dict(setting.split("=") for setting in settings)))
    assert kernel.perft(count.depth) == count.expected


def test_an_unknown_game_is_refused(kernel: Kernel) -> None:
    with pytest.raises(KernelError):
        kernel.load(BREAKTHROUGH.initial_position())


def test_an_illegal_turn_is_refused_and_changes_nothing(kernel: Kernel) -> None:
    position = GAMES["morabaraba"].initial_position()
    kernel.load(position)
    for text in ("A1-A4", "A2", "", "A1xA4", "A" * 100):
        with pytest.raises(KernelError):
            kernel.play(text)
    assert kernel.position_line == str(position)


def test_a_list_that_is_too_long_is_refused(kernel: Kernel) -> None:
    line = f"morphos cd {'/'.join(['19'] * 19)} b 2 owed"
    kernel.load(GAMES["morphos"].load(line))
    with pytest.raises(KernelError, match="too many"):
        kernel.moves()


def test_a_search_counts_only_legal_turns_when_a_turn_has_several_steps(kernel: Kernel) -> None:
    position = GAMES["morphos"].load("morphos cd 5/1b3/2w2/5/5 b 4 owed")
    kernel.set_weights(Weights.load("morphos").pack())
    kernel.load(position)
    candidates = kernel.think(300, seed=1)
    assert len(candidates) == 23
    for candidate in candidates:
        assert str(position.parse(candidate.text)) == candidate.text


@kernel_games
def test_a_search_repeats_itself_with_the_same_seed(kernel: Kernel, game: str) -> None:
    kernel.set_weights(Weights.load(game).pack())
    position = GAMES[game].initial_position()
    results = []
    for seed in (1, 2, 1):
        kernel.load(position)
        results.append(kernel.think(120, seed))
    assert results[0] == results[2]
    assert results[0] != results[1]
    assert results[0] == _think_with_another_kernel(game)


def _think_with_another_kernel(game: str) -> object:
    kernel = Kernel()
    kernel.set_weights(Weights.load(game).pack())
    kernel.load(GAMES[game].initial_position())
    return kernel.think(120, 1)


@kernel_games
def test_the_best_line_is_legal_and_begins_with_its_candidate(kernel: Kernel, game: str) -> None:
    kernel.set_weights(Weights.load(game).pack())
    start = GAMES[game].initial_position()
    kernel.load(start)
    candidates = kernel.think(2000, seed=1)
    lengths = []
    for index in sorted(range(len(candidates)), key=lambda each: candidates[each].visits)[-3:]:
        line = kernel.line(index)
        assert line[0] == candidates[index].text
        assert kernel.line(index, 1) == line[:1]
        position = start
        for text in line:
            position = position.play(position.parse(text))
        lengths.append(len(line))
    assert max(lengths) > 1


@kernel_games
def test_weights_fit_the_kernel(kernel: Kernel, game: str) -> None:
    weights = Weights.load(game)
    kernel.set_weights(weights.pack())
    widths = {len(row) for table in (weights.policy, weights.value) for row in table.values()}
    assert len(widths) == 1
    assert widths <= {GAME_PHASES, PHASES}
    with pytest.raises(KernelError):
        kernel.set_weights(weights.pack()[:-4])


@kernel_games
def test_every_feature_of_the_kernel_has_a_weight(kernel: Kernel, game: str) -> None:
    weights = Weights.load(game)
    kernel.set_weights(weights.pack())
    for position in islice(random_game(GAMES[game].initial_position(), seed=1, max_plies=80), 0, None, 6):
        kernel.load(position)
        candidates = kernel.think(16, seed=1)
        phase, numbers = kernel.values()
        assert phase in range(PHASES)
        assert not any(numbers[len(weights.value) :])
        assert all(kernel.features(index) >> len(weights.policy) == 0 for index in range(len(candidates)))


@pytest.mark.parametrize("side", ["b", "w"])
def test_contempt_makes_a_draw_worth_less_to_the_player_who_searches(kernel: Kernel, side: str) -> None:
    weights = Weights.load("morelli")
    kernel.load(GAMES["morelli"].load(f"morelli nestor b8/9/9/9/9/9/9/9/8w {side} -"))
    for contempt in (0.0, 0.25):
        settings = {**weights.settings, "playout_steps": 0.0, "contempt": contempt}
        kernel.set_weights(replace(weights, settings=settings).pack())
        values = [each.value for each in kernel.think(500, seed=1) if each.visits]
        assert values == pytest.approx([0.5 - contempt] * len(values), abs=1e-4)


def test_playouts_that_choose_among_steps_find_other_values(kernel: Kernel) -> None:
    weights = Weights.load("morelli")
    kernel.load(GAMES["morelli"].initial_position(size=9))
    found = []
    for choice in (0.0, 1.0, 3.0):
        settings = {**weights.settings, "playout_steps": 0.0, "playout_choice": choice}
        kernel.set_weights(replace(weights, settings=settings).pack())
        found.append(kernel.think(200, seed=1))
    assert found[0] == found[1] != found[2]


def test_a_candidate_can_be_left_out_of_a_search(kernel: Kernel) -> None:
    kernel.set_weights(Weights.load("morphos").pack())
    kernel.load(GAMES["morphos"].load("morphos - wb3/1b3/1b3/1b3/w1w2 b 8 -"))
    texts = [each.text for each in kernel.think(50, seed=1)]
    won = texts.index("B1")
    assert [each.text for each in kernel.think(50, seed=1) if each.proven == 1] == ["B1"]
    found = kernel.think(50, seed=1, excluded=won)
    assert [each.text for each in found] == texts
    assert (found[won].visits, found[won].proven) == (0, 0)
    assert sum(each.visits for each in found) == 50
    with pytest.raises(KernelError):
        Kernel().think(50, seed=1, excluded=len(texts))


def test_a_plain_search_stops_at_the_limit_of_its_playouts(kernel: Kernel) -> None:
    kernel.load(GAMES["morabaraba"].initial_position())
    candidates = kernel.think(1_000_000, seed=1, step_limit=20_000, plain=True)
    assert 100 < sum(candidate.visits for candidate in candidates) < 2000


@pytest.mark.parametrize("step_limit", [0, 300_000])
def test_a_long_search_ends_once_its_choice_is_settled(kernel: Kernel, step_limit: int) -> None:
    kernel.set_weights(Weights.load("morabaraba").pack())
    kernel.load(GAMES["morabaraba"].initial_position())
    visits = sorted(each.visits for each in kernel.think(LONG_SEARCH, seed=1, step_limit=step_limit))
    assert sum(visits) < LONG_SEARCH
    assert visits[-1] - visits[-2] > (0 if step_limit else LONG_SEARCH - sum(visits))
    assert not step_limit or step_limit / 2 < kernel.steps_searched < step_limit


def test_the_tree_stays_within_its_memory(kernel: Kernel) -> None:
    kernel.set_weights(Weights.load("morelli").pack())
    kernel.load(GAMES["morelli"].initial_position())
    kernel.think(50, seed=1)
    assert kernel.memory_size < 100 * 2**20


def test_a_stack_that_overflows_leaves_the_memory_instead_of_writing_on_data(kernel: Kernel) -> None:
    assert kernel.data_address >= STACK_SIZE


@pytest.mark.parametrize(("mover", "lead"), [("b", 0.5), ("w", -0.5)])
def test_morphos_counts_the_turns_to_a_connection(kernel: Kernel, mover: str, lead: float) -> None:
    # Black needs B1; White needs that and two points more.
    kernel.load(GAMES["morphos"].load(f"morphos - wb3/1b3/1b3/1b3/w1w2 {mover} 8 -"))
    _, numbers = kernel.values()
    assert numbers[1] == lead


@pytest.mark.parametrize("mover", "bw")
def test_morphos_looks_first_at_the_point_that_decides(kernel: Kernel, mover: str) -> None:
    kernel.set_weights(Weights.load("morphos").pack())
    kernel.load(GAMES["morphos"].load(f"morphos - 7/3b3/3b3/2w4/3b3/1w1b3/7 {mover} 8 -"))
    priors = {each.text: each.prior for each in kernel.think(1, seed=1)}
    assert max(priors, key=priors.__getitem__) == "D4"
