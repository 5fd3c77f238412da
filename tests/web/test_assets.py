"""Static files: compressed, cached forever, and only those of the folder."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import pytest

from web.app import ASSETS
from web.server.assets import IMMUTABLE, STATIC_FOLDER

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.environment import Visitor, WebEnvironment
    from web.server.assets import Assets


@pytest.fixture
def assets(env: WebEnvironment) -> Assets:
    return env.application[ASSETS]


async def test_every_static_file_of_a_page_exists_and_is_cached_forever(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match()
    page = await visitor.get(f"/m/{match.id}")
    named = set(re.findall(r'"(/static/[^"]+)"', page.text))
    assert any(path.endswith(".css") for path in named)
    for path in named:
        answer = await visitor.get(path)
        assert (answer.status, answer.headers["Cache-Control"]) == (200, IMMUTABLE)


async def test_every_script_of_a_page_is_preloaded(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    page = await visitor.get(f"/m/{match.id}")
    preloaded = set(re.findall(r'<link rel="modulepreload" href="[^"]+/([\w-]+\.js)"', page.text))
    imported = {
        name
        for script in preloaded
        for name in re.findall(r'from "\./([^"]+)"', (STATIC_FOLDER / script).read_text(encoding="utf-8"))
    }
    assert preloaded == imported | {"match.js"}


async def test_text_files_are_compressed_if_the_browser_accepts_it(assets: Assets, visitor: Visitor) -> None:
    path = assets.url("style.css")
    async with visitor.session.get(
        f"{visitor.base}{path}", headers={"Accept-Encoding": "gzip"}, auto_decompress=False
    ) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        compressed = await answer.read()
    async with visitor.session.get(
        f"{visitor.base}{path}", headers={"Accept-Encoding": "identity"}, auto_decompress=False
    ) as answer:
        assert "Content-Encoding" not in answer.headers
        assert await answer.read() == gzip.decompress(compressed)


async def test_file_of_an_old_version_is_sent_but_not_cached(assets: Assets, visitor: Visitor) -> None:
    answer = await visitor.get(assets.url("style.css").replace(assets.version, "0" * 12))
    assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-cache")


@pytest.mark.parametrize("name", ["..%2fapp.py", "%2e%2e/app.py", "app.py", "nothing.css", "style.css%00"])
async def test_nothing_outside_the_folder_is_sent(assets: Assets, visitor: Visitor, name: str) -> None:
    answer = await visitor.get(f"/static/{assets.version}/{name}")
    assert answer.status == 404


def test_style_sheet_and_scripts_only_load_static_files(assets: Assets) -> None:
    def text(path: Path) -> str:
        return path.read_text(encoding="utf-8")

    known = {path.name for path in STATIC_FOLDER.iterdir()}
    urls = re.findall(r'url\("([^"]+)"\)', text(STATIC_FOLDER / "style.css"))
    assert urls == ["karla-bold.woff2"]
    for script in STATIC_FOLDER.glob("*.js"):
        assert set(re.findall(r'from "\./([^"]+)"', text(script))) <= known
        assert "http" not in text(script)
    assert assets.version
