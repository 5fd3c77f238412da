"""Reminders: each is sent once, no matter which process sweeps and how late."""

import asyncio
from datetime import datetime, timedelta

import pytest

from engine.game import Side
from matches import (
    Announcement,
    AnnouncementKind,
    Database,
    Matches,
    MatchView,
    Person,
    Preferences,
    ReminderChannel,
    Terms,
    TimeoutRule,
    parse_time_control,
)
from matches.reminders import sweep
from tests.matches.scenario import (
    ALICE,
    BOB,
    CHANNEL,
    FISTS,
    FREE,
    NOON,
    SERVER,
    later,
    legal_move,
    play_move,
    start_match,
)

BATCH_SIZE = 10
DAILY = {"repeat_days": 1}


async def claim_reminders(matches: Matches, now: datetime) -> list[Announcement]:
    """Return the reminders that are due by `now`, and mark everything due as sent."""
    found = []
    while rows := await matches.announcements.claim_due("test", now=now, limit=200):
        for row in rows:
            await matches.announcements.mark_sent(row.id, "test:post", now=now)
            found += [row] if row.kind is AnnouncementKind.REMINDED else []
    return found


async def sweep_reminders(matches: Matches, now: datetime) -> list[str]:
    """Sweep and return the accounts that were reminded."""
    await matches.people.reminders.remind(now=now)
    return [row.to or "" for row in await claim_reminders(matches, now)]


async def start_waiting_match(matches: Matches, person: Person = ALICE, **values: object) -> MatchView:
    """Start a match that waits for Alice, who is reminded every day by default."""
    await matches.people.preferences.change(person, now=NOON, **(values or DAILY))
    return await start_match(matches)


@pytest.mark.long
async def test_reminder_is_private_and_names_the_match(matches: Matches) -> None:
    view = await start_waiting_match(matches)
    await sweep_reminders(matches, later(minutes=5))
    await matches.people.reminders.remind(now=later(days=1))
    (row,) = await claim_reminders(matches, later(days=1))
    assert (row.kind, row.match, row.challenge, row.ply) == (AnnouncementKind.REMINDED, view.id, None, 0)
    assert (row.to, row.recipients, row.by) == (ALICE.account, (ALICE.account,), ALICE.account)
    assert (row.server, row.channel, row.made_at) == (SERVER, CHANNEL, later(days=1))


async def test_reminder_comes_once_for_each_step(matches: Matches) -> None:
    await start_waiting_match(matches)
    reminded = [await sweep_reminders(matches, later(hours=hours)) for hours in range(0, 73, 6)]
    assert [len(one) for one in reminded] == [0, 0, 0, 0, 1] + [0, 0, 0, 1] * 2


async def test_default_preferences_remind_nobody_without_a_deadline(matches: Matches) -> None:
    await start_match(matches)
    assert await sweep_reminders(matches, later(days=60)) == []
    assert await sweep_reminders(matches, later(days=61)) == []


@pytest.mark.long
async def test_reminders_can_be_turned_off(matches: Matches) -> None:
    await start_waiting_match(matches, reminder_channel=ReminderChannel.OFF, repeat_days=1)
    assert await sweep_reminders(matches, later(days=9)) == []


@pytest.mark.long
async def test_late_sweep_reminds_once(matches: Matches) -> None:
    await start_waiting_match(matches)
    assert await sweep_reminders(matches, later(days=5, hours=1)) == [ALICE.account]
    assert await sweep_reminders(matches, later(days=5, hours=2)) == []
    assert await sweep_reminders(matches, later(days=6)) == [ALICE.account]


async def test_repeats_end(matches: Matches) -> None:
    await start_waiting_match(matches)
    reminded = [await sweep_reminders(matches, later(days=days)) for days in range(30)]
    assert sum(map(len, reminded)) == 10


