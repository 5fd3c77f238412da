"""Watching: the list of what is under way, the page of a match, and its stream of news."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import structlog
from aiohttp import web

from matches import MatchId, MatchState
from web import formatting
from web.context import CONTEXT
from web.match_page import MatchPage, event_bytes
from web.view_options import YEAR_SECONDS, ViewOptions

if TYPE_CHECKING:
    from matches import Challenge, MatchSummary
    from web.cache import CachedMatch
    from web.context import WebContext

log = structlog.stdlib.get_logger(__name__)

KEEPALIVE_SECONDS = 20  # between signs of life on a quiet stream
WRITE_TIMEOUT_SECONDS = 30  # for one event to be taken
RETRY_MILLISECONDS = 1500
SEAT_NAMES = ("1", "2", "both")  # what seats are called in addresses
SEAT_COOKIE = "sits"  # a cookie of a match that says where this browser sits; it opens nothing
MATCH_ID_PATTERN = r"{match:[1-9]\d{0,14}}"


def routes() -> list[web.RouteDef]:
    """Return the addresses of everything that anybody may see."""
    return [
        web.get("/", index),
        web.get(f"/m/{MATCH_ID_PATTERN}", match_page),
        web.get(f"/m/{MATCH_ID_PATTERN}/events", events, allow_head=False),
    ]


def match_id(request: web.Request) -> MatchId:
    """Return the match that an address names."""
    return MatchId(int(request.match_info["match"]))


async def index(request: web.Request) -> web.Response:
    """List matches under way and open challenges."""
    context = request.app[CONTEXT]
    now = context.now()
    matches = await context.matches.public_queries.list_active()
    challenges = await context.matches.public_queries.list_open_challenges(now=now)
    return context.pages.respond(
        request,
        "index.html",
        matches=[_match_item(context, one) for one in matches],
        challenges=[_challenge_item(context, one) for one in challenges],
        open_house=context.allow_local_games,
    )


async def match_page(request: web.Request) -> web.Response:
    """Show a match: the whole page, or the board of a turn alone."""
    context = request.app[CONTEXT]
    cached = await context.cache.get(match_id(request))
    view_options = requested_view_options(request, cached)
    page = MatchPage.create(context, cached, view_options, request.query.get("turn"), f"/m/{cached.view.id}")
    if request.query.get("part") == "stage":
        answer = web.Response(
            text=context.pages.render("stage.html", **page.board_context()), content_type="text/html"
        )
        answer.headers["Cache-Control"] = (
            f"max-age={YEAR_SECONDS}, immutable" if not page.is_latest else "no-cache"
        )
        answer.enable_compression()
        return answer
    seat_name = request.cookies.get(SEAT_COOKIE)
    own_seat = f"/m/{cached.view.id}/seat/{seat_name}" if seat_name in SEAT_NAMES else ""
    answer = context.pages.respond(request, "match.html", **page.template_context(), own_seat=own_seat)
    answer.headers["Cache-Control"] = "no-cache"
    view_options.save_theme(request, answer, secure=context.is_secure)
    return answer


def requested_view_options(request: web.Request, cached: CachedMatch) -> ViewOptions:
    """Return the look that a request asks for at a match."""
    return ViewOptions.from_request(request, request.app[CONTEXT].games[cached.view.game])


async def events(request: web.Request) -> web.StreamResponse:
    """Stream what happens in a match, going on after the last event that the visitor has had."""
    context, match = request.app[CONTEXT], match_id(request)
    cached = await context.cache.get(match)
    view_options = requested_view_options(request, cached)
    known_version = request.headers.get("Last-Event-ID") or request.query.get("after", "")
    with (
        context.stream_limiter.slot(context.client_address(request)),
        context.broadcaster.subscribe(cached) as subscriber,
    ):
        answer = web.StreamResponse(headers={"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"})
        answer.headers["Cache-Control"] = "no-store"
        try:
            await _prepare(request, answer)
            while not context.broadcaster.is_closing:
                if subscriber.cached.version != known_version:
                    cached = subscriber.cached
                    await _write(
                        answer, event_bytes(context, cached, view_options, cached.last_turn_of(known_version))
                    )
                    known_version = cached.version
                elif not await subscriber.wait(KEEPALIVE_SECONDS):
                    await _write(answer, b":\n\n")
        except (ConnectionResetError, TimeoutError):
            log.debug("web.stream_gone")
    return answer


async def _prepare(request: web.Request, answer: web.StreamResponse) -> None:
    await answer.prepare(request)
    await _write(answer, f"retry: {RETRY_MILLISECONDS}\n\n".encode())


async def _write(answer: web.StreamResponse, data: bytes) -> None:
    """Write to a stream; whoever does not take it in time is left behind, and comes back for the rest."""
    async with asyncio.timeout(WRITE_TIMEOUT_SECONDS):
        await answer.write(data)


def _match_item(context: WebContext, match: MatchSummary) -> dict[str, Any]:
    texts, awaited_accounts = context.texts, {person.account for person in match.waits_for}
    return {
        "id": match.id,
        "game": formatting.game_name(texts, match.game),
        "settings": formatting.format_options(texts, context.games[match.game], match.options),
        "seats": [
            (seat.side.value, seat.person.name, seat.person.account in awaited_accounts)
            for seat in match.seats
        ],
        "has_board": match.state is MatchState.PLAYING,
        "picture": f"/m/{match.id}/board.svg?{urlencode({'ply': match.ply})}",
        "changed_at": match.changed_at,
        "ply": match.ply,
    }


def _challenge_item(context: WebContext, challenge: Challenge) -> dict[str, Any]:
    texts = context.texts
    colour = (
        texts("colour.drawn") if challenge.colour is None else formatting.format_side(texts, challenge.colour)
    )
    return {
        "by": challenge.by.name,
        "game": formatting.game_name(texts, challenge.game),
        "settings": formatting.format_options(texts, context.games[challenge.game], challenge.options),
        "colour": colour,
        "lapses_at": challenge.expires_at,
    }
