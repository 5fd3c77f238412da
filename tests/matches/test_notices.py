from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert

from i18n import Texts
from i18n.notices import describe_notice
from matches import (
    Matches,
    MatchView,
    Person,
)
from matches.notices.values import (
    DELAYS,
    Notice,
    NoticeKind,
    Way,
)
from matches.platforms import MAIL, PUSH, WEBSITE
from matches.times import to_millis
from storage import Database
from storage.tables import IDENTITIES, PEOPLE, PUSH_SUBSCRIPTIONS
from tests.matches.scenario import (
    NOON,
    later,
    play_move,
    start_match,
)

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
    view = await start_match(matches, by=ANN, to=BEN, channel=WEBSITE, **values)
    for person in (ANN, BEN):
        await matches.people.notices.mark_seen(person.account, view.id, now=NOON)
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
