"""What the website says and does for somebody whose mails come back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from engine.game import Side
from matches import WEBSITE, MatchView, Person, Terms
from matches.terms import TimeControl
from tests.web.environment import running_web
from tests.web.test_mail_sign_in import ANN, account_of, answer, ask, join_website
from tests.web.test_notices_page import MAILING
from web.play.seat_sessions import own_seat_path

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Database
    from tests.web.environment import WebEnvironment

FROM: dict[str, Any] = {"mail_from": "Rayuela <play@example.org>"}
OTHER = Person(f"web:{'b' * 24}", "Ben")


@pytest.fixture
async def mail_env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database, has_mail=True, **MAILING, **FROM) as started:
        yield started


async def start_and_bounce(env: WebEnvironment, person: Person) -> MatchView:
    """Start a match in which a person is to move, and have their mails come back."""
    terms = Terms(time_control=TimeControl.per_move(timedelta(days=3)))
    await env.start_seat_session(OTHER)
    made = await env.matches.challenges.create(
        person,
        to=OTHER,
        server=WEBSITE,
        channel=WEBSITE,
        game="morelli",
        terms=terms,
        colour=Side.BLACK,
        now=env.clock(),
    )
    view = (await env.matches.challenges.accept(made.challenge.id, OTHER, now=env.clock())).match
    await env.matches.people.mail_addresses.record_bounce(ANN, is_hard=True, now=env.clock())
    assert await unreached(env, view) == (person.name,)
    return view


async def unreached(env: WebEnvironment, view: MatchView) -> tuple[str, ...]:
    time = (await env.matches.views.current(view.id)).time
    return () if time is None else tuple(person.name for person in time.unreached)


@pytest.mark.long
async def test_pages_say_what_to_do_and_a_code_starts_the_mails_again(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser:
        await join_website(browser, "Heron", ANN)
        view = await start_and_bounce(mail_env, await account_of(mail_env, ANN))
        for path in ("/account/notices", "/account"):
            page = await browser.get(path)
            assert "came back" in page.visible_text
            assert f'<input type="hidden" name="address" value="{ANN}"><button' in page.text
        await browser.post("/account/notices/mail", data={"address": ANN})  # a click alone proves nothing
        assert "came back" in (await browser.get("/account")).visible_text
        page = await answer(browser, await browser.post("/account/mail", data={"address": ANN}))
        assert "came back" not in page.visible_text
        assert "Notices by mail go to" in (await browser.get("/account/notices")).visible_text
    assert await unreached(mail_env, view) == ()


async def test_signing_in_with_a_code_starts_the_mails_again(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser:
        await join_website(browser, "Heron", ANN)
    person = await account_of(mail_env, ANN)
    view = await start_and_bounce(mail_env, person)
    async with mail_env.visitor() as browser:
        await answer(browser, await ask(browser))
    assert (await mail_env.matches.people.notices.reach(person.account)).address == ANN
    assert await unreached(mail_env, view) == ()


@pytest.mark.parametrize("path", ["", "/seen"])
async def test_time_runs_again_when_the_board_is_seen(mail_env: WebEnvironment, path: str) -> None:
    async with mail_env.visitor() as browser:
        await join_website(browser, "Heron", ANN)
        person = await account_of(mail_env, ANN)
        view = await start_and_bounce(mail_env, person)
        mail_env.clock.advance(days=20)
        url = own_seat_path(view, person.account)
        page = await (browser.post(f"{url}{path}") if path else browser.get(url))
        assert page.status == (204 if path else 200)
        assert path or "Heron has until" in page.visible_text
    assert await unreached(mail_env, view) == ()
