"""Reminders: one at each step, whoever sweeps, however late."""

import asyncio
from datetime import datetime, timedelta

import pytest

from engine.game import Side
from matches import (
    Announcement,
    AnnouncementKind,
    Flag,
    Matches,
    MatchView,
    Person,
    Preferences,
    Store,
    Terms,
    Way,
    read_pace,
)
from matches.reminders.sweep import MOST
from tests.matches.story import ALICE, BOB, FISTS, FREE, NOON, PLACE, SERVER, begin, later, legal, move

DAILY = {"every": 1}


async def reminders(matches: Matches, now: datetime) -> list[Announcement]:
    """Give the reminders that are handed out by `now`, and take note of all else."""
    found = []
    while rows := await matches.unannounced(now=now, limit=200):
        for row in rows:
            await matches.announced(row.id, "test:post", now=now)
            found += [row] if row.kind is AnnouncementKind.REMINDED else []
    return found


async def remind(matches: Matches, now: datetime) -> list[str]:
    """Sweep, and give whom that reminds."""
    await matches.reminders.remind(now=now)
    return [row.to or "" for row in await reminders(matches, now)]


async def waiting(matches: Matches, person: Person = ALICE, **chosen: object) -> MatchView:
    """Begin a match that waits for Alice, who is reminded every day unless it is said otherwise."""
    await matches.people.change(person, now=NOON, **(chosen or DAILY))
    return await begin(matches)


async def test_reminder_is_for_one_person_and_tells_of_the_match(matches: Matches) -> None:
    view = await waiting(matches)
    await remind(matches, later(minutes=5))
    await matches.reminders.remind(now=later(days=1))
    (row,) = await reminders(matches, later(days=1))
    assert (row.kind, row.match, row.challenge, row.ply) == (AnnouncementKind.REMINDED, view.id, None, 0)
    assert (row.to, row.whom, row.by) == (ALICE.account, (ALICE.account,), ALICE.account)
    assert (row.server, row.place, row.made_at) == (SERVER, PLACE, later(days=1))


async def test_reminder_comes_once_for_each_step(matches: Matches) -> None:
    await waiting(matches)
    told = [await remind(matches, later(hours=hours)) for hours in range(0, 73, 6)]
    assert [len(one) for one in told] == [0, 0, 0, 0, 1] + [0, 0, 0, 1] * 2


async def test_usual_settings_remind_nobody_without_a_deadline(matches: Matches) -> None:
    await begin(matches)
    assert await remind(matches, later(days=60)) == []
    assert await remind(matches, later(days=61)) == []


async def test_who_wants_none_gets_none(matches: Matches) -> None:
    await waiting(matches, way=Way.OFF, every=1)
    assert await remind(matches, later(days=9)) == []


async def test_late_sweep_reminds_once(matches: Matches) -> None:
    await waiting(matches)
    assert await remind(matches, later(days=5, hours=1)) == [ALICE.account]
    assert await remind(matches, later(days=5, hours=2)) == []
    assert await remind(matches, later(days=6)) == [ALICE.account]


async def test_repeats_end(matches: Matches) -> None:
    await waiting(matches)
    told = [await remind(matches, later(days=days)) for days in range(30)]
    assert sum(map(len, told)) == 10


async def test_processes_that_sweep_at_once_remind_once(matches: Matches, elsewhere: Matches) -> None:
    await waiting(matches)
    await begin(matches)
    counts = await asyncio.gather(
        *(one.reminders.remind(now=later(days=1)) for one in (matches, elsewhere) * 3)
    )
    assert sum(counts) == 2
    assert len(await reminders(matches, later(days=1))) == 2


async def test_move_begins_anew_for_the_other(matches: Matches) -> None:
    view = await waiting(matches)
    await matches.people.change(BOB, every=2, now=NOON)
    await move(matches, view, now=later(hours=20))
    assert await remind(matches, later(days=2)) == []
    assert await remind(matches, later(days=2, hours=20)) == [BOB.account]


async def test_both_are_reminded_of_closed_fists(matches: Matches) -> None:
    await matches.people.change(ALICE, every=1, now=NOON)
    await matches.people.change(BOB, every=2, now=NOON)
    view = await begin(matches, FISTS)
    assert await remind(matches, later(days=1)) == [ALICE.account]
    assert await remind(matches, later(days=2)) == [ALICE.account, BOB.account]
    await matches.pick(view.id, ALICE, "LR", now=later(days=2, hours=1))
    assert await remind(matches, later(days=4)) == [BOB.account]


