"""For onlookers, and for the keys that front ends hand out."""

import pytest

from matches import Matches, MatchId, MatchState, MatchUnknown, NotInMatch, Pulse
from tests.matches.story import (
    ALICE,
    BOB,
    CAROL,
    FISTS,
    FREE,
    NOON,
    NOWHERE,
    begin,
    challenge,
    later,
    legal,
    move,
    mover,
    told,
)


async def pulse(matches: Matches, match: MatchId) -> Pulse:
    return (await matches.pulses([match], now=NOON))[match]


async def post_all(matches: Matches) -> None:
    while rows := await matches.unannounced(now=later(minutes=1)):
        for row in rows:
            await matches.announced(row.id, "test:post", now=NOON)


async def test_what_is_under_way_is_listed_the_latest_first(matches: Matches) -> None:
    first, second, over = [await begin(matches, now=later(minutes=at)) for at in range(3)]
    await matches.resign(over.id, BOB, now=NOON)
    await move(matches, first, now=later(minutes=9))
    fists = await begin(matches, FISTS, now=later(minutes=10))
    assert [one.id for one in await matches.under_way(now=NOON)] == [fists.id, first.id, second.id]
    assert [one.id for one in await matches.under_way(now=NOON, limit=1)] == [fists.id]


async def test_challenges_to_anyone_are_listed_until_they_are_taken_or_lapse(matches: Matches) -> None:
    await challenge(matches, to=BOB)
    older, taken, newer = [await challenge(matches) for _ in range(3)]
    await matches.accept(taken.id, BOB, now=NOON)
    assert [one.id for one in await matches.open_challenges(now=NOON)] == [newer.id, older.id]
    assert await matches.open_challenges(now=later(days=8)) == ()


async def test_pulse_differs_after_everything_that_happens(matches: Matches) -> None:
    view = await begin(matches, FISTS)
    seen = [await pulse(matches, view.id)]
    for person in (ALICE, BOB):
        view = (await matches.pick(view.id, person, "LR", now=NOON)).match
        seen.append(await pulse(matches, view.id))
    view = (await move(matches, view)).match
    seen.append(await pulse(matches, view.id))
    await matches.offer_end(view.id, ALICE, now=NOON)
    seen.append(await pulse(matches, view.id))
    await matches.answer_end(view.id, BOB, accept=False, now=NOON)
    assert await pulse(matches, view.id) == seen[3]
    await matches.resign(view.id, ALICE, now=NOON)
    seen.append(await pulse(matches, view.id))
    assert len(set(seen)) == len(seen) == 6
    assert [(one.picks, one.ply, one.state) for one in (seen[0], seen[3], seen[5])] == [
        (0, 0, MatchState.FISTS),
        (2, 1, MatchState.PLAYING),
        (2, 1, MatchState.OVER),
    ]


async def test_pulse_parts_what_is_played_from_what_is_told(matches: Matches) -> None:
    view = (await move(matches, await begin(matches, FREE))).match
    await matches.play(view.id, mover(view), [legal(view)], now=NOON)
    found = await pulse(matches, view.id)
    assert (found.ply, found.told) == (2, 1)


async def test_no_pulse_of_a_match_that_is_not_there(matches: Matches) -> None:
    assert await matches.pulses([NOWHERE], now=NOON) == {}


async def test_change_is_heard(matches: Matches) -> None:
    heard: list[str] = []
    with matches.heard(lambda: heard.append("change")):
        view = await begin(matches)
        assert heard
        heard.clear()
        await matches.view(view.id, now=NOON)
        assert not heard


async def test_lock_is_changed_for_one_seat_of_one_match(matches: Matches) -> None:
    one, other = await begin(matches), await begin(matches)
    assert await matches.change_lock(one.id, ALICE, now=NOON) == 1
    assert await matches.change_lock(one.id, ALICE, now=NOON) == 2
    numbers = [
        await matches.lock(match.id, person, now=NOON) for match in (one, other) for person in (ALICE, BOB)
    ]
    assert numbers == [2, 0, 0, 0]


async def test_onlooker_has_no_lock(matches: Matches) -> None:
    view = await begin(matches)
    for ask in (matches.lock, matches.change_lock):
        with pytest.raises(NotInMatch):
            await ask(view.id, CAROL, now=NOON)
        with pytest.raises(MatchUnknown):
            await ask(NOWHERE, ALICE, now=NOON)


async def test_released_announcement_is_due_at_once(matches: Matches) -> None:
    turn = await move(matches, await begin(matches))
    await post_all(matches)
    turn = await move(matches, turn.match)
    assert await matches.unannounced(now=NOON) == ()
    await matches.release(told(turn.announcement).id, now=NOON)
    assert [row.id for row in await matches.unannounced(now=NOON)] == [told(turn.announcement).id]


async def test_released_announcement_that_was_posted_stays_posted(matches: Matches) -> None:
    turn = await move(matches, await begin(matches))
    await post_all(matches)
    await matches.release(told(turn.announcement).id, now=NOON)
    assert await matches.unannounced(now=later(hours=1)) == ()
