"""The page on which somebody chooses how they are told, and the board that says that it was seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import insert, update
from yarl import URL

from matches import Database, NoticeKind, Person, Way
from matches.platforms import MAIL, WEBSITE
from matches.preferences.quiet_hours import QuietHours
from storage.tables import IDENTITIES
from tests.web.environment import ALICE, SIGN_IN_SETTINGS, running_web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.web.environment import Visitor, WebEnvironment

PAGE = "/account/notices"
MAILING: dict[str, Any] = {"mail_url": "smtp://127.0.0.1:2525"}  # with the sender of SIGN_IN_SETTINGS
ALL_STEPS = ("s50", "s25", "s10", "h72", "h24", "h12", "h6", "h3", "h1")
ANN, BEN = Person(f"web:{'a' * 24}", "Ann"), Person(f"web:{'b' * 24}", "Ben")


@pytest.fixture
async def env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database, **SIGN_IN_SETTINGS, **MAILING) as env:
        yield env


async def sign_in(env: WebEnvironment, visitor: Visitor, person: Person) -> None:
    cookie = {"session": await env.start_seat_session(person)}
    visitor.session.cookie_jar.update_cookies(cookie, URL(env.base))


async def add_address(database: Database, person: Person, address: str) -> None:
    now = 1
    async with database.transaction() as connection:
        values = {"platform": MAIL, "address": address, "account": person.account}
        await connection.execute(insert(IDENTITIES).values(made_at=now, confirmed_at=now, **values))


async def test_only_who_is_signed_in_sees_the_page(env: WebEnvironment) -> None:
    async with env.visitor() as visitor:
        assert (await visitor.get(PAGE, allow_redirects=False)).headers["Location"].startswith("/signin")
        for path in (PAGE, f"{PAGE}/times", f"{PAGE}/mail"):
            assert (await visitor.post(path, data={})).status == 403


async def test_ways_are_saved_and_those_not_shown_stay(env: WebEnvironment) -> None:
    notices = env.matches.people.notices
    async with env.visitor() as visitor:
        await sign_in(env, visitor, ANN)
        await notices.change(ANN, NoticeKind.TURN, {Way.DIRECT, Way.PUSH}, now=env.clock())
        page = await visitor.post(PAGE, data={"turn.mail": "on", "over.push": "on"})
        assert "Saved." in page.visible_text
        assert 'name="turn.mail" value="on" aria-label="Your turn: mail" checked' in page.text
        assert "turn.direct" not in page.text
    ways = (await notices.choices(ANN.account)).ways
    assert ways[NoticeKind.TURN] == {Way.DIRECT, Way.MAIL}
    assert [set(ways[one]) for one in (NoticeKind.OVER, NoticeKind.OFFER)] == [{Way.PUSH}, set()]


async def test_website_without_mail_and_push_has_no_empty_table(database: Database) -> None:
    async with running_web(database, has_mail=True) as env, env.visitor() as visitor:
        await sign_in(env, visitor, ANN)
        page = await visitor.get(PAGE)
        assert page.text.count('action="/account/notices/times"') == 1
        assert 'action="/account/notices"' not in page.text


async def test_person_of_discord_chooses_among_all_ways(env: WebEnvironment) -> None:
    async with env.visitor() as visitor:
        await sign_in(env, visitor, ALICE)
        page = await visitor.get(PAGE)
        assert 'aria-label="Your turn: mention in the channel" checked' in page.text
        assert 'name="digest.direct"' in page.text
        assert 'name="digest.mail"' in page.text
        assert 'name="digest.push"' not in page.text


async def test_page_says_nothing_of_mail_where_none_is_sent(database: Database) -> None:
    async with running_web(database, **SIGN_IN_SETTINGS) as env, env.visitor() as visitor:
        await sign_in(env, visitor, ANN)
        await env.matches.people.notices.change(ANN, NoticeKind.TURN, {Way.MAIL}, now=env.clock())
        page = await visitor.post(PAGE, data={"turn.push": "on"})
        assert "mail" not in page.text.lower()
        ways = (await env.matches.people.notices.choices(ANN.account)).ways
    assert ways[NoticeKind.TURN] == {Way.MAIL, Way.PUSH}


async def test_reminders_and_quiet_hours_are_saved(env: WebEnvironment) -> None:
    form = {"step.s50": "on", "step.h6": "on", "repeat": "2", "quiet": "22-7:30", "zone": "tokyo"}
    async with env.visitor() as visitor:
        await sign_in(env, visitor, ANN)
        page = await visitor.post(f"{PAGE}/times", data=form)
        assert 'value="22:00-07:30"' in page.text
        assert "Your time is now 21:00" in page.visible_text
    found = await env.matches.people.preferences.get(ANN.account)
    assert (found.shares, found.hours, found.repeat_days) == ((50,), (6,), 2)
    assert (found.zone, [isinstance(one, QuietHours) for one in found.quiet]) == ("Asia/Tokyo", [True])


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"quiet": "at night"}, "at night is not a span of quiet hours."),
        ({"zone": "Atlantis"}, "There is no time zone Atlantis."),
        ({f"step.{one}": "on" for one in ALL_STEPS}, "at most 8 reminders per turn"),
    ],
)
async def test_what_is_wrong_is_said_and_what_was_typed_stays(
    env: WebEnvironment, typed: dict[str, str], sentence: str
) -> None:
    form = {"repeat": "0", "quiet": "", "zone": "UTC", **typed}
    async with env.visitor() as visitor:
        await sign_in(env, visitor, ANN)
        page = await visitor.post(f"{PAGE}/times", data=form)
        assert sentence in page.visible_text
        assert all(f'value="{text}"' in page.text for text in typed.values())
        assert (await visitor.post(f"{PAGE}/times", data=form | {"repeat": "often"})).status == 400


async def test_mail_to_a_stopped_address_is_started_again(env: WebEnvironment, database: Database) -> None:
    async with env.visitor() as visitor:
        await sign_in(env, visitor, ANN)
        assert "you have no confirmed address yet" in (await visitor.get(PAGE)).visible_text
        await add_address(database, ANN, "ann@example.org")
        assert "Notices by mail go to ann@example.org." in (await visitor.get(PAGE)).visible_text
        async with database.transaction() as connection:
            await connection.execute(update(IDENTITIES).values(stopped_at=1, bounces=3))
        assert "No more mail goes to ann@example.org" in (await visitor.get(PAGE)).visible_text
        await visitor.post(f"{PAGE}/mail", data={"address": "ben@example.org"})
        assert (await env.matches.people.notices.reach(ANN.account)).address is None
        page = await visitor.post(f"{PAGE}/mail", data={"address": "ann@example.org"})
        assert "Notices by mail go to ann@example.org." in page.visible_text


@pytest.mark.parametrize("path", ["{seat}", "{seat}/seen", "{seat}?part=seat"])
async def test_board_that_is_shown_is_told_nowhere_else(
    env: WebEnvironment, database: Database, path: str
) -> None:
    async with env.visitor() as visitor:
        await sign_in(env, visitor, BEN)
        await sign_in(env, visitor, ANN)
        await add_address(database, ANN, "ann@example.org")
        update_ = await env.matches.challenges.create(
            ANN, to=BEN, server=WEBSITE, channel=WEBSITE, game="morelli", now=env.clock()
        )
        view = (await env.matches.challenges.accept(update_.challenge.id, BEN, now=env.clock())).match
        seats = env.matches.people.seats
        assert (await seats.load(view.id, (ANN.account,))).has_unseen
        url = path.format(seat=f"/m/{view.id}/seat/1")
        answer = await (visitor.post(url) if url.endswith("seen") else visitor.get(url))
        assert answer.status == (204 if url.endswith("seen") else 200)
        assert (await seats.load(view.id, (ANN.account,))).has_unseen == ("part" in url)


async def test_nobody_marks_the_seat_of_another_as_seen(env: WebEnvironment) -> None:
    match = await env.start_match()
    async with env.visitor() as visitor:
        await sign_in(env, visitor, Person("test:carol", "Carol"))
        assert (await visitor.post(f"/m/{match.id}/seat/1/seen")).status == 403


async def test_visitor_of_a_website_with_mail_alone_signs_in_first(database: Database) -> None:
    async with running_web(database, has_mail=True) as env, env.visitor() as visitor:
        answer = await visitor.get(PAGE, allow_redirects=False)
        assert answer.headers["Location"].startswith("/signin")


async def test_puzzle_a_day_is_switched_on_moved_and_off(env: WebEnvironment, database: Database) -> None:
    mails, path = env.matches.puzzle_mails, f"{PAGE}/puzzle"
    async with env.visitor() as visitor:
        assert (await visitor.post(path, data={"time": "07:30"})).status == 403
        await sign_in(env, visitor, ANN)
        page = await visitor.post(path, data={"time": "07:30"})  # leads to the way to an address
        section = page.text.partition('id="puzzle"')[2]
        assert ('name="time"' in section, 'href="/account#addresses"' in section) == (False, True)
        await add_address(database, ANN, "ann@mail.example")
        page = await visitor.get(PAGE)
        assert 'name="time" value="09:00"' in page.text
        page = await visitor.post(path, data={"time": "07:30"})
        assert "Saved." in page.visible_text
        assert "The next one comes" in page.visible_text
        assert 'name="time" value="07:30"' in page.text
        assert (await mails.find(ANN.account)).next_at is not None
        refused = await visitor.post(path, data={"time": "25:99"})
        assert "is not a time of day" in refused.visible_text
        page = await visitor.post(path, data={"stop": "on"})
        assert "Send me one every day" in page.visible_text
        assert (await mails.find(ANN.account)).next_at is None
        await env.matches.people.mail_addresses.stop(ANN.account, "ann@mail.example", now=env.clock())
        section = (await visitor.get(PAGE)).text.partition('id="puzzle"')[2]
        assert ('name="time"' in section, 'value="ann@mail.example"' in section) == (False, True)
