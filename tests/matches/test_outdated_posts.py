"""Posts whose board is no longer the latest: listed once the next board is posted, until they are marked."""

import pytest

from matches import FollowMode, Matches, MatchUpdate, MatchView, PostedAnnouncement
from storage.posting import outdated_posts
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    NOON,
    SERVER,
    later,
    make_challenge,
    mark_posted,
    play_move,
)

THREAD = "test:thread"


@pytest.fixture
async def match(matches: Matches) -> MatchView:
    """Return a match with its first board posted."""
    made = await make_challenge(matches, to=BOB, options={"size": 9})
    update = await matches.challenges.accept(made.id, BOB, now=NOON)
    await mark_posted(matches, update)
    return update.match


async def list_outdated(matches: Matches) -> list[PostedAnnouncement]:
    return list(await matches.posting.outdated_posts.list("test", now=NOON))


async def play_and_post(matches: Matches, match: MatchView) -> MatchUpdate:
    update = await play_move(matches, match)
    await mark_posted(matches, update)
    return update


async def test_board_is_outdated_once_the_next_is_posted_and_until_it_is_marked(
    matches: Matches, match: MatchView
) -> None:
    assert await list_outdated(matches) == []
    update = await play_move(matches, match)
    assert await list_outdated(matches) == []
    second = await mark_posted(matches, update)
    (found,) = await list_outdated(matches)
    assert found.announcement.id == second.id - 1
    assert found.post == f"post/{second.id - 1}"
    await matches.posting.outdated_posts.mark_edited(found.announcement, now=NOON)
    assert await list_outdated(matches) == []


async def test_quick_moves_leave_every_board_outdated_but_the_latest(
    matches: Matches, match: MatchView
) -> None:
    second = await play_and_post(matches, match)
    third = await play_and_post(matches, second.match)
    await play_and_post(matches, third.match)
    found = await list_outdated(matches)
    assert [one.announcement.ply for one in found] == [0, 1, 2]
    await matches.posting.outdated_posts.mark_edited(found[1].announcement, now=NOON)
    assert await list_outdated(matches) == found[2:]


async def test_boards_long_superseded_stay_as_they_are(
    matches: Matches, match: MatchView, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = await play_and_post(matches, match)
    third = await play_and_post(matches, second.match)
    await play_and_post(matches, third.match)
    monkeypatch.setattr(outdated_posts, "WINDOW", 1)
    assert [one.announcement.ply for one in await list_outdated(matches)] == [2]


async def test_private_posts_to_followers_are_never_outdated(matches: Matches, match: MatchView) -> None:
    await matches.people.following.follow(match.id, CAROL, FollowMode.TURNS, now=NOON)
    await play_move(matches, match)
    rows = await matches.announcements.claim_due("test", now=later(minutes=1))
    assert [row.to for row in rows if row.to] == [CAROL.account]
    for row in rows:
        await matches.announcements.mark_sent(row.id, f"post/{row.id}", now=NOON)
    public = [row.id for row in rows if row.to is None]
    assert [one.announcement.id for one in await list_outdated(matches)] == [public[-1] - 1]


async def test_last_board_is_outdated_after_the_end(matches: Matches, match: MatchView) -> None:
    await mark_posted(matches, await matches.resign(match.id, BOB, now=NOON))
    assert [one.announcement.ply for one in await list_outdated(matches)] == [0]


async def test_last_board_is_outdated_after_a_moderator_has_ended_the_match(
    matches: Matches, match: MatchView
) -> None:
    month_later = later(days=31)
    update = await matches.corrections.correct(
        match.id, CAROL, None, reason="a test", server=SERVER, now=month_later
    )
    await mark_posted(matches, update)
    assert [one.announcement.ply for one in await list_outdated(matches)] == [0]


async def test_board_in_the_old_channel_is_outdated_after_the_match_moved(
    matches: Matches, match: MatchView
) -> None:
    update = await matches.posting.places.relocate(match.id, ALICE, SERVER, "test:elsewhere", now=NOON)
    await mark_posted(matches, update)
    (found,) = await list_outdated(matches)
    assert (found.announcement.ply, found.announcement.channel) == (0, CHANNEL)
    (summary,) = await matches.views.list_recent(SERVER)
    assert summary.post == f"post/{found.announcement.id + 1}"


async def test_boards_in_archived_threads_are_left_alone(matches: Matches) -> None:
    made = await make_challenge(matches, to=BOB, options={"size": 9})
    begun = await matches.challenges.accept(made.id, BOB, channel=THREAD, now=NOON)
    await matches.posting.threads.record_opened(THREAD, SERVER, CHANNEL, now=NOON)
    await mark_posted(matches, begun)
    await play_and_post(matches, begun.match)
    assert len(await list_outdated(matches)) == 1
    await matches.posting.threads.mark_archived(THREAD, now=NOON)
    assert await list_outdated(matches) == []