async def test_over_is_over(matches: Matches) -> None:
    view = await waiting(matches)
    await matches.resign(view.id, BOB, now=later(hours=1))
    assert await remind(matches, later(days=9)) == []


async def test_reminder_of_a_turn_that_is_past_stands_no_more(matches: Matches) -> None:
    view = await waiting(matches)
    await matches.reminders.remind(now=later(days=1))
    (row,) = await reminders(matches, later(days=1))
    assert await matches.reminders.stands(row)
    turn = await move(matches, view, now=later(days=1))
    assert not await matches.reminders.stands(row)
    await move(matches, turn.match, now=later(days=1))
    assert not await matches.reminders.stands(row)


async def test_reminder_stands_within_a_run_of_placements(matches: Matches) -> None:
    await matches.people.change(BOB, now=NOON, **DAILY)
    view = (await move(matches, await begin(matches, FREE))).match
    await matches.reminders.remind(now=later(days=1))
    (row,) = await reminders(matches, later(days=1))
    turn = await matches.play(view.id, BOB, [legal(view)], now=later(days=1))
    assert turn.match.due
    assert await matches.reminders.stands(row)


async def test_reminder_of_fists_stands_until_the_pick(matches: Matches) -> None:
    await matches.people.change(ALICE, now=NOON, **DAILY)
    view = await begin(matches, FISTS)
    await matches.reminders.remind(now=later(days=1))
    (row,) = await reminders(matches, later(days=1))
    assert await matches.reminders.stands(row)
    await matches.pick(view.id, ALICE, "LR", now=later(days=1))
    assert not await matches.reminders.stands(row)


async def test_quiet_hours_put_a_reminder_off(matches: Matches) -> None:
    await waiting(matches, every=1, quiet="11:00-15:00")
    assert await remind(matches, later(days=1, hours=1)) == []
    assert await remind(matches, later(days=1, hours=3)) == [ALICE.account]


async def test_late_reminder_does_not_break_into_quiet_hours(matches: Matches) -> None:
    await waiting(matches, every=1, quiet="20:00-7:00")
    await matches.reminders.remind(now=later(days=1, hours=9))
    assert await reminders(matches, later(days=1, hours=9)) == []
    assert [row.to for row in await reminders(matches, later(days=1, hours=19))] == [ALICE.account]


async def test_new_settings_hold_from_then_on(matches: Matches) -> None:
    await begin(matches)
    assert await remind(matches, later(days=3)) == []
    await matches.people.change(ALICE, every=2, now=later(days=3))
    assert await remind(matches, later(days=3, hours=1)) == []
    assert await remind(matches, later(days=4)) == [ALICE.account]


async def test_reminder_does_not_hold_up_the_posts_of_its_match(matches: Matches) -> None:
    view = await waiting(matches)
    await reminders(matches, later(minutes=1))
    await matches.reminders.remind(now=later(days=1))
    (row,) = await matches.unannounced(now=later(days=1))
    await matches.failed(row.id, now=later(days=1))
    await move(matches, view, now=later(days=1))
    due = await matches.unannounced(now=later(days=1, seconds=20))
    assert [one.kind for one in due] == [AnnouncementKind.REMINDED, AnnouncementKind.TURN]


async def test_reminder_is_no_post_to_link_to(matches: Matches) -> None:
    await waiting(matches)
    await reminders(matches, later(minutes=1))
    await matches.reminders.remind(now=later(days=1))
    (row,) = await matches.unannounced(now=later(days=1))
    await matches.announced(row.id, "test:private", now=later(days=1))
    (listed,) = await matches.turns(ALICE, now=later(days=1))
    assert listed.post == "test:post"


async def test_what_is_dropped_is_handed_out_no_more(matches: Matches) -> None:
    await waiting(matches)
    await reminders(matches, later(minutes=1))
    await matches.reminders.remind(now=later(days=1))
    (row,) = await matches.unannounced(now=later(days=1))
    await matches.dropped(row.id, now=later(days=1))
    assert await matches.unannounced(now=later(days=2)) == ()
    assert not await matches.announced(row.id, "test:late", now=later(days=2))


