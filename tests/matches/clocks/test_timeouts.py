"""Time-outs: noticed by a sweep that may run late, twice and in any process; claims and extra time."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import update

from engine.game import Outcome
from matches import AnnouncementKind, Database, EndReason, Matches, MatchState, Person, Terms, TimeoutRule
from storage.tables import MATCHES
from tests.matches.clocks.scenario import (
    CLAIM_THREE_DAYS,
    DAY,
    HOUR,
    MINUTE,
    THREE_DAYS,
    announced_kinds,
    start_timed_match,
    take_announcements,
    time_of,
)
from tests.matches.scenario import ALICE, BOB, CAROL, FISTS, NOON, later, play_move
from tests.refusals import refused

BOTH = (ALICE.account, BOB.account)
PAST = later(days=3, seconds=1)


@pytest.mark.long
async def test_match_is_lost_on_time(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await take_announcements(matches, later(minutes=1))
    await matches.clocks.tick(now=PAST)
    result = (await matches.view(view.id, now=PAST)).result
    assert result is not None
    assert (result.reason, result.outcome, result.winner and result.winner.person) == (
        EndReason.TIME,
        Outcome.WHITE,
        BOB,
    )
    (row,) = await take_announcements(matches, PAST)
    assert (row.kind, row.by, row.recipients) == (AnnouncementKind.TIMED_OUT, ALICE.account, BOTH)
    assert (await matches.views.at_announcement(row)).result == result


async def test_no_timeout_before_the_deadline(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.tick(now=later(days=2, hours=23, minutes=59))
    assert (await matches.view(view.id, now=PAST)).state is MatchState.PLAYING


@pytest.mark.long
async def test_sweep_can_run_late_and_twice(matches: Matches) -> None:
    await start_timed_match(matches)
    await take_announcements(matches, later(minutes=1))
    for days in (60, 60, 61):
        await matches.clocks.tick(now=later(days=days))
    assert await announced_kinds(matches, later(days=62)) == [("timed_out", BOTH)]


@pytest.mark.long
async def test_two_processes_sweep_at_once(matches: Matches, other_matches: Matches) -> None:
    for _ in range(3):
        await start_timed_match(matches)
    await take_announcements(matches, later(minutes=1))
    await asyncio.gather(*(each.clocks.tick(now=PAST) for each in (matches, other_matches) * 2))
    assert await announced_kinds(matches, PAST) == [("timed_out", BOTH)] * 3


async def test_move_before_the_sweep_is_in_time(matches: Matches) -> None:
    view = await start_timed_match(matches)
    moved = (await play_move(matches, view, now=PAST)).match
    await matches.clocks.tick(now=PAST)
    assert (await matches.view(view.id, now=PAST)).state is MatchState.PLAYING
    assert time_of(moved, BOB).deadline == PAST + 3 * DAY


async def test_move_after_the_sweep_is_too_late(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.tick(now=PAST)
    with refused("match_over"):
        await play_move(matches, view, now=PAST)


@pytest.mark.long
async def test_one_sweep_decides_many_timeouts(matches: Matches) -> None:
    views = [await start_timed_match(matches) for _ in range(4)]
    await play_move(matches, views[2], now=later(days=1))
    await matches.clocks.tick(now=PAST)
    states = [(await matches.view(view.id, now=PAST)).state for view in views]
    assert states == [MatchState.OVER, MatchState.OVER, MatchState.PLAYING, MatchState.OVER]


@pytest.mark.long
async def test_opponent_is_notified_once_and_can_claim(matches: Matches) -> None:
    view = await start_timed_match(matches, CLAIM_THREE_DAYS)
    await take_announcements(matches, later(minutes=1))
    await matches.clocks.tick(now=PAST)
    await matches.clocks.tick(now=later(days=4))
    (row,) = await take_announcements(matches, later(days=5))
    assert (row.kind, row.by, row.recipients) == (
        AnnouncementKind.FLAGGED,
        ALICE.account,
        (BOB.account, ALICE.account),
    )
    fallen = await matches.views.at_announcement(row)
    assert time_of(fallen, ALICE).flagged_at == later(days=3)
    assert fallen.state is MatchState.PLAYING
    update = await matches.clocks.timeouts.claim(view.id, BOB, now=later(days=5))
    assert update.match.result is not None
    assert update.match.result.reason is EndReason.TIME
    assert update.match.result.winner == update.match.seat(BOB.account)
    assert update.announcement is not None
    assert (update.announcement.kind, update.announcement.recipients) == (
        AnnouncementKind.CLAIMED,
        (ALICE.account,),
    )
    assert await matches.views.at_announcement(update.announcement) == update.match


async def test_late_move_does_not_shorten_the_next_turn(matches: Matches) -> None:
    view = await start_timed_match(matches, CLAIM_THREE_DAYS)
    await matches.clocks.tick(now=PAST)
    moved = (await play_move(matches, view, now=later(days=4))).match
    assert (time_of(moved, ALICE).flagged_at, time_of(moved, ALICE).remaining) == (None, 3 * DAY)
    with refused("time_not_over") as refusal:
        await matches.clocks.timeouts.claim(view.id, BOB, now=later(days=4))
    assert refusal.value.values["name"] == ALICE


@pytest.mark.parametrize(
    ("person", "refusal"),
    [(ALICE, "time_not_over"), (CAROL, "not_in_match")],
)
async def test_only_the_opponent_can_claim(matches: Matches, person: Person, refusal: str) -> None:
    view = await start_timed_match(matches, CLAIM_THREE_DAYS)
    await matches.clocks.tick(now=PAST)
    with refused(refusal):
        await matches.clocks.timeouts.claim(view.id, person, now=PAST)


async def test_no_claim_before_a_sweep(matches: Matches) -> None:
    view = await start_timed_match(matches, CLAIM_THREE_DAYS)
    with refused("time_not_over"):
        await matches.clocks.timeouts.claim(view.id, BOB, now=PAST)


@pytest.mark.long
async def test_extra_time_ends_a_timeout(matches: Matches) -> None:
    view = await start_timed_match(matches, CLAIM_THREE_DAYS)
    await matches.clocks.tick(now=PAST)
    update = await matches.clocks.timeouts.give_time(view.id, BOB, 2 * DAY, now=later(days=4))
    assert (time_of(update, ALICE).deadline, time_of(update, ALICE).flagged_at) == (later(days=6), None)
    assert update.announcement is not None
    assert update.announcement.kind is AnnouncementKind.TIME_GIVEN
    assert (update.announcement.recipients, update.announcement.details) == (
        (ALICE.account,),
        {"minutes": 2880},
    )
    await take_announcements(matches, later(days=5))
    await matches.clocks.tick(now=later(days=7))
    assert await announced_kinds(matches, later(days=7)) == [("flagged", (BOB.account, ALICE.account))]


@pytest.mark.long
async def test_extra_time_can_be_given_before_a_timeout(matches: Matches) -> None:
    view = await start_timed_match(matches)
    turn = await matches.clocks.timeouts.give_time(view.id, BOB, HOUR, now=later(days=1))
    assert time_of(turn, ALICE).deadline == later(days=3, hours=1)
    turn = await matches.clocks.timeouts.give_time(view.id, ALICE, HOUR, now=later(days=1))
    assert time_of(turn, BOB).remaining == 3 * DAY + HOUR


@pytest.mark.parametrize("amount", [timedelta(0), -DAY, 4 * MINUTE, 31 * DAY])
async def test_too_little_or_too_much_extra_time_is_refused(matches: Matches, amount: timedelta) -> None:
    view = await start_timed_match(matches)
    with refused("extra_time_out_of_bounds") as refusal:
        await matches.clocks.timeouts.give_time(view.id, BOB, amount, now=NOON)
    assert dict(refusal.value.values) == {"least": timedelta(minutes=5), "most": timedelta(days=30)}
    assert time_of(await matches.view(view.id, now=NOON), ALICE).deadline == later(days=3)


@pytest.mark.long
async def test_extra_time_is_limited_in_total(matches: Matches) -> None:
    view = await start_timed_match(matches)
    for _ in range(12):
        await matches.clocks.timeouts.give_time(view.id, BOB, 30 * DAY, now=NOON)
    with refused("extra_time_out_of_bounds") as refusal:
        await matches.clocks.timeouts.give_time(view.id, BOB, 30 * DAY, now=NOON)
    assert refusal.value.values["most"] == timedelta(days=2)


async def test_claims_and_extra_time_need_a_clock(matches: Matches) -> None:
    view = await start_timed_match(matches, Terms())
    with refused("not_abandoned"):
        await matches.clocks.timeouts.claim(view.id, BOB, now=PAST)
    with refused("no_clock"):
        await matches.clocks.timeouts.give_time(view.id, BOB, DAY, now=PAST)


@pytest.mark.long
async def test_player_who_does_not_pick_loses(matches: Matches) -> None:
    view = await start_timed_match(matches, THREE_DAYS, FISTS)
    await matches.pick(view.id, BOB, "LR", now=NOON)
    await take_announcements(matches, later(minutes=1))
    await matches.clocks.tick(now=PAST)
    result = (await matches.view(view.id, now=PAST)).result
    assert result is not None
    assert (result.reason, result.winner and result.winner.person) == (EndReason.TIME, BOB)
    assert await announced_kinds(matches, PAST) == [("timed_out", BOTH)]


@pytest.mark.long
async def test_nobody_wins_if_neither_picks(matches: Matches) -> None:
    view = await start_timed_match(matches, THREE_DAYS, FISTS)
    await take_announcements(matches, later(minutes=1))
    await matches.clocks.tick(now=PAST)
    over = await matches.view(view.id, now=PAST)
    assert over.result is not None
    assert (over.state, over.result.reason, over.result.outcome) == (MatchState.OVER, EndReason.ABORTED, None)
    assert (over.result.winner, over.result.loser) == (None, None)
    assert await announced_kinds(matches, PAST) == [("timed_out", BOTH)]


@pytest.mark.long
async def test_either_can_end_the_match_if_neither_picks(matches: Matches) -> None:
    view = await start_timed_match(matches, CLAIM_THREE_DAYS, FISTS)
    await take_announcements(matches, later(minutes=1))
    await matches.clocks.tick(now=PAST)
    rows = await take_announcements(matches, PAST)
    assert [(row.kind, row.by) for row in rows] == [
        (AnnouncementKind.FLAGGED, ALICE.account),
        (AnnouncementKind.FLAGGED, BOB.account),
    ]
    assert (await matches.views.at_announcement(rows[0])).state is MatchState.CHOOSING
    result = (await matches.clocks.timeouts.claim(view.id, BOB, now=PAST)).match.result
    assert result is not None
    assert (result.reason, result.winner) == (EndReason.ABORTED, None)


@pytest.mark.long
async def test_timeout_rule_depends_on_the_terms(matches: Matches) -> None:
    lost, claimed = await start_timed_match(matches), await start_timed_match(matches, CLAIM_THREE_DAYS)
    await matches.clocks.tick(now=PAST)
    found = [(await matches.view(view.id, now=PAST)) for view in (lost, claimed)]
    assert [(view.terms.timeout_rule, view.state) for view in found] == [
        (TimeoutRule.LOST, MatchState.OVER),
        (TimeoutRule.CLAIM, MatchState.PLAYING),
    ]


@pytest.mark.long
async def test_undecidable_match_does_not_block_others(database: Database, matches: Matches) -> None:
    broken, whole = await start_timed_match(matches), await start_timed_match(matches)
    async with database.transaction() as connection:
        await connection.execute(update(MATCHES).where(MATCHES.c.id == broken.id).values(rules_version=99))
    for _ in range(2):
        with pytest.raises(ExceptionGroup) as caught:
            await matches.clocks.tick(now=PAST)
        assert len(caught.value.exceptions) == 1
    assert (await matches.view(whole.id, now=PAST)).state is MatchState.OVER


@pytest.mark.long
async def test_matches_ended_by_time_agree_with_their_logs(matches: Matches) -> None:
    view = (await play_move(matches, await start_timed_match(matches))).match
    fists = await start_timed_match(matches, THREE_DAYS, FISTS)
    await matches.clocks.tick(now=later(days=9))
    for match in (view.id, fists.id):
        assert (await matches.audit(match)).difference is None
