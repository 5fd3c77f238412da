"""The privacy policy and the terms of use on the website."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from i18n.translations import list_languages
from runtime import documents

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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
    assert "<td><code>analysis_lines</code></td>" in policy.text
    assert '<a href="/terms">terms of use</a>' in policy.text
    assert "operating.md" not in policy.text


@pytest.fixture
def changed_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let every document have changed since it was translated."""
    for path in documents.FOLDER.rglob("*.md"):
        copy = tmp_path / path.relative_to(documents.FOLDER)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(path.read_text(encoding="utf-8") + "\nOne more sentence.\n", encoding="utf-8")
    monkeypatch.setattr(documents, "FOLDER", tmp_path)
    documents._load.cache_clear()
    yield
    documents._load.cache_clear()


@pytest.mark.parametrize("language", list_languages()[1:])
async def test_a_current_document_is_in_the_language_of_the_page(env: WebEnvironment, language: str) -> None:
    async with env.visitor() as reader:
        page = await reader.get("/terms", headers={"Accept-Language": language})
    assert '<article class="document">' in page.text
    assert "<h1>Terms of use</h1>" not in page.text


@pytest.mark.parametrize("language", list_languages()[1:])
@pytest.mark.usefixtures("changed_documents")
async def test_a_stale_document_is_marked_as_english(env: WebEnvironment, language: str) -> None:
    async with env.visitor() as reader:
        original = await reader.get("/terms")
        page = await reader.get("/terms", headers={"Accept-Language": language})
    assert '<article class="document" lang="en">\n<h1>Terms of use</h1>' in page.text
    assert f'<html lang="{language}"' in page.text
    assert '<article class="document">' in original.text
