"""Following matches: each turn, once a day, or the end only."""

import asyncio
from datetime import datetime

import pytest

from matches import (
    Announcement,
    AnnouncementKind,
    DigestItem,
    FollowMode,
    Matches,
    MatchView,
    OfferKind,
    Person,
    digest_items,
)
from matches.following.service import MAX_FOLLOWED
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    FISTS,
    FREE,
    NOON,
    SERVER,
    UNKNOWN_MATCH,
    later,
    legal_move,
    play_move,
    play_to_end,
    start_match,
)
from tests.refusals import refused

DAVE = Person("test:dave", "Dave")
NINE = datetime.fromisoformat("2026-05-02T09:00+00:00")


async def private_announcements(matches: Matches, now: datetime) -> list[Announcement]:
    """Return the private announcements that are due by `now`, and mark everything due as sent."""
    found = []
    while rows := await matches.announcements.claim_due("test", now=now):
        for row in rows:
            await matches.announcements.mark_sent(row.id, "test:post", now=now)
            found += [row] if row.to is not None else []
    return found


async def kinds(matches: Matches, now: datetime = NOON) -> list[AnnouncementKind]:
    return [row.kind for row in await private_announcements(matches, later(days=30) if now is NOON else now)]


async def start_followed_match(matches: Matches, interest: FollowMode, **options: object) -> MatchView:
    """Start a match that Carol follows."""
    view = await start_match(matches, **options)  # type: ignore[arg-type]
    await matches.people.following.follow(view.id, CAROL, interest, now=NOON)
    return view


async def test_follower_is_notified_of_each_turn_at_once(matches: Matches) -> None:
    view = await start_followed_match(matches, FollowMode.TURNS)
    await play_move(matches, view, now=later(hours=1))
    (row,) = await private_announcements(matches, later(hours=1, seconds=30))
    assert (row.kind, row.match, row.first_ply, row.ply) == (AnnouncementKind.TURN, view.id, 1, 1)
    assert (row.to, row.recipients, row.by) == (CAROL.account, (CAROL.account,), ALICE.account)
    assert (row.server, row.channel) == (SERVER, CHANNEL)
    assert (await matches.views.at_announcement(row)).last_turn[-1].person == ALICE


async def test_follower_is_notified_of_whole_turns_only(matches: Matches) -> None:
    view = await start_followed_match(matches, FollowMode.TURNS, options=FREE)
    view = (await play_move(matches, view)).match
    await matches.play(view.id, BOB, [legal_move(view)], now=NOON)
    assert await kinds(matches) == [AnnouncementKind.TURN]


async def test_follower_is_notified_of_picks_once_revealed(matches: Matches) -> None:
    view = await start_followed_match(matches, FollowMode.TURNS, options=FISTS)
    await matches.pick(view.id, ALICE, "LR", now=NOON)
    assert await kinds(matches) == []
    await matches.pick(view.id, BOB, "LR", now=NOON)
    assert await kinds(matches) == [AnnouncementKind.REVEALED]


@pytest.mark.parametrize("interest", [FollowMode.TURNS, FollowMode.END])
async def test_follower_is_notified_of_the_end_and_nothing_later(
    matches: Matches, interest: FollowMode
) -> None:
    view = await start_followed_match(matches, interest)
    await matches.resign(view.id, ALICE, now=NOON)
    assert await kinds(matches) == [AnnouncementKind.RESIGNED]
    assert await matches.people.following.list_followed(CAROL.account) == ()


@pytest.mark.long
async def test_end_follower_is_not_notified_of_turns(matches: Matches) -> None:
    view = await start_followed_match(matches, FollowMode.END, options={"size": 5}, game="morphos")
    update = await play_move(matches, view)
    assert await kinds(matches) == []
    await play_to_end(matches, update.match)
    (row,) = await private_announcements(matches, later(days=30))
    result = (await matches.views.at_announcement(row)).result
    assert row.kind is AnnouncementKind.TURN
    assert result is not None


async def test_followers_are_not_notified_of_offers(matches: Matches) -> None:
    view = await start_followed_match(matches, FollowMode.TURNS)
    await matches.offers.make(view.id, ALICE, OfferKind.END, now=NOON)
    await matches.offers.answer_end(view.id, BOB, accept=False, now=NOON)
    assert await kinds(matches) == []


