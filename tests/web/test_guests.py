"""Guests on a public website: two clicks to a board, one browser each, and what a guest may do."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

from matches import Audience, MatchId, MatchState, is_deleted
from matches.people.guests import GUEST_LIFETIME, UNCONFIRMED_LIFETIME
from storage.people import personal_data
from tests.games import GAMES
from tests.web.environment import ALICE, OWN_SITE, SIGN_IN_SETTINGS, running_web
from tests.web.test_computer_games import press_play
from tests.web.test_my_games import PAGE, listed, turn_count
from web.addresses import CHALLENGE_FORM_PATH, sign_in_url
from web.play.website_games import GUEST_LIMITER

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Database
    from tests.web.environment import PageResponse, Visitor, WebEnvironment

FIRST = {"game": "morphos", "screens": "computer", "form": "0" * 32}


@pytest.fixture
async def env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database, has_computer=True, **SIGN_IN_SETTINGS) as started:
        yield started


async def play(visitor: Visitor, **fields: str) -> PageResponse:
    """Send the form of a new game, and return the page to which that leads."""
    headers = {**OWN_SITE, **PAGE}
    return await visitor.post("/new", data={**FIRST, **fields}, headers=headers)


async def people(env: WebEnvironment) -> list[str]:
    """Return the accounts of all persons."""
    async with env.database.read() as connection:
        accounts = await personal_data.list_accounts(connection)
    return [one for one in accounts if not one.startswith("computer:")]


def session_cookie(visitor: Visitor) -> str:
    return next((one.value for one in visitor.session.cookie_jar if one.key == "session"), "")


async def guest_of(env: WebEnvironment, visitor: Visitor) -> str:
    session = await env.matches.people.sessions.find(session_cookie(visitor), now=env.clock())
    assert session is not None
    assert session.is_guest
    return session.account


async def sign_in(env: WebEnvironment, visitor: Visitor) -> None:
    secret = await env.start_seat_session(ALICE)
    visitor.session.cookie_jar.update_cookies({"session": secret})


@pytest.mark.long
async def test_every_game_begins_on_the_front_page(env: WebEnvironment, visitor: Visitor) -> None:
    for number, game in enumerate(GAMES, start=1):
        page = await press_play(visitor, game)
        assert (page.status, page.url.rpartition("/")[0]) == (200, f"/m/{number}/seat")
        view = await env.view(MatchId(number))
        assert view.options.items() >= GAMES[game].first_options.items()
        assert (view.server, view.audience, view.terms.rated) == ("web:site", Audience.UNLISTED, False)
        assert view.waits_for[0].account == await guest_of(env, visitor)
    assert len(await people(env)) == 1
    front = (await visitor.get("/", headers=PAGE)).visible_text
    assert "Play opens a board at once, without an account" in front
    assert "No public match is in progress." in front


async def test_form_has_level_side_and_options(env: WebEnvironment, visitor: Visitor) -> None:
    form = (await visitor.get("/new?game=morphos")).text
    assert f'href="{CHALLENGE_FORM_PATH}"' in form
    assert 'name="first"' not in form
    await play(visitor, level="club", side="white", size="5", first="Mallory", second="Mallory")
    view = await env.view(MatchId(1))
    assert [seat.person.name for seat in view.seats] == ["Rayuela (club)", "Guest"]
    assert view.options["size"] == 5
    assert "Play: the computer, club" in (await visitor.get("/")).visible_text


@pytest.mark.long
async def test_guest_plays_and_plays_again(env: WebEnvironment, visitor: Visitor) -> None:
    seat = (await play(visitor)).url
    page = await visitor.post(f"{seat}/play", data={"board": "0", "text": "C3"}, headers={**OWN_SITE, **PAGE})
    assert "Rayuela (beginner) is thinking." in page.visible_text
    await env.play(MatchId(1), "E5")
    assert turn_count(await visitor.get("/", headers=PAGE)) == 1
    assert "your_turn" in listed(await visitor.get("/my-games", headers=PAGE))
    note = await visitor.post(f"{seat}/note", data={"note": "corner first"}, headers={**OWN_SITE, **PAGE})
    assert "corner first" in note.text
    assert (await visitor.get(f"{seat}/analysis", headers=PAGE)).status == 200
    revision = str((await env.view(MatchId(1))).revision)
    await visitor.post(f"{seat}/offer", data={"board": revision, "kind": "takeback"})
    assert (await env.view(MatchId(1))).ply == 0
    over = await visitor.post(f"{seat}/resign", headers={**OWN_SITE, **PAGE})
    assert "Play again" in over.visible_text
    again = [await visitor.post(f"{seat}/rematch", data={"level": "casual"}) for _ in range(2)]
    assert [page.url.rpartition("/")[0] for page in again] == ["/m/2/seat"] * 2
    assert (await visitor.post(f"{seat}/rematch", data={"side": "black"})).url.startswith("/m/3/seat/")
    await visitor.post(f"{again[0].url}/resign")
    assert (await visitor.post(f"{seat}/rematch", data={"level": "casual"})).url.startswith("/m/4/seat/")
    assert len(await people(env)) == 1


async def test_match_is_open_by_its_address(env: WebEnvironment, visitor: Visitor) -> None:
    seat = (await play(visitor)).url
    assert f'href="{seat}"' in (await visitor.get("/m/1", headers=PAGE)).text
    async with env.visitor() as stranger:
        assert (await stranger.get("/m/1", headers=PAGE)).status == 200
        assert (await stranger.get("/embed/1")).status == 200
        assert (await stranger.get(seat, headers=PAGE)).status == 403
        assert (await stranger.post(f"{seat}/resign")).status == 403
        assert "/m/1" not in (await stranger.get("/matches", headers=PAGE)).text


@pytest.mark.long
async def test_form_that_is_sent_twice_starts_one_match(env: WebEnvironment) -> None:
    async with env.visitor() as visitor, env.visitor() as without_answer:
        first, second = await play(visitor), await play(without_answer)
        assert first.url == second.url
        assert session_cookie(visitor) != session_cookie(without_answer)
        assert (await play(visitor)).url == first.url
        assert len(await people(env)) == 1
        # Somebody else who is signed in has nothing to do with that match.
        async with env.visitor() as member:
            await sign_in(env, member)
            assert (await play(member)).url.startswith("/m/2/")
        # Another game from the same page, and the same one after its end, are new matches.
        assert (await play(visitor, game="morelli")).url.startswith("/m/3/")
        await visitor.post(f"{first.url}/resign")
        assert [(await play(visitor)).url[:5] for _ in range(2)] == ["/m/4/"] * 2


@pytest.mark.long
async def test_form_starts_no_endless_sessions(env: WebEnvironment) -> None:
    for _ in range(7):
        async with env.visitor() as visitor:
            await play(visitor)
    sessions = env.matches.people.sessions
    counts = [len(await sessions.list_for(one, now=env.clock())) for one in await people(env)]
    assert sorted(counts) == [1, 3, 3]


async def test_member_plays_under_the_account(env: WebEnvironment, visitor: Visitor) -> None:
    await sign_in(env, visitor)
    seat = (await play(visitor)).url
    view = await env.view(MatchId(1))
    assert ALICE in [one.person for one in view.seats]
    assert await people(env) == [ALICE.account]
    await visitor.post(f"{seat}/resign")
    assert (await visitor.post(f"{seat}/rematch", data={"side": "black"})).url.startswith("/m/2/seat/")
    # A match in Discord against the computer has its rematch there.
    other = await env.matches.computer.start(
        ALICE, level="club", server="discord:1", channel="discord:2", game="morelli", now=env.clock()
    )
    await env.matches.resign(other.match.id, ALICE, now=env.clock())
    path = f"/m/{other.match.id}/seat"
    statuses = [(await visitor.post(f"{path}/{seat}/rematch")).status for seat in (1, 2)]
    assert sorted(statuses) == [403, 404]


@pytest.mark.long
async def test_limit_of_guests_is_a_clear_sentence(env: WebEnvironment) -> None:
    async with env.visitor() as known:
        await play(known, form="a" * 32)
        for number in range(19):
            async with env.visitor() as visitor:
                assert (await play(visitor, form=f"{number:032}")).status == 200
        async with env.visitor() as visitor:
            refused = await play(visitor, form="b" * 32)
            assert refused.status == 429
            assert "Too many games were started without an account" in refused.visible_text
            assert "Try again in 3 minutes." in refused.visible_text
            assert session_cookie(visitor) == ""
        # Whoever is known already is not counted.
        assert (await play(known, form="c" * 32)).status == 200
    assert len(await people(env)) == 20


@pytest.mark.long
async def test_twenty_games_at_a_time(visitor: Visitor) -> None:
    pages = [await play(visitor, form=f"{number:032}") for number in range(21)]
    assert [page.status for page in pages] == [200] * 20 + [400]
    assert "the most allowed. Finish one first." in pages[-1].visible_text


async def test_all_clients_together_have_a_limit(env: WebEnvironment) -> None:
    limiter = env.application[GUEST_LIMITER]
    for number in range(600):
        limiter.acquire(f"client {number}", asyncio.get_running_loop().time())
    async with env.visitor() as visitor:
        assert (await play(visitor)).status == 429
    assert await people(env) == []


@pytest.mark.long
async def test_browser_without_cookies_leaves_nothing_after_a_day(env: WebEnvironment) -> None:
    for number in range(5):
        async with env.visitor() as visitor:
            await play(visitor, form=f"{number:032}")
            visitor.session.cookie_jar.clear()
    async with env.visitor() as bot:
        answer = await bot.post("/new", data={**FIRST, "form": "d" * 32}, allow_redirects=False)
        assert answer.status == 303
    env.clock.time += UNCONFIRMED_LIFETIME
    assert await env.matches.people.personal_data.finish_erasures(now=env.clock()) == 1
    env.clock.time += GUEST_LIFETIME
    assert await env.matches.people.personal_data.finish_erasures(now=env.clock()) == 5
    assert all(map(is_deleted, await people(env)))


@pytest.mark.long
async def test_cookie_is_renewed_while_the_guest_comes_back(env: WebEnvironment, visitor: Visitor) -> None:
    await play(visitor)
    for _ in range(4):
        env.clock.advance(days=60)
        page = await visitor.get("/", headers=PAGE)
        assert f"Max-Age={int(GUEST_LIFETIME.total_seconds())}" in page.headers["Set-Cookie"]
        assert "Set-Cookie" not in (await visitor.get("/", headers=PAGE)).headers
    assert "Set-Cookie" not in (await visitor.get("/m/1/board.svg")).headers
    env.clock.advance(days=2)
    assert "Set-Cookie" not in (await visitor.get("/embed/1", headers=PAGE)).headers
    env.clock.time += GUEST_LIFETIME
    assert (await visitor.get("/m/1/seat/1", headers=PAGE)).status == 403
    assert (await visitor.get("/m/1/seat/2", headers=PAGE)).status == 403


@pytest.mark.long
async def test_pages_of_a_guest(visitor: Visitor) -> None:
    await play(visitor)
    front = await visitor.get("/", headers=PAGE)
    assert f'href="{sign_in_url("/")}"' in front.text
    assert "Your games stay with you." in front.visible_text
    assert "(your account)" not in front.text
    account = await visitor.get("/account", headers=PAGE)
    assert "You play as a guest" in account.visible_text
    assert sign_in_url("/account") in account.text
    assert "for 90 days after your last visit" in (await visitor.get("/my-games", headers=PAGE)).visible_text
    data = await visitor.get("/account/data", headers=PAGE)
    assert "Discord" not in re.sub(r"<header.*?</header>", "", data.text, flags=re.DOTALL)
    assert (await visitor.post("/account/data/export")).headers["Content-Type"] == "application/zip"
    assert 'value="ends" checked' in account.text
    assert (await visitor.post("/account/computer", data={"ending": "never"})).status == 400
    chosen = await visitor.post("/account/computer", data={"ending": "plays_on"})
    assert ("You play as a guest" in chosen.visible_text, 'value="plays_on" checked' in chosen.text) == (
        True,
        True,
    )
    # A guest has no name for others, and may sign in.
    assert (await visitor.post("/account/name", data={"choice": "alias", "alias": "Zed"})).status == 403
    answer = await visitor.get(sign_in_url("/"), allow_redirects=False)
    assert answer.headers["Location"].startswith("https://discord.com/")


async def test_guest_deletes_everything_at_once(env: WebEnvironment, visitor: Visitor) -> None:
    await play(visitor)
    page = await visitor.get("/account/data/delete", headers=PAGE)
    assert 'name="choice" value="keep"' not in page.text
    # Nobody could play on, so unfinished games are not kept either.
    await visitor.post("/account/data/delete", data={"word": "delete", "choice": "keep"})
    assert session_cookie(visitor) == ""
    view = await env.view(MatchId(1))
    assert view.state is MatchState.OVER
    assert all(map(is_deleted, await people(env)))
    assert "You play as a guest" not in (await visitor.get("/my-games", headers=PAGE)).text


async def test_guest_opens_personal_links(env: WebEnvironment, visitor: Visitor) -> None:
    await play(visitor)
    match = await env.start_match(audience=Audience.PLAYERS)
    path = await env.take_seat(visitor, match.id, ALICE)
    assert (await visitor.get(path, headers=PAGE)).status == 200
    assert (await visitor.get(f"/m/{match.id}", headers=PAGE)).status == 200
    assert f'href="{path}"' in (await visitor.get(f"/m/{match.id}", headers=PAGE)).text
    mine = listed(await visitor.get("/my-games", headers=PAGE))
    assert mine["your_turn"][0] == path
    assert len(mine["your_turn"]) == 2


async def test_nothing_starts_while_the_computer_cannot_play(database: Database) -> None:
    async with running_web(database) as env, env.visitor() as visitor:
        assert 'value="computer"' not in (await visitor.get("/")).text
        assert "The computer cannot play at the moment." in (await visitor.get("/new")).visible_text
        refused = await play(visitor)
        assert (refused.status, session_cookie(visitor)) == (400, "")
        assert "so no match was started. Try again in a minute." in refused.visible_text
        assert await people(env) == []


async def test_guests_play_where_nobody_can_sign_in(database: Database) -> None:
    async with running_web(database, has_computer=True) as env, env.visitor() as visitor:
        seat = (await play(visitor)).url
        assert (await visitor.get(seat, headers=PAGE)).status == 200
        assert "Sign in" not in (await visitor.get("/account", headers=PAGE)).visible_text
        assert (await visitor.get("/account/data", headers=PAGE)).status == 200
        assert 'class="sign-in"' not in (await visitor.get("/", headers=PAGE)).text


async def test_bad_forms_leave_nothing(env: WebEnvironment, visitor: Visitor) -> None:
    for fields in ({"game": "chess"}, {"screens": "two"}, {"size": "400"}):
        assert (await play(visitor, **fields)).status == 400
    other = await visitor.post("/new", data=FIRST, headers={"Sec-Fetch-Site": "cross-site"})
    assert other.status == 403
    assert await people(env) == []
