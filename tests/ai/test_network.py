"""The networks learn results and priors, however the board is turned."""

from __future__ import annotations

import random
import re
import struct
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ai.kernel import NETWORKS, Kernel, KernelError
from ai.levels import Level
from ai.weights import SCALE, Weights, pack_network, unpack_network
from engine import GAMES
from tools import learn_network
from tools.learn_network import BOARDS, Example, Lesson, Player

if TYPE_CHECKING:
    from engine import Position

SMALL_LESSON = Lesson(1, 20, value_share=0.5)
PLAYOUT_LESSON = Lesson(1, 20, value_share=0)
ROUNDS, RATE = 60, 0.02
SIZES = (9, 11, 13)


def start(**options: str | int) -> Position:
    return GAMES["morelli"].initial_position(**{"size": 9, "setup": "adjacent", **options})


MORABARABA = "morabaraba 12 1w1/3/2r/3w2/r1w/1r1/3 w 9,9 -"
POSITIONS = {**{f"morelli {size}": str(start(size=size)) for size in SIZES}, "morabaraba": MORABARABA}


def load(line: str) -> Position:
    return GAMES[line.split(maxsplit=1)[0]].load(line)


def mirror(line: str) -> str:
    """Return the position line with all ranks reversed."""
    game, variant, rows, *rest = line.split()
    reversed_rows = ("".join(reversed(re.findall(r"\d+|\D", row))) for row in rows.split("/"))
    return " ".join([game, variant, "/".join(reversed_rows), *rest])


def learn(kernel: Kernel, line: str, result: int, value: float, shares: bytes = b"", turned: int = 0) -> None:
    version = load(line).game.rules_version
    kernel.learn(*Example(line.encode(), version, result, value, shares), turned, RATE)


@pytest.fixture
def kernel() -> Kernel:
    kernel = Kernel()
    for boards in BOARDS.values():
        learn_network.forget(kernel, random.Random(1), boards)
    return kernel


@pytest.mark.long
@pytest.mark.parametrize("name", list(POSITIONS))
@pytest.mark.parametrize(("result", "chances"), [(0, (0, 0)), (1, (0, 1)), (2, (1, 0))])
def test_it_learns_a_result_however_the_board_is_turned(
    kernel: Kernel, result: int, chances: tuple[int, int], name: str
) -> None:
    begin = load(POSITIONS[name])
    line = str(begin.play(next(iter(begin.moves_with_prefix("")))))
    for number in range(ROUNDS * 8):
        learn(kernel, line, result, result / 2, turned=number % 8)
    for each in (line, mirror(line)):
        kernel.load(load(each))
        assert kernel.chances == pytest.approx(chances, abs=0.15)


@pytest.mark.long
@pytest.mark.parametrize("line", [str(start()), MORABARABA, "morabaraba 12 w1w/r1r/3/1w4/3/3/3 w 9,9 -"])
def test_it_learns_which_steps_are_searched(kernel: Kernel, line: str) -> None:
    """In the last position the steps differ in the man that they remove."""
    weights = Weights.load(line.split(maxsplit=1)[0])
    settings = weights.settings | {"network": 1.0, "temperature": 1.0}
    kernel.set_weights(replace(weights, settings=settings).pack())
    kernel.load(load(line))
    candidates = kernel.think(1, 1)
    wanted = 7
    shares = struct.pack(f"<{len(candidates)}f", *(index == wanted for index in range(len(candidates))))
    before = candidates[wanted].prior
    for _ in range(ROUNDS):
        learn(kernel, line, 1, 0.5, shares)
    kernel.load(load(line))
    after = kernel.think(1, 1)
    assert before < 0.3 < after[wanted].prior == max(each.prior for each in after)


@pytest.mark.long
@pytest.mark.parametrize(
    ("boards", "name"), list(zip(BOARDS, ("morelli 9", "morelli 13", "morabaraba"), strict=True))
)
def test_units_that_begin_with_zero_stay_zero(kernel: Kernel, boards: tuple[str, str], name: str) -> None:
    taught = BOARDS[boards]

    def read() -> list[bytes]:
        return [kernel.read_network(network) for network in NETWORKS]

    def count_zeros() -> int:
        numbers = read()[taught.network]
        return struct.unpack(f"<{len(numbers) // 4}f", numbers).count(0.0)

    learn_network.forget(kernel, random.Random(1), taught, units=3)
    zeros, before = count_zeros(), read()
    assert zeros == (taught.units - 3) * sum(rows for rows, _ in taught.layout)
    for _ in range(ROUNDS):
        learn(kernel, POSITIONS[name], 2, 1)
    assert [network for network in NETWORKS if read()[network] != before[network]] == [taught.network]
    assert count_zeros() == zeros


@pytest.mark.long
def test_it_is_asked_only_where_the_settings_say_so(kernel: Kernel) -> None:
    weights = Weights.load("morelli").small
    assert weights is not None
    kernel.load(start())
    priors = []
    for number in (1, 2):
        learn_network.forget(kernel, random.Random(number), BOARDS["morelli", "small"])
        for used in (0.0, 1.0):
            kernel.set_weights(replace(weights, settings=weights.settings | {"network": used}).pack())
            priors.append([each.prior for each in kernel.think(1, 1)])
    first, first_by_network, second, second_by_network = priors
    assert first == second
    assert first_by_network != second_by_network


