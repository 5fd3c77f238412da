"""Quiet hours, time zones, and the schedule of reminders."""

from datetime import UTC, datetime, time, timedelta

import pytest

from matches import Preferences, format_quiet_hours, time_zone_names
from matches.preferences.quiet_hours import (
    QuietHours,
    after_quiet_hours,
    local_time,
    next_occurrence,
    parse_quiet_hours,
    quiet_period,
    resolve_time_zone,
)
from matches.preferences.values import (
    DEFAULT_PREFERENCES,
    BoardOrientation,
    PictureTheme,
    ReminderChannel,
    format_preferences,
    parse_preferences,
)
from matches.reminders.schedule import TurnDeadline, next_reminder
from tests.refusals import refused

NIGHT = QuietHours(time(23), time(7))
BERLIN = "Europe/Berlin"  # UTC+1, in summer UTC+2


def moment_at(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-{text}").replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "case",
    [
        ("23:00-7:30", QuietHours(time(23), time(7, 30))),
        ("22-7", QuietHours(time(22), time(7))),
        (" 22.15 \u2013 07h00 ", QuietHours(time(22, 15), time(7))),
        ("13 to 15", QuietHours(time(13), time(15))),
        ("20-24", QuietHours(time(20), time(0))),
        ("10pm-7am", QuietHours(time(22), time(7))),
        ("12:30 a.m. to 12 p.m.", QuietHours(time(0, 30), time(12))),
        ("22-7, 12:30-13:30", QuietHours(time(12, 30), time(13, 30)), QuietHours(time(22), time(7))),
        ("12-13; 22-7 and 12-13", QuietHours(time(12), time(13)), QuietHours(time(22), time(7))),
        ("none",),
        ("",),
        ("Off",),
    ],
)
def test_quiet_hours_are_parsed(case: tuple[str, *tuple[QuietHours, ...]]) -> None:
    text, *quiet = case
    assert parse_quiet_hours(text) == tuple(quiet)
    assert parse_quiet_hours(format_quiet_hours(quiet)) == tuple(quiet)


@pytest.mark.parametrize(
    "text",
    [
        "at night",
        "7",
        "25-7",
        "23:60-7",
        "7-7",
        "0-24",
        "23:00-7:30 or so",
        "13pm-7am",
        "0am-7",
        "-1-5",
        "22-7,",
        "22-7, late",
        "0-12, 12-24",
        "1-2, 3-4, 5-6, 7-8, 9-10",
    ],
)
def test_unreadable_quiet_hours_are_refused(text: str) -> None:
    with refused("quiet_hours_unreadable"):
        parse_quiet_hours(text)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Europe/Berlin", BERLIN),
        (" europe/berlin ", BERLIN),
        ("america/new york", "America/New_York"),
        ("utc", "UTC"),
        ("UTC+5", "UTC+05:00"),
        ("gmt -3:30", "UTC-03:30"),
        ("+05:45", "UTC+05:45"),
        ("UTC+0", "UTC"),
        ("UTC+05:30", "UTC+05:30"),
        ("cet", BERLIN),
        ("PST", "America/Los_Angeles"),
        ("new york", "America/New_York"),
        ("Berlin", BERLIN),
    ],
)
def test_zone_is_found_in_any_spelling(typed: str, name: str) -> None:
    assert resolve_time_zone(typed) == name


@pytest.mark.parametrize(
    "typed", ["Europe", "Mars/Olympus", "../etc/passwd", "", "Etc/GMT+5", "UTC+15", "UTC+5:20", "5"]
)
def test_unknown_zone_is_refused(typed: str) -> None:
    with refused("time_zone_unknown"):
        resolve_time_zone(typed)


def test_zones_start_with_utc() -> None:
    assert time_zone_names()[0] == "UTC"
    assert len(time_zone_names()) > 300


@pytest.mark.parametrize(
    ("moment", "span"),
    [
        ("05-01T20:59", None),
        ("05-01T21:00", ("05-01T21:00", "05-02T05:00")),
        ("05-02T04:59", ("05-01T21:00", "05-02T05:00")),
        ("05-02T05:00", None),
        ("12-01T21:30", None),  # winter time
        ("12-01T22:00", ("12-01T22:00", "12-02T06:00")),
        ("03-29T00:30", ("03-28T22:00", "03-29T05:00")),  # a night of the change to summer time
        ("10-25T00:30", ("10-24T21:00", "10-25T06:00")),  # a night of the change to winter time
    ],
)
def test_quiet_hours_are_in_the_persons_time_zone(moment: str, span: tuple[str, str] | None) -> None:
    expected = None if span is None else (moment_at(span[0]), moment_at(span[1]))
    assert quiet_period((NIGHT,), BERLIN, moment_at(moment)) == expected
    assert after_quiet_hours((NIGHT,), BERLIN, moment_at(moment)) == (
        moment_at(moment) if expected is None else expected[1]
    )


def test_quiet_hours_can_lie_within_a_day() -> None:
    siesta = QuietHours(time(13), time(15))
    assert quiet_period((siesta,), "UTC", moment_at("05-01T14:00")) == (
        moment_at("05-01T13:00"),
        moment_at("05-01T15:00"),
    )
    assert quiet_period((siesta,), "UTC", moment_at("05-01T15:00")) is None


@pytest.mark.parametrize(
    ("moment", "then"),
    [("05-01T06:59", "05-01T07:00"), ("05-01T07:00", "05-02T07:00"), ("10-24T08:00", "10-25T08:00")],
)
def test_next_time_of_an_hour(moment: str, then: str) -> None:
    assert next_occurrence(time(9), BERLIN, moment_at(moment)) == moment_at(then)


