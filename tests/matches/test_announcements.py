import asyncio
from datetime import datetime, timedelta

import pytest

from matches import Announcement, AnnouncementId, AnnouncementKind, AnnouncementUnknown, Matches, Turn
from tests.matches.story import (
    ALICE,
    BOB,
    NOON,
    PLACE,
    SERVER,
    begin,
    challenge,
    later,
    legal,
    move,
    mover,
    told,
)

UNKNOWN = AnnouncementId(4711)
DUE = later(seconds=21)


async def begun(matches: Matches) -> Turn:
    """Begin a match of which everything so far is announced, and play one turn that is not."""
    view = await begin(matches)
    await settle(matches)
    return await move(matches, view)


async def settle(matches: Matches) -> None:
    """Announce all there is."""
    while rows := await matches.unannounced(now=later(minutes=5)):
        for row in rows:
            await matches.announced(row.id, "test:post", now=NOON)


async def handed_out(matches: Matches, now: datetime) -> list[AnnouncementId]:
    return [row.id for row in await matches.unannounced(now=now)]


async def test_front_end_is_given_time_to_answer_by_itself(matches: Matches) -> None:
    turn = await begun(matches)
    assert await handed_out(matches, later(seconds=19)) == []
    assert await handed_out(matches, later(seconds=20)) == [told(turn.announcement).id]


async def test_announcement_is_handed_out_as_it_was_made(matches: Matches) -> None:
    turn = await begun(matches)
    (row,) = await matches.unannounced(now=DUE)
    made = told(turn.announcement)
    assert row == Announcement(
        id=made.id,
        kind=AnnouncementKind.TURN,
        challenge=None,
        match=turn.match.id,
        ply=1,
        first_ply=1,
        by=ALICE.account,
        whom=(BOB.account,),
        server=SERVER,
        place=PLACE,
        made_at=NOON,
        attempts=1,
    )


async def test_what_was_announced_is_not_handed_out(matches: Matches) -> None:
    turn = await begun(matches)
    assert await matches.announced(told(turn.announcement).id, "test:1", now=NOON)
    assert await handed_out(matches, DUE) == []


async def test_announcing_twice_is_no_news(matches: Matches) -> None:
    number = told((await begun(matches)).announcement).id
    assert await matches.announced(number, "test:1", now=NOON)
    assert not await matches.announced(number, "test:2", now=NOON)


async def test_unknown_announcement_is_refused(matches: Matches) -> None:
    with pytest.raises(AnnouncementUnknown):
        await matches.announced(UNKNOWN, "test:1", now=NOON)
    with pytest.raises(AnnouncementUnknown):
        await matches.failed(UNKNOWN, now=NOON)


async def test_lease_keeps_others_away_and_ends(matches: Matches, elsewhere: Matches) -> None:
    number = told((await begun(matches)).announcement).id
    assert await handed_out(matches, DUE) == [number]
    assert await handed_out(elsewhere, DUE + timedelta(seconds=59)) == []
    assert await handed_out(elsewhere, DUE + timedelta(seconds=60)) == [number]


async def test_each_of_several_is_leased_for_a_minute_more(matches: Matches, elsewhere: Matches) -> None:
    for _ in range(3):
        await challenge(matches)
    first, second, third = await handed_out(matches, DUE)
    assert await handed_out(elsewhere, DUE + timedelta(seconds=60)) == [first]
    assert await handed_out(elsewhere, DUE + timedelta(seconds=119)) == []
    assert await handed_out(elsewhere, DUE + timedelta(seconds=120)) == [first, second]
    assert third in await handed_out(elsewhere, DUE + timedelta(seconds=180))


async def test_failure_puts_off_and_each_time_for_longer(matches: Matches) -> None:
    number = told((await begun(matches)).announcement).id
    now, pauses = DUE, list[float]()
    for attempt in range(1, 15):
        (row,) = await matches.unannounced(now=now)
        assert (row.id, row.attempts) == (number, attempt)
        await matches.failed(number, now=now)
        pause = timedelta(seconds=min(5 * 2 ** (attempt - 1), 3600))
        assert await handed_out(matches, now + pause - timedelta(milliseconds=1)) == []
        now, pauses = now + pause, [*pauses, pause.total_seconds()]
    assert pauses[:4] == [5, 10, 20, 40]
    assert pauses[-1] == 3600
    assert await handed_out(matches, now) == [number]


