import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, delete, event, text

from matches import (
    Announcement,
    AnnouncementId,
    AnnouncementKind,
    Matches,
    MatchUpdate,
    Person,
    RequestRepeated,
    StorageUnavailable,
    Terms,
    TimeControl,
)
from matches.challenge_limits import DEFAULT_LIMITS
from matches.posting.announcements import MAX_CALLS
from matches.times import to_millis
from matches.work.requests import MAIL_MEMORY
from storage import Database
from storage.posting import outbox
from storage.tables import OUTBOX
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    NOON,
    SERVER,
    later,
    legal_move,
    make_challenge,
    play_move,
    player_to_move,
    require_announcement,
    start_match,
)
from tests.refusals import refusal_key, refused

UNKNOWN = AnnouncementId(4711)
AFTER_GRACE = later(seconds=21)


@contextmanager
def counted_statements() -> Iterator[list[str]]:
    """Record the SQL statements sent inside this context."""
    found: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        found.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield found
    event.remove(Engine, "before_cursor_execute", note)


async def start_and_play(matches: Matches) -> MatchUpdate:
    """Start a match, mark everything as sent, and play one turn that is not sent yet."""
    view = await start_match(matches)
    await mark_all_sent(matches)
    return await play_move(matches, view)


async def mark_all_sent(matches: Matches) -> None:
    """Mark all due announcements as sent."""
    while rows := await matches.announcements.claim_due("test", now=later(minutes=5)):
        for row in rows:
            await matches.announcements.mark_sent(row.id, "test:post", now=NOON)


async def claim_due(matches: Matches, now: datetime) -> list[AnnouncementId]:
    return [row.id for row in await matches.announcements.claim_due("test", now=now)]


async def test_announcement_is_not_due_during_the_grace_period(matches: Matches) -> None:
    update = await start_and_play(matches)
    assert await claim_due(matches, later(seconds=9)) == []
    assert await claim_due(matches, later(seconds=10)) == [require_announcement(update.announcement).id]


async def test_claimed_announcement_equals_the_original(matches: Matches) -> None:
    update = await start_and_play(matches)
    (row,) = await matches.announcements.claim_due("test", now=AFTER_GRACE)
    made = require_announcement(update.announcement)
    assert row == Announcement(
        id=made.id,
        kind=AnnouncementKind.TURN,
        challenge=None,
        match=update.match.id,
        ply=1,
        first_ply=1,
        by=ALICE.account,
        recipients=(BOB.account,),
        server=SERVER,
        channel=CHANNEL,
        made_at=NOON,
        attempts=1,
        platform="test",
    )


@pytest.mark.long
async def test_sent_announcement_is_not_claimed(matches: Matches) -> None:
    update = await start_and_play(matches)
    assert await matches.announcements.mark_sent(
        require_announcement(update.announcement).id, "test:1", now=NOON
    )
    assert await claim_due(matches, AFTER_GRACE) == []


async def test_marking_as_sent_twice_returns_false(matches: Matches) -> None:
    number = require_announcement((await start_and_play(matches)).announcement).id
    assert await matches.announcements.mark_sent(number, "test:1", now=NOON)
    assert not await matches.announcements.mark_sent(number, "test:2", now=NOON)


async def make_challenges(matches: Matches, count: int) -> list[AnnouncementId]:
    """Make open challenges and return their announcements, which are not sent yet."""
    for _ in range(count):
        await make_challenge(matches, ALICE, None)
    return [row.id for row in await matches.announcements.claim_due("test", now=NOON + timedelta(seconds=10))]


async def test_announcements_that_wait_to_be_marked_are_marked_together_on_sqlite(
    matches: Matches, database: Database
) -> None:
    numbers = await make_challenges(matches, 5)
    commits: list[str] = []
    with matches.on_commit(lambda: commits.append("commit")):
        marks = [matches.announcements.mark_sent(number, f"test:{number}", now=NOON) for number in numbers]
        unknown = matches.announcements.mark_sent(UNKNOWN, "test:0", now=NOON)
        *results, error = await asyncio.gather(*marks, unknown, return_exceptions=True)
    assert (results, refusal_key(error)) == ([True] * 5, "announcement_unknown")
    # The first may be alone. On PostgreSQL each is, so that no transaction locks several rows.
    assert len(commits) <= 2 if database.has_one_writer else len(commits) == 6
    assert await claim_due(matches, AFTER_GRACE) == []


