"""Time controls as text, and terms as they are stored and inherited."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.notation_text import MAX_QUOTED
from matches import Matches, Terms, TimeControl, TimeoutRule, format_time_control, parse_time_control
from matches.errors import Refusal
from matches.preferences.quiet_hours import parse_quiet_hours, resolve_time_zone
from matches.terms import DEFAULT_TERMS, LEGACY_TERMS, MAX_TIME, MIN_TIME, format_terms, parse_terms
from matches.times import format_duration, parse_duration
from tests.matches.scenario import ALICE, BOB, CHANNEL, NOON, SERVER, later
from tests.refusals import refused

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
SLOW = Terms(
    time_control=TimeControl.per_move(3 * DAY),
    timeout_rule=TimeoutRule.LOST,
    vacation_stops_clock=False,
    takebacks_allowed=False,
    rated=True,
)

READ = [
    ("none", None),
    (" None ", None),
    ("3d", "3d per move"),
    ("3 days per move", "3d per move"),
    ("36 hours a move", "1d12h per move"),
    ("1 day and 12 hours", "1d12h per move"),
    ("2 weeks / turn", "14d per move"),
    ("90min", "1h30m per move"),
    ("14d+1d", "14d + 1d per move"),
    ("14 days + 1 day per move, at most 21 days", "14d + 1d per move, at most 21d"),
    ("14 days and 1 day per move", "14d + 1d per move"),
    ("14d + 12h max 3 weeks", "14d + 12h per move, at most 21d"),
    ("3日", "3d per move"),
    ("1日12時間", "1d12h per move"),
    ("2週間\uff0b30分", "14d + 30m per move"),
    ("1手3日", "3d per move"),
    ("14日\uff0b1手ごとに1日\uff08上限21日\uff09", "14d + 1d per move, at most 21d"),
    ("14日+1日、上限21日", "14d + 1d per move, at most 21d"),
    ("全体で30日", "30d in all"),
    ("3 Tage pro Zug", "3d per move"),
    ("1 Tag und 12 Stunden", "1d12h per move"),
    ("2 Wochen + 90 Minuten pro Zug, höchstens 3 Wochen", "14d + 1h30m per move, at most 21d"),
    ("30 Tage insgesamt", "30d in all"),
    ("30 Tage für die ganze Partie", "30d in all"),
    ("36 \u017ftd", "1d12h per move"),  # a letter that is an s without regard to case
    ("14d+1d<=21d", "14d + 1d per move, at most 21d"),
    ("10 days in all", "10d in all"),
    ("30 days for the whole match", "30d in all"),
    ("7 days, and 1 day more per move, at most 14 days", "7d + 1d per move, at most 14d"),
    ("10d + 0", "10d in all"),
    ("3d + 3d, at most 3d", "3d per move"),
]
UNREADABLE = [
    "",
    "3",
    "soon",
    "3 months",
    "3d per move, at most 5d",
    "1h 2d",
    "3d per",
    "-3d",
    "3.5d",
    "3d 4d",
]
OUT_OF_BOUNDS = ["4m", "366d", "14d + 1d, at most 13d", "14d + 22d, at most 21d", "99999w"]

durations = st.integers(5, 365 * 24 * 60).map(lambda minutes: minutes * MINUTE)


@st.composite
def paces(draw: st.DrawFn) -> TimeControl:
    start, cap = sorted((draw(durations), draw(durations)))
    increment = draw(st.integers(0, cap // MINUTE)) * MINUTE
    return TimeControl(start, increment, cap if increment else None)


@pytest.mark.parametrize(("text", "canonical"), READ)
def test_time_control_is_parsed(text: str, canonical: str | None) -> None:
    assert format_time_control(parse_time_control(text)) == (canonical or "none")


@pytest.mark.parametrize("text", UNREADABLE)
def test_unreadable_time_control_is_refused(text: str) -> None:
    with refused("time_control_unreadable") as caught:
        parse_time_control(text)
    assert caught.value.values["text"] == text


@pytest.mark.parametrize("text", OUT_OF_BOUNDS)
def test_time_control_out_of_bounds_is_refused(text: str) -> None:
    with refused("time_control_out_of_bounds") as caught:
        parse_time_control(text)
    assert dict(caught.value.values) == {
        "shortest": MIN_TIME,
        "longest": MAX_TIME,
    }


LONG_TEXTS = tuple(start + 100_000 * " " + "x" for start in ("1d + 1d", "1", "10:00"))
"""Backtracking over so many spaces would take minutes."""


@pytest.mark.parametrize("text", LONG_TEXTS)
@pytest.mark.parametrize("parse", [parse_time_control, parse_quiet_hours, resolve_time_zone])
def test_long_text_is_refused_unread_and_quoted_in_part(parse: Callable[[str], object], text: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse(text)
    assert max(len(str(value)) for value in caught.value.values.values()) <= MAX_QUOTED


@pytest.mark.parametrize("text", LONG_TEXTS)
def test_long_text_is_no_duration(text: str) -> None:
    with pytest.raises(ValueError, match="not a duration"):
        parse_duration(text)


def test_time_control_needs_whole_minutes() -> None:
    with refused("time_control_out_of_bounds"):
        TimeControl(timedelta(hours=1, seconds=1))


@given(paces())
def test_time_control_is_parsed_as_formatted(pace: TimeControl) -> None:
    assert parse_time_control(str(pace)) == pace


@given(st.integers(0, 10**6).map(lambda minutes: minutes * MINUTE))
def test_duration_is_parsed_as_formatted(duration: timedelta) -> None:
    assert parse_duration(format_duration(duration)) == duration


@pytest.mark.parametrize(
    ("pace", "left", "after"),
    [
        ("3d per move", HOUR, 3 * DAY),
        ("3d per move", timedelta(), 3 * DAY),
        ("14d + 1d per move", 2 * DAY, 3 * DAY),
        ("14d + 1d per move, at most 21d", 20 * DAY + HOUR, 21 * DAY),
        ("14d + 1d per move, at most 21d", 25 * DAY, 25 * DAY),  # extra time given by the opponent is kept
        ("10d in all", 2 * DAY, 2 * DAY),
    ],
)
def test_time_after_a_turn(pace: str, left: timedelta, after: timedelta) -> None:
    read = parse_time_control(pace)
    assert read is not None
    assert read.time_after_turn(left) == after


@pytest.mark.parametrize("terms", [SLOW, DEFAULT_TERMS, LEGACY_TERMS])
def test_terms_are_parsed_as_formatted(terms: Terms) -> None:
    assert parse_terms(format_terms(terms)) == terms


def test_old_rows_have_legacy_terms() -> None:
    assert parse_terms("{}") == Terms(
        time_control=None,
        timeout_rule=TimeoutRule.CLAIM,
        vacation_stops_clock=True,
        takebacks_allowed=True,
        rated=False,
    )


async def test_match_inherits_the_terms_of_its_challenge(matches: Matches) -> None:
    update = await matches.challenges.create(
        ALICE, server=SERVER, channel=CHANNEL, game="morelli", terms=SLOW, now=NOON
    )
    turn = await matches.challenges.accept(update.challenge.id, BOB, now=NOON)
    (line,) = await matches.views.list_active_of(ALICE, SERVER)
    found = await matches.challenges.find(update.challenge.id, now=later(days=1))
    assert [update.challenge.terms, turn.match.terms, line.terms, found.terms] == [SLOW] * 4


async def test_match_is_rated_by_default(matches: Matches) -> None:
    update = await matches.challenges.create(ALICE, server=SERVER, channel=CHANNEL, game="morelli", now=NOON)
    assert update.challenge.terms == DEFAULT_TERMS
