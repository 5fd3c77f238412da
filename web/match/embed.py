"""A match as a small page that other websites may show in a frame, and how they find it (oEmbed).

It shows what everybody may see, with public names, reads and sets no cookies, and takes all options
from its URL.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from aiohttp import web

from matches import MatchId, MatchState, Refusal
from web.addresses import match_id
from web.context import CONTEXT
from web.errors import format_error, status_code
from web.match.access import load_public_match
from web.match.match_page import MatchPage, players_context
from web.pages.view_options import EMBED_SIZE, ViewOptions, parse_colours, parse_theme
from web.play.move_form import parse_number
from web.server.middleware import IS_FRAMEABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from web.context import WebContext

MATCH_PATH = re.compile(r"/m/([1-9][0-9]{0,14})/?(?:[?#].*)?")


async def embedded_match(request: web.Request) -> web.Response:
    """Show the board of a match for a frame; the query may name turn, side, theme and colours."""
    context, query = request.app[CONTEXT], request.query
    page_values = {"theme": parse_theme(query.get("theme")), "colours": parse_colours(query.get("colours"))}
    try:
        values, status = await _page_context(context, match_id(request), query), 200
    except Refusal as error:
        values, status = {"error": format_error(context.texts, error)}, status_code(error)
    answer = web.Response(
        text=context.pages.render("embed.html", **values | page_values),
        status=status,
        content_type="text/html",
        headers={"Cache-Control": "no-cache", "Vary": "Accept-Encoding"},
    )
    answer.enable_compression()
    answer[IS_FRAMEABLE] = True
    return answer


async def _page_context(context: WebContext, match: MatchId, query: Mapping[str, str]) -> dict[str, Any]:
    """Return the template context. Links to other turns keep the options of `query`."""
    cached = await load_public_match(context, match)
    view_options = ViewOptions.from_query(context.texts, query, context.games[cached.view.game])
    page = MatchPage.create(context, cached, view_options, query.get("turn"), f"/embed/{match}")
    players = players_context(context, cached, cached.view, view_options.side)
    seats = [{**seat, "clock": ""} for seat in players["seats"]]  # without a stream it would be wrong soon
    kept = {name: query[name] for name in ("theme", "colours") if name in query}
    return {
        **page.frame_context(),
        **page.board_context(),
        **players,
        "seats": seats,
        "hrefs": page.turn_hrefs(kept),
        "is_live": cached.view.state is not MatchState.OVER,
        "error": "",
    }


async def oembed(request: web.Request) -> web.Response:
    """Return as JSON the code for a website in which somebody pasted the URL of a match (oembed.com)."""
    context, query = request.app[CONTEXT], request.query
    url = query.get("url", "")
    path = url.removeprefix(context.base) if url.startswith(context.base) else ""
    found = MATCH_PATH.fullmatch(path)
    if found is None:
        raise web.HTTPNotFound
    if query.get("format", "json") != "json":
        raise web.HTTPNotImplemented
    view = (await load_public_match(context, MatchId(int(found[1])))).view
    limits = [parse_number(query.get(name, "")) for name in ("maxwidth", "maxheight")]
    width, height = (
        min(size, limit) if limit > 0 else size for size, limit in zip(EMBED_SIZE, limits, strict=True)
    )
    return web.json_response(
        {
            "version": "1.0",
            "type": "rich",
            "provider_name": context.texts("web.name"),
            "provider_url": f"{context.base}/",
            "title": context.texts("web.share.frame", match=view.id),
            "html": context.pages.render("embed_code.html", match=view.id, embed_size=(width, height)),
            "width": width,
            "height": height,
        },
        headers={"Cache-Control": "no-cache"},
    )
