"""Analysis lines: conditional moves from an analysis, and storing long lines."""

import pytest

from matches import Matches, MatchView
from matches.people.analysis_lines import (
    MAX_STORED_LINES,
    AnalysisLineId,
    conditional_line_from,
    split_complete_turns,
)
from matches.turns import play_moves
from tests.matches.scenario import ALICE, BOB, FREE, NOON, legal_move, play_move, start_match


async def analysis_from_start(matches: Matches, view: MatchView, *texts: str) -> list[str]:
    """Return the conditional line of an analysis that Bob makes from the initial position."""
    start = (await matches.view(view.id, ply=0, now=NOON)).position
    assert start is not None
    saved = await matches.conditionals.get(view.id, BOB)
    return [",".join(turn) for turn in conditional_line_from(saved, start, play_moves(view.id, start, texts))]


async def start_morabaraba(matches: Matches, *texts: str) -> MatchView:
    view = await start_match(matches, {}, game="morabaraba")
    for text in texts:
        view = (await play_move(matches, view, text)).match
    return view


@pytest.mark.parametrize(
    ("analysis", "line"),
    [
        ("", ""),
        ("A1", ""),
        ("A1 G7", "A1 G7"),
        ("A1 G7 D3", "A1 G7"),
        ("A1 G7 D3 D5", "A1 G7 D3 D5"),
    ],
)
async def test_line_ends_with_an_own_turn(matches: Matches, analysis: str, line: str) -> None:
    assert (
        await analysis_from_start(matches, await start_morabaraba(matches), *analysis.split()) == line.split()
    )


@pytest.mark.parametrize(
    ("analysis", "line"),
    [
        ("A1 G7 D3 D5", "D3 D5"),
        ("A1 G7", ""),
        ("A1 B2 D3 D5", ""),
        ("D3 D5 A1 G7", ""),
    ],
    ids=["goes on from it", "ends there", "leaves the match", "leaves it at once"],
)
async def test_line_starts_at_the_current_board(matches: Matches, analysis: str, line: str) -> None:
    assert (
        await analysis_from_start(matches, await start_morabaraba(matches, "A1", "G7"), *analysis.split())
        == line.split()
    )


async def test_nothing_can_be_saved_in_ones_own_turn(matches: Matches) -> None:
    assert (
        await analysis_from_start(matches, await start_morabaraba(matches, "A1"), "A1", "G7", "D3", "D5")
        == []
    )


async def test_moves_are_split_into_turns(matches: Matches) -> None:
    view = await start_match(matches, FREE)
    assert view.position is not None
    moves = play_moves(view.id, view.position, ["A1", "B1", "C1", "D1"])
    assert split_complete_turns(view.position, moves) == ((("A1",), ("B1", "C1")), ("D1",))


async def test_unfinished_turn_is_left_out(matches: Matches) -> None:
    view = await start_match(matches, FREE)
    assert await analysis_from_start(matches, view, "A1", "B1", "C1", "D1") == ["A1", "B1,C1"]
    assert await analysis_from_start(matches, view, "A1", "B1") == []


async def test_only_its_author_finds_a_line(matches: Matches, other_matches: Matches) -> None:
    number = await matches.people.analysis_lines.save("A1.G7", ALICE, now=NOON)
    assert await other_matches.people.analysis_lines.get(number, ALICE) == "A1.G7"
    assert await matches.people.analysis_lines.get(number, BOB) is None
    assert await matches.people.analysis_lines.get(AnalysisLineId(number + 1), ALICE) is None


async def test_equal_lines_are_stored_once(matches: Matches) -> None:
    first = await matches.people.analysis_lines.save("A1.G7", ALICE, now=NOON)
    assert await matches.people.analysis_lines.save("A1.G7", ALICE, now=NOON) == first
    assert await matches.people.analysis_lines.save("A1.G7", BOB, now=NOON) != first


@pytest.mark.long
async def test_only_the_latest_lines_of_a_person_are_kept(matches: Matches) -> None:
    theirs = await matches.people.analysis_lines.save("other", BOB, now=NOON)
    numbers = [
        await matches.people.analysis_lines.save(f"line {n}", ALICE, now=NOON)
        for n in range(MAX_STORED_LINES + 2)
    ]
    kept = [await matches.people.analysis_lines.get(number, ALICE) is not None for number in numbers]
    assert kept == [False, False, *[True] * MAX_STORED_LINES]
    assert await matches.people.analysis_lines.get(theirs, BOB) == "other"


async def test_analysis_does_not_change_the_match(matches: Matches) -> None:
    view = await start_match(matches)
    await analysis_from_start(matches, view, legal_move(view))
    assert await matches.view(view.id, now=NOON) == view
