"""How much work waits."""

from datetime import timedelta

from matches import Matches
from matches.posting.announcements import GRACE
from matches.work.backlogs import Backlog
from tests.matches.scenario import NOON, later, play_move, require_announcement, start_match

NO_WAIT, SECOND = timedelta(0), timedelta(seconds=1)


async def test_empty_database_has_no_backlog(matches: Matches) -> None:
    assert await matches.work.backlogs.measure("test", now=NOON) == Backlog(0, 0, NO_WAIT, 0, 0, 0)


async def test_announcement_waits_from_the_moment_it_is_due(matches: Matches) -> None:
    await start_match(matches)
    unsent = (await matches.work.backlogs.measure("test", now=NOON)).outbox_waiting
    assert unsent >= 1
    assert (await matches.work.backlogs.measure("test", now=NOON + GRACE - SECOND)).outbox_oldest == NO_WAIT
    backlog = await matches.work.backlogs.measure("test", now=NOON + GRACE + 60 * SECOND)
    assert backlog == Backlog(unsent, 0, timedelta(seconds=60), 0, 0, 0)
    assert not backlog.is_outbox_stuck
    assert (await matches.work.backlogs.measure("test", now=NOON + GRACE + 130 * SECOND)).is_outbox_stuck


async def test_announcement_behind_one_that_is_tried_again_is_not_due(matches: Matches) -> None:
    view = await start_match(matches)
    for announcement in await matches.announcements.claim_due("test", now=later(seconds=30)):
        await matches.announcements.mark_sent(announcement.id, "post", now=later(seconds=30))
    first = require_announcement((await play_move(matches, view)).announcement)
    (claimed,) = await matches.announcements.claim_due("test", now=later(seconds=60))
    assert claimed.id == first.id
    await matches.announcements.mark_failed(first.id, now=later(seconds=60))
    backlog = await matches.work.backlogs.measure("test", now=later(seconds=60))
    assert (backlog.outbox_waiting, backlog.outbox_tried, backlog.outbox_oldest) == (1, 1, NO_WAIT)
