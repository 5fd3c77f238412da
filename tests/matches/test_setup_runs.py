import pytest

from engine.game import EventKind, Side
from matches import (
    AnnouncementKind,
    Matches,
    MatchView,
    MoveIllegal,
    NotYourTurn,
    StaleBoard,
    TooManyMoves,
    Turn,
)
from tests.matches.story import ALICE, BOB, FREE, NOON, begin, legal, mover, told


async def opened(matches: Matches) -> MatchView:
    """Begin a free set-up and place Black's first stone; White now owes two."""
    view = await begin(matches, FREE)
    return (await matches.play(view.id, ALICE, ["A1"], seen_ply=0, now=NOON)).match


def texts(turn: Turn) -> list[str]:
    return [played.text for played in turn.match.last]


async def test_first_placement_is_a_run_of_one(matches: Matches) -> None:
    view = await begin(matches, FREE)
    assert (mover(view), view.due) == (ALICE, 1)
    turn = await matches.play(view.id, ALICE, ["A1"], now=NOON)
    assert told(turn.announcement).whom == (BOB.account,)
    assert (mover(turn.match), turn.match.due) == (BOB, 2)


async def test_whole_run_in_one_call_is_one_announcement(matches: Matches) -> None:
    view = await opened(matches)
    turn = await matches.play(view.id, BOB, ["A2", "A3"], seen_ply=1, now=NOON)
    announcement = told(turn.announcement)
    assert (announcement.kind, announcement.first_ply, announcement.ply) == (AnnouncementKind.TURN, 2, 3)
    assert [(played.ply, played.turn, played.text) for played in turn.match.last] == [
        (2, 2, "A2"),
        (3, 2, "A3"),
    ]
    assert all(event.kind is EventKind.PLACE for played in turn.match.last for event in played.events)
    assert (turn.match.run, mover(turn.match), turn.match.due) == ((), ALICE, 2)


async def test_part_of_a_run_is_committed_and_silent(matches: Matches) -> None:
    view = await opened(matches)
    turn = await matches.play(view.id, BOB, ["A2"], seen_ply=1, now=NOON)
    assert (turn.announcement, turn.match.ply, mover(turn.match), turn.match.due) == (None, 2, BOB, 1)
    assert texts(turn) == ["A1"]
    assert [played.text for played in turn.match.run] == ["A2"]
    assert await matches.view(view.id, now=NOON) == turn.match


async def test_rest_of_a_run_is_played_from_the_board_that_was_posted(matches: Matches) -> None:
    view = await opened(matches)
    await matches.play(view.id, BOB, ["A2"], seen_ply=1, now=NOON)
    turn = await matches.play(view.id, BOB, ["A3"], seen_ply=1, now=NOON)
    announcement = told(turn.announcement)
    assert (announcement.first_ply, announcement.ply) == (2, 3)
    assert texts(turn) == ["A2", "A3"]
    assert await matches.view(view.id, now=NOON) == turn.match


async def test_rest_of_a_run_is_played_from_the_board_as_it_is(matches: Matches) -> None:
    view = await opened(matches)
    await matches.play(view.id, BOB, ["A2"], seen_ply=1, now=NOON)
    turn = await matches.play(view.id, BOB, ["A3"], seen_ply=2, exact=True, now=NOON)
    assert turn.match.ply == 3


async def test_preview_of_a_board_before_ones_own_placement_is_stale(matches: Matches) -> None:
    view = await opened(matches)
    await matches.play(view.id, BOB, ["A2"], seen_ply=1, now=NOON)
    with pytest.raises(StaleBoard):
        await matches.play(view.id, BOB, ["A3"], seen_ply=1, exact=True, now=NOON)


async def test_board_of_an_earlier_run_is_stale(matches: Matches) -> None:
    view = await opened(matches)
    await matches.play(view.id, BOB, ["A2", "A3"], seen_ply=1, now=NOON)
    with pytest.raises(StaleBoard):
        await matches.play(view.id, BOB, ["A4", "A5"], seen_ply=1, now=NOON)


async def test_placement_that_comes_twice_is_made_once(matches: Matches) -> None:
    view = await opened(matches)
    await matches.play(view.id, BOB, ["A2"], seen_ply=1, now=NOON)
    with pytest.raises(MoveIllegal):
        await matches.play(view.id, BOB, ["A2"], seen_ply=1, now=NOON)
    assert (await matches.view(view.id, now=NOON)).ply == 2


async def test_run_with_one_impossible_placement_is_not_begun(matches: Matches) -> None:
    view = await opened(matches)
    with pytest.raises(MoveIllegal) as caught:
        await matches.play(view.id, BOB, ["A2", "A1"], seen_ply=1, now=NOON)
    assert (caught.value.values["index"], caught.value.values["text"]) == (1, "A1")
    assert await matches.view(view.id, now=NOON) == view


@pytest.mark.parametrize("given", [["A2", "A3", "A4"], ["A2", "A3", "A4", "A5"]])
async def test_more_than_is_due_is_refused(matches: Matches, given: list[str]) -> None:
    view = await opened(matches)
    with pytest.raises(TooManyMoves) as caught:
        await matches.play(view.id, BOB, given, now=NOON)
    assert caught.value.values == {"match": view.id, "due": 2, "given": len(given)}


async def test_other_side_does_not_place_within_a_run(matches: Matches) -> None:
    view = await opened(matches)
    await matches.play(view.id, BOB, ["A2"], now=NOON)
    with pytest.raises(NotYourTurn):
        await matches.play(view.id, ALICE, ["A3"], now=NOON)


async def test_last_placement_is_a_turn_and_the_same_side_then_moves(matches: Matches) -> None:
    turn = Turn(await begin(matches, FREE), None)
    while turn.match.ply < 31:
        turn = await matches.play(turn.match.id, mover(turn.match), [legal(turn.match)], now=NOON)
    assert (mover(turn.match), turn.match.due) == (ALICE, 1)
    turn = await matches.play(turn.match.id, ALICE, [legal(turn.match)], now=NOON)
    announcement = told(turn.announcement)
    assert (announcement.first_ply, announcement.ply, announcement.whom) == (32, 32, (ALICE.account,))
    turn = await matches.play(turn.match.id, ALICE, [legal(turn.match)], now=NOON)
    assert (told(turn.announcement).first_ply, mover(turn.match)) == (33, BOB)
    assert [(played.side, played.turn) for played in turn.match.last] == [(Side.BLACK, 18)]
    assert (await matches.audit(turn.match.id)).difference is None


async def test_resigning_within_a_run_keeps_the_board_as_it_is(matches: Matches) -> None:
    view = await opened(matches)
    part = await matches.play(view.id, BOB, ["A2"], now=NOON)
    turn = await matches.resign(view.id, ALICE, now=NOON)
    assert (turn.match.position, turn.match.run) == (part.match.position, part.match.run)
    assert (await matches.audit(view.id)).difference is None
