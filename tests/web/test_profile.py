"""The page of a player on the website."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import Person, ProfileAudience, Terms
from tests.web.environment import ALICE, BOB, CAROL, SIGN_IN_SETTINGS, running_web
from web.match.profile_links import LIFETIME
from web.pages.pages import isolate_names

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Database
    from tests.web.environment import PageResponse, Visitor, WebEnvironment


DASH = "\N{EN DASH}"
LINK = '<a href="/@Ada-99">Alice</a>'


@pytest.fixture
async def site(database: Database) -> AsyncIterator[WebEnvironment]:
    """Run a website where Alice is called Ada-99, and has finished a match."""
    async with running_web(database, **SIGN_IN_SETTINGS) as env:
        match = await env.start_match()
        await env.play(match.id)
        await env.play(match.id)
        await env.matches.resign(match.id, BOB, now=env.clock())
        await env.matches.people.handles.choose(ALICE.account, "Ada-99", now=env.clock())
        yield env


async def sign_in(env: WebEnvironment, visitor: Visitor, person: object) -> None:
    secret = await env.start_seat_session(person)  # type: ignore[arg-type]
    visitor.session.cookie_jar.update_cookies({"session": secret})


def buttons(page: PageResponse) -> set[str]:
    """Return which of the things that one can do with a player a page offers."""
    signs = {"challenge": "/challenge?to=Ada-99", "block": "/@Ada-99/block", "audience": "/account/profile"}
    return {name for name, sign in signs.items() if sign in page.text}


async def test_page_offers_what_the_visitor_can_do(site: WebEnvironment) -> None:
    offered = []
    for person in (None, ALICE, CAROL):
        async with site.visitor() as visitor:
            if person is not None:
                await sign_in(site, visitor, person)
            page = await visitor.get("/@Ada-99")
            assert page.status == 200
            assert "<h1><bdi>Ada-99</bdi></h1>" in page.text
            offered.append(buttons(page))
    assert offered == [set(), {"audience"}, {"challenge", "block"}]


@pytest.mark.parametrize("name", ["ada-99", "ADA-99", "ada99"])
async def test_other_spelling_leads_to_the_page(site: WebEnvironment, name: str) -> None:
    async with site.visitor() as visitor:
        answer = await visitor.get(f"/@{name}", allow_redirects=False)
        assert (answer.status, answer.headers["Location"]) == (303, "/@Ada-99")


@pytest.mark.parametrize(
    "path", ["/@Nobody", "/@", "/@%2e%2e", f"/@{'x' * 300}", "/@Ada-99/rating/nogame.png"]
)
async def test_unknown_name_is_not_found(site: WebEnvironment, path: str) -> None:
    async with site.visitor() as visitor:
        assert (await visitor.get(path)).status == 404


async def test_hidden_page_answers_like_one_that_does_not_exist(site: WebEnvironment) -> None:
    await site.matches.people.preferences.change(ALICE, profile=ProfileAudience.NOBODY, now=site.clock())
    async with site.visitor() as visitor:
        hidden, unknown = await visitor.get("/@Ada-99"), await visitor.get("/@Somebody-else")
        assert hidden.status == unknown.status == 404
        assert hidden.text.replace("Ada-99", "Somebody-else") == unknown.text
        assert (await visitor.get("/@Ada-99/feed.atom")).status == 404
        await sign_in(site, visitor, ALICE)
        assert (await visitor.get("/@Ada-99")).status == 200


async def test_visitor_blocks_a_player_and_ends_that(site: WebEnvironment) -> None:
    async with site.visitor() as visitor:
        assert (await visitor.post("/@Ada-99/block")).status == 403
        await sign_in(site, visitor, CAROL)
        page = await visitor.post("/@Ada-99/block")
        assert (page.url, "You block this player" in page.text, buttons(page)) == (
            "/@Ada-99",
            True,
            {"block"},
        )
        blocked = await site.matches.people.blocks.list_blocked(CAROL, now=site.clock())
        assert [one.account for one in blocked] == [ALICE.account]
        page = await visitor.post("/@Ada-99/block", data={"end": "yes"})
        assert "challenge" in buttons(page)


async def test_player_chooses_who_sees_the_page(site: WebEnvironment) -> None:
    async with site.visitor() as visitor:
        assert (await visitor.post("/account/profile", data={"profile": "nobody"})).status == 403
        await sign_in(site, visitor, ALICE)
        assert (await visitor.post("/account/profile", data={"profile": "friends"})).status == 400
        page = await visitor.post("/account/profile", data={"profile": "members"})
        assert (page.url, '<option value="members" selected>' in page.text) == ("/@Ada-99", True)


async def test_player_chooses_how_the_computer_ends_games(site: WebEnvironment) -> None:
    async with site.visitor() as visitor:
        assert (await visitor.post("/account/computer", data={"ending": "plays_on"})).status == 403
        await sign_in(site, visitor, ALICE)
        for choice in ("plays_on", "ends"):
            page = await visitor.post("/account/computer", data={"ending": choice})
            assert f'value="{choice}" checked' in page.text
            preferences = await site.matches.people.preferences.get(ALICE.account)
            assert preferences.computer_plays_on is (choice == "plays_on")


async def test_chart_is_drawn(site: WebEnvironment) -> None:
    match = await site.start_match(terms=Terms(rated=True))
    for _ in range(2):
        await site.play(match.id)
    await site.matches.resign(match.id, BOB, now=site.clock())
    async with site.visitor() as visitor:
        page = await visitor.get("/@Ada-99")
        assert 'alt="Chart of Ada-99' in page.text
        chart = await visitor.get("/@Ada-99/rating/morelli.png")
        assert (chart.status, chart.headers["Content-Type"]) == (200, "image/png")


async def linked(site: WebEnvironment, path: str, person: object = None) -> bool:
    """Return whether the heading of a page leads from Alice's name to her page."""
    async with site.visitor() as visitor:
        if person is not None:
            await sign_in(site, visitor, person)
        page = await visitor.get(path)
        assert page.status == 200
        assert "/@" not in page.text.replace(LINK, "")
        return f"<h1>{LINK} {DASH} Bob</h1>" in page.text


