"""The computer opponent chooses legal moves, as its level says."""

from __future__ import annotations

import logging
import random
import shutil
import sys
from dataclasses import replace
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import pytest

import ai.kernel
from ai.kernel import Kernel
from ai.levels import (
    BEST,
    FALLBACK_LEVELS,
    HALF,
    PROVING_LEVELS,
    TOP_LEVELS,
    Candidate,
    Level,
    LevelSettings,
    choose,
    interpolate,
    settings_at,
)
from ai.search import Opponent, load_weights
from ai.weights import FOLDER, GAME_PHASES, NEAR_EXPERT, PHASES, Weights
from engine import GAMES as ENGINE_GAMES
from engine import Position
from tests.engine.random_games import GameStart, all_starts, random_game
from tests.examples import for_each
from tests.games import GAMES
from tests.toy_games import BREAKTHROUGH

if TYPE_CHECKING:
    from pathlib import Path


LIMITS = {Level.EXPERT: 300_000, Level.MASTER: 2_000_000}
"""More simulations would take more than a few seconds, or twenty."""


@pytest.fixture(scope="module")
def opponent() -> Opponent:
    return Opponent.start()


def candidate(text: str, visits: int, value: float, proven: float | None = None) -> Candidate:
    return Candidate(text, visits, value, 0.1, proven)


@pytest.mark.long
@for_each("start", all_starts())
def test_every_start_gets_a_legal_move_and_the_same_one_again(opponent: Opponent, start: GameStart) -> None:
    for position in list(random_game(start.position(), seed=5))[:20:10]:
        if position.to_move is not None:
            text = opponent.choose_move(position, Level.BEGINNER, seed=4)
            assert str(position.parse(text)) == text
            assert opponent.choose_move(position, Level.BEGINNER, seed=4) == text


@pytest.mark.long
def test_a_beginner_plays_differently_with_another_seed(opponent: Opponent) -> None:
    position = ENGINE_GAMES["morelli"].initial_position()
    assert len({opponent.choose_move(position, Level.BEGINNER, seed) for seed in range(8)}) > 1


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize(
    ("line", "winning"),
    [
        ("morphos - wb3/1b3/1b3/1b3/w1w2 b 8 -", "B1"),
        ("morphos c w4/1b3/1b3/1b3/w1w2 b 8 -", "B1,B5"),
        ("morphos d w4/1b3/1b3/1b3/w1w2 b 8 owed", "B1+B5"),
    ],
)
def test_a_win_at_once_is_never_missed(opponent: Opponent, level: Level, line: str, winning: str) -> None:
    position = GAMES[line.split(maxsplit=1)[0]].load(line)
    for seed in range(3):
        after = position.play(position.parse(text := opponent.choose_move(position, level, seed)))
        assert str(after.outcome) == position.to_move
        assert set(text) == set(winning)


# Found by trying out all moves in games of strong against club.
@pytest.mark.long
@pytest.mark.parametrize(
    "line",
    [
        "3/3/3/1r4/1w1/www/rr1 w 0,0 -",
        "wrw/2w/w1w/w3rr/1w1/1w1/www w 0,0 -",
        "w1w/2w/2w/1rr2w/w2/wr1/www w 0,0 -",
        "w1w/2w/rww/3www/w1w/1rr/2w w 0,0 w:G1-F2",
        "w1w/2w/rww/2rwww/2w/w1r/2w w 0,0 -",
        "2w/w1w/2w/1w3w/rw1/r1r/www w 0,0 -",
        "3/2w/w2/1rr1w1/www/www/wwr w 0,0 -",
    ],
)
def test_a_forced_win_is_not_missed(opponent: Opponent, line: str) -> None:
    position = ENGINE_GAMES["morabaraba"].load(f"morabaraba 12 {line}")
    assert can_win(position, 3)
    after = position.play(position.parse(opponent.choose_move(position, Level.EXPERT, seed=1)))
    assert is_lost(after, 4)


def can_win(position: Position, plies: int) -> bool:
    """Return whether the player to move can win within so many plies, an odd number."""
    return plies > 0 and any(is_lost(position.play(move), plies - 1) for move in position.legal_moves())


def is_lost(position: Position, plies: int) -> bool:
    """Return whether the player to move has lost, or loses within so many plies, an even number."""
    if position.outcome is not None:
        return position.outcome.winner is not None  # nobody loses by moving
    replies = [position.play(move) for move in position.legal_moves()]
    return all(
        any(can_win(reply, limit) for limit in range(1, plies, 2)) and reply.outcome is None
        for reply in replies
    )