async def test_concurrent_sweeps_remind_once(matches: Matches, other_matches: Matches) -> None:
    await start_waiting_match(matches)
    await start_match(matches)
    counts = await asyncio.gather(
        *(one.people.reminders.remind(now=later(days=1)) for one in (matches, other_matches) * 3)
    )
    assert sum(counts) == 2
    assert len(await claim_reminders(matches, later(days=1))) == 2


@pytest.mark.long
async def test_move_restarts_reminders_for_the_opponent(matches: Matches) -> None:
    view = await start_waiting_match(matches)
    await matches.people.preferences.change(BOB, repeat_days=2, now=NOON)
    await play_move(matches, view, now=later(hours=20))
    assert await sweep_reminders(matches, later(days=2)) == []
    assert await sweep_reminders(matches, later(days=2, hours=20)) == [BOB.account]


@pytest.mark.long
async def test_both_are_reminded_of_pending_choice(matches: Matches) -> None:
    await matches.people.preferences.change(ALICE, repeat_days=1, now=NOON)
    await matches.people.preferences.change(BOB, repeat_days=2, now=NOON)
    view = await start_match(matches, FISTS)
    assert await sweep_reminders(matches, later(days=1)) == [ALICE.account]
    assert await sweep_reminders(matches, later(days=2)) == [ALICE.account, BOB.account]
    await matches.pick(view.id, ALICE, "LR", now=later(days=2, hours=1))
    assert await sweep_reminders(matches, later(days=4)) == [BOB.account]


async def test_no_reminder_after_the_end(matches: Matches) -> None:
    view = await start_waiting_match(matches)
    await matches.resign(view.id, BOB, now=later(hours=1))
    assert await sweep_reminders(matches, later(days=9)) == []


async def test_reminder_of_an_earlier_turn_is_not_due(matches: Matches) -> None:
    view = await start_waiting_match(matches)
    await matches.people.reminders.remind(now=later(days=1))
    (row,) = await claim_reminders(matches, later(days=1))
    assert await matches.people.reminders.is_still_due(row)
    update = await play_move(matches, view, now=later(days=1))
    assert not await matches.people.reminders.is_still_due(row)
    await play_move(matches, update.match, now=later(days=1))
    assert not await matches.people.reminders.is_still_due(row)


async def test_reminder_stays_due_within_a_run_of_placements(matches: Matches) -> None:
    await matches.people.preferences.change(BOB, now=NOON, **DAILY)
    view = (await play_move(matches, await start_match(matches, FREE))).match
    await matches.people.reminders.remind(now=later(days=1))
    (row,) = await claim_reminders(matches, later(days=1))
    update = await matches.play(view.id, BOB, [legal_move(view)], now=later(days=1))
    assert update.match.moves_due
    assert await matches.people.reminders.is_still_due(row)


async def test_reminder_of_the_choice_stays_due_until_the_pick(matches: Matches) -> None:
    await matches.people.preferences.change(ALICE, now=NOON, **DAILY)
    view = await start_match(matches, FISTS)
    await matches.people.reminders.remind(now=later(days=1))
    (row,) = await claim_reminders(matches, later(days=1))
    assert await matches.people.reminders.is_still_due(row)
    await matches.pick(view.id, ALICE, "LR", now=later(days=1))
    assert not await matches.people.reminders.is_still_due(row)


async def test_quiet_hours_delay_a_reminder(matches: Matches) -> None:
    await start_waiting_match(matches, repeat_days=1, quiet="11:00-15:00")
    assert await sweep_reminders(matches, later(days=1, hours=1)) == []
    assert await sweep_reminders(matches, later(days=1, hours=3)) == [ALICE.account]


async def test_late_reminder_respects_quiet_hours(matches: Matches) -> None:
    await start_waiting_match(matches, repeat_days=1, quiet="20:00-7:00")
    await matches.people.reminders.remind(now=later(days=1, hours=9))
    assert await claim_reminders(matches, later(days=1, hours=9)) == []
    assert [row.to for row in await claim_reminders(matches, later(days=1, hours=19))] == [ALICE.account]


