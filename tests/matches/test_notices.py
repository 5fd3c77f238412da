import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, update

from i18n import Texts
from i18n.notices import describe_notice
from matches import (
    Announcement,
    AnnouncementKind,
    Matches,
    MatchView,
    Notice,
    NoticeKind,
    OfferKind,
    Person,
    ReminderChannel,
    Way,
    possible_ways,
)
from matches.notices.values import DELAYS, LIFETIME, NOTICE_KINDS, default_ways
from matches.platforms import MAIL, PUSH, WEBSITE
from matches.preferences.values import DEFAULT_PREFERENCES
from matches.times import to_millis
from storage import Database
from storage.tables import IDENTITIES, PEOPLE, PUSH_SUBSCRIPTIONS
from tests.matches.scenario import (
    ALICE,
    BOB,
    NOON,
    later,
    make_challenge,
    play_move,
    player_to_move,
    post_everything,
    start_match,
)
from tests.matches.test_announcements import counted_statements
from tests.refusals import refused

ANN, BEN = Person(f"web:{'a' * 24}", "Ann"), Person(f"web:{'b' * 24}", "Ben")
TEXTS = Texts.load()


async def give_ways(database: Database, person: Person, *, mail: bool = True, push: bool = True) -> None:
    """Give a person a confirmed address and a browser with push."""
    now = to_millis(NOON)
    async with database.transaction() as connection:
        known = {"account": person.account, "name": person.name, "met_at": now}
        await connection.execute(insert(PEOPLE).values(known))
        owned = {"account": person.account, "made_at": now}
        if mail:
            address = f"{person.name.lower()}@example.org"
            values = {"platform": MAIL, "address": address, "confirmed_at": now, **owned}
            await connection.execute(insert(IDENTITIES).values(values))
        if push:
            subscription = {"session": "s", "endpoint": f"https://push/{person.name}", "keys": "{}"}
            await connection.execute(insert(PUSH_SUBSCRIPTIONS).values(device="", **subscription, **owned))


@pytest.fixture
async def told(matches: Matches, database: Database) -> Matches:
    """Return matches in which Ann and Ben of the website have mail and push."""
    for person in (ANN, BEN):
        await give_ways(database, person)
    return matches


async def start_on_website(matches: Matches, **values: Any) -> MatchView:
    """Start a match of Ann, who moves first, and Ben, of which both have seen the start."""
    view = await start_match(matches, **{"by": ANN, "to": BEN, "channel": WEBSITE, **values})
    for platform in (MAIL, PUSH):
        await read_due(matches, platform, NOON + DELAYS[Way.MAIL])
    return view


async def read_due(matches: Matches, platform: str, now: datetime) -> list[Notice]:
    """Claim what is due on a platform, record what is to be told as sent and discard the rest."""
    found = []
    while rows := await matches.announcements.claim_due(platform, now=now):
        for row in rows:
            notice = await matches.people.notices.read(row, now=now)
            if notice is None:
                await matches.announcements.discard(row.id, now=now)
            else:
                await matches.announcements.mark_sent(row.id, "sent", now=now)
                found.append(notice)
    return found


@pytest.mark.long
async def test_turn_is_told_whoever_is_to_move_by_mail_and_push(told: Matches) -> None:
    view = await start_on_website(told)
    await play_move(told, view)
    assert await read_due(told, PUSH, NOON + DELAYS[Way.PUSH] - timedelta(seconds=1)) == []
    (push,) = await read_due(told, PUSH, NOON + DELAYS[Way.PUSH])
    (mail,) = await read_due(told, MAIL, NOON + DELAYS[Way.MAIL])
    assert [(one.account, one.kind, one.address) for one in (push, mail)] == [
        (BEN.account, NoticeKind.TURN, None),
        (BEN.account, NoticeKind.TURN, "ben@example.org"),
    ]
    assert describe_notice(TEXTS, mail).title == "Your turn against Ann · Morelli"


async def test_turn_that_was_answered_is_told_no_more(told: Matches) -> None:
    view = await start_on_website(told)
    update_ = await play_move(told, view)
    await play_move(told, update_.match)
    assert [one.account for one in await read_due(told, PUSH, later(hours=1))] == [ANN.account]


@pytest.mark.parametrize("person", [ALICE, ANN])
def test_every_kind_of_announcement_has_a_kind_of_notice(person: Person) -> None:
    assert set(NOTICE_KINDS) == set(AnnouncementKind)
    ways = default_ways(person.account, DEFAULT_PREFERENCES)
    assert all(ways[kind] <= set(possible_ways(kind)) for kind in NoticeKind)


