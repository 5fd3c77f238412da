"""The board of a match inside other websites: what it shows, that it is framed alone, and how it is found."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from matches import Person
from tests.web.environment import ALICE, BOB, FISTS

if TYPE_CHECKING:
    from tests.web.environment import Visitor, WebEnvironment


async def test_embedded_match_shows_board_names_result_and_leads_to_the_match(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match(people=(Person("test:mallory", '"><script>'), BOB))
    await env.play(match.id, "D1-D4", "A2-B3")
    page = await visitor.get(f"/embed/{match.id}")
    assert '<figure class="board"><svg' in page.text
    assert '"><script>' in page.visible_text
    assert '"><script>' not in page.text
    assert "White moves A2-B3" in page.visible_text
    assert f'href="{env.base}/m/{match.id}" target="_blank" rel="noopener"' in page.text
    assert 'name="robots" content="noindex"' in page.text
    await env.matches.resign(match.id, BOB, now=env.clock())
    over = await visitor.get(f"/embed/{match.id}")
    assert re.search(r"wins\. .* resign", over.visible_text)
    assert ('data-live="yes"' in page.text, 'data-live="no"' in over.text) == (True, True)


async def test_links_to_turns_keep_side_theme_and_colours(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    page = await visitor.get(f"/embed/{match.id}?side=white&theme=clear&colours=dark&turn=1&more=x")
    assert 'data-theme="clear" data-colours="dark"' in page.text
    back = unescape(re.findall(r'href="([^"]+)" data-step="back"', page.text)[0])
    assert back == f"/embed/{match.id}?turn=0&theme=clear&colours=dark&side=white"
    assert "The first board" in (await visitor.get(back)).visible_text
    plain = await visitor.get(f"/embed/{match.id}?theme=%22%3E&colours=no")
    assert 'data-theme="rainbow">' in plain.text


async def test_only_the_embedded_match_may_be_framed(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    for path, is_framed in (
        (f"/embed/{match.id}", True),
        ("/embed/999", True),
        ("/embed/0", False),
        (f"/m/{match.id}", False),
        (f"/oembed?url={env.base}/m/{match.id}", False),
    ):
        headers = (await visitor.get(path)).headers
        policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
        assert policy["frame-ancestors"] == ("*" if is_framed else "'none'"), path
        assert policy["default-src"] == policy["base-uri"] == "'none'"
        assert ("X-Frame-Options" in headers) != is_framed


async def test_embedded_match_reads_and_sets_no_cookies_and_shows_no_seat(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match(FISTS)
    plain = (await visitor.get(f"/embed/{match.id}")).text
    await env.take_seat(visitor, match.id, ALICE)
    await visitor.post("/colours", data={"colours": "dark"})
    await visitor.get(f"/m/{match.id}?theme=clear")
    await env.matches.pick(match.id, ALICE, "LR", now=env.clock())
    again = await visitor.get(f"/embed/{match.id}?theme=clear")
    assert "Set-Cookie" not in again.headers
    assert "Cookie" not in again.headers["Vary"]
    assert "Still to pick: Bob" in again.visible_text
    assert "data-colours" not in again.text
    assert "LR" not in again.text
    assert (await visitor.get(f"/embed/{match.id}")).text != plain  # it says who has picked
    assert 'data-theme="rainbow"' in (await visitor.get(f"/embed/{match.id}")).text


async def test_unknown_match_is_one_sentence(visitor: Visitor) -> None:
    answer = await visitor.get("/embed/999")
    assert (answer.status, "This match is not public, or does not exist." in answer.text) == (404, True)
    assert "<form" not in answer.text


async def test_match_page_offers_link_and_code_to_copy(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    for path in (f"/m/{match.id}", seat):
        page = await visitor.get(path)
        values = dict(re.findall(r'readonly value="([^"]+)" id="(share-\w+)"', page.text))
        link, code = (unescape(value) for value in values)
        assert link == f"{env.base}/m/{match.id}"
        assert code.startswith(f'<iframe src="{env.base}/embed/{match.id}" title="')


async def test_pasted_link_shows_the_board(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    page = await visitor.get(f"/m/{match.id}")
    image = unescape(re.findall(r'property="og:image" content="([^"]+)"', page.text)[0])
    assert (await visitor.get(image)).headers["Content-Type"] == "image/png"
    found = unescape(re.findall(r'application/json\+oembed" href="([^"]+)"', page.text)[0])
    answer = await visitor.get(found)
    assert answer.headers["Content-Type"].startswith("application/json")
    assert f'<iframe src=\\"{env.base}/embed/{match.id}\\"' in answer.text
    limited = (await visitor.get(f"{found}&maxwidth=300&maxheight=9999")).text
    assert '"width": 300, "height": 600' in limited
    assert 'width=\\"300\\" height=\\"600\\"' in limited


@pytest.mark.parametrize(
    ("url", "more", "status"),
    [
        ("/m/999", "", 404),
        ("/m/1/seat/1", "", 404),
        ("/rules", "", 404),
        ("/m/1", "&format=xml", 501),
        ("/m/1?turn=3", "&maxwidth=x", 200),
    ],
)
async def test_oembed_knows_only_matches(
    env: WebEnvironment, visitor: Visitor, url: str, more: str, status: int
) -> None:
    await env.start_match()
    assert (await visitor.get(f"/oembed?url={quote(env.base + url)}{more}")).status == status
    assert (await visitor.get("/oembed?url=https://evil.example/m/1")).status == 404