async def test_names_of_a_match_lead_to_the_pages_that_the_visitor_may_see(site: WebEnvironment) -> None:
    shown = {}
    for audience in ProfileAudience:
        await site.matches.people.preferences.change(ALICE, profile=audience, now=site.clock())
        site.clock.advance(seconds=LIFETIME.total_seconds())
        paths = {None: "/m/1", CAROL: "/m/1", BOB: "/m/1/seat/2", ALICE: "/m/1/seat/1"}
        shown[audience] = [await linked(site, path, person) for person, path in paths.items()]
    assert shown == {
        ProfileAudience.EVERYBODY: [True, True, True, True],
        ProfileAudience.MEMBERS: [False, True, True, True],
        ProfileAudience.NOBODY: [False, False, False, True],
    }


async def test_alias_leads_nowhere(site: WebEnvironment) -> None:
    await site.matches.visibility.set_alias(ALICE, "Zorro", now=site.clock())
    async with site.visitor() as visitor:
        page = await visitor.get("/m/1")
    assert f"<h1>Zorro {DASH} Bob</h1>" in page.text
    assert await linked(site, "/m/1/seat/2", BOB)  # an opponent knows the name


async def test_equal_names_lead_nowhere(site: WebEnvironment) -> None:
    namesake = Person("test:other", "Alice")
    match = await site.start_match(people=(ALICE, namesake))
    async with site.visitor() as visitor:
        assert "/@" not in (await visitor.get(f"/m/{match.id}")).text


def test_name_inside_another_is_no_link() -> None:
    """Names are escaped, and those that are written from right to left are kept apart."""
    names = ["Ann", "Anna <b>", "\u05d0\u05d1"]
    links = {"Ann": "/@Ann", "\u05d0\u05d1": "/@%D7%90"}
    assert isolate_names("Anna <b>, Ann, \u05d0\u05d1", names, links) == (
        'Anna &lt;b&gt;, <a href="/@Ann">Ann</a>, <a href="/@%D7%90"><bdi>\u05d0\u05d1</bdi></a>'
    )


@pytest.mark.parametrize("alias", ["", "Kestrel"])
async def test_page_keeps_the_name_that_an_alias_hides(site: WebEnvironment, alias: str) -> None:
    async with site.visitor() as visitor:
        assert "Alice" in (await visitor.get("/@Ada-99")).text
        await site.matches.visibility.set_alias(ALICE, alias, now=site.clock())
        page = await visitor.get("/@Ada-99")
        assert (page.status, "Alice" in page.text, "Kestrel" in page.text) == (200, False, False)


async def test_feed_of_a_page_for_members_is_for_nobody(site: WebEnvironment) -> None:
    await site.matches.people.preferences.change(ALICE, profile=ProfileAudience.MEMBERS, now=site.clock())
    async with site.visitor() as visitor:
        await sign_in(site, visitor, CAROL)
        page = await visitor.get("/@Ada-99")
        assert (page.status, "feed.atom" in page.text) == (200, False)
        assert (await visitor.get("/@Ada-99/feed.atom")).status == 404  # what is public may be cached
