"""Quiet hours, time zones, and when somebody is reminded: pure matters of the calendar."""

from datetime import UTC, datetime, time, timedelta

import pytest

from matches import Preferences, Quiet, QuietUnreadable, StepsRefused, ZoneUnknown, write_quiet, zones
from matches.people.hours import awake, find_zone, next_time, read_quiet, rest
from matches.people.values import USUAL, Facing, Theme, Way, read_preferences, write_preferences
from matches.reminders.steps import Limit, next_step

NIGHT = Quiet(time(23), time(7))
BERLIN = "Europe/Berlin"  # UTC+1, in summer UTC+2


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-{text}").replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "quiet"),
    [
        ("23:00-7:30", Quiet(time(23), time(7, 30))),
        ("22-7", Quiet(time(22), time(7))),
        (" 22.15 \u2013 07h00 ", Quiet(time(22, 15), time(7))),
        ("13 to 15", Quiet(time(13), time(15))),
        ("20-24", Quiet(time(20), time(0))),
        ("10pm-7am", Quiet(time(22), time(7))),
        ("12:30 a.m. to 12 p.m.", Quiet(time(0, 30), time(12))),
        ("none", None),
        ("", None),
        ("Off", None),
    ],
)
def test_quiet_hours_are_read(text: str, quiet: Quiet | None) -> None:
    assert read_quiet(text) == quiet
    assert read_quiet(write_quiet(quiet)) == quiet


@pytest.mark.parametrize(
    "text",
    ["at night", "7", "25-7", "23:60-7", "7-7", "0-24", "23:00-7:30 or so", "13pm-7am", "0am-7", "-1-5"],
)
def test_what_names_no_quiet_hours_is_refused(text: str) -> None:
    with pytest.raises(QuietUnreadable):
        read_quiet(text)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Europe/Berlin", BERLIN),
        (" europe/berlin ", BERLIN),
        ("america/new york", "America/New_York"),
        ("utc", "UTC"),
        ("new york", "America/New_York"),
        ("Berlin", BERLIN),
    ],
)
def test_zone_is_found_however_it_is_typed(typed: str, name: str) -> None:
    assert find_zone(typed) == name


@pytest.mark.parametrize("typed", ["Europe", "Mars/Olympus", "../etc/passwd", "", "Etc/GMT+5"])
def test_unknown_zone_is_refused(typed: str) -> None:
    with pytest.raises(ZoneUnknown):
        find_zone(typed)


def test_zones_begin_with_utc_and_are_many() -> None:
    assert zones()[0] == "UTC"
    assert len(zones()) > 300


@pytest.mark.parametrize(
    ("moment", "span"),
    [
        ("05-01T20:59", None),
        ("05-01T21:00", ("05-01T21:00", "05-02T05:00")),
        ("05-02T04:59", ("05-01T21:00", "05-02T05:00")),
        ("05-02T05:00", None),
        ("12-01T21:30", None),  # an hour later by the sun: winter time
        ("12-01T22:00", ("12-01T22:00", "12-02T06:00")),
        ("03-29T00:30", ("03-28T22:00", "03-29T05:00")),  # a night with an hour less
        ("10-25T00:30", ("10-24T21:00", "10-25T06:00")),  # and one with an hour more
    ],
)
def test_quiet_hours_follow_the_persons_own_clock(moment: str, span: tuple[str, str] | None) -> None:
    expected = None if span is None else (at(span[0]), at(span[1]))
    assert rest(NIGHT, BERLIN, at(moment)) == expected
    assert awake(NIGHT, BERLIN, at(moment)) == (at(moment) if expected is None else expected[1])


def test_quiet_hours_may_lie_within_a_day() -> None:
    siesta = Quiet(time(13), time(15))
    assert rest(siesta, "UTC", at("05-01T14:00")) == (at("05-01T13:00"), at("05-01T15:00"))
    assert rest(siesta, "UTC", at("05-01T15:00")) is None


@pytest.mark.parametrize(
    ("moment", "then"),
    [("05-01T06:59", "05-01T07:00"), ("05-01T07:00", "05-02T07:00"), ("10-24T08:00", "10-25T08:00")],
)
def test_next_time_of_an_hour(moment: str, then: str) -> None:
    assert next_time(time(9), BERLIN, at(moment)) == at(then)