@pytest.mark.parametrize(
    ("channel", "ways"),
    [
        (ReminderChannel.DIRECT, {Way.DIRECT}),
        (ReminderChannel.MATCH_CHANNEL, {Way.CHANNEL}),
        (ReminderChannel.OFF, set()),
    ],
)
async def test_old_preference_of_where_reminders_go_counts_until_ways_are_chosen(
    matches: Matches, channel: ReminderChannel, ways: set[Way]
) -> None:
    notices = matches.people.notices
    await matches.people.preferences.change(ALICE, reminder_channel=channel, now=NOON)
    assert (await notices.choices(ALICE.account)).ways[NoticeKind.TIME] == ways
    await notices.change(ALICE, NoticeKind.TURN, {Way.MAIL}, now=NOON)
    assert (await notices.choices(ALICE.account)).ways[NoticeKind.TIME] == ways
    await notices.change(ALICE, NoticeKind.TIME, {Way.PUSH}, now=NOON)
    assert (await notices.choices(ALICE.account)).ways[NoticeKind.TIME] == {Way.PUSH}


async def test_way_that_a_kind_has_not_is_refused(matches: Matches) -> None:
    with refused("way_impossible"):
        await matches.people.notices.change(ALICE, NoticeKind.DIGEST, {Way.PUSH}, now=NOON)


async def ask_for_takeback(matches: Matches, view: MatchView) -> None:
    await matches.offers.make(view.id, ANN, OfferKind.TAKEBACK, now=NOON)


async def resign(matches: Matches, view: MatchView) -> None:
    await matches.resign(view.id, ANN, now=NOON)


ACTIONS = {NoticeKind.OFFER: ask_for_takeback, NoticeKind.OVER: resign}


@pytest.mark.long
@pytest.mark.parametrize("way", [Way.MAIL, Way.PUSH])
@pytest.mark.parametrize("kind", [NoticeKind.TURN, *ACTIONS])
@pytest.mark.parametrize("is_wanted", [True, False])
async def test_each_kind_is_told_in_the_ways_that_were_chosen(
    told: Matches, kind: NoticeKind, way: Way, *, is_wanted: bool
) -> None:
    view = await start_on_website(told)
    await told.people.notices.change(BEN, kind, {way} if is_wanted else set(), now=NOON)
    view = (await play_move(told, view)).match
    if kind in ACTIONS:
        await told.people.notices.mark_seen(BEN.account, view.id, now=NOON)
        await ACTIONS[kind](told, view)
    found = {one: await read_due(told, one, later(minutes=3)) for one in (MAIL, PUSH)}
    expected = [(BEN.account, kind)] if is_wanted else []
    assert [(one.account, one.kind) for one in found[way]] == expected
    assert found[MAIL if way is Way.PUSH else PUSH] == []


async def test_challenge_is_told_until_it_is_answered(told: Matches) -> None:
    first, second = [
        await make_challenge(told, ANN, BEN, channel=WEBSITE, game=game, colour=None)
        for game in ("morelli", "morphos")
    ]
    await told.challenges.decline(first.id, BEN, now=NOON)
    notices = await read_due(told, MAIL, later(minutes=3))
    assert {(one.account, one.challenge.id) for one in notices if one.challenge} == {
        (ANN.account, first.id),
        (BEN.account, second.id),
    }


async def test_reminder_is_told(told: Matches) -> None:
    await told.people.preferences.change(ANN, repeat_days=1, now=NOON)
    view = await start_on_website(told)
    await told.people.reminders.remind(now=later(minutes=5))
    await told.people.reminders.remind(now=later(days=1))
    (notice,) = await read_due(told, PUSH, later(days=1, minutes=1))
    text = describe_notice(TEXTS, notice)
    assert (notice.account, notice.kind, notice.view and notice.view.id) == (
        ANN.account,
        NoticeKind.TIME,
        view.id,
    )
    assert text.title == "Reminder: your turn against Ben · Morelli"


async def test_several_notices_of_a_match_become_the_newest(told: Matches) -> None:
    view = (await play_move(told, await start_on_website(told))).match
    await ask_for_takeback(told, view)
    (notice,) = await read_due(told, MAIL, later(hours=1))
    assert notice.announcement.kind is AnnouncementKind.OFFERED


