"""A real browser: Debian's Chromium, run headless by Playwright. Its build without windows is the fastest.

RAYUELA_CHROMIUM is the path of another Chromium. RAYUELA_SCREENSHOTS is a folder for screenshots; without it
none are taken.
"""

from __future__ import annotations

import os
import shutil
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults  # type: ignore[import-untyped]
from playwright.async_api import async_playwright, expect

from tests.discord_server.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser, Page

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
TIMEOUT_MILLISECONDS = PATIENCE * 1000  # until an expected element appears


def find_chromium() -> str:
    """Return the path of the browser; without one skip the test, or fail if RAYUELA_REQUIRE_CHROMIUM is 1."""
    path = (
        os.environ.get("RAYUELA_CHROMIUM")
        or shutil.which("chromium-headless-shell")
        or shutil.which("chromium")
    )
    if path is None:
        sentence = "there is no Chromium here, so the tests in a real browser are left out"
        if os.environ.get("RAYUELA_REQUIRE_CHROMIUM") == "1":
            pytest.fail(f"Chromium is required, but {sentence}")
        pytest.skip(sentence)
    return path


@asynccontextmanager
async def running_browser() -> AsyncIterator[Browser]:
    """Run a browser with a profile of its own while the block runs."""
    path = find_chromium()
    expect.set_options(timeout=TIMEOUT_MILLISECONDS)  # otherwise five seconds, whatever a context says
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, headless=True, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def open_window(
    browser: Browser,
    *,
    width: int = 1280,
    height: int = 800,
    phone: bool = False,
    scripts: bool = True,
    zone: str | None = None,
) -> AsyncIterator[Page]:
    """Open a window with its own cookies; check at the end that its console shows no errors or warnings."""
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=2 if phone else 1,
        has_touch=phone,
        is_mobile=phone,
        java_script_enabled=scripts,
        reduced_motion="reduce",
        timezone_id=zone,
    )
    context.set_default_timeout(TIMEOUT_MILLISECONDS)
    errors: list[str] = []
    page = await context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda message: errors.append(message.text) if message.type in {"error", "warning"} else None,
    )
    try:
        yield page
        # Tests expect failed requests, so these are not errors.
        assert [error for error in errors if not error.startswith("Failed to load resource")] == []
    finally:
        await context.close()


async def save_screenshot(page: Page, name: str, *, whole: bool = False) -> None:
    """Save a screenshot, of the whole page or of the visible part, if RAYUELA_SCREENSHOTS is set."""
    folder = os.environ.get("RAYUELA_SCREENSHOTS")
    if folder:
        await page.screenshot(path=Path(folder) / f"{name}.png", full_page=whole)


async def is_accessible(page: Page, *, forced_colours: bool = False, only_contrast: bool = False) -> None:
    """Check that axe finds nothing wrong with a page; its script is loaded once for a page."""
    await page.wait_for_load_state()  # after a click only the answer has begun
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE_SCRIPT)
    # No rule in use needs preloaded style sheets and media.
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
    if only_contrast:
        options["runOnly"] = ["color-contrast"]
    elif forced_colours:  # these are the system's; axe computes the contrast of the page's own
        options["rules"] = {"color-contrast": {"enabled": False}}
    results = AxeResults(await page.evaluate("options => axe.run(options)", options))
    assert results.violations_count == 0, f"{page.url}\n{results.generate_report()}"
