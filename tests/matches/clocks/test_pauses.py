"""Pauses, which both players agree on and either ends."""

from collections.abc import Awaitable, Callable

import pytest

from matches import AnnouncementKind, Matches, MatchState, MatchUpdate, Person, Terms
from tests.matches.clocks.scenario import (
    CLAIM_THREE_DAYS,
    DAY,
    start_timed_match,
    take_announcements,
    time_of,
)
from tests.matches.scenario import ALICE, BOB, CAROL, FISTS, NOON, later, play_move
from tests.refusals import refused

Act = Callable[[Matches], Awaitable[None]]


def announced_kind(turn: MatchUpdate) -> tuple[AnnouncementKind, tuple[str, ...]]:
    assert turn.announcement is not None
    return turn.announcement.kind, turn.announcement.recipients


async def pause_match(matches: Matches, terms: Terms = CLAIM_THREE_DAYS) -> MatchUpdate:
    """Start a match and pause it after a day."""
    view = await start_timed_match(matches, terms)
    await matches.clocks.pauses.offer(view.id, BOB, now=later(days=1))
    return await matches.clocks.pauses.answer(view.id, ALICE, accept=True, now=later(days=1))


async def test_pause_is_offered_and_accepted(matches: Matches) -> None:
    view = await start_timed_match(matches)
    offered = await matches.clocks.pauses.offer(view.id, BOB, now=NOON)
    assert announced_kind(offered) == (AnnouncementKind.PAUSE_OFFERED, (ALICE.account,))
    assert offered.match.time is not None
    assert (offered.match.time.pause_offered_by, offered.match.time.paused) == (BOB, False)
    accepted = await matches.clocks.pauses.answer(view.id, ALICE, accept=True, now=NOON)
    assert announced_kind(accepted) == (AnnouncementKind.PAUSED, (BOB.account,))
    assert accepted.match.time is not None
    assert (accepted.match.time.pause_offered_by, accepted.match.time.paused) == (None, True)


async def test_no_timeout_during_a_pause(matches: Matches) -> None:
    update = await pause_match(matches)
    await take_announcements(matches, later(days=2))
    await matches.clocks.tick(now=later(days=90))
    assert await take_announcements(matches, later(days=90)) == []
    assert time_of(await matches.view(update.match.id, now=later(days=90)), ALICE).remaining == 2 * DAY


