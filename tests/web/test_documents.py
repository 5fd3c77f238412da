"""The privacy policy and the terms of use on the website."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.web.environment import Visitor


async def test_documents_are_pages_and_linked_from_every_list(visitor: Visitor) -> None:
    front = await visitor.get("/")
    for path, title in (("/privacy", "Privacy"), ("/terms", "Terms of use")):
        assert f'href="{path}"' in front.text
        page = await visitor.get(path)
        assert page.status == 200
        assert f"<h1>{title}</h1>" in page.text
        assert not [mark for mark in ("](", "**", "| ---", "## ") if mark in page.text]
    policy = await visitor.get("/privacy")
    assert "<td><code>analysis_lines</code></td>" in policy.text
    assert '<a href="/terms">terms of use</a>' in policy.text
    assert "operating.md" not in policy.text
