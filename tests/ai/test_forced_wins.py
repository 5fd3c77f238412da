"""Expert overlooks no forced win or loss, and club does not lose what mostly decides a game in one reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ai.kernel import Kernel
from ai.levels import PROOF_POSITIONS, Level
from ai.search import Opponent, load_weights
from bench.ai_strength import Rival, find_player
from engine import GAMES
from tests.examples import for_each
from tools.forced_wins import STARTS, WANTED, WANTED_LOSSES, ForcedPosition, load_positions, turns_to_lose

if TYPE_CHECKING:
    from engine import Position

SAMPLE = 35
"""One position of so many is in the short tests."""


@pytest.fixture(scope="module")
def opponent() -> Opponent:
    return Opponent.start()


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return Kernel()


def missed(opponent: Opponent, kernel: Kernel, positions: list[ForcedPosition]) -> list[str]:
    """Return those of the positions in which expert lets the win go, or loses by force."""
    return [
        str(each.position)
        for each in positions
        if not each.is_kept(kernel, opponent.choose_move(each.position, Level.EXPERT, seed=1))
    ]


@pytest.mark.parametrize("game", STARTS)
def test_there_are_enough_positions_of_every_kind(game: str) -> None:
    for losses, wanted in ((False, WANTED), (True, WANTED_LOSSES)):
        found = [each.turns for each in load_positions(game, losses=losses)]
        assert {turns: found.count(turns) for turns in wanted} == wanted


@pytest.mark.long
@pytest.mark.parametrize("game", STARTS)
def test_expert_keeps_forced_wins(opponent: Opponent, kernel: Kernel, game: str) -> None:
    assert missed(opponent, kernel, load_positions(game)[::SAMPLE]) == []


@pytest.mark.long
@pytest.mark.parametrize("game", STARTS)
def test_expert_keeps_every_forced_win(opponent: Opponent, kernel: Kernel, game: str) -> None:
    assert missed(opponent, kernel, load_positions(game)) == []


@pytest.mark.long
@pytest.mark.parametrize("game", STARTS)
def test_expert_avoids_forced_losses(opponent: Opponent, kernel: Kernel, game: str) -> None:
    assert missed(opponent, kernel, load_positions(game, losses=True)[::SAMPLE]) == []


@pytest.mark.long
@pytest.mark.parametrize("game", STARTS)
def test_expert_avoids_every_forced_loss(opponent: Opponent, kernel: Kernel, game: str) -> None:
    assert missed(opponent, kernel, load_positions(game, losses=True)) == []


@pytest.mark.long
@pytest.mark.parametrize("game", STARTS)
def test_some_turns_of_a_position_lose_by_force_and_others_do_not(kernel: Kernel, game: str) -> None:
    for each in load_positions(game, losses=True)[::SAMPLE]:
        afters = map(each.position.play, each.position.legal_moves())
        found = {turns_to_lose(kernel, each.position, after, each.turns) for after in afters}
        assert {0, each.turns} <= found


@pytest.mark.parametrize("game", STARTS)
def test_search_for_forced_wins_finds_what_trying_out_everything_finds(kernel: Kernel, game: str) -> None:
    for each in load_positions(game)[::SAMPLE]:
        kernel.load(each.position)
        assert kernel.turns_to_win(each.turns, proof=PROOF_POSITIONS) == each.turns, str(each.position)


def test_expert_as_it_was_before_overlooks_a_forced_win(opponent: Opponent, kernel: Kernel) -> None:
    forced = ForcedPosition(2, GAMES["morabaraba"].load("morabaraba 12 3/3/3/1r4/1w1/www/rr1 w 0,0 -"))
    assert not forced.is_kept(kernel, find_player(Rival.EXPERT_BEFORE, "morabaraba")(forced.position, 1))
    assert missed(opponent, kernel, [forced]) == []


def test_a_search_for_a_forced_win_ends_at_its_limit(kernel: Kernel) -> None:
    kernel.load(GAMES["morabaraba"].load("morabaraba 12 3/3/3/1r4/1w1/www/rr1 w 0,0 -"))
    assert (kernel.turns_to_win(3, proof=10), kernel.turns_to_win(3, proof=PROOF_POSITIONS)) == (0, 2)


def test_a_search_for_a_forced_win_depends_on_nothing_before_it(kernel: Kernel) -> None:
    position = GAMES["morabaraba"].load("morabaraba 11 rrr/1r1/rrr/wr2ww/1rw/2r/2r r 0,0 quiet=9")
    found = set[int]()
    for other in load_positions("morabaraba")[:: 5 * SAMPLE]:
        kernel.load(other.position)
        kernel.turns_to_win(3, proof=PROOF_POSITIONS)
        kernel.load(position)
        found.add(kernel.turns_to_win(3, proof=100))
    assert len(found) == 1


@pytest.mark.long
def test_a_long_search_in_a_lost_position_is_half_as_long_again_at_most(kernel: Kernel) -> None:
    weights = load_weights("morphos")
    assert weights is not None
    kernel.set_weights(weights.pack())
    kernel.load(GAMES["morphos"].load("morphos b 1w1b3/2bwb2/bwwwb2/w1bwwb1/b2bwwb/6w/7 b 22 -"))
    candidates = kernel.think(100_000, 1, proof=PROOF_POSITIONS)
    assert sum(each.proven == 0 for each in candidates) > 4
    assert sum(each.visits for each in candidates) <= 150_000


# From games of club: it used to play the turn after which the opponent takes the Centre with a capture.
@pytest.mark.long
@for_each(
    "line",
    [
        "3www2w/1b3w2w/2b1bbw1w/3bbb3/b1bb1b3/3w1w2w/b3w4/b7w/1bb1bbb1w w -",
        "b1wwwwwww/b7w/b6w1/4w1w1w/b4w3/b3w1w2/b1bbb4/bb6w/1b1b1b1bw b -",
    ],
)
def test_club_does_not_let_the_opponent_take_the_centre_with_one_reply(
    opponent: Opponent, kernel: Kernel, line: str
) -> None:
    position = GAMES["morelli"].load(f"morelli nestor {line}")
    for seed in range(4):
        after = position.play(position.parse(opponent.choose_move(position, Level.CLUB, seed)))
        assert not takes_centre(kernel, after)


def takes_centre(kernel: Kernel, position: Position) -> bool:
    """Return whether a turn without declines gets the player to move the Centre."""
    kernel.load(position)
    texts = [text for text in kernel.moves() if "~" not in text]
    for text in texts:
        kernel.load(position)
        kernel.play(text)
        board = kernel.position_line.split()[2]
        if "W" in board or "B" in board:
            return True
    return False
