"""Matches that lose their channel are moved once; their clocks stand while a player cannot be told."""

from datetime import timedelta

import pytest

from matches import (
    NO_PLACE,
    Announcement,
    AnnouncementKind,
    Matches,
    MatchView,
    MoveReason,
    NoticeKind,
    Terms,
    TimeControl,
    TimeoutRule,
    Way,
)
from matches.posting.announcements import MAX_CALLS
from tests.matches.scenario import ALICE, BOB, CAROL, CHANNEL, NOON, SERVER, later, make_challenge, play_move

DAY_PER_MOVE = Terms(time_control=TimeControl(timedelta(days=1)), timeout_rule=TimeoutRule.LOST)


async def claim(matches: Matches, **delay: float) -> dict[tuple[str, str | None], Announcement]:
    """Claim what is due, by kind and recipient."""
    due = await matches.announcements.claim_due("test", now=later(**delay))
    return {(one.kind.value, one.to): one for one in due}


async def send_all(matches: Matches, **delay: float) -> list[tuple[str, str | None]]:
    """Mark everything that is due as sent, in order; return kinds and recipients."""
    sent = []
    while due := await matches.announcements.claim_due("test", now=later(**delay)):
        for one in due:
            await matches.announcements.mark_sent(one.id, f"post/{one.id}", now=later(**delay))
            sent.append((one.kind.value, one.to))
    return sent


@pytest.fixture
async def match(matches: Matches) -> MatchView:
    """Return a match with a clock, whose first board is posted."""
    made = await make_challenge(matches, to=BOB, options={"size": 9}, terms=DAY_PER_MOVE)
    update = await matches.challenges.accept(made.id, BOB, now=NOON)
    await send_all(matches, minutes=1)
    return update.match


@pytest.mark.parametrize("channel", [CHANNEL, None])
async def test_match_is_moved_once_with_its_unsent_announcement(
    matches: Matches, match: MatchView, channel: str | None
) -> None:
    await play_move(matches, match)
    for _ in range(2):
        await matches.posting.places.lose(SERVER, channel, MoveReason.REMOVED, now=later(minutes=1))
    view = await matches.view(match.id, now=NOON)
    assert (view.is_direct, view.channel) == (True, CHANNEL)
    sent = await send_all(matches, minutes=2)
    expected = [(kind, one.account) for kind in ("moved", "turn") for one in (ALICE, BOB)]
    assert sorted(sent) == sorted(expected)
    assert await matches.posting.places.list_used("test") == ()


async def test_other_matches_stay(matches: Matches, match: MatchView) -> None:
    assert await matches.posting.places.lose(SERVER, "test:elsewhere", MoveReason.DELETED, now=NOON) == ()
    assert await matches.posting.places.lose("test:other", None, MoveReason.REMOVED, now=NOON) == ()
    assert not (await matches.view(match.id, now=NOON)).is_direct
    assert await matches.posting.places.list_used("test") == ((SERVER, CHANNEL, None),)


async def test_time_that_ran_while_a_player_was_untold_is_given_back(
    matches: Matches, match: MatchView
) -> None:
    await matches.posting.places.lose(SERVER, CHANNEL, MoveReason.DELETED, now=later(hours=10))
    refused = (await claim(matches, hours=11))["moved", ALICE.account]
    await matches.posting.places.record_refused(refused, now=later(hours=20))
    await matches.clocks.tick(now=later(days=40))
    time = (await matches.view(match.id, now=NOON)).time
    assert time is not None
    assert [one.name for one in time.unreached] == ["Alice"]
    assert time.deadline is None
    assert await send_all(matches, hours=21) == [("moved", BOB.account), ("unreached", BOB.account)]
    assert await matches.posting.places.record_contact(BOB.account, now=later(days=40)) == ()
    assert await matches.posting.places.record_contact(ALICE.account, now=later(days=40)) == (match.id,)
    time = (await matches.view(match.id, now=NOON)).time
    assert time is not None
    assert time.deadline == later(days=41)


