"""Signing in with Discord: the way there and back, what goes wrong, sessions, and what a session opens."""

from __future__ import annotations

import json
import logging
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit
from zipfile import ZipFile

import pytest
from yarl import URL

from matches import MatchState, Person
from tests.discord_server import DiscordServer
from tests.web.environment import CAROL, OWN_SITE, running_web
from tests.web.test_my_games import PAGE, listed, turn_count
from web.addresses import return_path, sign_in_url

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from matches import Database
    from tests.discord_server import Guild, Member
    from tests.web.environment import PageResponse, Visitor, WebEnvironment

CALLBACK = "/signin/callback"


@dataclass(slots=True)
class SignInEnvironment:
    """A website where people sign in with a loopback Discord; Alice and Bob are in the guild."""

    env: WebEnvironment
    discord: DiscordServer
    guild: Guild
    alice: Member
    bob: Member
    file: Path

    def person(self, member: Member) -> Person:
        return Person(f"discord:{member.id}", member.name)

    async def ask(self, visitor: Visitor, path: str = "/") -> str:
        """Begin to sign in, and return the address at Discord."""
        answer = await visitor.get(sign_in_url(path), allow_redirects=False)
        assert answer.status == 303
        return answer.headers["Location"]

    async def sign_in(self, visitor: Visitor, member: Member, path: str = "/") -> PageResponse:
        """Sign in as a member, and return the page to which that leads."""
        return await visitor.get(member.authorize(await self.ask(visitor, path)), headers=PAGE)

    def stored(self) -> str:
        """Return everything in the database as text."""
        with closing(sqlite3.connect(self.file)) as database:
            return "\n".join(database.iterdump())

    def sessions(self) -> list[tuple[str, str]]:
        """Return the account and the device of every stored session."""
        with closing(sqlite3.connect(self.file)) as database:
            return database.execute("SELECT account, device FROM web_sessions ORDER BY made_at").fetchall()


def cookie(visitor: Visitor, name: str) -> str:
    return next((one.value for one in visitor.session.cookie_jar if one.key == name), "")


def seat_number(person: Person, opponent: Person) -> int:
    return 1 + (person.account > opponent.account)


def header_name(page: PageResponse) -> str:
    """Return the name in the header; empty for somebody who is not signed in."""
    found = re.search(r'<bdi class="name">(.*?)</bdi><span class="hidden"> \(your account\)', page.text)
    return "" if found is None else found[1]


@pytest.fixture
async def signing(database: Database, sqlite_file: Path) -> AsyncIterator[SignInEnvironment]:
    async with DiscordServer() as discord:
        guild = discord.guild("Salon")
        connector = discord.connector()
        async with (
            running_web(
                database,
                allow_local_games=True,
                discord_connector=connector,
                discord_client_id=str(discord.world.application_id),
                discord_client_secret=discord.world.oauth.client_secret,
            ) as env,
            connector,
        ):
            discord.world.oauth.redirect_uris.add(env.base + CALLBACK)
            alice, bob = guild.member("Alice"), guild.member("Bob")
            yield SignInEnvironment(env, discord, guild, alice, bob, sqlite_file)


async def test_sign_in_leads_back_to_the_page_with_a_session(signing: SignInEnvironment) -> None:
    env, alice = signing.env, signing.person(signing.alice)
    match = await env.start_match(people=(alice, CAROL))
    page_path, own = f"/m/{match.id}?turn=0", f"/m/{match.id}/seat/{seat_number(alice, CAROL)}"
    async with env.visitor() as browser:
        page = await browser.get(page_path, headers=PAGE)
        assert f'class="sign-in" href="{sign_in_url(page_path)}"' in page.text
        refused = await browser.get(own, headers=PAGE)
        assert (refused.status, ">Sign in<" in refused.text) == (403, True)
        address = await signing.ask(browser, page_path)
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert (asked["scope"], asked["code_challenge_method"]) == ("guilds identify", "S256")
        assert len(asked["state"]) >= 43
        begun = {one.key: one for one in browser.session.cookie_jar}["signin"]
        assert (begun["path"], begun["httponly"], begun["samesite"]) == ("/signin", True, "Lax")
        page = await browser.get(signing.alice.authorize(address), headers=PAGE)
        assert (page.url, header_name(page)) == (page_path, "Alice")
        assert f'href="{own}"' in page.text
        assert page.headers["Cache-Control"] == "private, no-cache"
        assert cookie(browser, "signin") == ""
        kept = {one.key: one for one in browser.session.cookie_jar}["session"]
        assert (kept["path"], kept["httponly"], kept["samesite"]) == ("/", True, "Lax")
        assert kept["max-age"] == str(30 * 24 * 3600)
        assert signing.sessions() == [(alice.account, "Unknown browser")]


