"""Save screenshots of the website with prepared matches: `python -m tests.screenshots FOLDER`.

Each page in each size, light and dark, as ``PAGE-SIZE-COLOURS.png``. Further arguments choose some pages;
options choose the language, the sizes and colours, and whether pictures show what is below the window too.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from engine import GAMES
from i18n.plurals import ENGLISH
from i18n.translations import list_languages
from lessons.content import default_lessons
from matches import Database
from rules.content import default_rule_books
from tests.web.chromium import open_window, running_browser
from tests.web.environment import ALICE, SIGN_IN_SETTINGS, running_web
from tests.web.prepared_matches import prepare_matches
from tests.web.prepared_tournaments import prepare_tournaments

if TYPE_CHECKING:
    from playwright.async_api import Browser

    from tests.web.environment import WebEnvironment

SIZES = {"desk": (1440, 900), "laptop": (1280, 720), "phone": (390, 844), "landscape": (844, 390)}
COLOURS = ("light", "dark")
# The names in braces are those of prepare_matches() and prepare_tournaments().
PAGES = {
    "front": "/",
    "new": "/new?game=morelli",
    **{f"lesson-{lesson.game}": f"/learn/{lesson.game}/1" for lesson in default_lessons()},
    "puzzle": "/puzzles/{puzzle}",
    "puzzle-reply": "/puzzles/{puzzle}?turns=xA2",
    "puzzle-wrong": "/puzzles/{tried_puzzle}?turns=A1",
    "puzzle-solution": "/puzzles/{tried_puzzle}?solution=1",
    "rules": "/rules",
    "rule-book": "/rules/morelli",
    "learn": "/learn",
    "matches": "/matches?state=finished",
    "terms": "/terms",
    "my-data": "/account/data",
    "deletion": "/account/data/delete",
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
    "import": "/import",
    "analysis-game": "/m/{finished}/analysis/line=10.G4.D3.F3.A6&line=10.G4.E1.A5&line=20.C3?in=1&at=12",
    "studies": "/studies",
    "study": "/study/{study}",
    "study-chapter": "/study/{study}/1?in=1&at=13",
    "study-save": "/study/save/m/{finished}/analysis",
    "explorer": "/explorer/morabaraba",
    "mistake": "/m/{finished}/mistakes/32",
    "mistake-answer": "/m/{finished}/mistakes/32?show=1",
    "conditional": "/m/{offering}/seat/1/conditional",
    "embed": "/embed/{running}",
    "tournaments": "/tournaments",
    "tournament-form": "/tournaments/new",
    **{
        f"tournament-{name.replace('_', '-')}": f"/tournaments/{{{name}}}"
        for name in ("round_robin", "swiss", "knock_out", "ladder", "won", "open")
    },
}
# What nobody sees who is signed in.
SIGNED_OUT = frozenset({"sign-in"})


async def save_screenshots(options: argparse.Namespace) -> None:
    """Start a website, and save its pages as the options say."""
    with TemporaryDirectory() as temporary:
        async with (
            await Database.open(f"sqlite+aiosqlite:///{temporary}/rayuela.db") as database,
            running_web(
                database,
                has_mail=True,
                games=GAMES,
                rule_books=default_rule_books(),
                allow_local_games=True,
                has_computer=True,
                **SIGN_IN_SETTINGS,
            ) as env,
            running_browser() as browser,
        ):
            tournaments = await prepare_tournaments(env)  # takes days, in which clocks of matches run
            matches = tournaments | await prepare_matches(env)
            paths = {name: PAGES[name].format(**matches) for name in options.pages or PAGES}
            cookies = {"session": await env.start_seat_session(ALICE), "language": options.language}
            for size in options.sizes:
                await _save_size(options, env, browser, size, paths, cookies)


async def _save_size(
    options: argparse.Namespace,
    env: WebEnvironment,
    browser: Browser,
    size: str,
    paths: dict[str, str],
    cookies: dict[str, str],
) -> None:
    """Save all pages in one size, for a visitor with these cookies."""
    width, height = SIZES[size]
    async with open_window(browser, width=width, height=height, phone=min(width, height) < 600) as page:
        for name, path in paths.items():
            await page.context.clear_cookies()
            shown = {"language": cookies["language"]} if name in SIGNED_OUT else cookies
            await page.context.add_cookies(
                [{"name": key, "value": value, "url": env.base} for key, value in shown.items()]
            )
            await page.goto(env.base + path, wait_until="load")
            for colours in options.colours:
                await page.emulate_media(color_scheme=colours)
                file = options.folder / f"{name}-{size}-{colours}.png"
                await page.screenshot(path=file, full_page=options.whole)


def main() -> None:
    """Save the screenshots into the folder of the first argument."""
    parser = argparse.ArgumentParser(prog="python -m tests.screenshots")
    parser.add_argument("folder", type=Path)
    parser.add_argument("pages", nargs="*", help=f"some of {', '.join(PAGES)}; otherwise all")
    parser.add_argument("--language", default=ENGLISH, choices=list_languages())
    parser.add_argument("--sizes", nargs="+", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--colours", nargs="+", default=list(COLOURS), choices=list(COLOURS))
    parser.add_argument("--whole", action="store_true", help="also what is below the window")
    options = parser.parse_args()
    if not set(options.pages) <= set(PAGES):
        parser.error(f"the pages are {', '.join(PAGES)}")
    options.folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(save_screenshots(options))


if __name__ == "__main__":
    main()