def test_the_fallback_never_misses_a_win_at_once(opponent: Opponent) -> None:
    position = BREAKTHROUGH.load("breakthrough 6/w4b/6/6/1b4/2w3 w")
    for seed in range(3):
        text = opponent.choose_move(position, Level.BEGINNER, seed)
        assert position.play(position.parse(text)).outcome == "white"


def test_a_finished_game_has_no_move(opponent: Opponent) -> None:
    position = ENGINE_GAMES["morelli"].load("morelli nestor 9/9/9/9/4W4/9/9/9/9 b -")
    with pytest.raises(ValueError, match="over"):
        opponent.choose_move(position, Level.CLUB, seed=1)


@pytest.mark.parametrize("level", [level for level in Level if level is not Level.BEGINNER])
def test_a_loss_at_once_is_averted(opponent: Opponent, level: Level) -> None:
    position = GAMES["morphos"].load("morphos - wb3/1b3/1b3/1b3/w1w2 w 7 -")
    text = opponent.choose_move(position, level, seed=1)
    after = position.play(position.parse(text))
    assert all(after.play(move).outcome is None for move in after.legal_moves())


@pytest.mark.long
def test_the_fallback_plays_a_whole_game_and_wins_it_against_random_moves(opponent: Opponent) -> None:
    position: Position = BREAKTHROUGH.initial_position()
    rng = random.Random(1)
    while position.to_move is not None:
        if position.to_move is BREAKTHROUGH.sides[0]:
            position = position.play(position.parse(opponent.choose_move(position, Level.CASUAL, seed=1)))
        else:
            position = position.play(rng.choice(position.legal_moves()))
    assert position.outcome == BREAKTHROUGH.sides[0].value


@pytest.mark.long
def test_without_the_kernel_every_game_has_an_opponent_and_the_log_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    with caplog.at_level(logging.WARNING):
        opponent = Opponent.start()
    assert len(caplog.records) == 1
    for game in ENGINE_GAMES.values():
        position = game.initial_position()
        assert str(position.parse(opponent.choose_move(position, Level.BEGINNER, seed=1)))


