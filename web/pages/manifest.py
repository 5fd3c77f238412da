"""The web app manifest, with which phones and desktops install the website like an app."""

from __future__ import annotations

from aiohttp import web

from i18n.readers import current_language
from web.context import CONTEXT
from web.pages.view_options import PAGE_GROUNDS, PageColours

ICON_SIZES = (192, 512)  # made by tools/icons.py
DAY_SECONDS = 24 * 3600


async def manifest(request: web.Request) -> web.Response:
    """Return name, colours and icons of the website as JSON."""
    context = request.app[CONTEXT]
    return web.json_response(
        {
            "id": "/",
            "name": context.texts("web.name"),
            "description": context.texts("web.index.about"),
            "lang": current_language(),
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "theme_color": PAGE_GROUNDS[PageColours.DARK],
            "background_color": PAGE_GROUNDS[PageColours.DARK],
            "icons": [
                {
                    "src": context.pages.asset_url(f"{name}-{size}.png"),
                    "sizes": f"{size}x{size}",
                    "type": "image/png",
                    "purpose": purpose,
                }
                for name, purpose in (("icon", "any"), ("icon-maskable", "maskable"))
                for size in ICON_SIZES
            ],
        },
        content_type="application/manifest+json",
        headers={"Cache-Control": f"public, max-age={DAY_SECONDS}"},
    )
