"""Save screenshots of the website with prepared matches: `python -m tests.screenshots FOLDER`.

Each page in each size, light and dark, as ``PAGE-SIZE-COLOURS.png``. Further arguments choose some pages.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from engine import GAMES
from matches import Database
from tests.web.chromium import open_window, running_browser
from tests.web.environment import ALICE, running_web
from tests.web.prepared_matches import prepare_matches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.async_api import Browser

    from tests.web.environment import WebEnvironment

SIZES = {"desk": (1440, 900), "laptop": (1280, 720), "phone": (390, 844), "landscape": (844, 390)}
COLOURS = ("light", "dark")
# The names in braces are those of prepare_matches().
PAGES = {
    "front": "/",
    **{f"lesson-{game}": f"/learn/{game}/1" for game in GAMES},
    "privacy": "/privacy",
    "board": "/m/{running}/seat/1",
    "watch": "/m/{running}",
    "finished": "/m/{finished}",
    "choosing": "/m/{choosing}/seat/1",
    "offered": "/m/{offered}/seat/1",
    "embed": "/embed/{running}",
}


async def save_screenshots(folder: Path, names: Sequence[str]) -> None:
    """Start a website, and save the pages with these names."""
    with TemporaryDirectory() as temporary:
        async with (
            await Database.open(f"sqlite+aiosqlite:///{temporary}/rayuela.db") as database,
            running_web(database, games=GAMES, allow_local_games=True) as env,
            running_browser() as browser,
        ):
            matches = await prepare_matches(env)
            links = [await env.seat_link(number, ALICE) for number in matches.values()]
            for size in SIZES:
                paths = {name: PAGES[name].format(**matches) for name in names}
                await _save_size(folder, env, browser, size, paths, links)


async def _save_size(
    folder: Path, env: WebEnvironment, browser: Browser, size: str, paths: dict[str, str], links: list[str]
) -> None:
    """Save all pages in one size; `links` lead to seats, which the browser takes first."""
    width, height = SIZES[size]
    async with open_window(browser, width=width, height=height, phone=min(width, height) < 600) as page:
        for link in links:
            await page.goto(link)
        for name, path in paths.items():
            await page.goto(env.base + path, wait_until="load")
            for colours in COLOURS:
                await page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
                await page.screenshot(path=folder / f"{name}-{size}-{colours}.png")


def main() -> None:
    """Save the screenshots into the folder of the first argument."""
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(PAGES):
        sys.exit(f"usage: python -m tests.screenshots FOLDER [PAGE ...]\npages: {', '.join(PAGES)}")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(save_screenshots(folder, sys.argv[2:] or list(PAGES)))


if __name__ == "__main__":
    main()
