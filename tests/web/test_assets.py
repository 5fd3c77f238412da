"""Style sheet, scripts, font and icon: pressed, kept for good, and none beyond the folder."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import pytest

from web.app import ASSETS
from web.assets import IMMUTABLE, STATIC_FOLDER

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.environment import Visitor, WebEnvironment
    from web.assets import Assets


@pytest.fixture
def assets(env: WebEnvironment) -> Assets:
    return env.application[ASSETS]


async def test_everything_a_page_names_is_there_and_kept_for_good(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match()
    page = await visitor.get(f"/m/{match.id}")
    named = set(re.findall(r'"(/static/[^"]+)"', page.text))
    assert any(path.endswith(".css") for path in named)
    for path in named:
        answer = await visitor.get(path)
        assert (answer.status, answer.headers["Cache-Control"]) == (200, IMMUTABLE)


async def test_every_script_is_asked_for_at_once(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    page = await visitor.get(f"/m/{match.id}")
    preloaded = set(re.findall(r'<link rel="modulepreload" href="[^"]+/(\w+\.js)"', page.text))
    assert preloaded == {path.name for path in STATIC_FOLDER.glob("*.js")}


async def test_texts_are_compressed_where_the_browser_takes_that(assets: Assets, visitor: Visitor) -> None:
    path = assets.url("style.css")
    async with visitor.session.get(
        f"{visitor.base}{path}", headers={"Accept-Encoding": "gzip"}, auto_decompress=False
    ) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        pressed = await answer.read()
    async with visitor.session.get(
        f"{visitor.base}{path}", headers={"Accept-Encoding": "identity"}, auto_decompress=False
    ) as answer:
        assert "Content-Encoding" not in answer.headers
        assert await answer.read() == gzip.decompress(pressed)


async def test_version_that_has_gone_is_answered_but_not_kept(assets: Assets, visitor: Visitor) -> None:
    answer = await visitor.get(assets.url("style.css").replace(assets.version, "0" * 12))
    assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-cache")


@pytest.mark.parametrize("name", ["..%2fapp.py", "%2e%2e/app.py", "app.py", "nothing.css", "style.css%00"])
async def test_nothing_else_is_handed_out(assets: Assets, visitor: Visitor, name: str) -> None:
    answer = await visitor.get(f"/static/{assets.version}/{name}")
    assert answer.status == 404


def test_style_sheet_and_scripts_ask_for_nothing_that_the_page_has_not(assets: Assets) -> None:
    def text(path: Path) -> str:
        return path.read_text(encoding="utf-8")

    known = {path.name for path in STATIC_FOLDER.iterdir()}
    urls = re.findall(r'url\("([^"]+)"\)', text(STATIC_FOLDER / "style.css"))
    assert urls == ["karla-bold.woff2"]
    for script in STATIC_FOLDER.glob("*.js"):
        assert set(re.findall(r'from "\./([^"]+)"', text(script))) <= known
        assert "http" not in text(script)
    assert assets.version
