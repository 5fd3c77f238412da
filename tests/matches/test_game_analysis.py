"""Analyses of finished games: who may ask for how many, the work on them, and what is stored."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from engine.game import Outcome
from engine.records import format_record
from matches import (
    AnalysisStatus,
    Assessment,
    GameAnalysis,
    Matches,
    MatchId,
    MatchState,
    Replay,
    TurnComparison,
    TurningPoint,
    find_reasons,
)
from matches.game_analysis import service, values
from matches.records.from_match import record_from_history
from tests.matches.scenario import (
    ALICE,
    BOB,
    CHANNEL,
    NOON,
    SERVER,
    later,
    legal_move,
    play_move,
    start_match,
)
from tests.matches.test_records import OPENING
from tests.refusals import refused

if TYPE_CHECKING:
    from engine.records import Record
    from matches import MatchView, Replay

POINT = TurningPoint(1, 0.125, ("C1-D2",), ("C1-D2", "A2-B3"))
PARTIAL = GameAnalysis(AnalysisStatus.REFINING, (Assessment(1600, 0.5), None))
RESULT = GameAnalysis(
    AnalysisStatus.REFINING,
    (Assessment(1600, 0.5, ("C1-D2",)), Assessment(6400, 0.375)),
    (POINT,),
    (81.5, None),
)


async def finished_match(matches: Matches) -> Replay:
    view = (await play_move(matches, await start_match(matches))).match
    await matches.resign(view.id, ALICE, now=NOON)
    return await matches.replay(view.id, now=NOON)


async def test_analysis_is_done_step_by_step_and_shared(matches: Matches) -> None:
    analyses = matches.game_analyses
    replay = await finished_match(matches)
    assert (await analyses.get(replay), await analyses.claim(now=NOON)) == (None, None)
    assert (await analyses.request(replay, ALICE, now=NOON)).status is AnalysisStatus.WAITING
    job = await analyses.claim(now=NOON)
    assert job is not None
    assert (job.replay, job.assessments) == (replay, ())
    assert await analyses.claim(now=NOON + service.LEASE / 2) is None  # another process
    await analyses.save(job.id, PARTIAL, now=NOON)
    shown = await analyses.get(replay)
    assert shown is not None
    assert (shown.status, shown.chances) == (AnalysisStatus.WAITING, (0.5,))

    job = await analyses.claim(now=NOON)
    assert job is not None
    assert job.assessments == PARTIAL.assessments
    await analyses.save(job.id, RESULT, now=NOON)
    assert await analyses.request(replay, BOB, now=NOON) == RESULT

    newer = await finished_match(matches)
    await analyses.request(newer, None, now=later(minutes=5))
    job = await analyses.claim(now=later(minutes=5))  # of a killed process: its lease ends
    assert job is not None
    assert job.replay.match == newer.match
    job = await analyses.claim(now=later(minutes=5))
    assert job is not None
    assert job.replay.match == replay.match
    complete = replace(RESULT, status=AnalysisStatus.COMPLETE)
    await analyses.save(job.id, complete, now=NOON)
    assert await analyses.get(replay) == complete
    job = await analyses.claim(now=later(minutes=10))
    assert job is not None
    await analyses.give_up(job.id)
    given_up = await analyses.get(newer)
    assert given_up is not None
    assert given_up.status is AnalysisStatus.IMPOSSIBLE
    assert not await analyses.has_work(now=later(days=1))

    # Whoever asks for what was impossible has it tried again.
    again = later(days=1)
    assert (await analyses.request(newer, ALICE, now=again)).status is AnalysisStatus.WAITING
    job = await analyses.claim(now=again)
    assert job is not None
    assert job.replay.match == newer.match
    await analyses.save(job.id, complete, now=again)
    assert await analyses.request(newer, ALICE, now=again) == complete
    assert not await analyses.has_work(now=later(days=2))


async def test_analysis_of_an_earlier_version_is_made_again_when_somebody_asks(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyses, complete = matches.game_analyses, replace(RESULT, status=AnalysisStatus.COMPLETE)
    old, open_one = await finished_match(matches), await finished_match(matches)
    with monkeypatch.context() as patch:
        patch.setattr(values, "VERSION", values.VERSION - 1)
        for replay, result in ((old, complete), (open_one, RESULT)):
            await analyses.request(replay, ALICE, now=NOON)
            job = await analyses.claim(now=NOON)
            assert job is not None
            await analyses.save(job.id, result, now=NOON)
            assert await analyses.get(replay) == result
            if result is complete:
                assert not await analyses.has_work(now=NOON)
    assert await analyses.get(old) is None
    waiting = GameAnalysis(AnalysisStatus.WAITING)
    assert await analyses.get(open_one) == waiting
    job = await analyses.claim(now=NOON)
    assert job is not None
    assert (job.replay.match, job.assessments) == (open_one.match, ())
    await analyses.save(job.id, complete, now=NOON)

    assert await analyses.request(old, BOB, now=NOON) == waiting
    assert await analyses.request(old, ALICE, now=NOON) == waiting
    job = await analyses.claim(now=NOON)
    assert job is not None
    assert (job.replay.match, job.assessments) == (old.match, ())
    await analyses.save(job.id, complete, now=NOON)
    assert await analyses.get(old) == complete


def test_three_turning_points_are_the_main_ones() -> None:
    losses = {3: 0.2, 5: 0.5, 8: 0.2, 9: 0.1, 12: 0.3}
    points = tuple(replace(POINT, number=number, loss=loss) for number, loss in losses.items())
    analysis = replace(RESULT, turning_points=points)
    assert [point.number for point in analysis.main_turning_points] == [3, 5, 12]
    assert [point.number for point in analysis.further_turning_points] == [8, 9]


@pytest.mark.long
async def test_only_finished_games_are_analysed_and_only_so_many_a_day(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyses = matches.game_analyses
    monkeypatch.setattr(service, "MAX_REQUESTS_PER_DAY", 1)
    monkeypatch.setattr(service, "MAX_VISITOR_REQUESTS_PER_DAY", 1)
    running = (await play_move(matches, await start_match(matches))).match
    unplayed = await start_match(matches)
    await matches.resign(unplayed.id, ALICE, now=NOON)
    for match in (running.id, unplayed.id):
        with refused("game_not_finished"):
            await analyses.request(await matches.replay(MatchId(match), now=NOON), ALICE, now=NOON)
    unfinished = await matches.records.import_record(
        format_record(OPENING).encode(), ALICE, server=SERVER, now=NOON
    )
    with refused("game_not_finished"):
        await analyses.request(unfinished, ALICE, now=NOON)

    first, second, third = [await finished_match(matches) for _ in range(3)]
    await analyses.request(first, ALICE, now=NOON)
    await analyses.request(first, ALICE, now=NOON)
    with refused("too_many_analyses"):
        await analyses.request(second, ALICE, now=later(hours=23))
    await analyses.request(second, None, now=NOON)
    with refused("too_many_visitor_analyses"):
        await analyses.request(third, None, now=NOON)
    await analyses.request(third, ALICE, now=NOON + timedelta(days=1))


def as_finished(record: Record, moves: int, *, start: int = 0) -> bytes:
    """Return a record of some moves of another one as a game that was resigned."""
    position = [*record.positions()][start]
    text = format_record(
        replace(
            record,
            entries=record.entries[start:moves],
            start=str(position),
            result=Outcome.WHITE,
            reason="resigned",
        )
    )
    return text.encode()


async def play_turns(matches: Matches, count: int) -> MatchView:
    view = await start_match(matches)
    for _ in range(count):
        view = (await play_move(matches, view)).match
    return view


@pytest.mark.parametrize(
    ("played", "moves", "start", "is_refused"),
    [
        (8, 8, 0, True),  # the match itself
        (8, 12, 0, True),  # continued
        (8, 12, 5, True),  # from a later board
        (8, 6, 0, True),  # shortly before
        (8, 3, 0, False),
        (8, 12, 9, False),
        (5, 12, 0, False),  # an opening
        (8, 5, 0, False),  # that has only the opening in common
    ],
)
async def test_game_like_a_match_under_way_is_not_analysed(
    matches: Matches, played: int, moves: int, start: int, is_refused: bool
) -> None:
    whole = await play_turns(matches, 12)
    record = record_from_history(await matches.views.history(whole.id))
    await matches.resign(whole.id, ALICE, now=NOON)
    running = await play_turns(matches, played)
    data = as_finished(record, moves, start=start)
    game = await matches.records.import_record(data, BOB, server="test:elsewhere", now=NOON)
    if is_refused:
        with refused("game_under_way"):
            await matches.game_analyses.request(game, None, now=NOON)
        assert await matches.game_analyses.claim(now=NOON) is None
        await matches.resign(running.id, ALICE, now=NOON)
    assert (await matches.game_analyses.request(game, None, now=NOON)).status is AnalysisStatus.WAITING


async def test_finished_match_like_one_under_way_is_not_analysed(matches: Matches) -> None:
    copied, running = await play_turns(matches, 9), await play_turns(matches, 8)
    await matches.resign(copied.id, ALICE, now=NOON)
    replay = await matches.replay(copied.id, now=NOON)
    with refused("game_under_way"):
        await matches.game_analyses.request(replay, ALICE, now=NOON)
    other = next(index for index in range(1, 50) if legal_move(running, index) != legal_move(running))
    for _ in range(4):
        running = (await play_move(matches, running, legal_move(running, other))).match
    await matches.game_analyses.request(replay, ALICE, now=NOON)


async def test_computer_does_not_continue_a_match_under_way(matches: Matches) -> None:
    running = await play_turns(matches, 8)
    record = record_from_history(await matches.views.history(running.id))
    game = await matches.records.import_record(format_record(record).encode(), ALICE, server=SERVER, now=NOON)
    assert game.record is not None
    update = await matches.challenges.create_from_record(
        game.record, ALICE, server=SERVER, channel=CHANNEL, now=NOON
    )
    with refused("game_under_way"):
        await matches.computer.take_challenge(update.challenge.id, ALICE, level="expert", now=NOON)
    await matches.resign(running.id, ALICE, now=NOON)
    taken = await matches.computer.take_challenge(update.challenge.id, ALICE, level="expert", now=NOON)
    assert taken.match.state is MatchState.PLAYING


async def test_imported_record_is_analysed_for_its_server(matches: Matches) -> None:
    text = format_record(OPENING).replace('[Result "*"]', '[Result "white"]\n[Reason "resigned"]')
    text = text[: text.rindex("*")] + "white\n"
    replay = await matches.records.import_record(text.encode(), ALICE, server=SERVER, now=NOON)
    await matches.game_analyses.request(replay, ALICE, now=NOON)
    job = await matches.game_analyses.claim(now=NOON)
    assert job is not None
    assert (job.replay.record, job.replay.turn_count) == (replay.record, 2)


async def test_better_turn_that_is_not_legal_has_no_reasons(matches: Matches) -> None:
    replay = await finished_match(matches)
    points = (replace(POINT, better=("Z9-Z8",)),)
    assert find_reasons(replay, replace(RESULT, turning_points=points)) == {1: TurnComparison()}
