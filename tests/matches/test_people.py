"""People's own settings, and the lists of what waits for them and of what goes on."""

import asyncio
from datetime import time

import pytest

from matches import (
    Facing,
    Matches,
    Preferences,
    Quiet,
    QuietUnreadable,
    StepsRefused,
    Theme,
    Way,
    ZoneUnknown,
)
from tests.matches.story import (
    ALICE,
    BOB,
    CAROL,
    FISTS,
    NOON,
    PLACE,
    SERVER,
    begin,
    challenge,
    later,
    move,
)

FAR = "test:far"


async def test_nobody_has_to_choose(matches: Matches) -> None:
    assert await matches.people.preferences(ALICE.account) == Preferences()


async def test_settings_are_changed_one_at_a_time(matches: Matches, elsewhere: Matches) -> None:
    await matches.people.change(ALICE, theme=Theme.CLEAR, now=NOON)
    await elsewhere.people.change(ALICE, facing=Facing.POSTED, way=Way.OFF, now=later(days=1))
    chosen = await matches.people.preferences(ALICE.account)
    assert chosen == Preferences(theme=Theme.CLEAR, facing=Facing.POSTED, way=Way.OFF)
    assert await matches.people.preferences(BOB.account) == Preferences()


async def test_changes_at_once_are_both_kept(matches: Matches, elsewhere: Matches) -> None:
    await asyncio.gather(
        matches.people.change(ALICE, large=True, now=NOON), elsewhere.people.change(ALICE, every=3, now=NOON)
    )
    assert await matches.people.preferences(ALICE.account) == Preferences(large=True, every=3)


async def test_zone_and_quiet_hours_are_taken_as_typed(matches: Matches) -> None:
    chosen = await matches.people.change(ALICE, zone="europe/lisbon", quiet="22-7", now=NOON)
    assert chosen == Preferences(zone="Europe/Lisbon", quiet=Quiet(time(22), time(7)))
    assert (await matches.people.change(ALICE, quiet="none", now=NOON)).quiet is None


@pytest.mark.parametrize(
    ("values", "refusal"),
    [
        ({"zone": "Nowhere"}, ZoneUnknown),
        ({"quiet": "later"}, QuietUnreadable),
        ({"every": 99}, StepsRefused),
    ],
)
async def test_what_cannot_be_changes_nothing(
    matches: Matches, values: dict[str, object], refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        await matches.people.change(ALICE, large=True, now=NOON, **values)
    assert await matches.people.preferences(ALICE.account) == Preferences()


async def test_matches_that_wait_for_somebody_are_listed_everywhere_or_in_a_server(matches: Matches) -> None:
    mine = await begin(matches)
    await move(matches, await begin(matches))
    closed = await begin(matches, FISTS, now=later(minutes=1))
    step = await matches.challenge(
        ALICE, to=BOB, server=FAR, place=PLACE, game="morelli", options={"size": 9}, now=NOON, colour=None
    )
    far = (await matches.accept(step.challenge.id, BOB, now=later(minutes=2))).match
    waits = far.to_move is not None and far.to_move.person == ALICE
    here = [one.id for one in await matches.turns(ALICE, server=SERVER, now=NOON)]
    assert here == [mine.id, closed.id]
    assert [one.id for one in await matches.turns(ALICE, now=NOON)] == [*here, *([far.id] if waits else [])]
    assert {one.id for one in await matches.games(ALICE, None, now=NOON)} > {*here, far.id}


async def test_lobby_has_the_open_challenges_and_the_matches_under_way_of_a_server(matches: Matches) -> None:
    first, second = await challenge(matches), await challenge(matches, to=CAROL)
    await matches.decline((await challenge(matches, to=BOB)).id, BOB, now=NOON)
    quiet, lively = await begin(matches), await begin(matches)
    over = await begin(matches)
    await matches.resign(over.id, ALICE, now=NOON)
    await move(matches, lively, now=later(hours=1))
    await matches.challenge(ALICE, server=FAR, place=PLACE, game="morelli", now=NOON)
    challenges, under_way = await matches.lobby(SERVER, now=later(hours=2))
    assert [one.id for one in challenges] == [second.id, first.id]
    assert [one.id for one in under_way] == [lively.id, quiet.id]
    assert [len(found) for found in await matches.lobby(SERVER, now=later(days=8), limit=1)] == [0, 1]
