"""What is agreed beside the game: paces as text, and terms as they are stored and travel."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches import Flag, Matches, Pace, PaceOutOfBounds, PaceUnreadable, Terms, read_pace, write_pace
from matches.durations import read_duration, write_duration
from matches.terms import LONGEST, SHORTEST, UNSAID, USUAL, read_terms, write_terms
from tests.matches.story import ALICE, BOB, NOON, PLACE, SERVER, later

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
SLOW = Terms(pace=Pace.per_move(3 * DAY), flag=Flag.LOST, vacation=False, takeback=False, rated=True)

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
def paces(draw: st.DrawFn) -> Pace:
    start, cap = sorted((draw(durations), draw(durations)))
    increment = draw(st.integers(0, cap // MINUTE)) * MINUTE
    return Pace(start, increment, cap if increment else None)


@pytest.mark.parametrize(("text", "canonical"), READ)
def test_pace_is_read(text: str, canonical: str | None) -> None:
    assert write_pace(read_pace(text)) == (canonical or "none")


@pytest.mark.parametrize("text", UNREADABLE)
def test_text_that_is_no_pace_is_refused(text: str) -> None:
    with pytest.raises(PaceUnreadable) as caught:
        read_pace(text)
    assert caught.value.values["text"] == text


@pytest.mark.parametrize("text", OUT_OF_BOUNDS)
def test_pace_out_of_bounds_is_refused(text: str) -> None:
    with pytest.raises(PaceOutOfBounds) as caught:
        read_pace(text)
    assert dict(caught.value.values) == {
        "shortest": write_duration(SHORTEST),
        "longest": write_duration(LONGEST),
    }


def test_pace_knows_whole_minutes_only() -> None:
    with pytest.raises(PaceOutOfBounds):
        Pace(timedelta(hours=1, seconds=1))


@given(paces())
def test_pace_travels_as_text(pace: Pace) -> None:
    assert read_pace(str(pace)) == pace


@given(st.integers(0, 10**6).map(lambda minutes: minutes * MINUTE))
def test_duration_travels_as_text(duration: timedelta) -> None:
    assert read_duration(write_duration(duration)) == duration


@pytest.mark.parametrize(
    ("pace", "left", "after"),
    [
        ("3d per move", HOUR, 3 * DAY),
        ("3d per move", timedelta(), 3 * DAY),
        ("14d + 1d per move", 2 * DAY, 3 * DAY),
        ("14d + 1d per move, at most 21d", 20 * DAY + HOUR, 21 * DAY),
        ("14d + 1d per move, at most 21d", 25 * DAY, 25 * DAY),  # what was given as a gift is not taken away
        ("10d in all", 2 * DAY, 2 * DAY),
    ],
)
def test_turn_leaves_time(pace: str, left: timedelta, after: timedelta) -> None:
    read = read_pace(pace)
    assert read is not None
    assert read.after(left) == after


@pytest.mark.parametrize("terms", [SLOW, USUAL, UNSAID])
def test_terms_travel_as_text(terms: Terms) -> None:
    assert read_terms(write_terms(terms)) == terms


def test_terms_of_old_rows_are_read_as_what_held_then() -> None:
    assert read_terms("{}") == Terms(pace=None, flag=Flag.CLAIM, vacation=True, takeback=True, rated=False)


async def test_terms_go_from_the_challenge_to_the_match(matches: Matches) -> None:
    step = await matches.challenge(ALICE, server=SERVER, place=PLACE, game="morelli", terms=SLOW, now=NOON)
    turn = await matches.accept(step.challenge.id, BOB, now=NOON)
    (line,) = await matches.games(ALICE, SERVER, now=NOON)
    found = await matches.find_challenge(step.challenge.id, now=later(days=1))
    assert [step.challenge.terms, turn.match.terms, line.terms, found.terms] == [SLOW] * 4


async def test_match_is_rated_unless_somebody_says_otherwise(matches: Matches) -> None:
    step = await matches.challenge(ALICE, server=SERVER, place=PLACE, game="morelli", now=NOON)
    assert step.challenge.terms == USUAL
