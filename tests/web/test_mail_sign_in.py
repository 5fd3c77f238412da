"""Signing in by mail: codes, links, names, guests, addresses, and joining with Discord."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, update

from i18n.translations import list_languages
from matches import LEVELS, MAIL, WEBSITE, Person
from matches.people.guests import NewGuest, save_guest
from matches.people.mail_codes import MAX_TRIES, derive_code, derive_link_token
from matches.posting.letters import LetterKind
from storage.tables import IDENTITIES, LETTERS, PEOPLE
from tests.discord_server import DiscordServer
from tests.web.environment import BOB, SECRET, running_web
from tests.web.test_my_games import PAGE
from tests.web.test_sign_in import CALLBACK, cookie, header_name
from web.addresses import code_link_path

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Database, MatchView
    from tests.web.environment import PageResponse, Visitor, WebEnvironment

ANN, OTHER = "ann@heron.example", "other@heron.example"


@pytest.fixture
async def mail_env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database, has_mail=True) as started:
        yield started


async def last_question(env: WebEnvironment) -> str:
    """Return the id of the question in the letter that waits; the letters before it are taken too."""
    letters = await env.matches.posting.letters.claim_due(now=env.clock())
    return str([one for one in letters if one.kind is LetterKind.CODE][-1].details["code"])


async def notices(env: WebEnvironment) -> list[tuple[str, str]]:
    async with env.database.read() as connection:
        found = await connection.execute(
            select(LETTERS.c.address, LETTERS.c.details)
            .where(LETTERS.c.kind == "notice")
            .order_by(LETTERS.c.id)
        )
        return [(row.address, re.sub(r'.*: "|"}', "", row.details)) for row in found]


async def ask(visitor: Visitor, address: str = ANN, path: str = "/") -> PageResponse:
    return await visitor.post("/signin/mail", data={"address": address, "next": path})


def question_of(page: PageResponse) -> str:
    found = re.search(r'name="question" value="([0-9a-f]{64})"', page.text)
    assert found is not None
    return found[1]


async def answer(visitor: Visitor, page: PageResponse) -> PageResponse:
    """Type the code on the page that asks for it."""
    question = question_of(page)
    return await visitor.post(
        "/signin/code", data={"question": question, "code": derive_code(SECRET, question)}
    )


async def join_website(visitor: Visitor, name: str, address: str, path: str = "/") -> PageResponse:
    page = await answer(visitor, await ask(visitor, address, path))
    assert page.url == "/signin/name"
    return await visitor.post("/signin/name", data={"name": name})


async def account_of(env: WebEnvironment, address: str) -> Person:
    person = await env.matches.people.accounts.find_by_mail(address)
    assert person is not None
    return person


async def make_guest(env: WebEnvironment, visitor: Visitor) -> Person:
    """Let a visitor have the session of a guest."""
    guest = NewGuest.create("Guest", "x")
    async with env.database.transaction() as connection:
        await save_guest(connection, guest, env.clock())
    visitor.session.cookie_jar.update_cookies({"session": guest.secret})
    return guest.person


@pytest.mark.long
async def test_new_address_leads_to_a_name_and_back(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser:
        page = await browser.get("/signin?next=/rules", headers=PAGE)
        assert 'name="next" value="/rules"' in page.text
        page = await ask(browser, " Ann@Heron.example ", "/rules")
        assert (page.url, "<bdi>ann@heron.example</bdi>" in page.text) == ("/signin/code", True)
        assert 'autocomplete="one-time-code" inputmode="numeric"' in page.text
        assert question_of(page) == await last_question(mail_env)
        page = await answer(browser, page)
        assert (page.url, "at least 16 years old" in page.text) == ("/signin/name", True)
        page = await browser.post(
            "/signin/name", data={"name": "a b"}, headers={**PAGE, "Sec-Fetch-Site": "same-origin"}
        )
        assert (page.status, 'value="a b"' in page.text, header_name(page)) == (400, True, "")
        page = await browser.post("/signin/name", data={"name": "Heron"})
        assert page.url == "/rules"
        assert header_name(await browser.get("/rules", headers=PAGE)) == "Heron"
        assert cookie(browser, "code") == ""
        for path in ("/signin", "/signin/code", "/signin/name"):  # the back button
            assert (await browser.get(path, headers=PAGE)).url == "/"


async def test_known_address_signs_in_at_once(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser, mail_env.visitor() as phone:
        await join_website(browser, "Heron", ANN)
        page = await answer(phone, await ask(phone, ANN.upper(), "/learn"))
        assert page.url == "/learn"
        assert header_name(await phone.get("/learn", headers=PAGE)) == "Heron"
        assert header_name(await browser.get("/learn", headers=PAGE)) == "Heron"


async def test_pages_do_not_tell_known_limited_and_new_addresses_apart(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser, mail_env.visitor() as other:
        await join_website(browser, "Heron", ANN)
        for _ in range(4):
            await ask(browser, OTHER)
        pages = []
        for address in (ANN, OTHER, "new@heron.example"):
            asked = await ask(other, address)
            wrong = await other.post("/signin/code", data={"question": question_of(asked), "code": "1"})
            pages.append(
                [
                    (one.status, re.sub(r"[0-9a-f]{64}", "", one.text.replace(address, "")))
                    for one in (asked, wrong)
                ]
            )
        assert pages[0] == pages[1] == pages[2]


async def test_one_network_gets_a_few_mails(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser:
        statuses = [(await ask(browser, f"{number}@heron.example")).status for number in range(40)]
        assert statuses[0] == 200
        assert statuses[-1] == 429
        async with mail_env.database.read() as connection:
            count = await connection.scalar(select(func.count()).select_from(LETTERS))
        assert count == statuses.count(200) < 15


@pytest.mark.long
async def test_one_network_guesses_a_few_codes_and_the_link_still_counts(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser:
        statuses = []
        for number in range(8):
            page = await ask(browser, f"{number}@heron.example")
            wrong = {"question": question_of(page), "code": "1"}
            statuses += [(await browser.post("/signin/code", data=wrong)).status for _ in range(MAX_TRIES)]
        assert (set(statuses[:20]), set(statuses[-10:])) == ({400}, {429})
        assert "Open the link from the mail in this browser" in browser.responses[-1].visible_text
        link = code_link_path(derive_link_token(SECRET, question_of(await ask(browser))))
        assert (await browser.post(link)).url == "/signin/name"


async def test_link_needs_a_click_and_the_browser_that_asked(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser, mail_env.visitor() as other:
        link = code_link_path(derive_link_token(SECRET, question_of(await ask(browser))))
        for visitor in (other, browser, browser):
            page = await visitor.get(link, headers=PAGE)
            assert (page.status, page.headers["Referrer-Policy"]) == (200, "same-origin")
            assert ('<form method="post" action="/signin/link/' in page.text) == (visitor is browser)
        assert "Open this link in the browser where you asked for it" in other.responses[-1].text
        page = await other.post(link)
        assert (page.status, "works only in the browser where you asked" in page.text) == (409, True)
        assert (await browser.post(link)).url == "/signin/name"
        assert (await browser.get("/signin/link/none")).status == 404


async def test_code_without_the_cookie_leads_to_the_beginning(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser:
        question = question_of(await ask(browser))
        browser.session.cookie_jar.clear()
        data = {"question": question, "code": derive_code(SECRET, question)}
        for page in (await browser.post("/signin/code", data=data), await browser.get("/signin/code")):
            assert (page.status, "Begin again with your address." in page.text) == (400, True)
        assert (await browser.post("/signin/name", data={"name": "Heron"})).status == 400


async def test_of_two_tabs_the_later_question_counts(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser:
        first = await ask(browser)
        second = await ask(browser, OTHER)
        page = await answer(browser, first)
        assert (page.status, "You have asked for another code since." in page.text) == (409, True)
        assert (await answer(browser, second)).url == "/signin/name"


async def test_code_is_sent_again_after_a_minute(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser:
        page = await ask(browser)
        first = question_of(page)
        assert (await browser.post("/signin/code/again")).status == 409
        mail_env.clock.advance(minutes=1)
        page = await browser.post("/signin/code/again")
        assert question_of(page) == await last_question(mail_env) != first
        assert (await answer(browser, page)).url == "/signin/name"


async def test_who_has_typed_the_code_can_go_on_after_a_lost_answer(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser:
        page = await ask(browser)
        await answer(browser, page)
        await answer(browser, page)  # a double click
        assert 'action="/signin/code/continue"' in (await browser.get("/signin/code")).text
        assert (await browser.post("/signin/code/continue")).url == "/signin/name"
        mail_env.clock.advance(minutes=16)
        assert (await browser.post("/signin/code/continue")).status == 400


@pytest.mark.long
@pytest.mark.parametrize("language", list_languages()[1:])
async def test_language_chosen_on_pages_is_that_of_the_account(
    mail_env: WebEnvironment, language: str
) -> None:
    english, own = {"Accept-Language": "en"}, {"Accept-Language": language}
    async with mail_env.visitor() as first, mail_env.visitor() as second:
        first.session.headers.update(own)
        await join_website(first, "Ann", ANN)
        person = await account_of(mail_env, ANN)
        preferences = mail_env.context.matches.people.preferences
        assert (await preferences.get(person.account)).language == language
        await answer(second, await ask(second))
        assert f'<html lang="{language}"' in (await second.get("/rules", headers=english)).text
        await second.post("/language", data={"language": "en"})
        assert (await preferences.get(person.account)).language == "en"


async def play_computer(env: WebEnvironment, person: Person) -> MatchView:
    """Start a match of a person against the computer."""
    update = await env.matches.computer.start(
        person, level=LEVELS[0], server=WEBSITE, channel=WEBSITE, game="morabaraba", now=env.clock()
    )
    return update.match


@pytest.mark.long
async def test_guest_keeps_games_under_a_name(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser:
        guest = await make_guest(mail_env, browser)
        match = await play_computer(mail_env, guest)
        page = await browser.get("/", headers=PAGE)
        assert (header_name(page), 'class="sign-in"' in page.text) == ("", True)
        assert "/signin?next=%2Faccount" in (await browser.get("/account", headers=PAGE)).text
        await join_website(browser, "Heron", ANN)
        assert await account_of(mail_env, ANN) == Person(guest.account, "Heron")
        assert f"/m/{match.id}/seat/" in (await browser.get("/my-games", headers=PAGE)).text


async def test_guest_who_is_known_takes_the_games_along(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser, mail_env.visitor() as first:
        await join_website(first, "Heron", ANN)
        guest = await make_guest(mail_env, browser)
        match = await play_computer(mail_env, guest)
        await answer(browser, await ask(browser))
        person = await account_of(mail_env, ANN)
        assert (await mail_env.view(match.id)).seat(person.account) is not None
        assert header_name(await browser.get("/", headers=PAGE)) == "Heron"
        assert await mail_env.matches.people.accounts.get(guest.account) is None


async def test_closed_account_stays_outside(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser:
        await join_website(browser, "Heron", ANN)
        async with mail_env.database.transaction() as connection:
            await connection.execute(update(PEOPLE).values(closed_at=1))
        assert header_name(await browser.get("/", headers=PAGE)) == ""
        page = await answer(browser, await ask(browser))
        assert "The moderators have closed your account" in page.visible_text
        assert header_name(await browser.get("/", headers=PAGE)) == ""


async def test_address_is_added_and_removed(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser:
        await join_website(browser, "Heron", ANN)
        page = await browser.post("/account/mail", data={"address": "no address"})
        assert (page.status, 'value="no address"' in page.text) == (400, True)
        assert 'action="/account/mail/remove"' not in page.text
        page = await browser.post("/account/mail/remove", data={"address": ANN})
        assert "stays until you have added another one" in page.visible_text
        page = await answer(browser, await browser.post("/account/mail", data={"address": OTHER}))
        assert (page.url, OTHER in page.text) == ("/account", True)
        assert await account_of(mail_env, OTHER) == await account_of(mail_env, ANN)
        page = await browser.post("/account/mail/remove", data={"address": ANN})
        assert (ANN in page.text, page.status) == (False, 200)
        assert await notices(mail_env) == [
            (ANN, "address_added"),
            (ANN, "address_removed"),
            (OTHER, "address_removed"),
        ]


async def test_code_to_add_counts_only_for_the_account_that_asked(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser:
        await join_website(browser, "Heron", ANN)
        page = await browser.post("/account/mail", data={"address": OTHER})
        await browser.post("/account/sign-out")
        assert (await answer(browser, page)).status == 403
        assert await mail_env.matches.people.accounts.find_by_mail(OTHER) is None


@pytest.mark.long
async def test_two_mail_accounts_become_one(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser, mail_env.visitor() as phone:
        await join_website(browser, "Heron", ANN)
        await join_website(phone, "Owl", OTHER)
        person, other = await account_of(mail_env, ANN), await account_of(mail_env, OTHER)
        match = await mail_env.start_match(people=(other, BOB))
        page = await answer(browser, await browser.post("/account/mail", data={"address": OTHER}))
        assert page.url == "/account/join"
        assert "<bdi>Heron</bdi></strong>: 0 games" in page.text
        assert "<bdi>Owl</bdi></strong>: 1 game<" in page.text
        assert await account_of(mail_env, OTHER) == other
        page = await browser.post("/account/join", data={"choice": "join"})
        assert (page.url, header_name(await browser.get("/", headers=PAGE))) == ("/account", "Heron")
        assert await account_of(mail_env, OTHER) == person
        assert (await mail_env.view(match.id)).seat(person.account) is not None
        assert header_name(await phone.get("/", headers=PAGE)) == ""
        assert await notices(mail_env) == [(ANN, "accounts_joined"), (OTHER, "accounts_joined")]
        assert (await browser.post("/account/join", data={"choice": "join"})).url == "/account"


@pytest.mark.long
async def test_browser_stays_signed_in_when_its_account_goes_into_that_of_discord(
    mail_env: WebEnvironment,
) -> None:
    disco = Person("discord:123456789012345678", "Disco")
    await mail_env.matches.people.identities.add(disco, MAIL, OTHER, is_confirmed=True, now=mail_env.clock())
    async with mail_env.visitor() as browser:
        await join_website(browser, "Heron", ANN)
        await answer(browser, await browser.post("/account/mail", data={"address": OTHER}))
        page = await browser.post("/account/join", data={"choice": "join"})
        assert (await account_of(mail_env, ANN)).account == disco.account
        assert (page.url, header_name(await browser.get("/", headers=PAGE))) == ("/account", "Disco")


async def test_nobody_joins_without_the_cookie_or_against_their_will(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser, mail_env.visitor() as phone:
        await join_website(browser, "Heron", ANN)
        await join_website(phone, "Owl", OTHER)
        await answer(browser, await browser.post("/account/mail", data={"address": OTHER}))
        stolen = cookie(browser, "join")
        for visitor, choice in ((phone, "join"), (browser, "keep"), (browser, "join")):
            if visitor is phone:
                visitor.session.cookie_jar.update_cookies({"join": stolen})
            await visitor.post("/account/join", data={"choice": choice})
        assert (await account_of(mail_env, ANN)).account != (await account_of(mail_env, OTHER)).account


@pytest.mark.long
async def test_name_is_changed_on_the_page_of_the_account(mail_env: WebEnvironment) -> None:
    async with mail_env.visitor() as browser:
        await join_website(browser, "Heron", ANN)
        assert 'href="/@Heron"' in (await browser.get("/account")).text
        page = await browser.post("/account/handle", data={"handle": "Owl"})
        assert (page.status, "You can change your name once in 30 days." in page.visible_text) == (409, True)
        mail_env.clock.advance(days=29, hours=23)
        assert (await browser.post("/account/handle", data={"handle": "hERON"})).status == 200
        mail_env.clock.advance(hours=1)
        await answer(browser, await ask(browser))  # the session is over too
        assert "<bdi>@Owl</bdi>" in (await browser.post("/account/handle", data={"handle": "Owl"})).text
        assert (
            await mail_env.matches.people.handles.find("heron") == (await account_of(mail_env, ANN)).account
        )


async def test_website_without_mail_says_nothing_of_it(visitor: Visitor) -> None:
    assert (await visitor.get("/signin")).status == 404
    assert (await ask(visitor)).status == 404
    for path in ("/signin/code", "/signin/name", "/signin/link/" + "0" * 32):
        assert (await visitor.get(path)).status == 404
    assert 'class="sign-in"' not in (await visitor.get("/", headers=PAGE)).text


@pytest.mark.long
async def test_discord_and_mail_become_one_account_from_either_side(database: Database) -> None:
    async with DiscordServer() as discord:
        guild, connector = discord.guild("Salon"), discord.connector()
        oauth = discord.world.oauth
        async with (
            running_web(
                database,
                has_mail=True,
                discord_connector=connector,
                discord_client_id=str(discord.world.application_id),
                discord_client_secret=oauth.client_secret,
            ) as env,
            connector,
        ):
            oauth.redirect_uris.add(env.base + CALLBACK)
            alice, bob = guild.member("Alice"), guild.member("Bob")
            async with env.visitor() as browser:  # mail first
                assert 'href="/signin/discord?next=%2F"' in (await browser.get("/signin")).text
                await join_website(browser, "Heron", ANN)
                mail_account = await account_of(env, ANN)
                asked = await browser.post("/account/discord", allow_redirects=False)
                page = await browser.get(alice.authorize(asked.headers["Location"]))
                assert (page.url, "<bdi>Alice</bdi>" in page.text) == ("/account/join", True)
                await browser.post("/account/join", data={"choice": "join"})
                joined = await account_of(env, ANN)
                assert joined == Person(f"discord:{alice.id}", "Alice")
                assert await env.matches.people.handles.find("heron") == joined.account
                assert await env.matches.people.accounts.get(mail_account.account) is None
                assert header_name(await browser.get("/", headers=PAGE)) == "Alice"
                # Discord accounts are never joined.
                asked = await browser.post("/account/discord", allow_redirects=False)
                page = await browser.get(bob.authorize(asked.headers["Location"]))
                assert "Two Discord accounts cannot become one." in page.visible_text
            async with env.visitor() as browser, env.visitor() as phone:  # Discord first
                await join_website(phone, "Owl", OTHER)
                begun = await browser.get("/signin/discord", allow_redirects=False)
                await browser.get(bob.authorize(begun.headers["Location"]))
                page = await answer(browser, await browser.post("/account/mail", data={"address": OTHER}))
                assert page.url == "/account/join"
                await browser.post("/account/join", data={"choice": "join"})
                assert (await account_of(env, OTHER)).account == f"discord:{bob.id}"
                async with database.read() as connection:
                    found = await connection.execute(
                        select(IDENTITIES.c.account).where(IDENTITIES.c.address == OTHER)
                    )
                    assert found.scalar_one() == f"discord:{bob.id}"
