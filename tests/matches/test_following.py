"""Following matches: at each turn, once a day, or to the end."""

import asyncio
from datetime import datetime

import pytest

from matches import (
    MOST_FOLLOWED,
    Announcement,
    AnnouncementKind,
    Interest,
    Matches,
    MatchOver,
    MatchUnknown,
    MatchView,
    News,
    NotFollowed,
    Person,
    TooManyFollowed,
    news_of,
)
from tests.matches.story import (
    ALICE,
    BOB,
    CAROL,
    FISTS,
    FREE,
    NOON,
    NOWHERE,
    PLACE,
    SERVER,
    begin,
    later,
    legal,
    move,
    play_out,
)

DAVE = Person("test:dave", "Dave")
NINE = datetime.fromisoformat("2026-05-02T09:00+00:00")


async def private(matches: Matches, now: datetime) -> list[Announcement]:
    """Give what is handed out for one person alone by `now`, and take note of all else."""
    found = []
    while rows := await matches.unannounced(now=now):
        for row in rows:
            await matches.announced(row.id, "test:post", now=now)
            found += [row] if row.to is not None else []
    return found


async def kinds(matches: Matches, now: datetime = NOON) -> list[AnnouncementKind]:
    return [row.kind for row in await private(matches, later(days=30) if now is NOON else now)]


async def followed(matches: Matches, interest: Interest, **options: object) -> MatchView:
    """Begin a match that Carol follows."""
    view = await begin(matches, **options)  # type: ignore[arg-type]
    await matches.following.follow(view.id, CAROL, interest, now=NOON)
    return view


async def test_follower_is_told_of_each_turn_at_once(matches: Matches) -> None:
    view = await followed(matches, Interest.TURNS)
    await move(matches, view, now=later(hours=1))
    (row,) = await private(matches, later(hours=1, seconds=30))
    assert (row.kind, row.match, row.first_ply, row.ply) == (AnnouncementKind.TURN, view.id, 1, 1)
    assert (row.to, row.whom, row.by) == (CAROL.account, (CAROL.account,), ALICE.account)
    assert (row.server, row.place) == (SERVER, PLACE)
    assert (await matches.view_of(row, now=NOON)).last[-1].person == ALICE


async def test_follower_is_told_of_whole_turns(matches: Matches) -> None:
    view = await followed(matches, Interest.TURNS, options=FREE)
    view = (await move(matches, view)).match
    await matches.play(view.id, BOB, [legal(view)], now=NOON)
    assert await kinds(matches) == [AnnouncementKind.TURN]


async def test_follower_is_told_of_the_opened_fists_and_not_before(matches: Matches) -> None:
    view = await followed(matches, Interest.TURNS, options=FISTS)
    await matches.pick(view.id, ALICE, "LR", now=NOON)
    assert await kinds(matches) == []
    await matches.pick(view.id, BOB, "LR", now=NOON)
    assert await kinds(matches) == [AnnouncementKind.REVEALED]


@pytest.mark.parametrize("interest", [Interest.TURNS, Interest.END])
async def test_end_is_told_and_nothing_after_it(matches: Matches, interest: Interest) -> None:
    view = await followed(matches, interest)
    await matches.resign(view.id, ALICE, now=NOON)
    assert await kinds(matches) == [AnnouncementKind.RESIGNED]
    assert await matches.following.followed(CAROL.account) == ()


async def test_who_waits_for_the_end_is_told_of_no_turn(matches: Matches) -> None:
    view = await followed(matches, Interest.END, options={"size": 5}, game="morphos")
    turn = await move(matches, view)
    assert await kinds(matches) == []
    await play_out(matches, turn.match)
    (row,) = await private(matches, later(days=30))
    result = (await matches.view_of(row, now=NOON)).result
    assert row.kind is AnnouncementKind.TURN
    assert result is not None


async def test_offers_are_no_news(matches: Matches) -> None:
    view = await followed(matches, Interest.TURNS)
    await matches.offer_end(view.id, ALICE, now=NOON)
    await matches.answer_end(view.id, BOB, accept=False, now=NOON)
    assert await kinds(matches) == []


async def test_player_is_told_of_the_others_turns_alone(matches: Matches) -> None:
    view = await begin(matches)
    await matches.following.follow(view.id, BOB, Interest.TURNS, now=NOON)
    turn = await move(matches, view)
    await move(matches, turn.match)
    assert [row.by for row in await private(matches, later(days=1))] == [ALICE.account]


async def test_each_follower_is_told(matches: Matches) -> None:
    view = await followed(matches, Interest.TURNS)
    await matches.following.follow(view.id, DAVE, Interest.TURNS, now=NOON)
    await move(matches, view)
    assert {row.to for row in await private(matches, later(days=1))} == {CAROL.account, DAVE.account}


async def test_quiet_hours_hold_for_followers(matches: Matches) -> None:
    view = await followed(matches, Interest.TURNS)
    await matches.people.change(CAROL, quiet="11-15", now=NOON)
    await move(matches, view, now=later(hours=1))
    assert await kinds(matches, later(hours=2)) == []
    assert await kinds(matches, later(hours=3)) == [AnnouncementKind.TURN]