@pytest.mark.long
async def test_signed_in_player_has_all_matches_and_plays_without_links(signing: SignInEnvironment) -> None:
    env, alice, bob = signing.env, signing.person(signing.alice), signing.person(signing.bob)
    mine = await env.start_match(people=(alice, bob), server=f"discord:{signing.guild.id}")
    waiting = await env.start_match(people=(bob, alice), server="discord:1")
    over, aborted = await env.start_match(people=(alice, CAROL)), await env.start_match(people=(alice, bob))
    await env.matches.offers.abort(aborted.id, alice, now=env.clock())
    await env.play(over.id, "D1-D4")
    await env.matches.resign(over.id, CAROL, now=env.clock())
    foreign = await env.start_match(people=(bob, CAROL))
    number, ended = seat_number(alice, bob), f"/m/{over.id}/seat/{seat_number(alice, CAROL)}"
    own, next_own = f"/m/{mine.id}/seat/{number}", f"/m/{waiting.id}/seat/{number}"
    async with env.visitor() as browser, env.visitor() as other:
        page = await signing.sign_in(browser, signing.alice, "/my-games")
        assert listed(page) == {"your_turn": [own], "waiting": [next_own], "finished": [ended]}
        assert (turn_count(page), page.headers["Cache-Control"]) == (1, "no-store")
        assert "/sit/" not in page.text
        assert (await browser.get(ended)).status == 200
        for seat in (f"/m/{mine.id}/seat/{3 - number}", *(f"/m/{foreign.id}/seat/{one}" for one in "12")):
            for page_path in (seat, f"{seat}/conditional"):
                assert (await browser.get(page_path)).status == 403
            assert (await browser.post(f"{seat}/note", data={"note": "not mine"})).status == 403
        played = await browser.post(f"{own}/play", data={"board": "0", "text": "D1-D4"})
        assert (played.status, played.url) == (200, own)
        assert "Disable my links" not in played.text
        assert [one.text for one in (await env.view(mine.id)).last_turn] == ["D1-D4"]
        await browser.post(f"{own}/note", data={"note": "hold the centre"})
        added = {"opponent": "A2-B3", "answer": "E1-E4", "board": "1"}
        assert "E1-E4" in (await browser.post(f"{own}/conditional/add", data=added)).text
        assert (await (await browser.open_stream("/news")).json()) == {"turns": 0}

        page = await signing.sign_in(other, signing.bob, own)
        assert (page.status, page.url, header_name(page)) == (403, own, "Bob")
        page = await other.get(f"/m/{mine.id}/seat/{3 - number}")
        assert page.status == 200
        assert not any(text in page.text for text in ("hold the centre", "E1-E4"))