async def test_mutual_offers_start_a_pause(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.pauses.offer(view.id, BOB, now=NOON)
    turn = await matches.clocks.pauses.offer(view.id, ALICE, now=NOON)
    assert announced_kind(turn) == (AnnouncementKind.PAUSED, (BOB.account,))


@pytest.mark.parametrize("person", [ALICE, BOB])
async def test_either_player_can_resume(matches: Matches, person: Person) -> None:
    view = (await pause_match(matches)).match
    turn = await matches.clocks.pauses.resume(view.id, person, now=later(days=9))
    other = BOB if person == ALICE else ALICE
    assert announced_kind(turn) == (AnnouncementKind.RESUMED, (other.account,))
    assert time_of(turn, ALICE).deadline == later(days=9) + 2 * DAY


async def test_opponent_of_the_resuming_player_has_a_day(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.pauses.offer(view.id, ALICE, now=later(days=2, hours=23))
    await matches.clocks.pauses.answer(view.id, BOB, accept=True, now=later(days=2, hours=23))
    turn = await matches.clocks.pauses.resume(view.id, BOB, now=later(days=9))
    assert time_of(turn, ALICE).deadline == later(days=10)


async def test_moves_can_be_played_during_a_pause(matches: Matches) -> None:
    view = (await pause_match(matches)).match
    moved = (await play_move(matches, view, now=later(days=5))).match
    assert moved.time is not None
    assert (moved.time.paused, moved.time.deadline, time_of(moved, ALICE).remaining) == (True, None, 3 * DAY)


async def test_declined_pause_can_be_offered_again_after_a_move(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.pauses.offer(view.id, BOB, now=NOON)
    declined = await matches.clocks.pauses.answer(view.id, ALICE, accept=False, now=NOON)
    assert announced_kind(declined) == (AnnouncementKind.PAUSE_DECLINED, (BOB.account,))
    with refused("pause_declined"):
        await matches.clocks.pauses.offer(view.id, BOB, now=NOON)
    await play_move(matches, view)
    again = await matches.clocks.pauses.offer(view.id, BOB, now=NOON)
    assert announced_kind(again)[0] is AnnouncementKind.PAUSE_OFFERED


async def test_player_who_declined_can_offer(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.pauses.offer(view.id, BOB, now=NOON)
    await matches.clocks.pauses.answer(view.id, ALICE, accept=False, now=NOON)
    turn = await matches.clocks.pauses.offer(view.id, ALICE, now=NOON)
    assert announced_kind(turn) == (AnnouncementKind.PAUSE_OFFERED, (BOB.account,))


@pytest.mark.long
async def test_move_withdraws_the_offer(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.pauses.offer(view.id, BOB, now=NOON)
    await play_move(matches, view)
    with refused("no_pause_offer"):
        await matches.clocks.pauses.answer(view.id, ALICE, accept=True, now=NOON)


async def test_pause_during_the_choice(matches: Matches) -> None:
    view = await start_timed_match(matches, CLAIM_THREE_DAYS, FISTS)
    await matches.clocks.pauses.offer(view.id, BOB, now=NOON)
    update = await matches.clocks.pauses.answer(view.id, ALICE, accept=True, now=NOON)
    assert update.match.time is not None
    assert (update.match.state, update.match.time.deadline) == (MatchState.CHOOSING, None)
    assert update.announcement is not None
    assert (await matches.views.at_announcement(update.announcement)).state is MatchState.CHOOSING


async def offer_twice(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.pauses.offer(view.id, BOB, now=NOON)
    await matches.clocks.pauses.offer(view.id, BOB, now=NOON)


async def answer_oneself(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.pauses.offer(view.id, BOB, now=NOON)
    await matches.clocks.pauses.answer(view.id, BOB, accept=True, now=NOON)


async def answer_nothing(matches: Matches) -> None:
    await matches.clocks.pauses.answer((await start_timed_match(matches)).id, BOB, accept=True, now=NOON)


async def resume_what_runs(matches: Matches) -> None:
    await matches.clocks.pauses.resume((await start_timed_match(matches)).id, BOB, now=NOON)


async def pause_twice(matches: Matches) -> None:
    await matches.clocks.pauses.offer((await pause_match(matches)).match.id, BOB, now=NOON)


async def pause_no_clock(matches: Matches) -> None:
    await matches.clocks.pauses.offer((await start_timed_match(matches, Terms())).id, BOB, now=NOON)


async def pause_as_onlooker(matches: Matches) -> None:
    await matches.clocks.pauses.offer((await start_timed_match(matches)).id, CAROL, now=NOON)


async def pause_after_the_flag(matches: Matches) -> None:
    view = await start_timed_match(matches, CLAIM_THREE_DAYS)
    await matches.clocks.tick(now=later(days=4))
    await matches.clocks.pauses.offer(view.id, ALICE, now=later(days=4))


async def pause_at_the_flag(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.pauses.offer(view.id, ALICE, now=later(days=3))


@pytest.mark.parametrize(
    ("act", "refusal"),
    [
        (offer_twice, "pause_pending"),
        (answer_oneself, "own_pause_offer"),
        (answer_nothing, "no_pause_offer"),
        (resume_what_runs, "not_paused"),
        (pause_twice, "match_paused"),
        (pause_no_clock, "no_clock"),
        (pause_as_onlooker, "not_in_match"),
        (pause_after_the_flag, "time_over"),
        (pause_at_the_flag, "time_over"),
    ],
)
async def test_refusals(matches: Matches, act: Act, refusal: str) -> None:
    with refused(refusal):
        await act(matches)