def test_a_module_that_does_not_start_is_as_good_as_none(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    (tmp_path / "kernel.wasm").write_bytes(b"no module")
    monkeypatch.setattr(ai.kernel, "MODULE", tmp_path / "kernel.wasm")
    with caplog.at_level(logging.WARNING):
        assert not Opponent.start().is_strong_at(ENGINE_GAMES["morelli"])
    assert len(caplog.records) == 1


@pytest.mark.long
def test_the_fallback_samples_positions_with_millions_of_turns() -> None:
    position = GAMES["morphos"].load(f"morphos cd {'/'.join(['19'] * 19)} b 2 owed")
    text = Opponent(None).choose_move(position, Level.BEGINNER, seed=1)
    assert str(position.parse(text)) == text


def test_a_level_without_freedom_takes_the_turn_searched_most() -> None:
    found = [candidate("a", 10, 0.5), candidate("b", 30, 0.4), candidate("c", 5, 0.9)]
    assert choose(found, LevelSettings(1, 0, 0), random.Random(1)).text == "b"


def test_a_level_chooses_freely_only_within_its_margin() -> None:
    found = [candidate("a", 30, 0.6), candidate("b", 29, 0.55), candidate("c", 28, 0.4)]
    settings = LevelSettings(1, 1.0, 0.1)
    assert {choose(found, settings, random.Random(seed)).text for seed in range(50)} == {"a", "b"}


def test_without_a_search_the_priors_decide_and_unlikely_turns_are_left_out() -> None:
    found = [Candidate(text, 0, 0.5, prior, None) for text, prior in (("a", 0.6), ("b", 0.38), ("c", 0.02))]
    settings = LevelSettings(0, 1.0, 0.0)
    assert {choose(found, settings, random.Random(seed)).text for seed in range(50)} == {"a", "b"}


def test_proven_results_decide() -> None:
    settings = LevelSettings(1, 1.0, 1.0)
    lost, unclear, won = candidate("a", 90, 0.0, 0.0), candidate("b", 1, 0.2), candidate("c", 1, 1.0, 1.0)
    for seed in range(20):
        assert choose([lost, unclear, won], settings, random.Random(seed)) is won
        assert choose([lost, unclear], settings, random.Random(seed)) is unclear
        assert choose([lost], settings, random.Random(seed)) is lost


@pytest.mark.parametrize("game", sorted(path.stem for path in FOLDER.glob("*.toml")))
def test_each_level_searches_more_than_the_one_below(game: str) -> None:
    weights = Weights.load(game)
    for phase in range(PHASES):
        for is_known in (False, True):
            simulations = {
                level: weights.choose_for(level, phase, is_known=is_known).count_simulations(level, phase)
                for level in Level
            }
            check_simulations(list(simulations.values()))
            assert all(simulations[level] <= limit for level, limit in LIMITS.items())


@pytest.mark.parametrize("game", sorted(path.stem for path in FOLDER.glob("*.toml")))
def test_what_is_halfway_lies_between_the_levels(game: str) -> None:
    weights, order = Weights.load(game), list(Level)
    for below, above in pairwise(order):
        half, levels = f"{below}{HALF}", weights.levels
        if half in levels:
            assert settings_at(levels, below, 0.5) == levels[half]
            assert settings_at(levels, below, 0.25) == interpolate(levels[below], levels[half], 0.5)
            assert settings_at(levels, below, 0.75) == interpolate(levels[half], levels[above], 0.5)
        for special in (weights.small, weights.large):
            if special is not None and half == NEAR_EXPERT:
                simulations = special.levels[half].simulations
                assert simulations < special.levels[Level.EXPERT].simulations
                assert replace(special.levels[half], simulations=0) == replace(
                    settings_at(levels, below, 0.5), simulations=0
                )
        if half in weights.ratings:
            assert weights.ratings[below] < weights.ratings[half] < weights.ratings[above]
    assert set(weights.ratings) <= {name for level in order for name in (level, f"{level}{HALF}")}


def test_each_level_of_the_fallback_searches_more_than_the_one_below() -> None:
    check_simulations([FALLBACK_LEVELS[level].simulations for level in Level])


def check_simulations(simulations: list[int]) -> None:
    assert simulations == sorted(set(simulations))


@pytest.mark.long
def test_a_full_board_of_morphos_is_searched_longer() -> None:
    weights = load_weights("morphos")
    assert weights is not None
    empty, full = (weights.count_simulations(Level.EXPERT, phase) for phase in (0, 2))
    assert full > empty
    kernel = Kernel()
    kernel.load(ENGINE_GAMES["morphos"].initial_position())
    assert kernel.phase == 0
    kernel.load(ENGINE_GAMES["morphos"].initial_position(mutators="e"))
    assert kernel.phase == 2


def test_levels_from_strong_plus_on_search_morelli_in_their_own_way() -> None:
    weights = load_weights("morelli")
    assert weights is not None
    kernel = Kernel()
    for size in (9, 11, 13):
        kernel.load(ENGINE_GAMES["morelli"].initial_position(size=size))
        for level, share in product(Level, (0.0, 0.49, 0.5, 0.9)):
            chosen = weights.choose_for(level, kernel.phase, share, is_known=True)
            is_changed = level in TOP_LEVELS or (level == Level.STRONG and share >= 0.5)
            assert (chosen is not weights) == bool(chosen.network) == is_changed
    changed = weights.choose_for(Level.EXPERT, GAME_PHASES, is_known=True)
    assert changed.settings["contempt"] > weights.settings["contempt"] == 0
    assert changed.settings["playout_choice"] > weights.settings["playout_choice"] == 1
    assert (changed.policy, changed.value) == (weights.policy, weights.value)


@pytest.mark.long
def test_master_places_the_stones_of_the_set_up_with_the_common_settings(opponent: Opponent) -> None:
    weights, kernel, chosen = load_weights("morelli"), Kernel(), []
    assert weights is not None
    line = "morelli 2015 7w3/11/10w/11/10b/11/w10/11/b10/11/3b7 w pairs"
    position = ENGINE_GAMES["morelli"].load(line)
    for used in (weights, weights.choose_for(Level.MASTER, 0, is_known=True)):
        rng = random.Random(f"1 {position}")
        kernel.set_weights(used.pack())
        kernel.load(position)
        simulations = weights.count_simulations(Level.MASTER, 0)
        candidates = kernel.think(simulations, rng.getrandbits(31), proof=PROVING_LEVELS[Level.MASTER])
        chosen.append(choose(candidates, BEST, rng).text)
    assert chosen[0] != chosen[1]
    assert opponent.choose_move(position, Level.MASTER, 1) == chosen[0]


def facing_kernel(**changes: float) -> Kernel:
    """Return a kernel with a start of Morelli and changed settings of the search."""
    weights, kernel = Weights.load("morelli"), Kernel()
    kernel.set_weights(replace(weights, settings=weights.settings | changes).pack())
    kernel.load(ENGINE_GAMES["morelli"].initial_position(setup="facing"))
    return kernel


@pytest.mark.long
def test_a_board_in_the_tree_has_at_most_so_many_turns() -> None:
    """But all turns of the board on the table stay."""
    found = [facing_kernel(widest=widest).think(2000, 1) for widest in (0.0, 3.0)]
    wide, narrow = ([(each.text, each.prior) for each in candidates] for candidates in found)
    assert wide == narrow
    assert found[0] != found[1]


def test_a_leaf_gets_its_turns_at_the_visit_that_is_set() -> None:
    lengths = []
    for visit in (2.0, 2000.0):
        kernel = facing_kernel(expand_at=visit)
        candidates = kernel.think(1000, 1)
        best = max(range(len(candidates)), key=lambda index: candidates[index].visits)
        lengths.append(len(kernel.line(best)))
    assert lengths[0] > lengths[1] == 1


def test_without_its_networks_the_computer_plays_with_the_common_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("ai.weights.FOLDER", tmp_path)
    for game in ("morelli", "morabaraba"):
        shutil.copy(FOLDER / f"{game}.toml", tmp_path)
        weights = Weights.load(game)
        for phase, level in product((0, GAME_PHASES), TOP_LEVELS):
            assert weights.choose_for(level, phase, is_known=True) is weights
            assert weights.choose_for(Level.STRONG, phase, 0.5, is_known=True) is weights
    assert [record.getMessage() for record in caplog.records] == [
        f"{file}.network is missing, which weakens the levels from strong+ up on its boards."
        for file in ("morelli", "morelli-large", "morabaraba-large")
    ]


def test_a_position_that_no_network_knows_is_searched_with_the_common_settings() -> None:
    weights = Weights.load("morelli")
    assert weights.choose_for(Level.EXPERT, GAME_PHASES - 1, is_known=False) is weights
    networks = {weights.choose_for(Level.EXPERT, phase, is_known=True).network for phase in (0, GAME_PHASES)}
    assert len(networks - {b""}) == 2


class RecordingKernel(Kernel):
    """Notes the weights and the lengths of its searches."""

    def __init__(self) -> None:
        super().__init__()
        self.weights: list[bytes] = []
        self.lengths: list[int] = []

    def think(self, simulations: int, *arguments: Any, **others: Any) -> list[Candidate]:
        self.lengths.append(simulations)
        return super().think(simulations, *arguments, **others)

    def set_weights(self, data: bytes) -> None:
        super().set_weights(data)
        self.weights.append(data)


@pytest.mark.long
@pytest.mark.parametrize(
    "line",
    [
        "morelli nestor 9/9/3b5/2bw1b3/3wB4/3bw4/9/9/9 b -",
        "morabaraba 12 w1w/1w1/r1w/w1w2r/r2/1w1/r1w r 0,0 -",
    ],
)
def test_analyses_have_no_contempt_and_moves_between_them_have(line: str) -> None:
    position, kernel = GAMES[line.split(maxsplit=1)[0]].load(line), RecordingKernel()
    kernel.load(position)
    used = Weights.load(position.game.name).choose_for(Level.EXPERT, kernel.phase, is_known=True)
    neutral = replace(used, settings=used.settings | {"contempt": 0.0}).pack()
    assert neutral != used.pack()
    opponent = Opponent(kernel)
    found = opponent.find_best_line(position, 300, 1)
    opponent.choose_move(position, Level.EXPERT, 1)
    assert opponent.find_best_line(position, 300, 1) == found
    assert kernel.weights == [neutral, used.pack(), neutral]


def test_from_halfway_to_expert_on_searches_use_the_settings_of_expert() -> None:
    kernel, common = RecordingKernel(), Weights.load("morabaraba")
    assert common.large is not None
    opponent, position = Opponent(kernel), GAMES["morabaraba"].initial_position()
    for share in (0.25, 0.5, 0.75):
        opponent.choose_move(position, Level.STRONG, 1, share=share)
    assert kernel.weights == [common.pack(), common.large.pack()]
    before, half, after = kernel.lengths
    assert common.levels[Level.STRONG].simulations < before < common.levels[Level.EXPERT].simulations
    assert half == common.large.levels[NEAR_EXPERT].simulations
    assert after == round((half * common.large.levels[Level.EXPERT].simulations) ** 0.5)


def test_a_line_does_not_depend_on_the_board_before(opponent: Opponent) -> None:
    start = ENGINE_GAMES["morelli"].initial_position
    small, large = start(size=9, setup="facing"), start(size=11, setup="facing")
    found = [opponent.find_best_line(each, 100, 1, proof=0) for each in (small, large, small, large)]
    assert found[:2] == found[2:]
    opponent.choose_move(small, Level.BEGINNER, 1)
    assert opponent.find_best_line(small, 100, 1, proof=0) == found[0]


def test_a_level_overlooks_what_the_search_has_found() -> None:
    found = [candidate("a", 90, 0.9), candidate("b", 1, 0.1), candidate("c", 1, 0.1, proven=0)]
    settings = LevelSettings(1, 1.0, 0.0, oversights=0.5)
    chosen = [choose(found, settings, random.Random(seed)).text for seed in range(60)]
    assert 0 < chosen.count("b") < 30
    assert "c" not in chosen
