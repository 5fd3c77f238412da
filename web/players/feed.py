"""Atom feeds of public finished matches: of all, of a server, and of a player. Format: RFC 4287."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiohttp import web

from i18n.match_texts import format_short_result
from i18n.names import name_of
from i18n.writing import isolate
from matches import OUTSIDER, WEBSITE, MatchState
from web.accounts.discord_oauth import ID_PREFIX
from web.addresses import match_path, profile_path
from web.context import CONTEXT
from web.players.profile import load_profile_for

if TYPE_CHECKING:
    from matches import MatchSummary
    from web.context import WebContext

ENTRIES = 30
KEEP_SECONDS = 300
SITE = "web"  # stands in the address for the website itself


async def public_feed(request: web.Request) -> web.Response:
    """Return the latest public finished matches."""
    return await _respond(request, request.app[CONTEXT].texts("web.feed.all"), "/matches?state=finished")


async def server_feed(request: web.Request) -> web.Response:
    """Return the latest public finished matches of a server; 404 if it shows none to everybody."""
    context, name = request.app[CONTEXT], request.match_info["server"]
    server = WEBSITE if name == SITE else f"{ID_PREFIX}{name}"
    title = context.texts("web.feed.site" if name == SITE else "web.feed.server")
    return await _respond(request, title, "/matches?state=finished", server=server)


async def player_feed(request: web.Request) -> web.Response:
    """Return the latest public finished matches of a player whose page everybody may see."""
    profile = await load_profile_for(request, None)
    title = request.app[CONTEXT].texts("web.feed.player", name=profile.handle)
    return await _respond(request, title, profile_path(profile.handle), account=profile.person.account)


async def _respond(
    request: web.Request, title: str, page: str, *, server: str | None = None, account: str | None = None
) -> web.Response:
    """Return the feed of the matches that everybody may see; whoever asks gets the same."""
    context = request.app[CONTEXT]
    found = await context.matches.public_queries.find_matches(
        (MatchState.OVER,), reader=OUTSIDER, server=server, account=account, limit=ENTRIES
    )
    if server not in {None, WEBSITE} and not found.matches:
        raise web.HTTPNotFound
    entries = [_entry(context, match) for match in found.matches]
    text = context.pages.render(
        "feed.xml",
        title=title,
        page=page,
        path=request.rel_url.raw_path,
        updated=entries[0]["updated"] if entries else context.now().replace(microsecond=0).isoformat(),
        entries=entries,
    )
    answer = web.Response(text=text, content_type="application/atom+xml")
    answer.headers["Cache-Control"] = f"public, max-age={KEEP_SECONDS}"
    answer.enable_compression()
    return answer


def _entry(context: WebContext, match: MatchSummary) -> dict[str, Any]:
    """Return the template context of a finished match."""
    texts = context.texts
    names = [name_of(texts, seat.person) for seat in match.seats]
    return {
        "title": texts(
            "web.feed.match",
            game=texts(f"game.{match.game}.name"),
            first=isolate(names[0]),
            second=isolate(names[1]),
        ),
        "names": names,
        "result": "" if match.result is None else format_short_result(texts, match.result),
        "path": match_path(match.id),
        "updated": match.changed_at.replace(microsecond=0).isoformat(),
    }