@pytest.mark.long
async def test_ended_session_opens_nothing_and_secrets_stay_hidden(
    signing: SignInEnvironment, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    env, alice, bob = signing.env, signing.person(signing.alice), signing.person(signing.bob)
    match = await env.start_match(people=(alice, bob))
    own, oauth = f"/m/{match.id}/seat/{seat_number(alice, bob)}", signing.discord.world.oauth
    async with env.visitor() as browser, env.visitor() as other:
        address = await signing.ask(browser, own)
        assert (await browser.get(signing.alice.authorize(address), headers=PAGE)).url == own
        await signing.sign_in(other, signing.bob)
        tokens = [text for one in oauth.tokens for text in (one.access, one.refresh)]
        secret = cookie(browser, "session")
        page = await browser.post("/account/sign-out", headers={"Sec-Fetch-Site": "cross-site"})
        assert (page.status, len(signing.sessions())) == (403, 2)
        page = await browser.post("/account/sign-out")
        assert (page.url, cookie(browser, "session"), header_name(page)) == ("/", "", "")
        stolen = {"Cookie": f"session={secret}"}
        for path in (own, f"{own}/conditional", f"{own}/analysis"):
            assert (await browser.get(path, headers=stolen)).status == 403
        answer = await browser.post(f"{own}/resign", headers={**OWN_SITE, **stolen})
        assert (answer.status, (await env.view(match.id)).result) == (403, None)
        assert signing.sessions() == [(bob.account, "Unknown browser")]
        assert [one.user.name for one in oauth.tokens] == ["Bob"]

        # Logs and database have nothing that opens anything, but for the token that reads Bob's servers.
        forms = [one.body for one in signing.discord.requests if one.route == "/oauth2/token"]
        hidden = [secret, cookie(other, "session"), oauth.client_secret, parse_qs(address)["state"][0]]
        hidden += [*tokens, *(form[name] for form in forms for name in ("code", "code_verifier"))]
        logged = "\n".join((*capsys.readouterr(), caplog.text))
        assert (len(tokens), len(forms), logged.count("sign_in.done")) == (4, 2, 2)
        assert not [text for text in (*hidden, "Bob", bob.account) if text in logged]
        assert [text for text in hidden if text in signing.stored()] == [tokens[-1]]


@pytest.mark.long
async def test_whatever_goes_wrong_is_said_in_a_sentence_with_a_way_back(signing: SignInEnvironment) -> None:
    env, faults, oauth = signing.env, signing.discord.faults, signing.discord.world.oauth

    async def refusal(visitor: Visitor, url: str, status: int, sentence: str, back: str = "/rules") -> None:
        page = await visitor.get(url, headers=PAGE)
        assert (page.status, header_name(page)) == (status, "")
        assert sentence in page.visible_text
        assert f'href="{env.base}{sign_in_url(back)}"' in page.text
        assert f'class="button" href="{back}"' in page.text
        assert (page.headers["Cache-Control"], page.headers["Referrer-Policy"]) == ("no-store", "no-referrer")
        assert cookie(visitor, "session") == cookie(visitor, "signin") == ""

    used = "was already used, took too long, or was begun in another browser"
    async with env.visitor() as visitor, env.visitor() as attacker:
        denied = signing.alice.authorize(await signing.ask(visitor, "/rules"), allow=False)
        await refusal(visitor, denied, 403, "did not get your permission")
        # The answer to a question of another browser: its state, no state, and no question here at all.
        for pattern in (r"\g<0>", r""):
            planted = signing.alice.authorize(await signing.ask(attacker, "/rules"))
            await signing.ask(visitor, "/rules")
            await refusal(visitor, re.sub(r"&state=.*", pattern, planted), 400, used)
        await refusal(visitor, signing.alice.authorize(await signing.ask(attacker)), 400, used, "/")
        late = signing.alice.authorize(await signing.ask(visitor, "/rules"))
        env.clock.advance(minutes=11)
        await refusal(visitor, late, 400, used, "/")
        assert signing.discord.requests == []  # the state alone refuses them
        down = "Discord does not answer right now."
        for method, path in (("POST", "/oauth2/token"), ("GET", "/users/@me"), ("GET", "/users/@me/guilds")):
            for fault in (faults.drop, faults.refuse):
                url = signing.alice.authorize(await signing.ask(visitor, "/rules"))
                with fault(method, path, times=None):  # aiohttp repeats a GET once
                    await refusal(visitor, url, 503, down)
        url = signing.alice.authorize(await signing.ask(visitor, "/rules"))
        secret, oauth.client_secret = oauth.client_secret, "another"
        await refusal(visitor, url, 503, "Tell the person who runs it.")
        oauth.client_secret = secret
        assert signing.sessions() == []
        assert "discord:" not in signing.stored()

        # A code that has been used, in the browser that asked.
        url = signing.alice.authorize(await signing.ask(visitor, "/rules"))
        begun = cookie(visitor, "signin")
        assert header_name(await visitor.get(url, headers=PAGE)) == "Alice"
        page = await visitor.get(url, headers=PAGE)  # reloaded
        assert (page.url, header_name(page)) == ("/", "Alice")
        await visitor.post("/account/sign-out")
        page = await visitor.get(url, headers={**PAGE, "Cookie": f"signin={begun}"})
        assert (page.status, used in page.visible_text, signing.sessions()) == (400, True, [])

        # Discord is not asked without end.
        asked, statuses = len(signing.discord.requests), []
        for _ in range(20):
            again = {**PAGE, "Cookie": f"signin={begun}"}
            statuses.append((await visitor.get(url, headers=again)).status)
        assert (statuses[0], statuses[-1]) == (400, 429)
        assert len(signing.discord.requests) - asked == statuses.count(400)


@pytest.mark.long
async def test_each_browser_has_a_session_of_its_own_that_can_be_ended(signing: SignInEnvironment) -> None:
    env, oauth = signing.env, signing.discord.world.oauth
    alice = signing.person(signing.alice).account
    async with env.visitor() as desk, env.visitor() as phone:
        desk.session.headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko Firefox/150.0"
        phone.session.headers["User-Agent"] = (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Version/19 Safari/604.1"
        )
        # A session that somebody planted in the browser is not continued: it ends, and a new one begins.
        await signing.sign_in(phone, signing.bob)
        planted, address = cookie(phone, "session"), await signing.ask(desk)
        desk.session.cookie_jar.update_cookies({"session": planted}, URL(env.base))
        assert header_name(await desk.get(signing.alice.authorize(address), headers=PAGE)) == "Alice"
        assert cookie(desk, "session") not in {planted, ""}
        assert (signing.sessions(), header_name(await phone.get("/", headers=PAGE))) == (
            [(alice, "Firefox on Linux")],
            "",
        )
        env.clock.advance(minutes=10)
        await signing.sign_in(phone, signing.alice)
        page = await phone.get("/account", headers=PAGE)
        assert re.findall(
            r'id="device-\d">(.*?)</strong>(?: <span class="hint">· (.*?)</span>)?', page.text
        ) == [
            ("Safari on iPhone", "This browser"),
            ("Firefox on Linux", ""),
        ]
        numbers = re.findall(r'name="session" value="(\w+)"', page.text)
        # Neither a stranger nor another account ends it.
        async with env.visitor() as stranger:
            await stranger.post("/account/sign-out", data={"session": numbers[1]})
            await signing.sign_in(stranger, signing.bob)
            await stranger.post("/account/sign-out", data={"session": numbers[1]})
            assert (await stranger.get("/account", allow_redirects=False)).status == 200
            await stranger.post("/account/sign-out", data={"all": "yes"})
            assert (await stranger.get("/account", allow_redirects=False)).status == 303
        assert [account for account, _ in signing.sessions()] == [alice, alice]
        page = await phone.post("/account/sign-out", data={"session": numbers[1]})
        assert (page.url, header_name(await desk.get("/", headers=PAGE))) == ("/account", "")
        assert header_name(await phone.get("/", headers=PAGE)) == "Alice"
        assert [one.user.name for one in oauth.tokens] == ["Alice", "Alice"]  # one of each sign-in
        await signing.sign_in(desk, signing.alice)
        await phone.post("/account/sign-out", data={"all": "yes"})
        assert header_name(await desk.get("/", headers=PAGE)) == ""
        assert (signing.sessions(), oauth.tokens) == ([], [])
        # A session ends after 30 days, also one that is used; later its row is deleted.
        await signing.sign_in(desk, signing.alice)
        for days in (15, 14.9, 0.1):
            assert header_name(await desk.get("/", headers=PAGE)) == "Alice"
            env.clock.advance(days=days)
        assert header_name(await desk.get("/", headers=PAGE)) == ""
        assert len(await env.matches.people.sessions.delete_expired(now=env.clock())) == 1
        assert signing.sessions() == []


@pytest.mark.long
async def test_signed_in_person_exports_and_deletes_their_data(signing: SignInEnvironment) -> None:
    env, oauth, alice = signing.env, signing.discord.world.oauth, signing.person(signing.alice)
    match = await env.start_match(people=(alice, CAROL))
    data, delete, keep, export = (f"/account/data{end}" for end in ("", "/delete", "/keep", "/export"))
    async with env.visitor() as browser:
        assert (await browser.get(data, allow_redirects=False)).headers["Location"] == sign_in_url(data)
        for path in (delete, keep, export):
            assert (await browser.post(path, data={"word": "DELETE", "choice": "resign"})).status == 403
        page = await signing.sign_in(browser, signing.alice, data)
        for words in ("1 match, with its moves", "one of them in progress", "signed in on the website"):
            assert words in page.visible_text
        assert (await browser.post(export, headers={"Sec-Fetch-Site": "cross-site"})).status == 403
        async with browser.session.post(env.base + export, headers=OWN_SITE) as answer:
            assert answer.headers["Content-Disposition"] == 'attachment; filename="rayuela-my-data.zip"'
            assert answer.headers["Cache-Control"] == "no-store"
            with ZipFile(BytesIO(await answer.read())) as archive:
                exported = json.loads(archive.read("data.json"))
        assert exported["person"][0]["account"] == alice.account
        assert not [token for token in oauth.tokens if token.refresh in json.dumps(exported)]
        assert "one match in progress" in (await browser.get(delete, headers=PAGE)).visible_text
        for form, status in (({"word": "yes", "choice": "keep"}, 400), ({"word": "DELETE"}, 400)):
            assert (await browser.post(delete, data=form)).status == status
        assert len(signing.sessions()) == 1
        # Played to the end first: the person is signed out, but may come back and cancel.
        page = await browser.post(delete, data={"word": "delete", "choice": "keep"})
        assert ("Your data are deleted" in page.visible_text, header_name(page)) == (True, "")
        assert (signing.sessions(), oauth.tokens) == ([], [])
        page = await signing.sign_in(browser, signing.alice, data)
        assert "You asked to have your data deleted" in page.visible_text
        assert "You asked" not in (await browser.post(keep, headers={**OWN_SITE, **PAGE})).visible_text
        await browser.post(delete, data={"word": "DELETE", "choice": "resign"})
    assert (signing.sessions(), oauth.tokens) == ([], [])
    assert (await env.view(match.id)).state is MatchState.OVER
    assert alice.account not in signing.stored()


@pytest.mark.long
async def test_servers_are_read_again_and_a_revoked_permission_ends_all_sessions(
    signing: SignInEnvironment,
) -> None:
    env, oauth, faults = signing.env, signing.discord.world.oauth, signing.discord.faults
    salon, unknown = signing.guild, signing.discord.guild("Elsewhere", bot=False)
    club = signing.discord.guild("Club")
    unknown.join(signing.alice)
    club.join(signing.alice)
    for guild in (salon, club):
        people = (signing.person(signing.bob), CAROL)
        await env.start_match(people=people, server=f"discord:{guild.id}")

    async def servers(visitor: Visitor) -> set[int]:
        await visitor.get("/", headers=PAGE)
        session = await env.matches.people.sessions.find(cookie(visitor, "session"), now=env.clock())
        return set() if session is None else {int(one.removeprefix("discord:")) for one in session.servers}

    def requests() -> int:
        return sum(one.route == "/oauth2/token" for one in signing.discord.requests)

    async with env.visitor() as desk, env.visitor() as phone:
        for browser in (desk, phone):
            await signing.sign_in(browser, signing.alice)
        assert await servers(desk) == {salon.id, club.id}
        assert "You are a member of 2 servers" in (await desk.get("/account")).visible_text
        assert f"discord:{unknown.id}" not in signing.stored()
        del club.state.members[signing.alice.id]
        env.clock.advance(minutes=59)
        assert (await servers(desk), requests()) == ({salon.id, club.id}, 2)
        env.clock.advance(minutes=2)
        # Discord is down: the old list counts, and is tried again after a while.
        with faults.drop("POST", "/oauth2/token", times=None) as fault:
            assert (await servers(desk), await servers(phone), fault.hits) == ({salon.id, club.id},) * 2 + (
                1,
            )
            env.clock.advance(minutes=6)
            assert (await servers(phone), fault.hits) == ({salon.id, club.id}, 2)
        env.clock.advance(minutes=6)
        # Only the list cannot be read: the next token is kept, or the session would end.
        with faults.refuse("GET", "/users/@me/guilds"):
            assert await servers(phone) == {salon.id, club.id}
        env.clock.advance(minutes=6)
        assert (await servers(phone), await servers(desk)) == ({salon.id}, {salon.id})
        env.clock.advance(hours=25)
        with faults.drop("POST", "/oauth2/token"):
            assert await servers(phone) == set()  # a list this old counts for nothing
            assert "No server that you share with Rayuela" in (await phone.get("/account")).visible_text
        asked = requests()
        env.clock.advance(hours=1)
        assert (await servers(phone), requests()) == ({salon.id}, asked + 1)
        assert "You are a member of one server" in (await phone.get("/account")).visible_text
        signing.alice.remove_application()
        env.clock.advance(minutes=30)
        assert header_name(await desk.get("/", headers=PAGE)) == "Alice"
        env.clock.advance(minutes=31)
        assert header_name(await desk.get("/my-games", headers=PAGE)) == ""
        assert header_name(await phone.get("/", headers=PAGE)) == ""
        assert (signing.sessions(), oauth.tokens) == ([], [])


@pytest.mark.long
async def test_signed_in_browser_opens_no_seat_of_another_account(signing: SignInEnvironment) -> None:
    env, alice, bob = signing.env, signing.person(signing.alice), signing.person(signing.bob)
    match = await env.start_match(people=(alice, bob))
    async with env.visitor() as browser:
        await browser.post("/new", data={"game": "morelli"})
        local = browser.responses[-1].url
        seat = await env.take_seat(browser, match.id, bob)
        await signing.sign_in(browser, signing.alice)
        page = await browser.get(seat, headers=PAGE)
        assert (
            page.status,
            "To use their personal link in this browser, sign out first." in page.visible_text,
        ) == (
            403,
            True,
        )
        assert (await browser.get(local)).status == 200
        own = f"/m/{match.id}/seat/{seat_number(alice, bob)}"
        assert await env.take_seat(browser, match.id, alice) == own
        assert (await browser.get(await env.seat_link(match.id, bob))).status == 403
        paths = {one["path"] for one in browser.session.cookie_jar if one.key == "seat"}
        assert paths == {local, seat}  # no further one, which would open the seat after signing out
        assert listed(await browser.get("/my-games", headers=PAGE)) == {"your_turn": [own, local]}
        page = await browser.get(f"/m/{match.id}", headers=PAGE)
        assert f'href="{own}"' in page.text
        assert f'href="{seat}"' not in page.text
        await browser.post("/account/sign-out")
        assert (await browser.get(seat)).status == 200
        assert (await browser.get(own)).status == 403


async def test_without_settings_nobody_can_sign_in(env: WebEnvironment, visitor: Visitor) -> None:
    for path in ("/signin", CALLBACK, "/account"):
        assert (await visitor.get(path, allow_redirects=False)).status == 404
    for path in ("/", "/my-games", "/m/1/seat/1"):
        assert "ign in with Discord" not in (await visitor.get(path, headers=PAGE)).text
        assert "/signin" not in visitor.responses[-1].text
    await visitor.post("/account/sign-out")
    assert visitor.responses[-1].url == "/"
    assert env.announced == []


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("/m/5?turn=3&side=white", "/m/5?turn=3&side=white"),
        ("/%2F%2Fevil.example", "/%2F%2Fevil.example"),
        *(
            (text, "/")
            for text in (
                *("", "m/5", "https://evil.example/", "//evil.example", r"/\evil.example", r"/m\..\x"),
                *("/\t/evil.example", "/a\r\nSet-Cookie: x=1", "javascript:alert(1)", "/é", f"/{'x' * 1000}"),
                *("/sit/some-token", "/signin?next=/signin"),
            )
        ),
    ],
)
def test_sign_in_leads_back_to_pages_of_this_website_only(text: str, path: str) -> None:
    assert return_path(text) == path