@pytest.mark.long
@pytest.mark.parametrize("name", list(POSITIONS))
def test_the_value_is_the_same_for_both_sides_of_the_board(kernel: Kernel, name: str) -> None:
    """It sees own men and the opponent's, not the colours."""
    line = POSITIONS[name]
    first, second = "bw" if name.startswith("morelli") else "wr"
    rows, side = line.split()[2:4]
    exchanged = line.replace(rows, rows.translate(str.maketrans(first + second, second + first)))
    exchanged = exchanged.replace(f" {side} ", f" {second} ")
    assert side == first
    chances = []
    for each in (line, exchanged):
        kernel.load(load(each))
        chances.append(kernel.chances)
    assert chances[0] == chances[1] is not None


@pytest.mark.long
@pytest.mark.parametrize(
    "position",
    [start(setup="free"), start(size=13, setup="free"), GAMES["morphos"].initial_position()],
    ids=lambda each: str(each)[:12],
)
def test_set_up_and_other_games_have_no_network(kernel: Kernel, position: Position) -> None:
    kernel.load(position)
    assert kernel.chances is None
    example = Example(str(position).encode(), position.game.rules_version, 2, 1, b"")
    with pytest.raises(KernelError, match="No network knows"):
        kernel.learn(*example, 0, RATE)


@pytest.mark.long
def test_a_network_of_another_size_is_refused(kernel: Kernel) -> None:
    with pytest.raises(KernelError, match="4 bytes"):
        kernel.set_network(b"1234")


@pytest.mark.long
def test_shares_for_other_turns_stop_the_kernel(kernel: Kernel) -> None:
    example = Example(str(start()).encode(), 1, 2, 1, struct.pack("<2f", 0.5, 0.5))
    with pytest.raises(KernelError):
        kernel.learn(*example, 0, RATE)


def test_a_file_keeps_the_numbers_to_a_fraction_and_cuts_large_ones() -> None:
    numbers = (0.0, 1.25, -0.3333, 7.9, 100.0, -100.0)
    data = pack_network(struct.pack("<6f", *numbers))
    assert len(data) == 12
    kept = struct.unpack("<6f", unpack_network(data))
    assert kept == pytest.approx((0.0, 1.25, -0.3333, 7.9, 8.0, -8.0), abs=1 / SCALE)
    assert pack_network(unpack_network(data)) == data


@pytest.mark.long
@pytest.mark.parametrize(
    ("level", "sides", "line"),
    [
        (Level.EXPERT, "bw", "morelli nestor 9/9/3b5/2bw1b3/3wB4/3bw4/9/9/9 {} -"),
        (Level.MASTER, "bw", "morelli nestor 13/13/13/13/5b7/4bw1b5/5wB6/5bw6/13/13/13/13/13 {} -"),
        (Level.EXPERT, "wr", "morabaraba 12 w1w/1w1/r1w/w1w2r/r2/1w1/r1w {} 0,0 -"),
    ],
)
def test_the_files_in_the_repository_fit_the_kernel_and_know_who_wins(
    kernel: Kernel, level: Level, sides: str, line: str
) -> None:
    """The first side has the tower on the Centre near the end, or twice as many men."""
    weights = Weights.load(line.split(maxsplit=1)[0])
    kernel.load(load(line.format(sides[0])))
    kernel.set_network(weights.choose_for(level, kernel.phase, is_known=True).network)
    chances = []
    for side in sides:
        kernel.load(load(line.format(side)))
        assert kernel.chances is not None
        chances.append(kernel.chances[0])
    assert chances[0] > 0.6
    assert chances[1] < 0.4


@pytest.mark.long
@pytest.mark.parametrize("lesson", [PLAYOUT_LESSON, SMALL_LESSON], ids=["playouts", "network"])
@pytest.mark.parametrize(("game", "name"), list(BOARDS))
def test_a_game_to_learn_from_repeats_itself(kernel: Kernel, lesson: Lesson, game: str, name: str) -> None:
    boards = BOARDS[game, name]
    numbers = kernel.read_network(boards.network)
    player = Player(game, boards, lesson, numbers)
    examples = player.play(3)
    assert examples == Player(game, boards, lesson, numbers).play(3) != player.play(4)
    assert {each.result for each in examples} in ({0, 2}, {1})
    for example in examples:
        shares = struct.unpack(f"<{len(example.shares) // 4}f", example.shares)
        assert not shares or sum(shares) == pytest.approx(1, abs=1e-4)


@pytest.mark.long
def test_the_same_seed_teaches_the_same_with_any_number_of_processes() -> None:
    lessons = (
        Lesson(2, 10, value_share=0, rounds=1),
        Lesson(2, 10, value_share=1, latest=2, rounds=1),
        Lesson(2, 10, value_share=0.5, rounds=1),
    )
    small = BOARDS["morelli", "small"]
    taught = [
        [data for data, _ in learn_network.teach("morelli", small, lessons, 1, processes)]
        for processes in (1, 2)
    ]
    assert taught[0] == taught[1]
    assert len(set(taught[0])) == len(lessons)
    before = unpack_network(taught[0][1])
    ((last, _),) = learn_network.teach("morelli", small, lessons, 1, 1, taught=before, first=2)
    assert last == taught[0][2]


@pytest.mark.parametrize("number", ["0", "2", "6"])
def test_a_lesson_that_needs_earlier_games_cannot_be_the_first(
    number: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["learn_network", "morelli", "small", "--from-lesson", number])
    with pytest.raises(SystemExit):
        learn_network.main()
    assert "These lessons can be the first: 1, 5." in capsys.readouterr().err
