"""Threads of matches: tidied behind the latest board, archived at the end, done without if they are gone."""

import pytest

from matches import Announcement, Interest, Matches, MatchView, Turn
from tests.matches.story import ALICE, BOB, CAROL, NOON, PLACE, SERVER, challenge, later, move, told

THREAD = "test:thread"


async def announce(matches: Matches, turn: Turn) -> Announcement:
    announcement = told(turn.announcement)
    await matches.announced(announcement.id, f"post/{announcement.id}", now=NOON)
    return announcement


@pytest.fixture
async def begun(matches: Matches) -> MatchView:
    """Give a match in a thread, its first board posted."""
    made = await challenge(matches, to=BOB, options={"size": 9})
    turn = await matches.accept(made.id, BOB, place=THREAD, now=NOON)
    await matches.threads.opened(THREAD, SERVER, PLACE, now=NOON)
    await announce(matches, turn)
    return turn.match


async def superseded(matches: Matches) -> list[str]:
    return [one.post for one in await matches.threads.superseded(now=NOON)]


async def done(matches: Matches) -> list[str]:
    return [one.place for one in await matches.threads.done(now=NOON)]


async def test_latest_board_is_left_alone(matches: Matches, begun: MatchView) -> None:
    assert begun.place == THREAD
    assert await superseded(matches) == []


async def test_board_before_the_latest_is_tidied_once(matches: Matches, begun: MatchView) -> None:
    second = await announce(matches, await move(matches, begun))
    (found,) = await matches.threads.superseded(now=NOON)
    assert found.announcement.id == second.id - 1
    assert found.post == f"post/{second.id - 1}"
    await matches.threads.tidied(found.announcement, now=NOON)
    assert await superseded(matches) == []


async def test_board_is_not_tidied_before_the_next_is_posted(matches: Matches, begun: MatchView) -> None:
    await move(matches, begun)
    assert await superseded(matches) == []


async def test_boards_outside_threads_are_left_alone(matches: Matches) -> None:
    made = await challenge(matches, to=BOB, options={"size": 9})
    turn = await matches.accept(made.id, BOB, now=NOON)
    await announce(matches, turn)
    await announce(matches, await move(matches, turn.match))
    assert await superseded(matches) == []


async def test_what_followers_were_told_in_private_is_left_alone(matches: Matches, begun: MatchView) -> None:
    await matches.following.follow(begun.id, CAROL, Interest.TURNS, now=NOON)
    await move(matches, begun)
    told_all = await matches.unannounced(now=later(minutes=1))
    assert [row.to for row in told_all if row.to] == [CAROL.account]
    for row in told_all:
        await matches.announced(row.id, f"post/{row.id}", now=NOON)
    public = [row.id for row in told_all if row.to is None]
    assert await superseded(matches) == [f"post/{public[-1] - 1}"]


async def test_last_board_is_tidied_when_the_match_is_over(matches: Matches, begun: MatchView) -> None:
    await announce(matches, await matches.resign(begun.id, BOB, now=NOON))
    assert len(await superseded(matches)) == 1


async def test_thread_is_done_when_its_match_is_over_and_told(matches: Matches, begun: MatchView) -> None:
    assert await done(matches) == []
    turn = await matches.resign(begun.id, BOB, now=NOON)
    assert await done(matches) == []
    await announce(matches, turn)
    assert await done(matches) == [THREAD]
    await matches.threads.archived(THREAD, now=NOON)
    assert await done(matches) == []


async def test_thread_is_done_again_after_a_correction(matches: Matches, begun: MatchView) -> None:
    await announce(matches, await matches.resign(begun.id, BOB, now=NOON))
    await matches.threads.archived(THREAD, now=NOON)
    turn = await matches.corrections.correct(begun.id, CAROL, None, why="a test", server=SERVER, now=NOON)
    assert await done(matches) == []
    await announce(matches, turn)
    assert await done(matches) == [THREAD]


async def test_thread_with_another_match_is_not_done(matches: Matches, begun: MatchView) -> None:
    await announce(matches, await matches.resign(begun.id, BOB, now=NOON))
    await matches.threads.archived(THREAD, now=NOON)
    again = await challenge(matches, to=BOB, options={"size": 9})
    second = await matches.accept(again.id, BOB, place=THREAD, now=NOON)
    await announce(matches, second)
    assert await done(matches) == []
    await announce(matches, await matches.resign(second.match.id, ALICE, now=NOON))
    assert await done(matches) == [THREAD]


async def test_matches_of_a_lost_thread_go_on_where_it_was_opened(matches: Matches, begun: MatchView) -> None:
    turn = await move(matches, begun)
    assert await matches.threads.lost(THREAD, now=NOON)
    assert (await matches.view(begun.id, now=NOON)).place == PLACE
    due = {row.id: row.place for row in await matches.unannounced(now=later(minutes=1))}
    assert due[told(turn.announcement).id] == PLACE
    assert await done(matches) == []


async def test_place_that_is_no_thread_is_not_lost(matches: Matches) -> None:
    assert not await matches.threads.lost(PLACE, now=NOON)


async def test_match_is_moved_with_what_is_still_to_be_told(matches: Matches) -> None:
    made = await challenge(matches, to=BOB, options={"size": 9})
    turn = await matches.accept(made.id, BOB, place=THREAD, now=NOON)
    await matches.threads.move(turn.match.id, PLACE, now=NOON)
    due = {row.id: row.place for row in await matches.unannounced(now=later(minutes=1))}
    assert due[told(turn.announcement).id] == PLACE
    assert (await matches.view(turn.match.id, now=NOON)).place == PLACE


async def test_thread_may_be_noted_twice(matches: Matches, begun: MatchView) -> None:
    await matches.threads.opened(THREAD, SERVER, "test:elsewhere", now=NOON)
    await matches.threads.lost(THREAD, now=NOON)
    assert (await matches.view(begun.id, now=NOON)).place == PLACE
