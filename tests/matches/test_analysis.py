"""Analyses: what of them can be settled beforehand, and where long lines are put away."""

import pytest

from matches import Matches, MatchView
from matches.analysis import MOST, SketchId, line_from, whole_turns
from matches.moving import moved
from tests.matches.story import ALICE, BOB, FREE, NOON, begin, legal, move


async def from_start(matches: Matches, view: MatchView, *texts: str) -> list[str]:
    """Give what can be settled of an analysis that Bob makes from the first board."""
    start = (await matches.view(view.id, at=0, now=NOON)).position
    assert start is not None
    settled = await matches.conditionals.of(view.id, BOB)
    return [",".join(turn) for turn in line_from(settled, start, moved(view.id, start, texts))]


async def men(matches: Matches, *texts: str) -> MatchView:
    view = await begin(matches, {}, game="morabaraba")
    for text in texts:
        view = (await move(matches, view, text)).match
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
    assert await from_start(matches, await men(matches), *analysis.split()) == line.split()


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
async def test_line_begins_at_the_present_board(matches: Matches, analysis: str, line: str) -> None:
    assert await from_start(matches, await men(matches, "A1", "G7"), *analysis.split()) == line.split()


async def test_nothing_can_be_settled_in_ones_own_turn(matches: Matches) -> None:
    assert await from_start(matches, await men(matches, "A1"), "A1", "G7", "D3", "D5") == []


async def test_moves_are_parted_into_turns(matches: Matches) -> None:
    view = await begin(matches, FREE)
    assert view.position is not None
    moves = moved(view.id, view.position, ["A1", "B1", "C1", "D1"])
    assert whole_turns(view.position, moves) == ((("A1",), ("B1", "C1")), ("D1",))


async def test_unfinished_turn_is_left_out(matches: Matches) -> None:
    view = await begin(matches, FREE)
    assert await from_start(matches, view, "A1", "B1", "C1", "D1") == ["A1", "B1,C1"]
    assert await from_start(matches, view, "A1", "B1") == []


async def test_line_is_found_again_by_its_person_alone(matches: Matches, elsewhere: Matches) -> None:
    number = await matches.drawer.put("A1.G7", ALICE, now=NOON)
    assert await elsewhere.drawer.get(number, ALICE) == "A1.G7"
    assert await matches.drawer.get(number, BOB) is None
    assert await matches.drawer.get(SketchId(number + 1), ALICE) is None


async def test_same_line_is_put_away_once(matches: Matches) -> None:
    first = await matches.drawer.put("A1.G7", ALICE, now=NOON)
    assert await matches.drawer.put("A1.G7", ALICE, now=NOON) == first
    assert await matches.drawer.put("A1.G7", BOB, now=NOON) != first


async def test_latest_lines_of_a_person_are_kept(matches: Matches) -> None:
    theirs = await matches.drawer.put("other", BOB, now=NOON)
    numbers = [await matches.drawer.put(f"line {n}", ALICE, now=NOON) for n in range(MOST + 2)]
    kept = [await matches.drawer.get(number, ALICE) is not None for number in numbers]
    assert kept == [False, False, *[True] * MOST]
    assert await matches.drawer.get(theirs, BOB) == "other"


async def test_analysis_leaves_the_match_alone(matches: Matches) -> None:
    view = await begin(matches)
    await from_start(matches, view, legal(view))
    assert await matches.view(view.id, now=NOON) == view
