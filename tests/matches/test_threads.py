"""Threads of matches: archived at the end, optional if deleted."""

import pytest

from matches import (
    AnnouncementKind,
    Matches,
    MatchView,
    MoveReason,
)
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
    require_announcement,
)

THREAD = "test:thread"


@pytest.fixture
async def match_in_thread(matches: Matches) -> MatchView:
    """Return a match in a thread, with its first board posted."""
    made = await make_challenge(matches, to=BOB, options={"size": 9})
    update = await matches.challenges.accept(made.id, BOB, channel=THREAD, now=NOON)
    await matches.posting.threads.record_opened(THREAD, SERVER, CHANNEL, now=NOON)
    await mark_posted(matches, update)
    return update.match


async def finished_threads(matches: Matches) -> list[str]:
    return [one.channel for one in await matches.posting.threads.list_finished("test", now=NOON)]


async def test_thread_is_finished_when_its_match_is_over_and_announced(
    matches: Matches, match_in_thread: MatchView
) -> None:
    assert await finished_threads(matches) == []
    turn = await matches.resign(match_in_thread.id, BOB, now=NOON)
    assert await finished_threads(matches) == []
    await mark_posted(matches, turn)
    assert await finished_threads(matches) == [THREAD]
    await matches.posting.threads.mark_archived(THREAD, now=NOON)
    assert await finished_threads(matches) == []


async def test_thread_is_finished_again_after_a_correction(
    matches: Matches, match_in_thread: MatchView
) -> None:
    await mark_posted(matches, await matches.resign(match_in_thread.id, BOB, now=NOON))
    await matches.posting.threads.mark_archived(THREAD, now=NOON)
    turn = await matches.corrections.correct(
        match_in_thread.id, CAROL, None, reason="a test", server=SERVER, now=NOON
    )
    assert await finished_threads(matches) == []
    await mark_posted(matches, turn)
    assert await finished_threads(matches) == [THREAD]


async def test_thread_with_another_match_is_not_finished(
    matches: Matches, match_in_thread: MatchView
) -> None:
    await mark_posted(matches, await matches.resign(match_in_thread.id, BOB, now=NOON))
    await matches.posting.threads.mark_archived(THREAD, now=NOON)
    again = await make_challenge(matches, to=BOB, options={"size": 9})
    second = await matches.challenges.accept(again.id, BOB, channel=THREAD, now=NOON)
    await mark_posted(matches, second)
    assert await finished_threads(matches) == []
    await mark_posted(matches, await matches.resign(second.match.id, ALICE, now=NOON))
    assert await finished_threads(matches) == [THREAD]


async def test_matches_of_a_deleted_thread_move_to_its_parent(
    matches: Matches, match_in_thread: MatchView
) -> None:
    update = await play_move(matches, match_in_thread)
    assert await matches.posting.places.lose(SERVER, THREAD, MoveReason.DELETED, now=NOON) == (
        match_in_thread.id,
    )
    assert (await matches.view(match_in_thread.id, now=NOON)).channel == CHANNEL
    for kind in (AnnouncementKind.MOVED, AnnouncementKind.TURN):
        due, *_ = await matches.announcements.claim_due("test", now=later(minutes=1))
        assert (due.kind, due.channel, due.ply) == (kind, CHANNEL, update.match.ply)
        await matches.announcements.mark_sent(due.id, "post", now=NOON)
    assert await matches.announcements.claim_due("test", now=later(minutes=1)) == ()
    assert await finished_threads(matches) == []


async def test_match_is_moved_with_its_unsent_announcements(matches: Matches) -> None:
    made = await make_challenge(matches, to=BOB, options={"size": 9})
    update = await matches.challenges.accept(made.id, BOB, channel=THREAD, now=NOON)
    await matches.posting.threads.move_match(update.match.id, CHANNEL, now=NOON)
    due = {row.id: row.channel for row in await matches.announcements.claim_due("test", now=later(minutes=1))}
    assert due[require_announcement(update.announcement).id] == CHANNEL
    assert (await matches.view(update.match.id, now=NOON)).channel == CHANNEL


async def test_thread_can_be_recorded_twice(matches: Matches, match_in_thread: MatchView) -> None:
    await matches.posting.threads.record_opened(THREAD, SERVER, "test:elsewhere", now=NOON)
    await matches.posting.places.lose(SERVER, THREAD, MoveReason.DELETED, now=NOON)
    assert (await matches.view(match_in_thread.id, now=NOON)).channel == CHANNEL
