"""The web app manifest: everything that systems need to install the website, and its icons."""

from __future__ import annotations

import json
import re
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from tools.icons import ICONS, STATIC, draw_icon
from tools.picture_files import same_pixels
from web.pages.view_options import PAGE_GROUNDS
from web.server.assets import IMMUTABLE

if TYPE_CHECKING:
    from tests.web.environment import Visitor


async def test_website_can_be_installed(visitor: Visitor) -> None:
    link = re.findall(r'<link rel="manifest" href="([^"]+)">', (await visitor.get("/")).text)
    answer = await visitor.get(*link)
    assert answer.headers["Content-Type"].startswith("application/manifest+json")
    assert "max-age=" in answer.headers["Cache-Control"]
    assert "manifest-src 'self'" in answer.headers["Content-Security-Policy"]
    manifest = json.loads(answer.text)
    assert (manifest["name"], manifest["start_url"], manifest["display"]) == ("Rayuela", "/", "standalone")
    found = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert found == {(size, purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")}
    for icon in manifest["icons"]:
        async with visitor.session.get(f"{visitor.base}{icon['src']}") as picture:
            assert picture.headers["Content-Type"] == icon["type"] == "image/png"
            assert picture.headers["Cache-Control"] == IMMUTABLE
            size = Image.open(BytesIO(await picture.read())).size
        assert "x".join(map(str, size)) == icon["sizes"]


async def test_bars_of_the_system_have_the_colour_of_the_page(visitor: Visitor) -> None:
    style = (STATIC / "style.css").read_text(encoding="utf-8")
    assert f"--ground: light-dark({', '.join(PAGE_GROUNDS.values())});" in style
    by_system = re.findall(r'name="theme-color" content="([^"]+)" media', (await visitor.get("/")).text)
    assert by_system == list(PAGE_GROUNDS.values())
    for colours, ground in PAGE_GROUNDS.items():
        await visitor.post("/colours", data={"colours": colours.value})
        assert re.findall(r'"theme-color" content="([^"]+)">', (await visitor.get("/")).text) == [ground]


@pytest.mark.parametrize("name", ICONS)
def test_icon_is_up_to_date(name: str) -> None:
    size, is_maskable = ICONS[name]
    drawn = draw_icon(size, is_maskable=is_maskable)
    assert same_pixels(drawn, (STATIC / name).read_bytes()), "run `python -m tools.icons`"
    corner = Image.open(BytesIO(drawn)).convert("RGBA").getpixel((0, 0))
    assert corner == ((29, 30, 36, 255) if is_maskable else (0, 0, 0, 0))