async def test_notice_behind_one_that_is_obsolete_is_told(told: Matches) -> None:
    view = (await play_move(told, await start_on_website(told))).match
    await ask_for_takeback(told, view)
    offer = (await told.view(view.id, now=NOON)).pending_offer
    assert offer is not None
    await told.offers.withdraw(offer.id, ANN, now=NOON)
    (notice,) = await read_due(told, MAIL, later(hours=1))
    assert notice.announcement.kind is AnnouncementKind.TURN


async def close_account(database: Database) -> None:
    async with database.transaction() as connection:
        values = update(PEOPLE).where(PEOPLE.c.account == BEN.account).values(closed_at=to_millis(NOON))
        await connection.execute(values)


async def stop_mail(database: Database) -> None:
    async with database.transaction() as connection:
        mine = IDENTITIES.c.account == BEN.account
        await connection.execute(update(IDENTITIES).where(mine).values(stopped_at=to_millis(NOON)))


@pytest.mark.parametrize("lose", [close_account, stop_mail])
@pytest.mark.parametrize("is_before", [True, False])
async def test_nothing_is_told_in_a_way_that_was_lost(
    told: Matches, database: Database, lose: Callable[[Database], Awaitable[None]], *, is_before: bool
) -> None:
    view = await start_on_website(told)
    if is_before:
        await lose(database)
    await play_move(told, view)
    if not is_before:
        await lose(database)
    assert await read_due(told, MAIL, later(hours=1)) == []


async def test_mail_can_be_started_again(told: Matches, database: Database) -> None:
    await stop_mail(database)
    assert (await told.people.notices.reach(BEN.account)).ways == {Way.PUSH}
    await told.people.notices.start_mail_again(BEN.account, "ben@example.org")
    assert (await told.people.notices.reach(BEN.account)).ways == {Way.MAIL, Way.PUSH}
    with refused("address_unknown"):
        await told.people.notices.start_mail_again(BEN.account, "ann@example.org")


async def test_nothing_is_told_that_is_too_old(told: Matches) -> None:
    await play_move(told, await start_on_website(told))
    assert await read_due(told, MAIL, NOON + LIFETIME) == []


async def test_what_falls_into_quiet_hours_is_due_after_them(told: Matches) -> None:
    await told.people.preferences.change(BEN, quiet="11:00-13:30", now=NOON)
    await play_move(told, await start_on_website(told))
    assert await read_due(told, PUSH, later(minutes=89)) == []
    assert len(await read_due(told, PUSH, later(minutes=90))) == 1


async def test_what_was_seen_is_not_told(told: Matches, other_matches: Matches) -> None:
    view = (await play_move(told, await start_on_website(told))).match
    await other_matches.people.notices.mark_seen(ANN.account, view.id, now=NOON)
    state = await told.people.seats.load(view.id, (BEN.account,))
    assert state.has_unseen
    await other_matches.people.notices.mark_seen(BEN.account, view.id, now=NOON)
    assert not (await told.people.seats.load(view.id, (BEN.account,))).has_unseen
    assert await read_due(told, MAIL, later(hours=1)) == []


async def test_each_notice_is_claimed_by_one_of_two_processes(told: Matches, other_matches: Matches) -> None:
    await play_move(told, await start_on_website(told))
    both = (told, other_matches)
    claims = [one.announcements.claim_due(MAIL, now=later(minutes=3)) for one in both]
    assert sum(map(len, await asyncio.gather(*claims))) == 1


async def test_copies_count_neither_as_told_nor_as_untold(told: Matches) -> None:
    view = (await play_move(told, await start_on_website(told))).match
    (row,) = await told.announcements.claim_due(MAIL, now=later(minutes=3))
    await told.announcements.mark_failed(row.id, now=later(minutes=3))
    state = await told.people.seats.load(view.id, (BEN.account,))
    assert (state.has_untold, await told.posting.places.list_untold("web")) == (False, frozenset())
    assert await told.posting.places.record_contact(BEN.account, now=later(minutes=4)) == ()


async def test_copies_go_with_the_account_that_is_joined(told: Matches) -> None:
    await play_move(told, await start_on_website(told))
    await told.people.notices.change(BOB, NoticeKind.TURN, {Way.MAIL}, now=NOON)
    await told.people.personal_data.join(BEN.account, BOB.account, now=NOON)
    (notice,) = await read_due(told, MAIL, later(hours=1))
    assert (notice.account, notice.address) == (BOB.account, "ben@example.org")


