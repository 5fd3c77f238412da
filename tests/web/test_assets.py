"""Style sheet, scripts, font and icon: pressed, kept for good, and none beyond the folder."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import pytest

from web.app import ASSETS
from web.assets import FOLDER, FOREVER

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.stage import Stage, Visitor
    from web.assets import Assets


@pytest.fixture
def assets(stage: Stage) -> Assets:
    return stage.application[ASSETS]


async def test_everything_a_page_names_is_there_and_kept_for_good(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    page = await visitor.get(f"/m/{match.id}")
    named = set(re.findall(r'"(/static/[^"]+)"', page.text))
    assert any(path.endswith(".css") for path in named)
    for path in named:
        answer = await visitor.get(path)
        assert (answer.status, answer.headers["Cache-Control"]) == (200, FOREVER)


async def test_every_script_is_asked_for_at_once(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    page = await visitor.get(f"/m/{match.id}")
    preloaded = set(re.findall(r'<link rel="modulepreload" href="[^"]+/(\w+\.js)"', page.text))
    assert preloaded == {path.name for path in FOLDER.glob("*.js")}


async def test_texts_are_pressed_where_the_browser_takes_that(assets: Assets, visitor: Visitor) -> None:
    path = assets.path("table.css")
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
    answer = await visitor.get(assets.path("table.css").replace(assets.version, "0" * 12))
    assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-cache")


@pytest.mark.parametrize("name", ["..%2fapp.py", "%2e%2e/app.py", "app.py", "nothing.css", "table.css%00"])
async def test_nothing_else_is_handed_out(assets: Assets, visitor: Visitor, name: str) -> None:
    answer = await visitor.get(f"/static/{assets.version}/{name}")
    assert answer.status == 404


def test_style_sheet_and_scripts_ask_for_nothing_that_the_page_has_not(assets: Assets) -> None:
    def text(path: Path) -> str:
        return path.read_text(encoding="utf-8")

    known = {path.name for path in FOLDER.iterdir()}
    urls = re.findall(r'url\("([^"]+)"\)', text(FOLDER / "table.css"))
    assert urls == ["karla-bold.woff2"]
    for script in FOLDER.glob("*.js"):
        assert set(re.findall(r'from "\./([^"]+)"', text(script))) <= known
        assert "http" not in text(script)
    assert assets.version
