"""The privacy policy and the terms of use on the website, and pages of a match after a player was erased."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches import DELETED_NAME, ErasureChoice
from tests.web.environment import ALICE, BOB

if TYPE_CHECKING:
    from tests.web.environment import Visitor, WebEnvironment


async def test_documents_are_pages_and_linked_from_every_list(visitor: Visitor) -> None:
    front = await visitor.get("/")
    for path, title in (("/privacy", "Privacy"), ("/terms", "Terms of use")):
        assert f'href="{path}"' in front.text
        page = await visitor.get(path)
        assert page.status == 200
        assert f"<h1>{title}</h1>" in page.text
        assert not [mark for mark in ("](", "**", "| ---", "## ") if mark in page.text]
    policy = await visitor.get("/privacy")
    assert "<td><code>sketches</code></td>" in policy.text
    assert '<a href="/terms">terms of use</a>' in policy.text
    assert "operating.md" not in policy.text


async def test_erased_player_is_gone_from_every_page_at_once(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, BOB)
    page = f"/m/{match.id}"
    paths = [page, seat, "/matches?state=finished", f"/embed/{match.id}", f"{page}/record.txt"]
    assert ALICE.name in (await visitor.get(page)).text
    await env.matches.personal_data.erase(ALICE.account, ErasureChoice.RESIGN, now=env.clock())
    for path in paths:
        answer = await visitor.get(path)
        assert answer.status == 200
        assert ALICE.name not in answer.text
        assert ALICE.account not in answer.text
    assert DELETED_NAME in (await visitor.get(page)).text
