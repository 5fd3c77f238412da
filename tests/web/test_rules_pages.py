"""The rules on the website: every book is listed, readable without scripts, and its pictures are boards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.games import RULE_BOOKS

if TYPE_CHECKING:
    from tests.web.environment import Visitor, WebEnvironment


@pytest.mark.plain("it compares pages with the books")
async def test_every_book_is_listed_and_shows_every_page_with_its_text_and_picture(visitor: Visitor) -> None:
    listed = await visitor.get("/rules")
    for book in RULE_BOOKS:
        path = f"/rules/{RULE_BOOKS.name_of(book)}"
        assert f'href="{path}"' in listed.text
        answer = await visitor.get(path)
        assert answer.status == 200
        for page in book.pages:
            assert f'id="{page.key}"' in answer.text
            assert re.search(rf'src="{path}/{page.key}/board\.svg\?[^"]*"', answer.text)
            first_words = page.text.split("\n")[0].split("*")[0].split("`")[0].strip()
            assert first_words in answer.visible_text


async def test_link_of_a_move_shows_its_board_without_scripts(visitor: Visitor) -> None:
    page = await visitor.get("/rules/morelli?example=declining&move=D1-D4")
    section = page.text.partition('id="declining"')[2].partition("</section>")[0]
    [picture] = re.findall(r'<img src="([^"]+)"', section)
    assert "move=D1-D4&" in picture.replace("&amp;", "&")
    assert "captures C5, D5 and E4" in section
    shown = await visitor.get(picture.replace("&amp;", "&"))
    assert (shown.status, shown.headers["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")
    as_printed = await visitor.get("/rules/morelli/declining/board.svg")
    assert as_printed.text != shown.text


async def test_vocabulary_of_the_first_book_leads_to_the_page_of_the_game(visitor: Visitor) -> None:
    assert (await visitor.get("/rules/morelli.nestor")).url == "/rules/morelli"


@pytest.mark.parametrize(
    "path",
    ["/rules/chess", "/rules/morelli/castling/board.svg", "/rules/morelli/several/board.svg?move=A1-A2"],
)
async def test_unknown_book_page_or_move_is_not_found(visitor: Visitor, path: str) -> None:
    assert (await visitor.get(path)).status == 404


async def test_page_of_a_match_links_to_the_rules_of_its_edition(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match({"edition": "2015", "size": 9, "setup": "pairs"})
    assert 'href="/rules/morelli.throne"' in (await visitor.get(f"/m/{match.id}")).text
    assert 'href="/rules"' in (await visitor.get("/")).text