@pytest.mark.parametrize("ways", [{Way.DIRECT}, {Way.CHANNEL}, {Way.DIRECT, Way.CHANNEL}, set()])
async def test_mention_and_direct_message_follow_the_choice(matches: Matches, ways: set[Way]) -> None:
    view = await start_match(matches)
    await post_everything(matches)
    await matches.people.notices.change(BOB, NoticeKind.TURN, ways, now=NOON)
    update_ = await play_move(matches, view)
    rows: list[Announcement] = []
    while due := await matches.announcements.claim_due("test", now=later(minutes=1)):
        for row in due:
            await matches.announcements.mark_sent(row.id, "test:post", now=NOON)
        rows += due
    notified = (BOB.account,) if Way.CHANNEL in ways else ()
    assert update_.announcement is not None
    assert update_.announcement.notified == notified
    assert [(one.to, one.recipients) for one in rows] == [
        (None, (BOB.account,)),
        *([(BOB.account, (BOB.account,))] if Way.DIRECT in ways else []),
    ]
    assert rows[0].notified == notified


@pytest.mark.parametrize("chosen", [{Way.DIRECT}, {Way.DIRECT, Way.MAIL}])
async def test_who_accepts_no_direct_messages_is_told_by_mail_and_push(
    matches: Matches, database: Database, chosen: set[Way]
) -> None:
    """Whoever has chosen one of these that reaches them needs no other."""
    for person in (ANN, BOB):
        await give_ways(database, person)
    await matches.people.notices.change(BOB, NoticeKind.TURN, chosen, now=NOON)
    view = await start_on_website(matches, by=ANN, to=BOB)
    await post_everything(matches)
    await play_move(matches, view)
    for _ in range(2):
        (copy,) = await matches.announcements.claim_due("test", now=later(hours=2))
        await matches.posting.places.record_refused(copy, now=NOON)
    told = [await read_due(matches, platform, later(hours=2)) for platform in (MAIL, PUSH)]
    assert [[one.account for one in each] for each in told] == [
        [BOB.account],
        [] if Way.MAIL in chosen else [BOB.account],
    ]


async def test_closed_direct_messages_and_no_other_way_write_nothing(matches: Matches) -> None:
    await matches.people.notices.change(BOB, NoticeKind.TURN, {Way.DIRECT}, now=NOON)
    view = await start_match(matches, by=ALICE, to=BOB, channel=WEBSITE)
    await post_everything(matches)
    await play_move(matches, view)
    for copy in await matches.announcements.claim_due("test", now=later(minutes=1)):
        await matches.posting.places.record_refused(copy, now=NOON)
    for platform in (MAIL, PUSH):
        assert await matches.announcements.claim_due(platform, now=later(days=1)) == ()


async def test_chosen_direct_message_does_not_make_a_challenge_lost(matches: Matches) -> None:
    await matches.people.notices.change(BOB, NoticeKind.CHALLENGE, {Way.DIRECT}, now=NOON)
    challenge = await make_challenge(matches, ALICE, BOB)
    update_ = await matches.challenges.decline(challenge.id, BOB, now=NOON)
    assert (update_.announcement.to, update_.announcement.is_direct) == (None, False)


async def test_turn_of_people_who_chose_nothing_sends_no_further_statement(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches))).match
    with counted_statements() as before:
        view = (await play_move(matches, view)).match
    await matches.people.notices.change(player_to_move(view), NoticeKind.OVER, {Way.MAIL}, now=NOON)
    with counted_statements() as after:
        await play_move(matches, view)
    assert len(after) == len(before)


async def test_turn_told_by_mail_and_push_sends_one_statement_more(told: Matches) -> None:
    view = (await play_move(told, await start_on_website(told))).match
    with counted_statements() as sent:
        await play_move(told, view)
    assert [one for one in sent if "identities" in one] == [
        one for one in sent if "INSERT INTO outbox" in one and "identities" in one
    ]
    assert sum("identities" in one for one in sent) == 1


@pytest.mark.parametrize("tries", [0, 1])
async def test_copies_that_nobody_sends_any_more_are_dropped(told: Matches, tries: int) -> None:
    view = await start_on_website(told)
    await play_move(told, view)
    for _ in range(tries):
        assert await told.announcements.claim_due(MAIL, now=later(hours=1))
    await told.work.packing.pack(now=later(days=40))
    assert await told.announcements.claim_due(MAIL, now=later(days=40)) == ()