def test_preferences_are_stored_whole() -> None:
    chosen = Preferences(
        Theme.CLEAR, Facing.POSTED, True, Way.PLACE, (50, 10), (24, 1), 2, Quiet(time(22), time(6)), BERLIN
    )
    assert read_preferences(write_preferences(chosen)) == chosen


def test_what_was_never_chosen_is_as_usual() -> None:
    assert read_preferences("{}") == USUAL


@pytest.mark.parametrize(
    "values",
    [
        {"shares": (0,)},
        {"shares": (100,)},
        {"hours": (0,)},
        {"hours": (337,)},
        {"every": -1},
        {"every": 29},
        {"shares": (1, 2, 3, 4, 5), "hours": (1, 2, 3, 4)},
    ],
)
def test_reminders_keep_to_their_bounds(values: dict[str, object]) -> None:
    with pytest.raises(StepsRefused):
        Preferences(**values)  # type: ignore[arg-type]


def steps(chosen: Preferences, began: datetime, deadline: datetime | None, most: int = 20) -> list[datetime]:
    found: list[datetime] = []
    limit = None if deadline is None else Limit(deadline, deadline - began)
    while len(found) < most:
        then = next_step(chosen, began, limit, found[-1] if found else began)
        if then is None:
            break
        found.append(then)
    return found


@pytest.mark.parametrize(
    ("chosen", "times"),
    [
        (Preferences(shares=(50, 25)), ["05-03T12:00", "05-04T12:00"]),
        (Preferences(shares=(), hours=(24, 6)), ["05-04T12:00", "05-05T06:00"]),
        (Preferences(shares=(25,), hours=(24,)), ["05-04T12:00"]),  # one and the same time is one reminder
        (Preferences(shares=(), hours=(96, 120)), []),  # the turn begins with the deadline as near
        (Preferences(shares=(), hours=(), every=2), [f"05-{day:02}T12:00" for day in range(3, 23, 2)]),
        (Preferences(shares=(), hours=()), []),
    ],
)
def test_steps_are_shares_and_fixed_hours_and_repeats(chosen: Preferences, times: list[str]) -> None:
    assert steps(chosen, at("05-01T12:00"), at("05-05T12:00")) == [at(time) for time in times]


def test_without_a_deadline_there_are_repeats_alone() -> None:
    chosen = Preferences(shares=(50,), hours=(6,), every=7)
    assert steps(chosen, at("05-01T12:00"), None, most=2) == [at("05-08T12:00"), at("05-15T12:00")]


@pytest.mark.parametrize(
    ("deadline", "then"),
    [
        ("05-05T12:00", "05-05T07:00"),  # at 2:00 all is quiet until 7:00
        ("05-05T06:00", "05-04T22:45"),  # and here that would be too late
    ],
)
def test_step_in_quiet_hours_waits_or_comes_before_them(deadline: str, then: str) -> None:
    hours = 10 if deadline.endswith("12:00") else 4
    chosen = Preferences(shares=(), hours=(hours,), quiet=NIGHT)
    assert steps(chosen, at("05-01T12:00"), at(deadline)) == [at(then)]


def test_step_that_quiet_hours_leave_no_room_for_is_left_out() -> None:
    chosen = Preferences(shares=(50,), quiet=NIGHT)
    assert steps(chosen, at("05-01T23:30"), at("05-02T05:00")) == []


def test_reminders_of_one_night_are_one() -> None:
    chosen = Preferences(shares=(), hours=(9, 8, 7), quiet=NIGHT)
    assert steps(chosen, at("05-01T12:00"), at("05-05T09:30")) == [at("05-05T07:00")]


def test_step_after_the_deadline_waits_for_the_end_of_quiet_hours() -> None:
    chosen = Preferences(shares=(), every=1, quiet=NIGHT)
    first = steps(chosen, at("05-01T23:30"), at("05-02T09:00"), most=1)
    assert first == [at("05-03T07:00")]
    assert first[0] - at("05-01T23:30") > timedelta(days=1)
