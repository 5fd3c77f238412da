"""Vacations: begin, end, announcements to opponents, days per year."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from matches import AnnouncementKind, Database, Matches, MatchState, Person, Terms
from matches.clocks.vacations import DAYS_PER_YEAR, MATCHES_PER_POST
from storage.match import vacations
from tests.matches.clocks.scenario import (
    CLAIM_THREE_DAYS,
    DAY,
    HOUR,
    NO_VACATION,
    THREE_DAYS,
    announced_kinds,
    start_timed_match,
    take_announcements,
    time_of,
)
from tests.matches.scenario import ALICE, BOB, CAROL, FISTS, NOON, later, play_move
from tests.refusals import refusal_key, refused


async def test_vacation_stops_the_time(matches: Matches) -> None:
    view = await start_timed_match(matches)
    vacation = await matches.clocks.vacations.begin(ALICE, now=later(days=1))
    assert (vacation.began_at, vacation.ends_at) == (later(days=1), later(days=31))
    assert vacation.match_count == 1
    away = await matches.view(view.id, now=later(days=20))
    assert (time_of(away, ALICE).on_vacation, time_of(away, ALICE).remaining) == (True, 2 * DAY)
    await matches.clocks.tick(now=later(days=20))
    assert (await matches.clocks.vacations.end(ALICE, now=later(days=21))).match_count == 1
    back = await matches.view(view.id, now=later(days=21))
    assert (time_of(back, ALICE).on_vacation, time_of(back, ALICE).deadline) == (False, later(days=23))


async def test_vacation_does_not_stop_the_opponents_time(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.vacations.begin(BOB, now=NOON)
    moved = (await play_move(matches, view, now=later(days=1))).match
    assert (time_of(moved, BOB).deadline, time_of(moved, BOB).remaining) == (None, 3 * DAY)
    back = (await play_move(matches, moved, now=later(days=9))).match
    assert time_of(back, ALICE).deadline == later(days=12)


async def test_terms_without_vacations_keep_the_clock_running(matches: Matches) -> None:
    view = await start_timed_match(matches, NO_VACATION)
    assert (await matches.clocks.vacations.begin(ALICE, now=NOON)).match_count == 0
    await matches.clocks.tick(now=later(days=4))
    assert (await matches.view(view.id, now=NOON)).state is MatchState.OVER


async def test_match_started_during_a_vacation_has_a_stopped_clock(matches: Matches) -> None:
    await matches.clocks.vacations.begin(ALICE, now=NOON)
    view, strict = await start_timed_match(matches), await start_timed_match(matches, NO_VACATION)
    assert (time_of(view, ALICE).on_vacation, time_of(view, ALICE).deadline) == (True, None)
    assert time_of(strict, ALICE).deadline == later(days=3)


async def test_vacation_while_both_must_pick(matches: Matches) -> None:
    view = await start_timed_match(matches, THREE_DAYS, FISTS)
    await matches.clocks.vacations.begin(ALICE, now=NOON)
    await matches.clocks.tick(now=later(days=4))
    result = (await matches.view(view.id, now=NOON)).result
    assert result is not None
    assert result.winner is not None
    assert result.winner.person == ALICE


async def test_vacation_after_a_timeout_comes_too_late(matches: Matches) -> None:
    view = await start_timed_match(matches, CLAIM_THREE_DAYS)
    await matches.clocks.tick(now=later(days=4))
    await matches.clocks.vacations.begin(ALICE, now=later(days=4))
    assert (
        await matches.clocks.timeouts.claim(view.id, BOB, now=later(days=5))
    ).match.state is MatchState.OVER


async def test_vacation_says_nothing_where_time_has_ended(matches: Matches) -> None:
    flagged = await start_timed_match(matches, CLAIM_THREE_DAYS)
    await matches.clocks.tick(now=later(days=4))
    overdue = await start_timed_match(matches, CLAIM_THREE_DAYS, now=later(days=1))
    running = await start_timed_match(matches, CLAIM_THREE_DAYS, now=later(days=3))
    await take_announcements(matches, later(days=4))
    assert (await matches.clocks.vacations.begin(ALICE, now=later(days=4))).match_count == 1
    (away,) = await take_announcements(matches, later(days=4))
    assert away.details["matches"] == str(running.id)
    await matches.clocks.tick(now=later(days=5))
    for late in (flagged, overdue):
        view = await matches.view(late.id, now=later(days=5))
        assert time_of(view, ALICE).flagged_at is not None
        moved = (await play_move(matches, view, now=later(days=6))).match
        back = (await play_move(matches, moved, now=later(days=7))).match
        assert (time_of(back, ALICE).on_vacation, time_of(back, ALICE).deadline) == (True, None)


async def test_end_of_a_vacation_says_nothing_where_time_has_ended(matches: Matches) -> None:
    late = await start_timed_match(matches, CLAIM_THREE_DAYS)
    await matches.clocks.tick(now=later(days=4))
    await matches.clocks.vacations.begin(ALICE, now=later(days=4))
    await take_announcements(matches, later(days=5))
    assert (await matches.clocks.vacations.end(ALICE, now=later(days=5))).match_count == 0
    assert await announced_kinds(matches, later(days=5)) == []
    await matches.clocks.timeouts.give_time(late.id, BOB, DAY, now=later(days=6))
    found = await matches.view(late.id, now=later(days=6))
    assert time_of(found, ALICE).deadline == later(days=7)


async def test_vacation_is_not_announced_without_a_clock(matches: Matches) -> None:
    await start_timed_match(matches, Terms())
    await take_announcements(matches, later(minutes=1))
    assert (await matches.clocks.vacations.begin(ALICE, now=later(hours=1))).match_count == 0
    assert (await matches.clocks.vacations.end(ALICE, now=later(hours=2))).match_count == 0
    assert await announced_kinds(matches, later(hours=3)) == []


@pytest.mark.long
async def test_many_opponents_are_notified_in_several_announcements(matches: Matches) -> None:
    people = [Person(f"test:player{number}", f"Player {number}") for number in range(2 * MATCHES_PER_POST)]
    numbers = [(await start_timed_match(matches, to=one)).id for one in (*people, *people[:3])]
    await take_announcements(matches, later(minutes=1))
    await matches.clocks.vacations.begin(ALICE, now=later(hours=1))
    rows = await take_announcements(matches, later(hours=1))
    counts = [len(str(row.details["matches"]).split()) for row in rows]
    assert counts == [MATCHES_PER_POST, MATCHES_PER_POST, 3]
    assert {one for row in rows for one in row.recipients} == {one.account for one in people}
    named = [int(one) for row in rows for one in str(row.details["matches"]).split()]
    assert sorted(named) == numbers
    await matches.clocks.tick(now=later(days=40))
    back = await take_announcements(matches, later(days=40))
    assert [ALICE.account in row.recipients for row in back] == [True, False, False]


async def test_opponents_are_notified_once_in_each_channel(matches: Matches) -> None:
    first, second = await start_timed_match(matches), await start_timed_match(matches, to=CAROL)
    third = await start_timed_match(matches, to=CAROL, channel="test:elsewhere")
    await start_timed_match(matches, by=BOB, to=CAROL)
    await take_announcements(matches, later(minutes=1))
    vacation = await matches.clocks.vacations.begin(ALICE, now=later(hours=1))
    rows = await take_announcements(matches, later(hours=1))
    until = int(vacation.ends_at.timestamp() * 1000)
    assert [(row.kind, row.by, row.channel, row.recipients, dict(row.details)) for row in rows] == [
        (
            AnnouncementKind.AWAY,
            ALICE.account,
            "test:table",
            (BOB.account, CAROL.account),
            {"matches": f"{first.id} {second.id}", "until": until},
        ),
        (
            AnnouncementKind.AWAY,
            ALICE.account,
            "test:elsewhere",
            (CAROL.account,),
            {"matches": str(third.id), "until": until},
        ),
    ]
    await matches.clocks.vacations.end(ALICE, now=later(hours=2))
    assert await announced_kinds(matches, later(hours=2)) == [
        ("back", (BOB.account, CAROL.account)),
        ("back", (CAROL.account,)),
    ]


async def test_vacation_ends_when_its_days_are_used_up(matches: Matches, other_matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.vacations.begin(ALICE, now=NOON)
    await take_announcements(matches, later(minutes=1))
    await asyncio.gather(
        *(each.clocks.tick(now=later(days=30, hours=5)) for each in (matches, other_matches) * 2)
    )
    assert await announced_kinds(matches, later(days=31)) == [("back", (BOB.account, ALICE.account))]
    found = await matches.view(view.id, now=later(days=31))
    assert time_of(found, ALICE).deadline == later(days=33, hours=5)
    with refused("no_vacation_days_left") as refusal:
        await matches.clocks.vacations.begin(ALICE, now=later(days=40))
    assert dict(refusal.value.values) == {"days": DAYS_PER_YEAR, "year": 2026}


async def test_started_days_are_counted(matches: Matches) -> None:
    for start, end in ((0, 1), (24 * 3, 24 * 5), (24 * 9, 24 * 9 + 25)):
        await matches.clocks.vacations.begin(ALICE, now=later(hours=start))
        await matches.clocks.vacations.end(ALICE, now=later(hours=end))
    budget = await matches.clocks.vacations.budget(ALICE, now=later(days=20))
    assert (budget.year, budget.days_left, budget.current_vacation) == (2026, DAYS_PER_YEAR - 5, None)
    vacation = await matches.clocks.vacations.begin(ALICE, now=later(days=20))
    assert vacation.ends_at == later(days=45)
    budget = await matches.clocks.vacations.budget(ALICE, now=later(days=20, hours=30))
    assert (budget.days_left, budget.current_vacation) == (DAYS_PER_YEAR - 7, vacation)


async def test_each_year_has_its_own_days(matches: Matches) -> None:
    december, new_year = datetime(2026, 12, 20, 12, tzinfo=UTC), datetime(2027, 1, 1, 12, tzinfo=UTC)
    vacation = await matches.clocks.vacations.begin(ALICE, now=december)
    assert vacation.ends_at == new_year + 30 * DAY
    await matches.clocks.vacations.end(ALICE, now=new_year + 3 * DAY - HOUR)
    assert (
        await matches.clocks.vacations.budget(ALICE, now=new_year + 5 * DAY)
    ).days_left == DAYS_PER_YEAR - 3


async def test_vacation_of_a_chosen_length_ends_by_itself(matches: Matches) -> None:
    await start_timed_match(matches)
    vacation = await matches.clocks.vacations.begin(ALICE, length=7 * DAY, now=NOON)
    assert vacation.ends_at == later(days=7)
    await matches.clocks.tick(now=later(days=6, hours=23))
    assert (await matches.clocks.vacations.budget(ALICE, now=later(days=7))).current_vacation is not None
    await matches.clocks.tick(now=later(days=7, hours=1))
    budget = await matches.clocks.vacations.budget(ALICE, now=later(days=8))
    assert (budget.current_vacation, budget.days_left) == (None, DAYS_PER_YEAR - 7)


@pytest.mark.parametrize("length", [timedelta(0), DAY - HOUR, 30 * DAY + HOUR])
async def test_vacation_can_last_from_a_day_to_all_that_are_left(matches: Matches, length: timedelta) -> None:
    with refused("vacation_out_of_range") as refusal:
        await matches.clocks.vacations.begin(ALICE, length=length, now=NOON)
    assert dict(refusal.value.values) == {"least": DAY, "most": 30 * DAY}
    assert (await matches.clocks.vacations.begin(ALICE, length=30 * DAY, now=NOON)).ends_at == later(days=30)


async def test_one_vacation_at_a_time(matches: Matches) -> None:
    await matches.clocks.vacations.begin(ALICE, now=NOON)
    with refused("already_on_vacation"):
        await matches.clocks.vacations.begin(ALICE, now=later(days=1))


async def test_no_vacation_to_end(matches: Matches) -> None:
    with refused("not_on_vacation"):
        await matches.clocks.vacations.end(ALICE, now=NOON)


async def test_two_processes_begin_one_vacation(matches: Matches, other_matches: Matches) -> None:
    await start_timed_match(matches)
    tries = [
        each.clocks.vacations.begin(ALICE, now=later(minutes=1)) for each in (matches, other_matches) * 2
    ]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    assert sorted(map(refusal_key, outcomes)) == ["", *["already_on_vacation"] * 3]
    assert [kind for kind, _ in await announced_kinds(matches, later(hours=1))].count("away") == 1


async def test_vacation_missed_by_a_concurrent_turn_still_counts(
    matches: Matches, database: Database
) -> None:
    view = await start_timed_match(matches)
    async with database.transaction() as connection:  # as if the vacation began during the acceptance
        ends_at = int(later(days=30).timestamp() * 1000)
        await vacations.start(connection, ALICE.account, int(later(days=1).timestamp() * 1000), ends_at)
    await matches.clocks.tick(now=later(days=5))
    found = await matches.view(view.id, now=later(days=5))
    assert (found.state, time_of(found, ALICE).remaining) == (MatchState.PLAYING, 2 * DAY)


async def test_late_announcement_of_a_vacation_has_its_match(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await take_announcements(matches, later(minutes=1))
    await matches.clocks.vacations.begin(ALICE, now=NOON)
    await play_move(matches, view)
    (row, *_) = await take_announcements(matches, later(days=1))
    assert (await matches.views.at_announcement(row)).id == view.id
