"""Whose time runs, until when, and how events of a match change it."""

import pytest
from sqlalchemy import event

from matches import Database, Matches, MatchState, Terms, TimeControl
from tests.matches.clocks.scenario import BANK_TERMS, DAY, HOUR, THREE_DAYS, start_timed_match, time_of
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    FISTS,
    FREE,
    NOON,
    SERVER,
    later,
    legal_move,
    play_move,
    player_to_move,
)


async def test_time_of_the_first_player_starts_at_once(matches: Matches) -> None:
    view = await start_timed_match(matches)
    assert time_of(view, ALICE).deadline == later(days=3)
    assert (time_of(view, BOB).deadline, time_of(view, BOB).remaining) == (None, 3 * DAY)
    assert view.time is not None
    assert (view.time.deadline, view.time.for_account(CAROL.account)) == (later(days=3), None)


async def test_nothing_runs_without_a_time_control(matches: Matches) -> None:
    view = await start_timed_match(matches, Terms())
    assert view.time is None
    assert (await play_move(matches, view)).match.time is None


async def test_turn_starts_the_opponents_time(matches: Matches) -> None:
    update = await play_move(matches, await start_timed_match(matches), now=later(days=2))
    assert time_of(update, BOB).deadline == later(days=5)
    assert (time_of(update, ALICE).deadline, time_of(update, ALICE).remaining) == (None, 3 * DAY)
    assert await matches.view(update.match.id, now=later(days=2)) == update.match


async def test_bank_keeps_unused_time_and_adds_the_increment(matches: Matches) -> None:
    update = await play_move(matches, await start_timed_match(matches, BANK_TERMS), now=later(days=4))
    assert time_of(update, ALICE).remaining == 7 * DAY
    update = await play_move(matches, update.match, now=later(days=4, hours=1))
    assert time_of(update, BOB).remaining == 11 * DAY - HOUR
    assert time_of(update, ALICE).deadline == later(days=11, hours=1)


async def test_run_of_placements_is_one_turn(matches: Matches) -> None:
    view = (await play_move(matches, await start_timed_match(matches, BANK_TERMS, FREE))).match
    within = (await play_move(matches, view, now=later(days=1))).match
    assert (player_to_move(within), len(within.unfinished_moves)) == (BOB, 1)
    assert time_of(within, BOB).deadline == later(days=10)
    placed = within
    while player_to_move(placed) == BOB:
        placed = (await play_move(matches, placed, now=later(days=2))).match
    assert time_of(placed, BOB).remaining == 9 * DAY
    assert time_of(placed, ALICE).deadline == later(days=13)


async def test_time_stays_with_the_players_after_a_swap(matches: Matches) -> None:
    view = await start_timed_match(matches, BANK_TERMS, {"size": 5}, game="morphos")
    view = (await play_move(matches, view, "C3", now=later(days=2))).match
    swapped = (await play_move(matches, view, "swap", now=later(days=5))).match
    assert player_to_move(swapped) == ALICE
    assert time_of(swapped, ALICE).deadline == later(days=5) + 9 * DAY
    assert time_of(swapped, BOB).remaining == 8 * DAY


async def test_both_have_time_to_pick(matches: Matches) -> None:
    view = await start_timed_match(matches, THREE_DAYS, FISTS)
    assert [time_of(view, person).deadline for person in (ALICE, BOB)] == [later(days=3)] * 2
    picked = (await matches.pick(view.id, BOB, "LR", now=later(days=1))).match
    assert (time_of(picked, BOB).deadline, time_of(picked, ALICE).deadline) == (None, later(days=3))


async def test_first_player_has_a_whole_turn_after_the_choice(matches: Matches) -> None:
    view = await start_timed_match(matches, THREE_DAYS, FISTS)
    await matches.pick(view.id, BOB, "LR", now=later(days=1))
    opened = (await matches.pick(view.id, ALICE, "LR", now=later(days=2))).match
    assert time_of(opened, player_to_move(opened)).deadline == later(days=5)
    assert opened.time is not None
    assert sum(one.must_act for one in opened.time.seats) == 1


async def test_no_time_runs_after_the_end(matches: Matches) -> None:
    view = await start_timed_match(matches)
    assert (await matches.resign(view.id, BOB, now=NOON)).match.time is None
    await matches.clocks.tick(now=later(days=9))
    assert (await matches.view(view.id, now=later(days=9))).result == (
        await matches.view(view.id, now=NOON)
    ).result


async def test_no_time_runs_after_the_last_move(matches: Matches) -> None:
    view = await start_timed_match(matches)
    while view.state is MatchState.PLAYING:
        view = (await play_move(matches, view)).match
    assert view.time is None


async def test_lists_show_the_deadline(matches: Matches) -> None:
    view = await start_timed_match(matches)
    (line,) = await matches.views.list_active_of(ALICE, SERVER)
    assert line.time == view.time


async def test_past_view_has_no_time(matches: Matches) -> None:
    update = await play_move(matches, await start_timed_match(matches))
    assert (await matches.view(update.match.id, ply=0, now=NOON)).time is None
    assert (await matches.view(update.match.id, ply=1, now=NOON)).time == update.match.time


async def test_announcement_of_the_latest_turn_shows_the_time(matches: Matches) -> None:
    first = await play_move(matches, await start_timed_match(matches))
    assert first.announcement is not None
    assert (await matches.views.at_announcement(first.announcement)).time == first.match.time
    await play_move(matches, first.match)
    assert (await matches.views.at_announcement(first.announcement)).time is None


@pytest.mark.parametrize("terms", [Terms(), Terms(time_control=TimeControl.per_move(DAY)), BANK_TERMS])
async def test_clock_needs_no_extra_statement(database: Database, matches: Matches, terms: Terms) -> None:
    view = await start_timed_match(matches, terms)
    sent: list[str] = []
    engine = database._engine.sync_engine
    event.listen(
        engine, "before_cursor_execute", lambda *event_values: sent.append(event_values[2].split()[0])
    )
    await matches.play(view.id, ALICE, [legal_move(view)], seen_revision=0, now=NOON)
    assert [word for word in sent if word != "BEGIN"] == ["SELECT", "UPDATE", "INSERT", "INSERT"]