async def test_others_mark_what_a_cancelled_task_was_about_to(matches: Matches) -> None:
    numbers = await make_challenges(matches, 3)
    tasks = [
        asyncio.create_task(matches.announcements.mark_sent(number, "test:1", now=NOON)) for number in numbers
    ]
    await asyncio.sleep(0)
    tasks[0].cancel()
    assert await asyncio.gather(*tasks[1:]) == [True, True]
    assert tasks[0].cancelled()
    assert await claim_due(matches, AFTER_GRACE) == []


async def test_failure_to_mark_is_reported_to_all_and_not_repeated(
    matches: Matches, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers, calls = await make_challenges(matches, 5), []

    async def fail(_connection: object, number: int, *_rest: object) -> bool:
        calls.append(number)
        raise StorageUnavailable("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(outbox, "mark_sent", fail)
        marks = [matches.announcements.mark_sent(number, "test:1", now=NOON) for number in numbers]
        errors = await asyncio.gather(*marks, return_exceptions=True)
    assert [type(error) for error in errors] == [StorageUnavailable] * 5
    assert len(calls) <= 2 if database.has_one_writer else len(calls) == 5
    assert await matches.announcements.mark_sent(numbers[0], "test:1", now=NOON)


@pytest.mark.long
async def test_request_is_carried_out_once_and_costs_a_turn_no_statement(
    matches: Matches, other_matches: Matches
) -> None:
    view = (await start_and_play(matches)).match
    with counted_statements() as plain:
        view = (await play_move(matches, view)).match
    with counted_statements() as named, matches.work.requests.handle(4711, now=NOON):
        view = (await play_move(matches, view)).match
    assert len(named) == len(plain)
    with other_matches.work.requests.handle(4711, now=NOON) as repeated, pytest.raises(RequestRepeated):
        await play_move(other_matches, view)
    assert await other_matches.work.requests.is_done_elsewhere(repeated)
    assert (await matches.view(view.id, now=NOON)).ply == view.ply


async def test_request_without_an_announcement_is_carried_out_once_and_forgotten_later(
    matches: Matches, other_matches: Matches
) -> None:
    view = (await start_and_play(matches)).match
    with matches.work.requests.handle(4711, now=NOON) as request:
        assert await matches.people.seats.rotate(view.id, ALICE) == 1
        assert await matches.people.seats.rotate(view.id, ALICE) == 2
        assert not await matches.work.requests.is_done_elsewhere(request)
    with other_matches.work.requests.handle(4711, now=NOON) as repeated, pytest.raises(RequestRepeated):
        await other_matches.people.seats.rotate(view.id, ALICE)
    assert await matches.people.seats.get_generation(view.id, ALICE) == 2
    await matches.work.requests.forget_old(now=later(hours=2))
    assert not await other_matches.work.requests.is_done_elsewhere(repeated)


@pytest.mark.long
async def test_request_of_a_mail_is_remembered_when_its_announcement_is_deleted(
    matches: Matches, other_matches: Matches, database: Database
) -> None:
    view = (await start_and_play(matches)).match
    with matches.work.requests.handle(-4711, now=NOON, memory=MAIL_MEMORY) as request:
        view = (await play_move(matches, view)).match
        assert not await matches.work.requests.is_done_elsewhere(request)
    async with database.transaction() as connection:
        await connection.execute(delete(OUTBOX).where(OUTBOX.c.match == view.id))
    await matches.work.requests.forget_old(now=later(days=29))
    with other_matches.work.requests.handle(-4711, now=later(days=29), memory=MAIL_MEMORY) as repeated:
        assert await other_matches.work.requests.is_done_elsewhere(repeated)
        with pytest.raises(RequestRepeated):
            await play_move(other_matches, view)
    await other_matches.work.requests.forget_old(now=later(days=31))
    assert not await other_matches.work.requests.is_done_elsewhere(repeated)


async def test_request_that_was_refused_can_be_carried_out(matches: Matches) -> None:
    view = (await start_and_play(matches)).match
    with matches.work.requests.handle(4711, now=NOON):
        with pytest.raises(Exception, match="move_illegal"):
            await matches.play(view.id, player_to_move(view), ["A1-A1"], now=NOON)
        assert (await play_move(matches, view)).match.ply == view.ply + 1


async def test_unknown_announcement_is_refused(matches: Matches) -> None:
    with refused("announcement_unknown"):
        await matches.announcements.mark_sent(UNKNOWN, "test:1", now=NOON)
    with refused("announcement_unknown"):
        await matches.announcements.mark_failed(UNKNOWN, now=NOON)


@pytest.mark.long
async def test_claim_is_exclusive_until_the_lease_ends(matches: Matches, other_matches: Matches) -> None:
    number = require_announcement((await start_and_play(matches)).announcement).id
    assert await claim_due(matches, AFTER_GRACE) == [number]
    assert await claim_due(other_matches, AFTER_GRACE + timedelta(seconds=9)) == []
    assert await claim_due(other_matches, AFTER_GRACE + timedelta(seconds=10)) == [number]


@pytest.mark.long
async def test_renewed_claim_is_kept_and_a_later_one_is_not_disturbed(
    matches: Matches, other_matches: Matches
) -> None:
    number = require_announcement((await start_and_play(matches)).announcement).id
    (claimed,) = await matches.announcements.claim_due("test", now=AFTER_GRACE)
    await matches.announcements.renew([claimed], now=AFTER_GRACE + timedelta(seconds=9))
    assert await claim_due(other_matches, AFTER_GRACE + timedelta(seconds=18)) == []
    assert await claim_due(other_matches, AFTER_GRACE + timedelta(seconds=19)) == [number]
    await matches.announcements.renew([claimed], now=AFTER_GRACE + timedelta(seconds=60))  # too late
    assert await claim_due(other_matches, AFTER_GRACE + timedelta(seconds=29)) == [number]


@pytest.mark.long
async def test_everything_claimed_by_a_process_that_ended_is_due_after_seconds(
    matches: Matches, other_matches: Matches
) -> None:
    for number in range(20):
        await make_challenge(matches, by=Person(f"test:{number}", "Challenger"))
    taken = await claim_due(matches, AFTER_GRACE)
    assert len(taken) == 20
    assert await claim_due(other_matches, AFTER_GRACE + timedelta(seconds=9)) == []
    assert await claim_due(other_matches, AFTER_GRACE + timedelta(seconds=10)) == taken


@pytest.mark.long
async def test_busy_channel_is_left_out_and_each_other_gives_one(matches: Matches) -> None:
    made = [
        (await make_challenge(matches, channel=channel)).id
        for channel in ("test:hangs", "test:hangs", "test:one", "test:one", "test:other")
    ]
    claimed = await matches.announcements.claim_due("test", now=AFTER_GRACE, busy=frozenset({"test:hangs"}))
    assert [row.challenge for row in claimed] == [made[2], made[4]]


@pytest.mark.long
async def test_boards_come_before_older_reminders(matches: Matches) -> None:
    terms = Terms(time_control=TimeControl.per_move(timedelta(days=4)))
    for number in range(3):
        await start_match(matches, terms=terms, channel=f"test:{number}")
    await mark_all_sent(matches)
    assert await matches.people.reminders.remind(now=later(days=3)) == 3
    made = await make_challenge(matches, now=later(days=3))
    rows = await matches.announcements.claim_due(
        "test", now=later(days=3, minutes=1), limit=2, busy=frozenset()
    )
    assert [(row.challenge, row.kind) for row in rows] == [
        (made.id, AnnouncementKind.CHALLENGED),
        (None, AnnouncementKind.REMINDED),
    ]


@pytest.mark.long
async def test_each_failure_delays_longer(matches: Matches) -> None:
    number = require_announcement((await start_and_play(matches)).announcement).id
    now, pauses = AFTER_GRACE, list[float]()
    for attempt in range(1, 15):
        (row,) = await matches.announcements.claim_due("test", now=now)
        assert (row.id, row.attempts) == (number, attempt)
        await matches.announcements.mark_failed(number, now=now)
        pause = timedelta(seconds=min(5 * 2 ** (attempt - 1), 3600))
        assert await claim_due(matches, now + pause - timedelta(milliseconds=1)) == []
        now, pauses = now + pause, [*pauses, pause.total_seconds()]
    assert pauses[:4] == [5, 10, 20, 40]
    assert pauses[-1] == 3600
    assert await claim_due(matches, now) == [number]


@pytest.mark.long
async def test_announcement_written_while_the_clock_was_far_ahead_is_due(matches: Matches) -> None:
    number = require_announcement((await start_and_play(matches)).announcement).id
    await matches.announcements.mark_failed(number, now=later(days=3650))
    (row,) = await matches.announcements.claim_due("test", now=AFTER_GRACE)
    assert row.id == number
    assert await claim_due(matches, AFTER_GRACE) == []
    await matches.announcements.mark_failed(number, now=AFTER_GRACE)
    assert await claim_due(matches, AFTER_GRACE) == []


async def test_failed_response_is_retried_soon(matches: Matches) -> None:
    number = require_announcement((await start_and_play(matches)).announcement).id
    await matches.announcements.mark_failed(number, now=NOON)
    assert await claim_due(matches, later(seconds=5)) == [number]


async def test_failure_after_sending_changes_nothing(matches: Matches) -> None:
    number = require_announcement((await start_and_play(matches)).announcement).id
    await matches.announcements.mark_sent(number, "test:1", now=NOON)
    await matches.announcements.mark_failed(number, now=NOON)
    assert await claim_due(matches, later(days=1)) == []


@pytest.mark.long
async def test_announcements_of_a_match_come_in_order(matches: Matches) -> None:
    first = await start_and_play(matches)
    second = await play_move(matches, first.match)
    one, other = require_announcement(first.announcement).id, require_announcement(second.announcement).id
    assert await claim_due(matches, AFTER_GRACE) == [one]
    await matches.announcements.mark_failed(one, now=later(minutes=2))
    assert await claim_due(matches, later(minutes=2)) == []
    assert await claim_due(matches, later(minutes=3)) == [one]
    await matches.announcements.mark_sent(one, "test:1", now=later(minutes=3))
    assert await claim_due(matches, later(minutes=3)) == [other]


@pytest.mark.long
async def test_one_match_does_not_delay_another(matches: Matches) -> None:
    first = await start_and_play(matches)
    await matches.announcements.mark_failed(require_announcement(first.announcement).id, now=AFTER_GRACE)
    other = await start_match(matches)
    assert {
        row.match for row in await matches.announcements.claim_due("test", now=AFTER_GRACE) if row.match
    } == {other.id}


async def test_oldest_come_first_and_at_most_the_limit(matches: Matches) -> None:
    made = [(await make_challenge(matches, now=later(seconds=second))).id for second in (2, 0, 1)]
    rows = await matches.announcements.claim_due("test", now=AFTER_GRACE + timedelta(minutes=1), limit=2)
    assert {row.challenge for row in rows} == {made[1], made[2]}


@pytest.mark.long
async def test_concurrent_claims_never_overlap(matches: Matches, other_matches: Matches) -> None:
    for _ in range(9):
        await make_challenge(matches)
    taken = await asyncio.gather(
        *(
            board_posts.announcements.claim_due("test", now=AFTER_GRACE, limit=2)
            for board_posts in (matches, other_matches) * 4
        )
    )
    numbers = [row.id for rows in taken for row in rows]
    assert sorted(numbers) == sorted(set(numbers))
    rest = await claim_due(matches, AFTER_GRACE)
    assert len(numbers) + len(rest) == 9


async def test_refused_move_is_not_announced(matches: Matches) -> None:
    update = await start_and_play(matches)
    await matches.announcements.mark_sent(require_announcement(update.announcement).id, "test:1", now=NOON)
    with pytest.raises(Exception, match="move_illegal"):
        await matches.play(update.match.id, player_to_move(update.match), ["A1-A1"], now=NOON)
    assert await claim_due(matches, AFTER_GRACE) == []


async def test_challenge_has_its_latest_post(matches: Matches) -> None:
    made = await make_challenge(matches, to=BOB)
    (row,) = await matches.announcements.claim_due("test", now=AFTER_GRACE)
    await matches.announcements.mark_sent(row.id, "test:post/1", now=NOON)
    assert (await matches.challenges.find(made.id, now=NOON)).post == "test:post/1"
    update = await matches.challenges.decline(made.id, BOB, now=NOON)
    assert update.challenge.post == "test:post/1"
    await matches.announcements.mark_sent(update.announcement.id, "test:post/2", now=NOON)
    assert (await matches.challenges.find(made.id, now=NOON)).post == "test:post/2"


async def test_turn_and_its_announcement_are_committed_together(matches: Matches) -> None:
    update = await start_and_play(matches)
    for _ in range(3):
        text = legal_move(update.match)
        update = await matches.play(update.match.id, player_to_move(update.match), [text], now=NOON)
    plies = []
    while rows := await matches.announcements.claim_due("test", now=AFTER_GRACE):
        for row in rows:
            plies.append(row.ply)
            await matches.announcements.mark_sent(row.id, "test:1", now=AFTER_GRACE)
    assert plies == [1, 2, 3, 4]


# After hours without Discord, and before PostgreSQL has statistics of the table.
BACKLOG = """
INSERT INTO outbox (kind, platform, "match", ply, "by", recipients, server, place, made_at, due_at)
SELECT 'turn', 'test', {match}, number, '{by}', '[]', '{server}', 'test:' || (number % 5), {at}, {at} + number
FROM (
    WITH RECURSIVE numbers(number) AS (SELECT 2 UNION ALL SELECT number + 1 FROM numbers
                                      WHERE number < {count})
    SELECT number FROM numbers
) AS numbers
"""


@pytest.mark.long
async def test_long_backlog_is_claimed_match_by_match(matches: Matches, database: Database) -> None:
    views = [await start_match(matches, options={"size": 9}) for _ in range(10)]
    await mark_all_sent(matches)
    values = {"by": ALICE.account, "server": SERVER, "at": to_millis(NOON), "count": 1200}
    async with database.transaction() as connection:
        for view in views:
            await connection.execute(text(BACKLOG.format(match=view.id, **values)))
    claimed = await matches.announcements.claim_due("test", now=AFTER_GRACE, limit=100)
    assert sorted(row.match or 0 for row in claimed) == sorted(view.id for view in views)
    assert {row.ply for row in claimed} == {2}


@pytest.mark.long
async def test_repeated_challenges_are_announced_quietly(matches: Matches) -> None:
    quiet = []
    for _ in range(DEFAULT_LIMITS.withdrawn):
        made = await make_challenge(matches, to=BOB)
        withdrawn = await matches.challenges.withdraw(made.id, ALICE, now=NOON)
        quiet.append(withdrawn.announcement.is_quiet)
    assert quiet.count(False) == MAX_CALLS // 2
    to_carol = await make_challenge(matches, to=CAROL)
    assert not (await matches.challenges.withdraw(to_carol.id, ALICE, now=NOON)).announcement.is_quiet
    next_day = NOON + timedelta(days=1, seconds=1)
    made = await make_challenge(matches, to=BOB, now=next_day)
    assert not (await matches.challenges.withdraw(made.id, ALICE, now=next_day)).announcement.is_quiet
