"""The clock as a value. Times are in seconds here."""

from datetime import timedelta

import pytest

from matches import TimeControl
from matches.clocks.clock import Clock, format_clock, new_clock, parse_clock

A, B = "test:alice", "test:bob"
MINUTE, HOUR, DAY = 60, 3600, 86400
PER_MOVE = TimeControl.per_move(timedelta(days=3))
BANK = TimeControl(timedelta(days=10), timedelta(days=1), timedelta(days=11))


def seconds_left(clock: Clock, now: int) -> dict[str, int]:
    """Return the remaining time of both players at `now`."""
    return {person: clock.time_left(person, now * 1000) // 1000 for person in (A, B)}


def start_clock(pace: TimeControl = PER_MOVE, *people: str, away: tuple[str, ...] = ()) -> Clock:
    return new_clock(pace, (A, B), away).start_for(people or (A,), 0)


def test_time_runs_for_the_player_to_act() -> None:
    clock = start_clock()
    assert clock.deadline == 3 * DAY * 1000
    assert seconds_left(clock, DAY) == {A: 2 * DAY, B: 3 * DAY}


@pytest.mark.parametrize(
    ("pace", "spent", "left"),
    [
        (PER_MOVE, 2 * DAY, 3 * DAY),
        (PER_MOVE, 4 * DAY, 3 * DAY),  # late, but no sweep has noticed
        (BANK, 2 * DAY, 9 * DAY),
        (BANK, HOUR, 11 * DAY - HOUR),
        (BANK, 12 * DAY, 1 * DAY),
    ],
)
def test_completed_turn_adds_the_increment(pace: TimeControl, spent: int, left: int) -> None:
    clock = start_clock(pace).complete_turn(A, pace, spent * 1000).start_for((B,), spent * 1000)
    assert seconds_left(clock, spent)[A] == left
    assert clock.deadline == (spent * 1000) + pace.initial // timedelta(milliseconds=1)


def test_bank_never_exceeds_its_cap() -> None:
    clock = start_clock(BANK)
    for _ in range(3):
        clock = clock.complete_turn(A, BANK, 0).start_for((A,), 0)
    assert seconds_left(clock, 0)[A] == 11 * DAY


def play_turns(pace: TimeControl, *spent: int) -> tuple[Clock, int]:
    """Play turns of A and B alternately, each after so many seconds; return the clock and the time."""
    clock, now = start_clock(pace), 0
    for number, seconds_spent in enumerate(spent):
        person, other = ((A, B), (B, A))[number % 2]
        now += seconds_spent
        clock = clock.complete_turn(person, pace, now * 1000).start_for((other,), now * 1000)
    return clock, now


@pytest.mark.parametrize(
    ("spent", "undone", "left"),
    [
        ((2 * DAY,), (A,), {A: 8 * DAY, B: 10 * DAY}),
        ((2 * DAY, 3 * DAY), (A, B), {A: 8 * DAY, B: 7 * DAY}),
        ((HOUR, 3 * DAY), (A, B), {A: 10 * DAY - HOUR, B: 7 * DAY}),
        ((0, 0), (A, B), {A: 10 * DAY, B: 10 * DAY}),
        ((0, 0, 0), (B, A), {A: 11 * DAY, B: 10 * DAY}),  # at the cap, the second turn added nothing
        ((0, 0, 2 * DAY, DAY), (A, B), {A: 9 * DAY, B: 10 * DAY}),
    ],
)
def test_takeback_subtracts_the_increments_of_undone_turns(
    spent: tuple[int, ...], undone: tuple[str, ...], left: dict[str, int]
) -> None:
    clock, now = play_turns(BANK, *spent)
    back = clock.take_back(undone, undone[0], BANK, now * 1000)
    assert seconds_left(back, now) == left
    assert back.to_act == tuple(back.deadlines) == undone[:1]


def test_takeback_does_not_return_used_time() -> None:
    clock, now = play_turns(BANK, 2 * DAY)
    assert seconds_left(clock.take_back((A,), A, BANK, (now + HOUR) * 1000), now + HOUR) == {
        A: 8 * DAY,
        B: 10 * DAY - HOUR,
    }


def test_alternating_turns_and_takebacks_add_no_time() -> None:
    clock, now = play_turns(BANK, HOUR)
    for _ in range(20):
        clock = clock.take_back((A,), A, BANK, now * 1000)
        now += MINUTE
        clock = clock.complete_turn(A, BANK, now * 1000).start_for((B,), now * 1000)
    back = clock.take_back((A,), A, BANK, now * 1000)
    assert seconds_left(back, now) == {A: 10 * DAY - HOUR - 20 * MINUTE, B: 10 * DAY}


def test_takeback_of_older_turns_subtracts_the_full_increment() -> None:
    pace = TimeControl(timedelta(days=10), timedelta(days=1))
    clock, now = play_turns(pace, *([HOUR] * 24))
    for _ in range(12):
        clock = clock.take_back((A, B), A, pace, now * 1000)
    assert seconds_left(clock, now) == {A: 10 * DAY - 12 * HOUR, B: 10 * DAY - 12 * HOUR}


def test_takeback_alone_never_causes_a_timeout() -> None:
    clock, now = play_turns(BANK, 9 * DAY + 23 * HOUR, 0)
    back = clock.take_back((A, B), A, BANK, (now + 12 * HOUR) * 1000)
    assert seconds_left(back, now + 12 * HOUR)[A] == 13 * HOUR


def test_time_per_move_restarts_for_both_after_a_takeback() -> None:
    clock, now = play_turns(PER_MOVE, DAY)
    back = clock.take_back((A,), A, PER_MOVE, (now + 2 * DAY) * 1000)
    assert seconds_left(back, now + 2 * DAY) == {A: 3 * DAY, B: 3 * DAY}


def test_takeback_ends_a_timeout_with_time_per_move() -> None:
    clock, now = play_turns(PER_MOVE, DAY)
    back = clock.flag(B).take_back((A,), A, PER_MOVE, (now + 4 * DAY) * 1000)
    assert dict(back.flagged_at) == {}
    assert seconds_left(back, now + 4 * DAY) == {A: 3 * DAY, B: 3 * DAY}


def test_pause_continues_after_a_takeback() -> None:
    clock, now = play_turns(BANK, DAY)
    back = clock.pause(now * 1000).take_back((A,), A, BANK, now * 1000)
    assert back.paused
    assert back.deadline is None


def test_time_of_both_runs_while_both_must_act() -> None:
    clock = start_clock(PER_MOVE, A, B)
    picked = clock.complete_turn(A, PER_MOVE, HOUR * 1000)
    assert (picked.to_act, set(picked.deadlines)) == ((B,), {B})
    assert picked.deadline == 3 * DAY * 1000


def test_time_does_not_run_after_a_timeout() -> None:
    clock = start_clock().flag(A)
    assert (clock.deadline, dict(clock.flagged_at)) == (None, {A: 3 * DAY * 1000})
    assert clock.start_for((A,), 4 * DAY * 1000).deadline is None


def test_move_ends_a_timeout() -> None:
    clock = start_clock().flag(A).complete_turn(A, PER_MOVE, 4 * DAY * 1000).start_for((B,), 4 * DAY * 1000)
    assert dict(clock.flagged_at) == {}
    assert seconds_left(clock, 4 * DAY) == {A: 3 * DAY, B: 3 * DAY}


@pytest.mark.parametrize(
    ("clock", "person", "left"),
    [
        (start_clock(), A, 3 * DAY),  # to move: 2 days left and 1 given
        (start_clock(), B, 4 * DAY),  # not to move
        (start_clock().flag(A), A, DAY),
        (start_clock(PER_MOVE, away=(A,)), A, 4 * DAY),
    ],
)
def test_time_is_given(clock: Clock, person: str, left: int) -> None:
    given = clock.give_time(person, DAY * 1000, DAY * 1000)
    assert seconds_left(given, DAY)[person] == left
    assert (person in given.deadlines) == (person in given.to_act and person not in given.on_vacation)


def test_extra_time_after_a_timeout_starts_at_once() -> None:
    assert start_clock().give_time(A, HOUR * 1000, 5 * DAY * 1000).deadline == (5 * DAY + HOUR) * 1000


def test_vacation_stops_the_time_of_one_player_only() -> None:
    clock = start_clock(PER_MOVE, A, B).start_vacation(A, DAY * 1000)
    assert seconds_left(clock, 2 * DAY) == {A: 2 * DAY, B: DAY}
    assert seconds_left(clock.end_vacation(A, 9 * DAY * 1000), 10 * DAY)[A] == DAY


def test_vacation_stops_time_that_would_start_later() -> None:
    clock = start_clock().start_vacation(B, 0).complete_turn(A, PER_MOVE, 0).start_for((B,), 0)
    assert clock.deadline is None
    assert clock.end_vacation(B, DAY * 1000).deadline == 4 * DAY * 1000


def test_vacation_started_twice_counts_once() -> None:
    clock = start_clock().start_vacation(A, 0)
    assert clock.start_vacation(A, 5) == clock


def test_vacation_does_not_undo_a_timeout() -> None:
    clock = start_clock().flag(A).start_vacation(A, 4 * DAY * 1000).end_vacation(A, 5 * DAY * 1000)
    assert A in clock.flagged_at
    assert clock.deadline is None


def test_pause_stops_all_time() -> None:
    clock = start_clock(PER_MOVE, A, B).pause(DAY * 1000)
    assert (clock.paused, clock.deadline) == (True, None)
    assert seconds_left(clock, 8 * DAY) == {A: 2 * DAY, B: 2 * DAY}


def test_move_during_a_pause_starts_no_time() -> None:
    clock = start_clock().pause(0).complete_turn(A, PER_MOVE, DAY * 1000).start_for((B,), DAY * 1000)
    assert clock.deadline is None


@pytest.mark.parametrize(
    ("by", "left"),
    [(A, HOUR), (B, DAY)],  # the opponent of the one who resumes gets at least a day
)
def test_resuming_gives_the_opponent_a_minimum_of_time(by: str, left: int) -> None:
    paused = start_clock().pause((3 * DAY - HOUR) * 1000)
    assert seconds_left(paused.resume(by, PER_MOVE, 9 * DAY * 1000), 9 * DAY)[A] == left


def test_resuming_gives_at_most_the_initial_time() -> None:
    fast = TimeControl.per_move(timedelta(minutes=10))
    paused = start_clock(fast).pause(9 * MINUTE * 1000)
    assert seconds_left(paused.resume(B, fast, HOUR * 1000), HOUR)[A] == 10 * MINUTE


def test_resuming_during_a_vacation_waits_for_its_end() -> None:
    clock = start_clock().pause(0).start_vacation(A, 0).resume(A, PER_MOVE, 0)
    assert clock.deadline is None
    assert clock.end_vacation(A, 0).deadline == 3 * DAY * 1000


def test_move_withdraws_an_offer_to_pause() -> None:
    clock = start_clock().offer_pause(B).decline_pause()
    assert (clock.pause_offered_by, clock.pause_declined) == (B, True)
    moved = clock.complete_turn(A, PER_MOVE, 0)
    assert (moved.pause_offered_by, moved.pause_declined) == (None, False)


@pytest.mark.parametrize(
    "clock",
    [
        start_clock(),
        start_clock(BANK, A, B, away=(B,)).offer_pause(A).decline_pause(),
        start_clock().flag(A),
        start_clock().pause(HOUR),
    ],
)
def test_clock_is_parsed_as_it_was_formatted(clock: Clock) -> None:
    assert parse_clock(format_clock(clock)) == clock
