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
from lessons.content import default_lessons
from matches import Database
from tests.web.chromium import open_window, running_browser
from tests.web.environment import ALICE, SIGN_IN_SETTINGS, running_web
from tests.web.prepared_matches import prepare_matches
from tests.web.prepared_tournaments import prepare_tournaments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.async_api import Browser

    from tests.web.environment import WebEnvironment

SIZES = {"desk": (1440, 900), "laptop": (1280, 720), "phone": (390, 844), "landscape": (844, 390)}
COLOURS = ("light", "dark")
# The names in braces are those of prepare_matches() and prepare_tournaments().
PAGES = {
    "front": "/",
    "new": "/new?game=morelli",
    **{f"lesson-{lesson.game}": f"/learn/{lesson.game}/1" for lesson in default_lessons()},
    "account": "/account",
    "notices": "/account/notices",
    "sign-in": "/signin?next=/rules",
    "report": "/report?match={running}",
    "mail-confirm": "/mail/confirm/{confirm_mail}",
    "mail-stop": "/mail/stop/{stop_mail}",
    "refused": "/m/999",
    "privacy": "/privacy",
    "board": "/m/{running}/seat/1",
    "watch": "/m/{running}",
    "finished": "/m/{finished}/seat/1",
    "choosing": "/m/{choosing}/seat/1",
    "offered": "/m/{offered}/seat/1",
    "thinking": "/m/{thinking}/seat/2",
    "lost": "/m/{lost}/seat/2",
    "my-games": "/my-games",
    "lobby": "/lobby",
    "challenge-form": "/challenge",
    "challenge": "/c/{challenge}",
    "profile": "/@Alice",
    "analysis": "/analysis/morelli",
    "conditional": "/m/{offering}/seat/1/conditional",
    "embed": "/embed/{running}",
    "tournaments": "/tournaments",
    "tournament-form": "/tournaments/new",
    **{
        f"tournament-{name.replace('_', '-')}": f"/tournaments/{{{name}}}"
        for name in ("round_robin", "swiss", "knock_out", "ladder", "won", "open")
    },
}


async def save_screenshots(folder: Path, names: Sequence[str]) -> None:
    """Start a website, and save the pages with these names."""
    with TemporaryDirectory() as temporary:
        async with (
            await Database.open(f"sqlite+aiosqlite:///{temporary}/rayuela.db") as database,
            running_web(
                database,
                has_mail=True,
                games=GAMES,
                allow_local_games=True,
                has_computer=True,
                **SIGN_IN_SETTINGS,
            ) as env,
            running_browser() as browser,
        ):
            tournaments = await prepare_tournaments(env)  # takes days, in which clocks of matches run
            matches = tournaments | await prepare_matches(env)
            session = await env.start_seat_session(ALICE)
            for size in SIZES:
                paths = {name: PAGES[name].format(**matches) for name in names}
                await _save_size(folder, env, browser, size, paths, session)


async def _save_size(
    folder: Path, env: WebEnvironment, browser: Browser, size: str, paths: dict[str, str], session: str
) -> None:
    """Save all pages in one size, for the player with this session."""
    width, height = SIZES[size]
    async with open_window(browser, width=width, height=height, phone=min(width, height) < 600) as page:
        await page.context.add_cookies([{"name": "session", "value": session, "url": env.base}])
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