def test_preferences_are_parsed_as_formatted() -> None:
    preferences = Preferences(
        PictureTheme.CLEAR,
        BoardOrientation.POSTED,
        True,
        ReminderChannel.MATCH_CHANNEL,
        (50, 10),
        (24, 1),
        2,
        (QuietHours(time(22), time(6)),),
        BERLIN,
    )
    assert parse_preferences(format_preferences(preferences)) == preferences


def test_missing_preferences_are_defaults() -> None:
    assert parse_preferences("{}") == DEFAULT_PREFERENCES


@pytest.mark.parametrize(
    "values",
    [
        {"shares": (0,)},
        {"shares": (100,)},
        {"hours": (0,)},
        {"hours": (337,)},
        {"repeat_days": -1},
        {"repeat_days": 29},
        {"shares": (1, 2, 3, 4, 5), "hours": (1, 2, 3, 4)},
    ],
)
def test_out_of_range_reminders_are_refused(values: dict[str, object]) -> None:
    with refused("invalid_reminder_times"):
        Preferences(**values)  # type: ignore[arg-type]


def reminder_steps(
    preferences: Preferences, began: datetime, deadline: datetime | None, most: int = 20
) -> list[datetime]:
    found: list[datetime] = []
    limit = None if deadline is None else TurnDeadline(deadline, deadline - began)
    while len(found) < most:
        then = next_reminder(preferences, began, limit, found[-1] if found else began)
        if then is None:
            break
        found.append(then)
    return found


@pytest.mark.parametrize(
    ("preferences", "times"),
    [
        (Preferences(shares=(50, 25)), ["05-03T12:00", "05-04T12:00"]),
        (Preferences(shares=(), hours=(24, 6)), ["05-04T12:00", "05-05T06:00"]),
        (Preferences(shares=(25,), hours=(24,)), ["05-04T12:00"]),  # both at the same time: one reminder
        (Preferences(shares=(), hours=(96, 120)), []),  # the turn begins that close to the deadline
        (Preferences(shares=(), hours=(), repeat_days=2), [f"05-{day:02}T12:00" for day in range(3, 23, 2)]),
        (Preferences(shares=(), hours=()), []),
    ],
)
def test_steps_are_shares_and_fixed_hours_and_repeats(preferences: Preferences, times: list[str]) -> None:
    assert reminder_steps(preferences, moment_at("05-01T12:00"), moment_at("05-05T12:00")) == [
        moment_at(time) for time in times
    ]


def test_without_a_deadline_there_are_only_repeats() -> None:
    preferences = Preferences(shares=(50,), hours=(6,), repeat_days=7)
    assert reminder_steps(preferences, moment_at("05-01T12:00"), None, most=2) == [
        moment_at("05-08T12:00"),
        moment_at("05-15T12:00"),
    ]


@pytest.mark.parametrize(
    ("deadline", "then"),
    [
        ("05-05T12:00", "05-05T07:00"),  # at 2:00, in quiet hours until 7:00
        ("05-05T06:00", "05-04T22:45"),  # that would be too late
    ],
)
def test_step_in_quiet_hours_waits_or_comes_before_them(deadline: str, then: str) -> None:
    hours = 10 if deadline.endswith("12:00") else 4
    preferences = Preferences(shares=(), hours=(hours,), quiet=(NIGHT,))
    assert reminder_steps(preferences, moment_at("05-01T12:00"), moment_at(deadline)) == [moment_at(then)]


def test_step_that_quiet_hours_leave_no_room_for_is_left_out() -> None:
    preferences = Preferences(shares=(50,), quiet=(NIGHT,))
    assert reminder_steps(preferences, moment_at("05-01T23:30"), moment_at("05-02T05:00")) == []


def test_reminders_of_one_night_are_one() -> None:
    preferences = Preferences(shares=(), hours=(9, 8, 7), quiet=(NIGHT,))
    assert reminder_steps(preferences, moment_at("05-01T12:00"), moment_at("05-05T09:30")) == [
        moment_at("05-05T07:00")
    ]


def test_step_after_the_deadline_waits_for_the_end_of_quiet_hours() -> None:
    preferences = Preferences(shares=(), repeat_days=1, quiet=(NIGHT,))
    first = reminder_steps(preferences, moment_at("05-01T23:30"), moment_at("05-02T09:00"), most=1)
    assert first == [moment_at("05-03T07:00")]
    assert first[0] - moment_at("05-01T23:30") > timedelta(days=1)


@pytest.mark.parametrize(
    ("moment", "end"),
    [
        ("05-01T12:30", "05-01T13:00"),
        ("05-01T21:30", "05-02T08:00"),  # three spans that follow each other or overlap
        ("05-02T00:30", "05-02T08:00"),
        ("05-02T07:30", "05-02T08:00"),
        ("05-02T08:00", "05-02T08:00"),
        ("05-02T20:59", "05-02T20:59"),
    ],
)
def test_several_quiet_hours(moment: str, end: str) -> None:
    quiet = parse_quiet_hours("21-23:30, 12-13, 23-7, 7-8")
    assert after_quiet_hours(quiet, "UTC", moment_at(moment)) == moment_at(end)


def test_offset_from_utc_is_a_time_zone() -> None:
    assert local_time("UTC+05:30", moment_at("05-01T20:00")).isoformat() == "2026-05-02T01:30:00+05:30"
    night = parse_quiet_hours("22-7")
    assert after_quiet_hours(night, "UTC-03:30", moment_at("05-01T09:00")) == moment_at("05-01T10:30")
