"""Shortcuts for tests of clocks."""

from datetime import datetime, timedelta

from engine.game import OptionValue
from matches import (
    Announcement,
    Matches,
    MatchUpdate,
    MatchView,
    Person,
    SeatTime,
    Terms,
    TimeControl,
    TimeoutRule,
)
from tests.matches import scenario
from tests.matches.scenario import ALICE, BOB, CHANNEL, NOON

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
THREE_DAYS = Terms(time_control=TimeControl.per_move(3 * DAY), timeout_rule=TimeoutRule.LOST)
CLAIM_THREE_DAYS = Terms(time_control=TimeControl.per_move(3 * DAY), timeout_rule=TimeoutRule.CLAIM)
BANK_TERMS = Terms(time_control=TimeControl(10 * DAY, DAY, 12 * DAY), timeout_rule=TimeoutRule.LOST)
NO_VACATION = Terms(
    time_control=TimeControl.per_move(3 * DAY), timeout_rule=TimeoutRule.LOST, vacation_stops_clock=False
)


async def start_timed_match(
    matches: Matches,
    terms: Terms = THREE_DAYS,
    options: dict[str, OptionValue] | None = None,
    *,
    by: Person = ALICE,
    to: Person = BOB,
    game: str = "morelli",
    channel: str = CHANNEL,
    now: datetime = NOON,
) -> MatchView:
    """Start a match with a clock, by default with Alice to move first."""
    return await scenario.start_match(
        matches, options, by=by, to=to, game=game, channel=channel, terms=terms, now=now
    )


def time_of(view: MatchView | MatchUpdate, person: Person) -> SeatTime:
    match = view.match if isinstance(view, MatchUpdate) else view
    assert match.time is not None
    found = match.time.for_account(person.account)
    assert found is not None
    return found


async def take_announcements(matches: Matches, now: datetime) -> list[Announcement]:
    """Return all due announcements in order and mark them as sent."""
    taken: list[Announcement] = []
    while rows := await matches.announcements.claim_due("test", now=now):
        for row in rows:
            await matches.announcements.mark_sent(row.id, f"test:post/{row.id}", now=now)
        taken += rows
    return taken


async def announced_kinds(matches: Matches, now: datetime) -> list[tuple[str, tuple[str, ...]]]:
    """Return the kinds and recipients of all due announcements, and mark them as sent."""
    return [(row.kind.value, row.recipients) for row in await take_announcements(matches, now)]