@pytest.mark.long
async def test_player_whose_copy_is_still_to_be_sent_is_not_out_of_time_yet(matches: Matches) -> None:
    made = await make_challenge(matches, to=BOB, channel=NO_PLACE, terms=DAY_PER_MOVE)
    match = (await matches.challenges.accept(made.id, BOB, now=NOON)).match
    await send_all(matches, minutes=1)
    await play_move(matches, match, now=later(hours=1))
    await send_all(matches, hours=2)
    await matches.clocks.pauses.offer(match.id, ALICE, now=later(days=1, minutes=59, seconds=58))
    await matches.clocks.tick(now=later(days=1, hours=1, seconds=1))
    view = await matches.view(match.id, now=NOON)
    assert view.result is None
    assert view.time is not None
    assert view.time.unreached == ()
    assert await send_all(matches, days=1, hours=1, seconds=2) == [("pause_offered", BOB.account)]
    await matches.clocks.tick(now=later(days=1, hours=1, seconds=3))
    assert (await matches.view(match.id, now=NOON)).result is not None


async def test_player_whose_copy_nobody_sends_is_not_out_of_time(matches: Matches) -> None:
    made = await make_challenge(matches, to=BOB, channel=NO_PLACE, terms=DAY_PER_MOVE)
    match = (await matches.challenges.accept(made.id, BOB, now=NOON)).match
    await send_all(matches, minutes=1)
    await play_move(matches, match, now=later(hours=1))
    await matches.clocks.tick(now=later(days=2))
    time = (await matches.view(match.id, now=NOON)).time
    assert time is not None
    assert [one.name for one in time.unreached] == ["Bob"]


async def test_move_of_an_untold_player_restarts_the_clock(matches: Matches, match: MatchView) -> None:
    await matches.posting.places.lose(SERVER, CHANNEL, MoveReason.DELETED, now=later(hours=10))
    refused = (await claim(matches, hours=11))["moved", ALICE.account]
    await matches.posting.places.record_refused(refused, now=later(hours=11))
    update = await play_move(matches, match, now=later(days=5))
    time = update.match.time
    assert time is not None
    assert (time.unreached, time.deadline) == ((), later(days=6))


async def test_manager_ends_the_direct_messages(matches: Matches, match: MatchView) -> None:
    await matches.posting.places.lose(SERVER, CHANNEL, MoveReason.DELETED, now=later(hours=10))
    refused = (await claim(matches, hours=11))["moved", ALICE.account]
    await matches.posting.places.record_refused(refused, now=later(hours=11))
    update = await matches.posting.places.relocate(match.id, CAROL, SERVER, "test:new", now=later(days=5))
    assert (update.match.channel, update.match.is_direct) == ("test:new", False)
    assert update.match.time is not None
    assert update.match.time.deadline == later(days=6)
    assert await send_all(matches, days=6) == [(AnnouncementKind.MOVED.value, None)]


@pytest.mark.usefixtures("match")
async def test_retry_makes_refused_announcements_due(matches: Matches) -> None:
    await matches.posting.places.lose(SERVER, None, MoveReason.REMOVED, now=later(hours=10))
    refused = (await claim(matches, hours=11))["moved", ALICE.account]
    await matches.posting.places.record_refused(refused, is_final=True, now=later(hours=11))
    assert ("moved", ALICE.account) not in await claim(matches, days=29)
    await matches.posting.places.retry("test", now=later(days=29))
    assert ("moved", ALICE.account) in await claim(matches, days=29)


async def test_relocation_calls_the_players_of_a_match_that_was_much_announced(
    matches: Matches, match: MatchView
) -> None:
    for _ in range(MAX_CALLS):
        await matches.clocks.timeouts.give_time(match.id, ALICE, timedelta(minutes=5), now=NOON)
    update = await matches.posting.places.relocate(match.id, ALICE, SERVER, "test:new", now=NOON)
    assert update.announcement is not None
    assert set(update.announcement.recipients) == {ALICE.account, BOB.account}
    assert not update.announcement.is_quiet


async def test_direct_message_besides_the_post_of_a_channel_stops_no_clock(
    matches: Matches, match: MatchView
) -> None:
    await matches.people.notices.change(BOB, NoticeKind.TURN, {Way.DIRECT, Way.CHANNEL}, now=NOON)
    await play_move(matches, match, now=later(hours=1))
    (post,) = (row for key, row in (await claim(matches, hours=2)).items() if key[1] is None)
    await matches.announcements.mark_sent(post.id, "post", now=later(hours=2))
    await matches.clocks.tick(now=later(days=2))
    assert (await matches.view(match.id, now=NOON)).result is not None
