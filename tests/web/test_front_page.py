"""The front page and the lists of matches, without scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from matches import Audience
from tests.games import GAMES
from tests.web.environment import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    FISTS,
    SERVER,
    SIGN_IN_SETTINGS,
    UNRATED,
    running_web,
)
from web.pages import example_games, front_page

if TYPE_CHECKING:
    from matches import Database
    from tests.web.environment import Visitor, WebEnvironment


@pytest.mark.parametrize("allow_local_games", [True, False])
async def test_every_game_has_a_card(database: Database, *, allow_local_games: bool) -> None:
    async with running_web(database, allow_local_games=allow_local_games) as env, env.visitor() as visitor:
        page = await visitor.get("/")
        cards = re.findall(r'<li class="game">(.*?)</li>', page.text, re.DOTALL)
        assert len(cards) == len(GAMES)
        for card, game in zip(cards, GAMES, strict=True):
            assert (f'href="/new?game={game}"' in card) == allow_local_games
            links = re.findall(r'(?:src|href)="([^"]+)"', card)
            assert len(links) >= 2
            assert {(await visitor.get(link.replace("&amp;", "&"))).status for link in links} == {200}
        assert ("Find an opponent" in page.text) != allow_local_games


@pytest.mark.parametrize("name", GAMES)
async def test_example_game_is_legal_and_has_a_picture_of_every_board(visitor: Visitor, name: str) -> None:
    example = example_games.load_example(GAMES[name])
    assert 0 <= example.shown <= example.last
    assert (example_games.FOLDER / f"{name}.toml").exists() == (example.last > 0)
    assert example.last == 0 or example.boards[-1][0].outcome is not None
    for number, status in ((0, 200), (example.last, 200), (example.last + 1, 404)):
        assert (await visitor.get(f"/examples/{name}/{number}.svg")).status == status


@pytest.mark.long
async def test_lists_are_in_pages_and_can_be_searched(
    env: WebEnvironment, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front_page, "LIST_PAGE", 2)
    started = []
    pairs = (((ALICE, BOB), "morelli"), ((BOB, CAROL), "morabaraba"), ((CAROL, ALICE), "morelli"))
    for people, game in pairs:
        started.append((await env.start_match({}, game, people=people)).id)
        env.clock.advance(minutes=1)
    hidden = await env.start_match(FISTS)
    aborted = await env.start_match()
    await env.matches.offers.abort(aborted.id, ALICE, now=env.clock())
    await env.matches.resign(started[1], BOB, now=env.clock())

    async def listed(path: str) -> list[list[int]]:
        pages = []
        while path:
            page = await visitor.get(path)
            pages.append([int(one) for one in re.findall(r'<a href="/m/(\d+)">', page.text)])
            older = re.search(r'href="([^"]*before=[^"]*)"', page.text)
            path = older[1].replace("&amp;", "&") if older else ""
        return pages

    assert await listed("/matches") == [[hidden.id, started[2]], [started[0]]]
    assert await listed("/matches?state=finished") == [[started[1]]]
    finished = (await visitor.get("/matches?state=finished")).visible_text
    assert re.search(r'who won"><i class="disc \w+"></i><bdi class="name">Carol</bdi><b>won</b>', finished)
    assert "Red (Carol) wins. Bob resigns." in finished
    assert await listed("/matches?player=cAROL") == [[started[2]]]
    assert await listed("/matches?state=finished&player=car&game=morabaraba") == [[started[1]]]
    assert await listed("/matches?state=finished&game=morphos") == [[]]
    for text in ("x", "-", "1-", f"{'9' * 30}-1", "²-1"):
        assert (await listed(f"/matches?before={text}"))[0] == [hidden.id, started[2]]


async def test_front_page_shows_a_finished_match_worth_watching(
    env: WebEnvironment, visitor: Visitor
) -> None:
    short, long = await env.start_match(), await env.start_match()
    for _ in range(front_page.WORTH_WATCHING):
        await env.play(long.id)
    for match in (short, long):
        await env.matches.resign(match.id, ALICE, now=env.clock())
    page = await visitor.get("/")
    assert f'href="/m/{long.id}"' in page.text
    assert f'href="/m/{short.id}"' not in page.text


async def test_front_page_shows_people_before_games_with_the_computer_that_have_just_begun(
    env: WebEnvironment, visitor: Visitor
) -> None:
    people = await env.start_match()
    computer = [
        await env.matches.computer.start(
            CAROL,
            level="club",
            server=SERVER,
            channel=CHANNEL,
            game="morabaraba",
            colour=GAMES["morabaraba"].sides[0],
            terms=UNRATED,
            audience=Audience.NAMES,
            now=env.clock(),
        )
        for _ in range(front_page.FRONT_ACTIVE)
    ]
    long = computer[0].match.id
    for _ in range(front_page.WORTH_WATCHING):
        await env.play(long)
    shown = set(re.findall(r'href="/m/(\d+)"', (await visitor.get("/")).text))
    assert shown == {str(people.id), str(long)}


@pytest.mark.parametrize("path", ["/new", "/privacy", "/matches", "/lobby", "/rules/morelli"])
async def test_pages_describe_themselves(visitor: Visitor, path: str) -> None:
    (description,) = re.findall(
        r'<meta name="description" content="([^"]+)">', (await visitor.get(path)).text
    )
    assert len(description) > 20


@pytest.mark.parametrize("settings", [{}, SIGN_IN_SETTINGS], ids=["mail", "Discord"])
async def test_matches_of_servers_are_promised_only_with_discord(
    database: Database, settings: dict[str, Any]
) -> None:
    async with running_web(database, has_mail=True, **settings) as env, env.visitor() as visitor:
        for path in ("/", "/matches?state=finished"):
            page = (await visitor.get(path)).text
            assert "/signin" in page
            assert ("matches of your servers" in page) == bool(settings)
