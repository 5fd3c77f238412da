"""A browser in a few words, for the list of sessions. Nothing else of its description is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from i18n import Texts

# The first word that is part of a browser's description decides: browsers also name those before them.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def describe_device(texts: Texts, user_agent: str) -> str:
    """Return browser and system of a User-Agent header, such as "Firefox on Linux"."""
    browser, system = _find(BROWSERS, user_agent), _find(SYSTEMS, user_agent)
    if browser and system:
        return texts("web.account.device", browser=browser, system=system)
    return browser or system or texts("web.account.device_unknown")


def _find(names: Iterable[tuple[str, str]], text: str) -> str:
    return next((name for word, name in names if word in text), "")
