"""Mistakes as tasks: whose they are, and how a turn is judged by the turns that were assessed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from matches import (
    AnalysisStatus,
    AssessedTurn,
    GameAnalysis,
    Matches,
    Mistake,
    Person,
    Replay,
    TurningPoint,
    TurnVerdict,
    find_mistakes,
)
from matches.game_analysis.values import format_analysis, parse_analysis
from tests.matches.scenario import ALICE, BOB, NOON, play_move, start_match

COMPLETE = GameAnalysis(AnalysisStatus.COMPLETE)


async def play_game(matches: Matches, *moves: str, game: str = "morabaraba") -> Replay:
    view = await start_match(matches, {}, game=game)
    for text in moves:
        view = (await play_move(matches, view, text)).match
    await matches.resign(view.id, ALICE, now=NOON)
    return await matches.replay(view.id, now=NOON)


def make_point(number: int, played: str, **chances: tuple[int, float]) -> TurningPoint:
    """Return a turning point with a better turn, G1, of 70 percent and the simulations of further turns."""
    assessed = {"G1": (6400, 0.7), played: (6400, 0.4), **chances}
    turns = tuple(AssessedTurn((text,), *values) for text, values in assessed.items())
    return TurningPoint(number, 0.3, ("G1",), ("G1", "G4", "G7"), turns)


@pytest.fixture
async def mistake(matches: Matches) -> Mistake:
    replay = await play_game(matches, "D2", "D6", "A1")
    point = make_point(
        1, "D2", B2=(6400, 0.66), B4=(6400, 0.62), B6=(6400, 0.59), D1=(1600, 0.57), D3=(1600, 0.54),
        A4=(400, 0.68), A7=(400, 0.47), D5=(400, 0.44),
    )  # fmt: skip
    (found,) = find_mistakes(replay, replace(COMPLETE, turning_points=(point,)), 0)
    return found


@pytest.mark.parametrize(
    ("text", "verdict", "points"),
    [
        ("G1", TurnVerdict.GOOD, 0),
        ("B2", TurnVerdict.GOOD, 0),
        ("B4", TurnVerdict.OTHER, 0),  # not as good, but within the error of a search
        ("B6", TurnVerdict.LOSES, 11),
        ("D1", TurnVerdict.OTHER, 0),
        ("D3", TurnVerdict.LOSES, 16),
        ("A4", TurnVerdict.OTHER, 0),  # hardly searched, so nobody knows whether it is good
        ("A7", TurnVerdict.OTHER, 0),
        ("D5", TurnVerdict.LOSES, 26),
        ("E5", TurnVerdict.OTHER, 0),  # not assessed
        ("D2", TurnVerdict.PLAYED, 30),
    ],
)
async def test_turn_is_judged_by_what_is_known_of_it(
    mistake: Mistake, text: str, verdict: TurnVerdict, points: int
) -> None:
    tried = mistake.judge([text])
    assert (tried.moves, tried.verdict, tried.points) == ((text,), verdict, points)


async def test_mistakes_are_those_of_one_player_in_the_order_of_the_game(matches: Matches) -> None:
    replay = await play_game(matches, "D2", "D6", "A1", "B2")
    points = (make_point(1, "D2"), make_point(2, "D6"), make_point(3, "A1"))
    analysis = replace(COMPLETE, turning_points=points)
    first, second = (find_mistakes(replay, analysis, player) for player in (0, 1))
    assert [(one.point.number, one.index, one.count) for one in first] == [(1, 0, 2), (3, 1, 2)]
    assert [(one.point.number, one.index, one.count) for one in second] == [(2, 0, 1)]
    assert (first[0].seat.person, second[0].seat.person) == (ALICE, BOB)
    assert first[1].position == replay.turn_at(2).position
    assert (first[0].played, first[0].points) == (("D2",), 30)


async def test_mistake_belongs_to_its_player_after_the_players_have_changed_sides(matches: Matches) -> None:
    replay = await play_game(matches, "G7", "swap", "A1", "B1", game="morphos")
    nobody = Person("", "")
    nameless = replace(
        replay,
        turns=tuple(
            replace(
                turn,
                seats=(replace(turn.seats[0], person=nobody), replace(turn.seats[1], person=nobody)),
            )
            for turn in replay.turns
        ),
    )
    assessed = tuple(AssessedTurn((text,), 6400, value) for text, value in (("C3", 0.7), ("A1", 0.3)))
    point = TurningPoint(3, 0.4, ("C3",), ("C3",), assessed)
    for game in (replay, nameless):
        analysis = replace(COMPLETE, turning_points=(point,))
        assert [len(find_mistakes(game, analysis, player)) for player in (0, 1)] == [1, 0]
    (mistake,) = find_mistakes(replay, replace(COMPLETE, turning_points=(point,)), 0)
    assert (mistake.seat.person, mistake.seat.side) == (ALICE, replay.turn_at(3).side)


async def test_turning_point_without_a_turn_that_is_surely_better_is_no_task(matches: Matches) -> None:
    replay = await play_game(matches, "D2", "D6")
    for point in (
        make_point(1, "D2", D2=(6400, 0.65)),
        replace(make_point(1, "D2"), turns=()),
        replace(make_point(1, "D2"), turns=(AssessedTurn(("G1",), 6400, 0.7),)),
    ):
        assert find_mistakes(replay, replace(COMPLETE, turning_points=(point,)), 0) == ()


@pytest.mark.parametrize("status", [one for one in AnalysisStatus if one is not AnalysisStatus.COMPLETE])
async def test_there_are_no_tasks_before_the_analysis_is_complete(
    matches: Matches, status: AnalysisStatus
) -> None:
    replay = await play_game(matches, "D2", "D6")
    analysis = GameAnalysis(status, turning_points=(make_point(1, "D2"),))
    assert (find_mistakes(replay, analysis, 0), find_mistakes(replay, None, 0)) == ((), ())


def test_assessed_turns_are_stored() -> None:
    analysis = replace(COMPLETE, turning_points=(make_point(1, "D2", B2=(1600, 0.1234)),))
    assert parse_analysis(format_analysis(analysis), is_open=False) == analysis
