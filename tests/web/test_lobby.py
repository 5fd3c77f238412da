"""The lobby: who sees which challenges, accepts them and withdraws them, in pages and as a part."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from yarl import URL

from matches import WEBSITE, Audience, Person
from tests.games import GAMES
from tests.web.environment import ALICE, BOB, CAROL, CHANNEL, SERVER, SIGN_IN_SETTINGS, running_web
from tests.web.test_page_weight import SizedFiles
from web.lobby import lobby_page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Challenge, Database
    from tests.web.environment import PageResponse, Visitor, WebEnvironment

MAX_BYTES = 60 * 1024


@pytest.fixture
async def env(database: Database) -> AsyncIterator[WebEnvironment]:
    async with running_web(database, **SIGN_IN_SETTINGS) as started:
        yield started


async def sign_in(env: WebEnvironment, visitor: Visitor, person: Person) -> Visitor:
    cookie = {"session": await env.start_seat_session(person)}
    visitor.session.cookie_jar.update_cookies(cookie, URL(env.base))
    return visitor


async def challenge(env: WebEnvironment, by: Person, **more: Any) -> Challenge:
    """Make a challenge on the website, by default to anyone at Morelli."""
    values = {"server": WEBSITE, "channel": WEBSITE, "game": "morelli", **more}
    return (await env.matches.challenges.create(by, now=env.clock(), **values)).challenge


def listed(page: PageResponse) -> list[int]:
    """Return the challenges on a page, in order."""
    return [int(one) for one in re.findall(r'<li id="challenge-(\d+)"', page.text)]


async def test_visitor_sees_open_challenges_and_no_other(env: WebEnvironment, visitor: Visitor) -> None:
    shown = await challenge(env, ALICE, colour=GAMES["morelli"].sides[0])
    for more in ({"to": CAROL}, {"by_link": True}, {"server": SERVER, "channel": CHANNEL}):
        await challenge(env, BOB, **more)
    public = await challenge(env, BOB, server=SERVER, channel=CHANNEL, audience=Audience.NAMES)
    page = await visitor.get("/lobby")
    assert listed(page) == [public.id, shown.id]
    assert "Alice plays Black" in page.visible_text
    assert "No clock · rated" in page.visible_text
    await env.matches.challenges.withdraw(shown.id, ALICE, now=env.clock())
    assert listed(await visitor.get("/lobby")) == [public.id]


async def test_old_address_leads_to_the_lobby_and_an_empty_one_invites(visitor: Visitor) -> None:
    page = await visitor.get("/challenges")
    assert page.url == "/lobby"
    assert "Nobody is looking for an opponent right now" in page.visible_text
    assert 'href="/challenge"' in page.text


async def test_lobby_has_pages_and_a_filter(
    env: WebEnvironment, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_page, "PAGE", 2)
    games = ("morelli", "morphos", "morelli", "morelli")
    ids = [
        (await challenge(env, Person(f"test:{at}", f"P{at}"), game=game)).id for at, game in enumerate(games)
    ]
    first = await visitor.get("/lobby?game=morelli")
    assert listed(first) == [ids[3], ids[2]]
    older = re.search(r'href="(/lobby\?game=morelli&amp;before=\d+)"', first.text)
    assert older is not None
    second = await visitor.get(older[1].replace("&amp;", "&"))
    assert listed(second) == [ids[0]]
    assert "before=" not in second.text
    assert "data-part" not in second.text  # only the first page keeps up
    for text in ("x", "-1", "9" * 30):
        assert listed(await visitor.get(f"/lobby?before={text}"))[:1] in ([ids[3]], [])


async def test_part_is_the_list_alone(env: WebEnvironment, visitor: Visitor) -> None:
    made = await challenge(env, ALICE)
    part = await visitor.get("/lobby?part=list")
    assert listed(part) == [made.id]
    assert "<html" not in part.text
    assert part.headers["Cache-Control"] == "no-store"


async def test_one_click_accepts(env: WebEnvironment, visitor: Visitor) -> None:
    made = await challenge(env, ALICE)
    await sign_in(env, visitor, BOB)
    page = await visitor.get("/lobby")
    assert f'action="/c/{made.id}/accept"' in page.text
    board = await visitor.post(f"/c/{made.id}/accept")
    (match,) = await env.list_active()
    assert re.fullmatch(rf"/m/{match.id}/seat/[12]", board.url)
    assert board.status == 200
    again = await visitor.post(f"/c/{made.id}/accept", allow_redirects=False)
    assert again.headers["Location"] == f"/m/{match.id}"


async def test_visitor_signs_in_and_comes_back(env: WebEnvironment, visitor: Visitor) -> None:
    made = await challenge(env, ALICE)
    answer = await visitor.post(f"/c/{made.id}/accept", allow_redirects=False)
    assert answer.headers["Location"] == f"/signin?next=%2Fc%2F{made.id}"
    assert await env.list_active() == []


async def test_own_challenge_can_be_withdrawn(env: WebEnvironment, visitor: Visitor) -> None:
    made = await challenge(env, ALICE)
    await sign_in(env, visitor, ALICE)
    page = await visitor.get("/lobby")
    assert f'action="/c/{made.id}/withdraw"' in page.text
    assert f'action="/c/{made.id}/accept"' not in page.text
    assert "This challenge was withdrawn." in (await visitor.post(f"/c/{made.id}/withdraw")).visible_text
    assert listed(await visitor.get("/lobby")) == []


async def test_two_who_accept_at_once_start_one_match(env: WebEnvironment, visitor: Visitor) -> None:
    made = await challenge(env, ALICE)
    await sign_in(env, visitor, BOB)
    async with env.visitor() as other:
        await sign_in(env, other, CAROL)
        await visitor.post(f"/c/{made.id}/accept")
        late = await other.post(f"/c/{made.id}/accept")
    assert late.status == 409
    assert "was faster and has accepted this challenge" in late.visible_text
    assert "Bob" not in late.visible_text  # who may have an alias
    assert len(await env.list_active()) == 1


async def test_challenge_of_a_server_is_accepted_in_its_channel(
    env: WebEnvironment, visitor: Visitor
) -> None:
    made = await challenge(env, ALICE, server=SERVER, channel=CHANNEL, audience=Audience.NAMES)
    await sign_in(env, visitor, BOB)
    await visitor.post(f"/c/{made.id}/accept")
    (match,) = await env.list_active()
    assert match.channel == CHANNEL
    assert [one.match for one in env.announced] == [match.id]


async def test_blocked_players_do_not_meet(env: WebEnvironment, visitor: Visitor) -> None:
    made = await challenge(env, ALICE)
    await env.matches.people.blocks.block(ALICE, BOB, now=env.clock())
    await sign_in(env, visitor, BOB)
    assert listed(await visitor.get("/lobby")) == []
    assert (await visitor.post(f"/c/{made.id}/accept")).status == 409
    assert await env.list_active() == []


async def test_front_page_shows_the_first_challenges(env: WebEnvironment, visitor: Visitor) -> None:
    ids = [(await challenge(env, Person(f"test:{at}", f"P{at}"))).id for at in range(lobby_page.FRONT + 1)]
    page = await visitor.get("/")
    assert listed(page) == ids[:0:-1]
    assert 'href="/lobby"' in page.text


@pytest.mark.long
async def test_first_visit_is_small(env: WebEnvironment, visitor: Visitor) -> None:
    for at in range(lobby_page.PAGE):
        await challenge(env, Person(f"test:{at}", f"Player {at}"))
    sizes = await SizedFiles(visitor).first_view("/lobby")
    assert sum(sizes.values()) <= MAX_BYTES
    dynamic = [url for url in sizes if not url.startswith("/static/")]
    assert dynamic == ["/lobby", "/manifest.webmanifest"]
