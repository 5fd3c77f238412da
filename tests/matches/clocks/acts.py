"""Short cuts for tests about time: matches with a clock, and what the clock says."""

from datetime import datetime, timedelta

from engine.game import Setting
from matches import Announcement, Flag, Matches, MatchView, Pace, Person, SeatTime, Terms, Turn
from tests.matches import story
from tests.matches.story import ALICE, BOB, NOON, PLACE

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
THREE_DAYS = Terms(pace=Pace.per_move(3 * DAY), flag=Flag.LOST)
CLAIMED = Terms(pace=Pace.per_move(3 * DAY), flag=Flag.CLAIM)
BANK = Terms(pace=Pace(10 * DAY, DAY, 12 * DAY), flag=Flag.LOST)
NO_VACATION = Terms(pace=Pace.per_move(3 * DAY), flag=Flag.LOST, vacation=False)


async def begin(
    matches: Matches,
    terms: Terms = THREE_DAYS,
    options: dict[str, Setting] | None = None,
    *,
    by: Person = ALICE,
    to: Person = BOB,
    game: str = "morelli",
    place: str = PLACE,
    now: datetime = NOON,
) -> MatchView:
    """Begin a match with a clock, by default with Alice to move first and Bob across."""
    return await story.begin(matches, options, by=by, to=to, game=game, place=place, terms=terms, now=now)


def time_of(view: MatchView | Turn, person: Person) -> SeatTime:
    match = view.match if isinstance(view, Turn) else view
    assert match.time is not None
    found = match.time.of(person.account)
    assert found is not None
    return found


async def due(matches: Matches, now: datetime) -> list[Announcement]:
    """Take everything that is to be announced, in order, noting that it was."""
    taken: list[Announcement] = []
    while rows := await matches.unannounced(now=now):
        for row in rows:
            await matches.announced(row.id, f"test:post/{row.id}", now=now)
        taken += rows
    return taken


async def told(matches: Matches, now: datetime) -> list[tuple[str, tuple[str, ...]]]:
    """Give kind and callees of everything that is to be announced."""
    return [(row.kind.value, row.whom) for row in await due(matches, now)]