async def test_new_preferences_apply_from_then_on(matches: Matches) -> None:
    await start_match(matches)
    assert await sweep_reminders(matches, later(days=3)) == []
    await matches.people.preferences.change(ALICE, repeat_days=2, now=later(days=3))
    assert await sweep_reminders(matches, later(days=3, hours=1)) == []
    assert await sweep_reminders(matches, later(days=4)) == [ALICE.account]


async def test_reminder_does_not_delay_the_posts_of_its_match(matches: Matches) -> None:
    view = await start_waiting_match(matches)
    await claim_reminders(matches, later(minutes=1))
    await matches.people.reminders.remind(now=later(days=1))
    (row,) = await matches.announcements.claim_due("test", now=later(days=1))
    await matches.announcements.mark_failed(row.id, now=later(days=1))
    await play_move(matches, view, now=later(days=1))
    due = await matches.announcements.claim_due("test", now=later(days=1, seconds=20))
    assert [one.kind for one in due] == [AnnouncementKind.TURN, AnnouncementKind.REMINDED]


async def test_reminder_is_not_the_latest_post(matches: Matches) -> None:
    await start_waiting_match(matches)
    await claim_reminders(matches, later(minutes=1))
    await matches.people.reminders.remind(now=later(days=1))
    (row,) = await matches.announcements.claim_due("test", now=later(days=1))
    await matches.announcements.mark_sent(row.id, "test:private", now=later(days=1))
    (listed,) = await matches.views.list_awaiting(ALICE)
    assert listed.post == "test:post"


async def test_discarded_reminder_is_not_claimed(matches: Matches) -> None:
    await start_waiting_match(matches)
    await claim_reminders(matches, later(minutes=1))
    await matches.people.reminders.remind(now=later(days=1))
    (row,) = await matches.announcements.claim_due("test", now=later(days=1))
    await matches.announcements.discard(row.id, now=later(days=1))
    assert await matches.announcements.claim_due("test", now=later(days=2)) == ()
    assert not await matches.announcements.mark_sent(row.id, "test:late", now=later(days=2))


@pytest.mark.long
@pytest.mark.parametrize("preferences", [Preferences(), Preferences(repeat_days=1)])
async def test_sweep_handles_more_than_one_batch(
    matches: Matches, preferences: Preferences, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "BATCH_SIZE", BATCH_SIZE)
    await matches.people.preferences.change(ALICE, repeat_days=preferences.repeat_days, now=NOON)
    for _ in range(BATCH_SIZE + 1):
        await start_match(matches)
    assert await matches.people.reminders.remind(now=later(days=1)) == (
        BATCH_SIZE + 1 if preferences.repeat_days else 0
    )
    assert await matches.people.reminders.remind(now=later(days=1)) == 0


async def start_timed_match(matches: Matches, pace: str = "4d per move", **terms: object) -> MatchView:
    """Start a match with a clock; Alice is reminded when half and when a tenth of her time is left."""
    await matches.people.preferences.change(ALICE, shares=(50, 10), now=NOON)
    agreed = Terms(time_control=parse_time_control(pace), **terms)  # type: ignore[arg-type]
    update = await matches.challenges.create(
        ALICE,
        to=BOB,
        server=SERVER,
        channel=CHANNEL,
        game="morelli",
        options={"size": 9},
        terms=agreed,
        colour=Side.BLACK,
        now=NOON,
    )
    return (await matches.challenges.accept(update.challenge.id, BOB, now=NOON)).match


async def reminder_hours(matches: Matches, *, until: int, since: int = 0) -> list[int]:
    """Let hours pass with the service running; return those at which Alice is reminded."""
    found = []
    for hour in range(since, until):
        await matches.clocks.heartbeat(later(hours=hour))
        if await sweep_reminders(matches, later(hours=hour)):
            found.append(hour)
    return found


