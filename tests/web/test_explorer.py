"""The opening explorer without scripts: its table, its links, and what it shows of whom."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from matches import Audience
from tests.games import GAMES
from tests.web.environment import ALICE, BOB

if TYPE_CHECKING:
    from matches import MatchId
    from tests.web.environment import PageResponse, Visitor, WebEnvironment

ROW = re.compile(
    r'<th scope="row"><a href="([^"]+)"[^>]*>([^<]+)</a></th><td>(\d+) <small>([^<]+)</small>', re.DOTALL
)


def rows(page: PageResponse) -> list[tuple[str, str, str]]:
    """Return move, number and share of each row of the table."""
    return [(move, games, share) for _, move, games, share in ROW.findall(page.text)]


def link_of(page: PageResponse, text: str) -> str:
    """Return the address of the first link with a text."""
    found = re.search(rf'<a [^>]*href="([^"]+)"[^>]*>{re.escape(text)}</a>', page.text)
    assert found is not None, text
    return unescape(found[1])


async def finish(env: WebEnvironment, *moves: str, audience: Audience = Audience.NAMES) -> MatchId:
    """Play moves of Morabaraba, let Bob resign, and have the game counted."""
    match = await env.start_match({}, "morabaraba", audience=audience)
    await env.play(match.id, *moves)
    await env.matches.resign(match.id, BOB, now=env.clock())
    await env.matches.explorer.counts.count()
    return match.id


@pytest.mark.parametrize("game", GAMES)
async def test_explorer_without_games_says_what_to_do(visitor: Visitor, game: str) -> None:
    page = await visitor.get(f"/explorer/{game}")
    assert page.status == 200
    assert rows(page) == []
    assert "Choose other games, or try moves on the analysis board." in page.visible_text
    assert "go back" not in page.visible_text


async def test_board_that_no_game_has_reached_leads_back(visitor: Visitor) -> None:
    page = await visitor.get("/explorer/morabaraba?moves=D6")
    assert "No such game has reached this board yet. Choose other games, or go back." in page.visible_text


async def test_explorer_leads_to_every_game(visitor: Visitor) -> None:
    lessons = await visitor.get("/learn")
    page = await visitor.get(link_of(lessons, "Opening explorer"))
    assert page.url == f"/explorer/{next(iter(GAMES))}"
    assert re.findall(r'href="/explorer/(\w+)"( aria-current="true")?>', page.text) == [
        (game, ' aria-current="true"' if page.url.endswith(game) else "") for game in GAMES
    ]


async def test_moves_lead_on_and_back(env: WebEnvironment, visitor: Visitor) -> None:
    await finish(env, "D6", "A1", "G7")
    await finish(env, "D6", "A4", "G7")
    await finish(env, "A1", "D6")
    start = await visitor.get("/explorer/morabaraba")
    assert rows(start) == [("B4", "2", "67%"), ("A1", "1", "33%")]
    after = await visitor.get(link_of(start, "B4"))
    assert [row[1:] for row in rows(after)] == [("1", "50%")] * 2
    assert "1. B4" in after.text
    deep = await visitor.get(link_of(after, rows(after)[0][0]))
    assert [row[1:] for row in rows(deep)] == [("1", "100%")]
    assert rows(await visitor.get(link_of(deep, "Back"))) == rows(after)
    assert rows(await visitor.get(link_of(deep, "To the start"))) == rows(start)
    assert 'href="/analysis/morabaraba/' in deep.text


async def test_results_are_shown_by_side(env: WebEnvironment, visitor: Visitor) -> None:
    await finish(env, "D6", "A1")
    page = await visitor.get("/explorer/morabaraba")
    assert "White wins · draw · Red wins" in page.visible_text
    assert "<span>100%</span><span>0%</span><span>0%</span>" in page.text
    assert '<rect class="white" x="0" width="100.0" height="1"/>' in page.text


async def test_games_are_chosen_by_links(env: WebEnvironment, visitor: Visitor) -> None:
    await finish(env, "D6", "A1")  # unrated
    start = await visitor.get("/explorer/morabaraba")
    for text, expected in (("Unrated", 1), ("Against the computer", 0), ("1400 and above", 0), ("All", 1)):
        chosen = await visitor.get(link_of(start, text))
        assert len(rows(chosen)) == expected
        if expected:
            assert "games=" in link_of(chosen, "B4")


async def test_link_leads_from_a_match_and_from_an_analysis_board(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await finish(env, "D6", "A1", "G7")
    page = await visitor.get(f"/m/{match}?turn=1")
    explorer = await visitor.get(link_of(page, "Opening explorer"))
    assert "1. D6" in explorer.text
    assert len(rows(explorer)) == 1
    board = await visitor.get(f"/m/{match}/analysis?turn=1")
    from_board = await visitor.get(link_of(board, "Opening explorer"))
    assert len(rows(from_board)) == 1
    assert rows(await visitor.get("/analysis/morabaraba")) == []


async def test_names_are_those_that_the_reader_may_see(env: WebEnvironment, visitor: Visitor) -> None:
    private = await finish(env, "D6", "A1", audience=Audience.MEMBERS)
    hidden = await finish(env, "D6", "A1", audience=Audience.ALIASES)
    page = await visitor.get("/explorer/morabaraba")
    assert rows(page) == [("B4", "1", "100%")]
    assert f'href="/m/{hidden}"' in page.text
    assert f'href="/m/{private}"' not in page.text
    assert ALICE.name not in page.text
    assert BOB.name not in page.text
    assert page.text.count("Anonymous") >= 1


async def test_other_starts_are_offered(env: WebEnvironment, visitor: Visitor) -> None:
    await finish(env, "D6", "A1")
    other = await env.start_match({"men": 11}, "morabaraba")
    await env.play(other.id, "A1", "D6")
    await env.matches.resign(other.id, BOB, now=env.clock())
    await env.matches.explorer.counts.count()
    page = await visitor.get("/explorer/morabaraba?men=12")
    assert rows(page) == [("B4", "1", "100%")]
    [href] = re.findall(r'<a href="(/explorer/morabaraba\?men=11)"', page.text)
    shown = await visitor.get(href)
    assert rows(shown) == [("A1", "1", "100%")]
    assert re.findall(r'<a href="([^"]+)" aria-current="true">', shown.text) == [href]


async def test_board_behind_the_counted_moves_says_so(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match({}, "morabaraba")
    for _ in range(22):
        await env.play(match.id)
    page = await visitor.get(f"/m/{match.id}/explorer")
    assert "The explorer counts only the first 20 moves of a game." in page.visible_text
    view = await env.view(match.id)
    replay = await env.matches.replay(view.id, now=env.clock())
    moves = ".".join(text for turn in replay.turns for text in turn.move_texts)
    later = await visitor.get(f"/explorer/morabaraba?moves={moves}")
    assert "The explorer counts only the first 20 moves of a game." in later.visible_text
    assert ("20. " in later.visible_text, "21. " in later.visible_text) == (True, False)


async def test_page_without_games_is_not_indexed(env: WebEnvironment, visitor: Visitor) -> None:
    await finish(env, "D6", "A1")
    for path, is_hidden in (("", False), ("?men=11", True), ("?moves=D6", True)):
        page = await visitor.get(f"/explorer/morabaraba{path}")
        assert ('content="noindex"' in page.text) == is_hidden


@pytest.mark.parametrize(
    "path",
    [
        "/explorer/morabaraba?position=nonsense",
        "/explorer/morabaraba/rules=9&position=morabaraba",
        "/explorer/morelli?size=99",
        "/explorer/morelli?setup=fists",
        "/explorer/morabaraba?moves=" + "A1." * 200,
        "/explorer/morabaraba/rules=1",
        "/explorer/morabaraba?games=%00",
    ],
)
async def test_bad_link_gets_a_clear_answer(env: WebEnvironment, visitor: Visitor, path: str) -> None:
    page = await visitor.get(path)
    assert page.status in {200, 400, 404}
    assert env.announced == []


async def test_unknown_game_and_hidden_match_are_missing(env: WebEnvironment, visitor: Visitor) -> None:
    match = await finish(env, "D6", audience=Audience.PLAYERS)
    assert (await visitor.get("/explorer/chess")).status == 404
    hidden = await visitor.get(f"/m/{match}/explorer")
    missing = await visitor.get("/m/999/explorer")
    assert hidden.status == missing.status == 404


async def test_illegal_moves_of_a_link_are_left_out(env: WebEnvironment, visitor: Visitor) -> None:
    await finish(env, "D6", "A1")
    page = await visitor.get("/explorer/morabaraba?moves=D6.D6.A1")
    assert "1. D6" in page.text
    assert ">2. " not in page.text
    assert len(rows(page)) == 1


async def test_board_of_a_finished_game_says_who_has_won(visitor: Visitor) -> None:
    page = await visitor.get("/explorer/morabaraba?position=morabaraba+12+3/3/3/6/3/3/ww1+w+1,2+-")
    assert page.status == 200
    assert "White has won on this board." in page.visible_text