async def test_who_leaves_is_told_no_more(matches: Matches) -> None:
    view = await followed(matches, Interest.TURNS)
    turn = await move(matches, view)
    await matches.following.leave(view.id, CAROL.account, now=NOON)
    await move(matches, turn.match)
    assert await kinds(matches) == []
    with pytest.raises(NotFollowed):
        await matches.following.leave(view.id, CAROL.account, now=NOON)


async def test_what_is_followed_is_listed(matches: Matches) -> None:
    one, other = await followed(matches, Interest.DAILY), await followed(matches, Interest.END)
    await matches.following.follow(one.id, CAROL, Interest.TURNS, now=NOON)
    listed = await matches.following.followed(CAROL.account)
    assert [(line.match.id, line.interest) for line in listed] == [
        (one.id, Interest.TURNS),
        (other.id, Interest.END),
    ]


async def test_nobody_follows_what_is_over_or_nowhere(matches: Matches) -> None:
    view = await begin(matches)
    await matches.resign(view.id, ALICE, now=NOON)
    with pytest.raises(MatchOver):
        await matches.following.follow(view.id, CAROL, Interest.END, now=NOON)
    with pytest.raises(MatchUnknown):
        await matches.following.follow(NOWHERE, CAROL, Interest.END, now=NOON)


async def test_nobody_follows_too_many(matches: Matches) -> None:
    views = [await followed(matches, Interest.END) for _ in range(MOST_FOLLOWED)]
    with pytest.raises(TooManyFollowed):
        await followed(matches, Interest.END)
    await matches.following.follow(views[0].id, CAROL, Interest.TURNS, now=NOON)


async def digests(matches: Matches, now: datetime) -> list[tuple[News, ...]]:
    """Sweep, and give what each digest that this makes tells."""
    await matches.following.digest(now=now)
    return [news_of(row) for row in await private(matches, now) if row.kind is AnnouncementKind.DIGEST]


async def test_digest_tells_in_the_morning_what_has_happened(matches: Matches) -> None:
    view = await followed(matches, Interest.DAILY)
    still = await followed(matches, Interest.DAILY)
    await move(matches, (await move(matches, view)).match)
    assert await digests(matches, later(hours=20)) == []
    assert await digests(matches, NINE) == [(News(view.id, 0, 2),)]
    await move(matches, still, now=NINE)
    assert await digests(matches, later(days=1, hours=20)) == []
    assert await digests(matches, later(days=2)) == [(News(still.id, 0, 1),)]


async def test_digest_of_a_quiet_day_is_none(matches: Matches) -> None:
    await followed(matches, Interest.DAILY)
    assert await digests(matches, NINE) == []
    assert await digests(matches, later(days=9)) == []


async def test_digest_tells_only_what_came_after_following(matches: Matches) -> None:
    view = (await move(matches, await begin(matches))).match
    await matches.following.follow(view.id, CAROL, Interest.DAILY, now=NOON)
    await move(matches, view)
    assert await digests(matches, NINE) == [(News(view.id, 1, 2),)]


async def test_last_digest_tells_of_the_end(matches: Matches) -> None:
    view = await followed(matches, Interest.DAILY)
    await matches.resign(view.id, ALICE, now=NOON)
    assert await digests(matches, NINE) == [(News(view.id, 0, 0),)]
    assert await matches.following.followed(CAROL.account) == ()
    assert await digests(matches, later(days=9)) == []


async def test_digest_is_one_for_all_and_late_ones_are_not_made_up_for(matches: Matches) -> None:
    views = [await followed(matches, Interest.DAILY) for _ in range(3)]
    for view in views:
        await move(matches, view)
    (told,) = await digests(matches, later(days=6))
    assert [news.match for news in told] == [view.id for view in views]


async def test_processes_that_sweep_at_once_digest_once(matches: Matches, elsewhere: Matches) -> None:
    await move(matches, await followed(matches, Interest.DAILY))
    counts = await asyncio.gather(*(one.following.digest(now=NINE) for one in (matches, elsewhere) * 3))
    assert sum(counts) == 1
    assert len(await digests(matches, NINE)) == 1


async def test_digest_comes_in_the_persons_own_morning(matches: Matches) -> None:
    await matches.people.change(CAROL, zone="America/New_York", now=NOON)
    view = await followed(matches, Interest.DAILY)
    await move(matches, view)
    assert await digests(matches, later(minutes=59)) == []
    assert await digests(matches, later(hours=1)) == [(News(view.id, 0, 1),)]


async def test_another_zone_moves_the_morning(matches: Matches) -> None:
    view = await followed(matches, Interest.DAILY)
    await move(matches, view)
    await matches.people.change(CAROL, zone="Asia/Tokyo", now=NOON)
    assert await digests(matches, later(hours=11, minutes=59)) == []
    assert await digests(matches, later(hours=12)) == [(News(view.id, 0, 1),)]


async def test_digest_stands_for_itself_among_announcements(matches: Matches) -> None:
    await move(matches, await followed(matches, Interest.DAILY))
    await matches.following.digest(now=NINE)
    (row,) = [one for one in await private(matches, NINE) if one.kind is AnnouncementKind.DIGEST]
    assert (row.match, row.challenge, row.to) == (None, None, CAROL.account)
    with pytest.raises(MatchUnknown):
        await matches.view_of(row, now=NINE)