@pytest.fixture
def patient_matches(database: Database) -> Matches:
    """Return matches for which a gap of an hour is not a downtime."""
    return Matches(database, outage=timedelta(hours=2))


@pytest.mark.long
async def test_shares_are_of_the_time_for_the_turn(patient_matches: Matches) -> None:
    await start_timed_match(patient_matches)
    assert await reminder_hours(patient_matches, until=96) == [48, 87]


@pytest.mark.long
async def test_extra_time_restarts_the_shares(patient_matches: Matches) -> None:
    view = await start_timed_match(patient_matches)
    assert await reminder_hours(patient_matches, until=60) == [48]
    await patient_matches.clocks.timeouts.give_time(view.id, BOB, timedelta(hours=64), now=later(hours=60))
    assert await reminder_hours(patient_matches, since=61, until=160) == [110, 150]


@pytest.mark.long
async def test_no_reminder_during_a_pause(patient_matches: Matches) -> None:
    view = await start_timed_match(patient_matches)
    await patient_matches.clocks.pauses.offer(view.id, ALICE, now=later(hours=40))
    await patient_matches.clocks.pauses.answer(view.id, BOB, accept=True, now=later(hours=40))
    assert await reminder_hours(patient_matches, since=41, until=120) == []
    await patient_matches.clocks.pauses.resume(view.id, ALICE, now=later(hours=120))
    assert await reminder_hours(patient_matches, since=121, until=180) == [148, 171]


@pytest.mark.long
async def test_no_reminder_during_a_vacation(patient_matches: Matches) -> None:
    await start_timed_match(patient_matches)
    await patient_matches.clocks.vacations.begin(ALICE, now=later(hours=40))
    assert await reminder_hours(patient_matches, since=41, until=120) == []
    await patient_matches.clocks.vacations.end(ALICE, now=later(hours=120))
    assert await reminder_hours(patient_matches, since=121, until=180) == [148, 171]


@pytest.mark.long
async def test_time_for_which_the_service_was_down_is_not_counted(patient_matches: Matches) -> None:
    await start_timed_match(patient_matches)
    assert await reminder_hours(patient_matches, until=24) == []
    await patient_matches.clocks.tick(later(hours=24 + 96))
    assert await sweep_reminders(patient_matches, later(hours=24 + 96)) == []
    assert await reminder_hours(patient_matches, since=121, until=190) == [48 + 97, 87 + 97]


@pytest.mark.long
async def test_nobody_is_reminded_of_a_deadline_that_is_past(patient_matches: Matches) -> None:
    await start_timed_match(patient_matches)
    assert await reminder_hours(patient_matches, until=90) == [48, 87]
    await patient_matches.clocks.tick(later(hours=97))
    assert await reminder_hours(patient_matches, since=97, until=120) == []


@pytest.mark.long
async def test_repeats_continue_after_a_timeout_that_can_be_claimed(patient_matches: Matches) -> None:
    await start_timed_match(patient_matches, "1d per move")
    await patient_matches.people.preferences.change(ALICE, shares=(), repeat_days=2, now=NOON)
    await patient_matches.clocks.tick(later(hours=1))
    assert await reminder_hours(patient_matches, since=1, until=25) == []
    await patient_matches.clocks.tick(later(hours=25))
    assert await reminder_hours(patient_matches, since=25, until=60) == [48]


@pytest.mark.long
async def test_nearest_deadline_comes_first(patient_matches: Matches) -> None:
    untimed = await start_match(patient_matches)
    slow, quick = (
        await start_timed_match(patient_matches, "9d per move"),
        await start_timed_match(patient_matches, "1d per move"),
    )
    fallen = await start_timed_match(patient_matches, "6h per move", timeout_rule=TimeoutRule.CLAIM)
    for hour in range(8):
        await patient_matches.clocks.tick(later(hours=hour))
    listed = [one.id for one in await patient_matches.views.list_awaiting(ALICE)]
    assert listed == [fallen.id, quick.id, slow.id, untimed.id]