async def test_following_player_is_notified_of_the_opponents_turns_only(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.people.following.follow(view.id, BOB, FollowMode.TURNS, now=NOON)
    update = await play_move(matches, view)
    await play_move(matches, update.match)
    assert [row.by for row in await private_announcements(matches, later(days=1))] == [ALICE.account]


async def test_each_follower_is_notified(matches: Matches) -> None:
    view = await start_followed_match(matches, FollowMode.TURNS)
    await matches.people.following.follow(view.id, DAVE, FollowMode.TURNS, now=NOON)
    await play_move(matches, view)
    assert {row.to for row in await private_announcements(matches, later(days=1))} == {
        CAROL.account,
        DAVE.account,
    }


async def test_quiet_hours_hold_for_followers(matches: Matches) -> None:
    view = await start_followed_match(matches, FollowMode.TURNS)
    await matches.people.preferences.change(CAROL, quiet="11-15", now=NOON)
    await play_move(matches, view, now=later(hours=1))
    assert await kinds(matches, later(hours=2)) == []
    assert await kinds(matches, later(hours=3)) == [AnnouncementKind.TURN]


async def test_unfollowing_stops_notifications(matches: Matches) -> None:
    view = await start_followed_match(matches, FollowMode.TURNS)
    update = await play_move(matches, view)
    await matches.people.following.unfollow(view.id, CAROL.account, now=NOON)
    await play_move(matches, update.match)
    assert await kinds(matches) == []
    with refused("not_followed"):
        await matches.people.following.unfollow(view.id, CAROL.account, now=NOON)


async def test_what_is_followed_is_listed(matches: Matches) -> None:
    one, other = (
        await start_followed_match(matches, FollowMode.DAILY),
        await start_followed_match(matches, FollowMode.END),
    )
    await matches.people.following.follow(one.id, CAROL, FollowMode.TURNS, now=NOON)
    listed = await matches.people.following.list_followed(CAROL.account)
    assert [(line.match.id, line.mode) for line in listed] == [
        (one.id, FollowMode.TURNS),
        (other.id, FollowMode.END),
    ]


async def test_nobody_follows_what_is_over_or_nowhere(matches: Matches) -> None:
    view = await start_match(matches)
    await matches.resign(view.id, ALICE, now=NOON)
    with refused("match_over"):
        await matches.people.following.follow(view.id, CAROL, FollowMode.END, now=NOON)
    with refused("match_unknown"):
        await matches.people.following.follow(UNKNOWN_MATCH, CAROL, FollowMode.END, now=NOON)


@pytest.mark.long
async def test_nobody_follows_too_many(matches: Matches) -> None:
    views = [await start_followed_match(matches, FollowMode.END) for _ in range(MAX_FOLLOWED)]
    with refused("too_many_followed"):
        await start_followed_match(matches, FollowMode.END)
    await matches.people.following.follow(views[0].id, CAROL, FollowMode.TURNS, now=NOON)


async def sweep_digests(matches: Matches, now: datetime) -> list[tuple[DigestItem, ...]]:
    """Announce the due digests and return the items of each."""
    await matches.people.following.announce_digests(now=now)
    return [
        digest_items(row)
        for row in await private_announcements(matches, now)
        if row.kind is AnnouncementKind.DIGEST
    ]


async def test_digest_comes_in_the_morning(matches: Matches) -> None:
    view = await start_followed_match(matches, FollowMode.DAILY)
    still = await start_followed_match(matches, FollowMode.DAILY)
    await play_move(matches, (await play_move(matches, view)).match)
    assert await sweep_digests(matches, later(hours=20)) == []
    assert await sweep_digests(matches, NINE) == [(DigestItem(view.id, 0, 2),)]
    await play_move(matches, still, now=NINE)
    assert await sweep_digests(matches, later(days=1, hours=20)) == []
    assert await sweep_digests(matches, later(days=2)) == [(DigestItem(still.id, 0, 1),)]


async def test_no_digest_without_events(matches: Matches) -> None:
    await start_followed_match(matches, FollowMode.DAILY)
    assert await sweep_digests(matches, NINE) == []
    assert await sweep_digests(matches, later(days=9)) == []


async def test_digest_covers_only_what_came_after_following(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches))).match
    await matches.people.following.follow(view.id, CAROL, FollowMode.DAILY, now=NOON)
    await play_move(matches, view)
    assert await sweep_digests(matches, NINE) == [(DigestItem(view.id, 1, 2),)]


async def test_last_digest_includes_the_end(matches: Matches) -> None:
    view = await start_followed_match(matches, FollowMode.DAILY)
    await matches.resign(view.id, ALICE, now=NOON)
    assert await sweep_digests(matches, NINE) == [(DigestItem(view.id, 0, 0),)]
    assert await matches.people.following.list_followed(CAROL.account) == ()
    assert await sweep_digests(matches, later(days=9)) == []


async def test_one_digest_covers_all_missed_days(matches: Matches) -> None:
    views = [await start_followed_match(matches, FollowMode.DAILY) for _ in range(3)]
    for view in views:
        await play_move(matches, view)
    (items,) = await sweep_digests(matches, later(days=6))
    assert [item.match for item in items] == [view.id for view in views]


async def test_concurrent_sweeps_make_one_digest(matches: Matches, other_matches: Matches) -> None:
    await play_move(matches, await start_followed_match(matches, FollowMode.DAILY))
    counts = await asyncio.gather(
        *(one.people.following.announce_digests(now=NINE) for one in (matches, other_matches) * 3)
    )
    assert sum(counts) == 1
    assert len(await sweep_digests(matches, NINE)) == 1


async def test_digest_comes_in_the_persons_own_morning(matches: Matches) -> None:
    await matches.people.preferences.change(CAROL, zone="America/New_York", now=NOON)
    view = await start_followed_match(matches, FollowMode.DAILY)
    await play_move(matches, view)
    assert await sweep_digests(matches, later(minutes=59)) == []
    assert await sweep_digests(matches, later(hours=1)) == [(DigestItem(view.id, 0, 1),)]


async def test_another_zone_moves_the_morning(matches: Matches) -> None:
    view = await start_followed_match(matches, FollowMode.DAILY)
    await play_move(matches, view)
    await matches.people.preferences.change(CAROL, zone="Asia/Tokyo", now=NOON)
    assert await sweep_digests(matches, later(hours=11, minutes=59)) == []
    assert await sweep_digests(matches, later(hours=12)) == [(DigestItem(view.id, 0, 1),)]


async def test_digest_has_neither_match_nor_challenge(matches: Matches) -> None:
    await play_move(matches, await start_followed_match(matches, FollowMode.DAILY))
    await matches.people.following.announce_digests(now=NINE)
    (row,) = [
        one for one in await private_announcements(matches, NINE) if one.kind is AnnouncementKind.DIGEST
    ]
    assert (row.match, row.challenge, row.to) == (None, None, CAROL.account)
    with refused("match_unknown"):
        await matches.views.at_announcement(row)