@pytest.mark.parametrize("chosen", [Preferences(), Preferences(every=1)])
async def test_sweep_gets_through_more_matches_than_it_takes_at_once(
    matches: Matches, chosen: Preferences
) -> None:
    await matches.people.change(ALICE, every=chosen.every, now=NOON)
    for _ in range(MOST + 1):
        await begin(matches)
    assert await matches.reminders.remind(now=later(days=1)) == (MOST + 1 if chosen.every else 0)
    assert await matches.reminders.remind(now=later(days=1)) == 0


async def timed(matches: Matches, pace: str = "4d per move", **terms: object) -> MatchView:
    """Begin a match with a clock; Alice is reminded when half and when a tenth of her time is left."""
    await matches.people.change(ALICE, shares=(50, 10), now=NOON)
    agreed = Terms(pace=read_pace(pace), **terms)  # type: ignore[arg-type]
    step = await matches.challenge(
        ALICE,
        to=BOB,
        server=SERVER,
        place=PLACE,
        game="morelli",
        options={"size": 9},
        terms=agreed,
        colour=Side.BLACK,
        now=NOON,
    )
    return (await matches.accept(step.challenge.id, BOB, now=NOON)).match


async def hours_of(matches: Matches, *, until: int, since: int = 0) -> list[int]:
    """Let time go by hour by hour, the service being there, and give the hours at which Alice is reminded."""
    found = []
    for hour in range(since, until):
        await matches.clocks.beat(later(hours=hour))
        if await remind(matches, later(hours=hour)):
            found.append(hour)
    return found


@pytest.fixture
def patient(store: Store) -> Matches:
    """Give matches for which a silence of an hour is none."""
    return Matches(store, outage=timedelta(hours=2))


async def test_shares_are_of_the_time_for_the_turn(patient: Matches) -> None:
    await timed(patient)
    assert await hours_of(patient, until=96) == [48, 87]


async def test_time_given_makes_the_shares_anew(patient: Matches) -> None:
    view = await timed(patient)
    assert await hours_of(patient, until=60) == [48]
    await patient.clocks.give_time(view.id, BOB, timedelta(hours=64), now=later(hours=60))
    assert await hours_of(patient, since=61, until=160) == [110, 150]


async def test_pause_lets_everybody_be(patient: Matches) -> None:
    view = await timed(patient)
    await patient.clocks.offer_pause(view.id, ALICE, now=later(hours=40))
    await patient.clocks.answer_pause(view.id, BOB, accept=True, now=later(hours=40))
    assert await hours_of(patient, since=41, until=120) == []
    await patient.clocks.resume(view.id, ALICE, now=later(hours=120))
    assert await hours_of(patient, since=121, until=180) == [148, 171]


async def test_vacation_lets_somebody_be(patient: Matches) -> None:
    await timed(patient)
    await patient.clocks.begin_vacation(ALICE, now=later(hours=40))
    assert await hours_of(patient, since=41, until=120) == []
    await patient.clocks.end_vacation(ALICE, now=later(hours=120))
    assert await hours_of(patient, since=121, until=180) == [148, 171]


async def test_time_for_which_the_service_was_down_is_not_counted(patient: Matches) -> None:
    await timed(patient)
    assert await hours_of(patient, until=24) == []
    await patient.clocks.tick(later(hours=24 + 96))
    assert await remind(patient, later(hours=24 + 96)) == []
    assert await hours_of(patient, since=121, until=190) == [48 + 97, 87 + 97]


async def test_nobody_is_reminded_of_a_deadline_that_is_past(patient: Matches) -> None:
    await timed(patient)
    assert await hours_of(patient, until=90) == [48, 87]
    await patient.clocks.tick(later(hours=97))
    assert await hours_of(patient, since=97, until=120) == []


async def test_repeats_go_on_while_the_match_may_be_claimed(patient: Matches) -> None:
    await timed(patient, "1d per move")
    await patient.people.change(ALICE, shares=(), every=2, now=NOON)
    await patient.clocks.tick(later(hours=1))
    assert await hours_of(patient, since=1, until=25) == []
    await patient.clocks.tick(later(hours=25))
    assert await hours_of(patient, since=25, until=60) == [48]


async def test_nearest_deadline_comes_first(patient: Matches) -> None:
    untimed = await begin(patient)
    slow, quick = await timed(patient, "9d per move"), await timed(patient, "1d per move")
    fallen = await timed(patient, "6h per move", flag=Flag.CLAIM)
    for hour in range(8):
        await patient.clocks.tick(later(hours=hour))
    listed = [one.id for one in await patient.turns(ALICE, now=later(hours=8))]
    assert listed == [fallen.id, quick.id, slow.id, untimed.id]