async def test_failed_answer_is_tried_again_soon(matches: Matches) -> None:
    number = told((await begun(matches)).announcement).id
    await matches.failed(number, now=NOON)
    assert await handed_out(matches, later(seconds=5)) == [number]


async def test_failure_after_the_announcement_changes_nothing(matches: Matches) -> None:
    number = told((await begun(matches)).announcement).id
    await matches.announced(number, "test:1", now=NOON)
    await matches.failed(number, now=NOON)
    assert await handed_out(matches, later(days=1)) == []


async def test_announcements_of_a_match_come_in_order(matches: Matches) -> None:
    first = await begun(matches)
    second = await move(matches, first.match)
    one, other = told(first.announcement).id, told(second.announcement).id
    assert await handed_out(matches, DUE) == [one]
    await matches.failed(one, now=later(minutes=2))
    assert await handed_out(matches, later(minutes=2)) == []
    assert await handed_out(matches, later(minutes=3)) == [one]
    await matches.announced(one, "test:1", now=later(minutes=3))
    assert await handed_out(matches, later(minutes=3)) == [other]


async def test_one_match_does_not_hold_up_another(matches: Matches) -> None:
    first = await begun(matches)
    await matches.failed(told(first.announcement).id, now=DUE)
    other = await begin(matches)
    assert {row.match for row in await matches.unannounced(now=DUE) if row.match} == {other.id}


async def test_oldest_come_first_and_no_more_than_asked(matches: Matches) -> None:
    made = [(await challenge(matches, now=later(seconds=second))).id for second in (2, 0, 1)]
    rows = await matches.unannounced(now=DUE + timedelta(minutes=1), limit=2)
    assert {row.challenge for row in rows} == {made[1], made[2]}


async def test_processes_that_take_at_once_share(matches: Matches, elsewhere: Matches) -> None:
    for _ in range(9):
        await challenge(matches)
    taken = await asyncio.gather(*(desk.unannounced(now=DUE, limit=2) for desk in (matches, elsewhere) * 4))
    numbers = [row.id for rows in taken for row in rows]
    assert sorted(numbers) == sorted(set(numbers))
    rest = await handed_out(matches, DUE)
    assert len(numbers) + len(rest) == 9


async def test_refused_move_is_not_announced(matches: Matches) -> None:
    turn = await begun(matches)
    await matches.announced(told(turn.announcement).id, "test:1", now=NOON)
    with pytest.raises(Exception, match="move_illegal"):
        await matches.play(turn.match.id, mover(turn.match), ["A1-A1"], now=NOON)
    assert await handed_out(matches, DUE) == []


async def test_challenge_knows_its_latest_post(matches: Matches) -> None:
    made = await challenge(matches, to=BOB)
    (row,) = await matches.unannounced(now=DUE)
    await matches.announced(row.id, "test:post/1", now=NOON)
    assert (await matches.find_challenge(made.id, now=NOON)).post == "test:post/1"
    step = await matches.decline(made.id, BOB, now=NOON)
    assert step.challenge.post == "test:post/1"
    await matches.announced(step.announcement.id, "test:post/2", now=NOON)
    assert (await matches.find_challenge(made.id, now=NOON)).post == "test:post/2"


async def test_turn_and_its_announcement_are_one(matches: Matches) -> None:
    turn = await begun(matches)
    for _ in range(3):
        text = legal(turn.match)
        turn = await matches.play(turn.match.id, mover(turn.match), [text], now=NOON)
    plies = []
    while rows := await matches.unannounced(now=DUE):
        for row in rows:
            plies.append(row.ply)
            await matches.announced(row.id, "test:1", now=DUE)
    assert plies == [1, 2, 3, 4]
