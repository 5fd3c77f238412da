"""The analysis of finished games: the order of the searches, losses, turning points, accuracy, the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ai.__main__ import run
from ai.game_analysis import (
    COMPARED_SIMULATIONS,
    DEEP_SIMULATIONS,
    PASSES,
    AnalysedGame,
    Assessment,
    NoAnalysisError,
    analyse,
    assess,
    find_accuracy,
    find_loss,
    find_turning_points,
    next_search,
    turn_accuracy,
)
from ai.report import format_report
from ai.search import Opponent
from engine import GAMES
from engine.game import Outcome
from engine.records import RESIGNED, Record, RecordEntry, format_record
from tests.toy_games import BREAKTHROUGH

if TYPE_CHECKING:
    from pathlib import Path

# After E1 White can no longer keep Black from connecting the stones; C3 would have kept the balance.
START = "morphos - wb3/1b3/5/1b3/w1w2 w 5 -"
BLUNDERED = ("E1", "B3", "E2", "B1")


@pytest.fixture(scope="module")
def opponent() -> Opponent:
    return Opponent.start()


def blundered_game() -> AnalysedGame:
    return AnalysedGame.from_turns(GAMES["morphos"].load(START), [(text,) for text in BLUNDERED])


@pytest.mark.long
def test_turn_that_loses_is_found_with_a_better_one(opponent: Opponent) -> None:
    game = blundered_game()
    assessments = analyse(opponent, game)
    assert assessments[0] == assess(opponent, game, assessments, (0, assessments[0].simulations))
    assert (assessments[3].chances, assessments[4].chances) == (1, 1)  # proven for Black
    (point,) = find_turning_points(game, assessments)
    assert point.number == 1
    assert point.loss == find_loss(game, assessments, 1) > 0.2
    assert all(find_loss(game, assessments, number) < 0.05 for number in (2, 3, 4))
    after = game.start
    assert point.line[: len(point.better)] == point.better != game.turns[point.number - 1].moves
    for text in point.line:
        after = after.play(after.parse(text))
    first, second = (find_accuracy(game, assessments, player) for player in (0, 1))
    assert first is not None
    assert second is not None
    assert second < 60
    assert first > 80


@pytest.mark.parametrize(
    ("line", "played", "better", "loss"),
    [
        # Red can win; expert, too, often plays the capture instead, after which White is better.
        ("1ww/wrw/rwr/1rw2w/rrw/w1r/1rw r 2,3 -", "D2xE3", {"A7"}, 0.2),
        ("3/3/3/1r4/1w1/www/rr1 w 0,0 -", "F2-G1", {"B2-C3", "F2-E3"}, 0.2),
    ],
)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])
def test_mistake_that_a_short_search_would_make_too_is_found(
    opponent: Opponent, line: str, played: str, better: set[str], loss: float, seed: int
) -> None:
    game = AnalysedGame.from_turns(GAMES["morabaraba"].load(f"morabaraba 12 {line}"), [(played,)])
    assessments = analyse(opponent, game, seed)
    (point,) = find_turning_points(game, assessments)
    assert point.better[0] in better
    assert point.loss > loss
    accuracy = find_accuracy(game, assessments, game.turns[0].player)
    assert accuracy is not None
    assert accuracy < 50


@pytest.mark.long
def test_turn_that_the_search_prefers_is_compared_with_the_best_other_one(opponent: Opponent) -> None:
    game = blundered_game()
    game = AnalysedGame(game.start, game.turns[:1])
    known = {
        0: Assessment(DEEP_SIMULATIONS, 0.1, BLUNDERED),
        1: Assessment(DEEP_SIMULATIONS, 0.9, BLUNDERED[1:]),
    }
    # White was thought to win with E1, and does not after it.
    assert find_loss(game, known, 1) == pytest.approx(0.8)
    assert find_turning_points(game, known) == []  # no better turn is known yet
    search = next_search(game, known)
    assert search == (0, COMPARED_SIMULATIONS)
    known[0] = assess(opponent, game, known, search)
    assert known[0].line[0] != "E1"
    assert 0.1 < known[0].chances < 0.9
    assert next_search(game, known) is None
    (point,) = find_turning_points(game, known)
    assert point.better == known[0].line[:1]


def test_turn_that_no_other_one_betters_has_lost_nothing(opponent: Opponent) -> None:
    position = GAMES["morphos"].load("morphos - wb3/1b3/1b3/1b3/w1w2 w 7 -")  # only B1 averts the loss
    game = AnalysedGame.from_turns(position, [("B1",)])
    known = {
        0: Assessment(DEEP_SIMULATIONS, 0.1, ("B1", "C1")),
        1: Assessment(DEEP_SIMULATIONS, 0.6, ("C1", "C2")),
    }
    search = next_search(game, known)
    assert search == (0, COMPARED_SIMULATIONS)
    known[0] = assess(opponent, game, known, search)
    assert known[0] == Assessment(COMPARED_SIMULATIONS, 0.6, ("B1", "C1", "C2"))
    assert (find_loss(game, known, 1), next_search(game, known)) == (0, None)


def test_every_turning_point_is_found_in_the_order_of_the_game() -> None:
    game = blundered_game()
    known = {
        number: Assessment(COMPARED_SIMULATIONS, chances, ("C3",))
        for number, chances in enumerate((0.2, 0.5, 0.3, 0.6, 0.2))
    }
    points = find_turning_points(game, known)
    assert [point.number for point in points] == [1, 2, 3, 4]
    assert [point.loss for point in points] == pytest.approx([0.3, 0.2, 0.3, 0.4])


def test_every_position_is_searched_before_any_is_searched_more_deeply() -> None:
    game, known = blundered_game(), dict[int, Assessment]()
    chances, searches = (0.5, 0.52, 0.5, 0.59, 0.59), []
    while (search := next_search(game, known)) is not None:
        searches.append(search)
        known[search[0]] = Assessment(search[1], chances[search[0]], ("A1",))
    assert searches == [
        *((number, simulations) for simulations in PASSES for number in range(5)),
        (2, DEEP_SIMULATIONS),
        (3, DEEP_SIMULATIONS),
    ]
    assert find_turning_points(game, known) == []  # less than 10 points


def test_player_is_the_same_after_the_players_have_changed_sides() -> None:
    game = AnalysedGame.from_turns(GAMES["morphos"].initial_position(), [("G7",), ("swap",), ("A1",)])
    assert [(turn.player, turn.swapped) for turn in game.turns] == [(0, False), (1, True), (0, True)]
    known = {number: Assessment(1, chances) for number, chances in enumerate((0.5, 0.3, 0.6, 0.4))}
    losses = [find_loss(game, known, number) for number in (1, 2, 3)]
    assert losses == pytest.approx([0.2, 0.3, 0.2])


@pytest.mark.parametrize(
    ("loss", "accuracy"), [(0.0, 100), (0.05, 80.8), (0.1, 64.6), (0.3, 25.8), (0.5, 9.5), (1.0, 0)]
)
def test_accuracy_is_that_of_lichess(loss: float, accuracy: float) -> None:
    assert turn_accuracy(loss) == pytest.approx(accuracy, abs=0.05)


def test_without_the_kernel_there_is_no_analysis() -> None:
    game = AnalysedGame.from_turns(BREAKTHROUGH.initial_position(), [])
    for opponent in (Opponent.start(), Opponent(None)):
        with pytest.raises(NoAnalysisError):
            assess(opponent, game, {}, (0, 10))


@pytest.mark.long
def test_record_is_analysed_on_the_terminal(
    opponent: Opponent, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = GAMES["morabaraba"]
    entries = tuple(RecordEntry(text) for text in ("D2", "D6", "A1", "B2"))
    record = Record(
        rules.name,
        rules.rules_version,
        rules.complete_options(),
        entries,
        players=("Ann", "\x1b[2JBen\u202e"),
        result=Outcome.RED,
        reason=RESIGNED,
    )
    path = tmp_path / "game.txt"
    path.write_text(format_record(record), "utf-8")
    assert run(["analyse", str(path)], opponent) == 0
    report = capsys.readouterr().out
    assert [line.split()[:3] for line in report.splitlines()[2:6]] == [
        [str(number), name, entry.move]
        for number, (name, entry) in enumerate(
            zip(("Ann", r"\u001b[2JBen\u202e") * 2, entries, strict=True), 1
        )
    ]
    assert all(map(str.isprintable, report.splitlines()))
    assert report.count("Accuracy of") == 2
    with pytest.raises(SystemExit):
        run(["analyse", str(tmp_path / "missing.txt")], opponent)


def test_report_says_what_a_turn_allows_and_why_another_is_better() -> None:
    rules, start = GAMES["morphos"], "morphos - 3b1/2b2/5/wwb2/2bw1 w 7 -"
    game = AnalysedGame.from_turns(rules.load(start), [("B5",)])
    options: dict[str, str | int] = {"size": 5, "mutators": "-"}
    record = Record(rules.name, rules.rules_version, options, (RecordEntry("B5"),), start=start)
    assessments = {0: Assessment(6400, 0.5, ("C3", "D4")), 1: Assessment(6400, 0.9)}
    (line,) = [line for line in format_report(record, game, assessments).splitlines() if "Better" in line]
    assert line == (
        "Turn 1: White played B5, chances down 40 points (allows forced connection: C3). "
        "Better: C3 (lengthens connection (2 before, 3 now); takes shared points: C3), then perhaps D4."
    )
