"""Public pages: the front page, the page of a match and its stream of server-sent events."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import structlog
from aiohttp import web

from i18n import formatting as game_formatting
from matches import MatchState
from web.addresses import MATCH_ID_PATTERN, SEAT_COOKIE, SEAT_NAMES, match_id, match_path, seat_path
from web.context import CONTEXT
from web.match_page import MatchPage, event_bytes, players_context
from web.view_options import YEAR_SECONDS, ViewOptions

if TYPE_CHECKING:
    from matches import Challenge, MatchSummary
    from web.cache import CachedMatch
    from web.context import WebContext

log = structlog.stdlib.get_logger(__name__)

KEEPALIVE_SECONDS = 20  # between comments on an idle stream
WRITE_TIMEOUT_SECONDS = 30  # until a client that does not read is disconnected
RETRY_MILLISECONDS = 1500  # until a browser reconnects


def routes() -> list[web.RouteDef]:
    """Return the routes of the public pages."""
    return [
        web.get("/", index),
        web.get(f"/m/{MATCH_ID_PATTERN}", match_page),
        web.get(f"/m/{MATCH_ID_PATTERN}/events", events, allow_head=False),
    ]


async def index(request: web.Request) -> web.Response:
    """Show the front page: active matches and open challenges."""
    context = request.app[CONTEXT]
    now = context.now()
    matches = await context.matches.public_queries.list_active()
    challenges = await context.matches.public_queries.list_open_challenges(now=now)
    return context.pages.respond(
        request,
        "index.html",
        matches=[_match_item(context, match) for match in matches],
        challenges=[_challenge_item(context, challenge) for challenge in challenges],
        allow_local_games=context.allow_local_games,
    )


async def match_page(request: web.Request) -> web.Response:
    """Show the page of a match; with ``part=board`` only the board of a turn."""
    context = request.app[CONTEXT]
    cached = await context.cache.get(match_id(request))
    view_options = requested_view_options(request, cached)
    path = match_path(cached.view.id)
    page = MatchPage.create(context, cached, view_options, request.query.get("turn"), path)
    if request.query.get("part") == "board":
        answer = web.Response(
            text=context.pages.render("board.html", **page.board_context()), content_type="text/html"
        )
        answer.headers["Cache-Control"] = (
            f"max-age={YEAR_SECONDS}, immutable" if not page.is_latest else "no-cache"
        )
        answer.enable_compression()
        return answer
    seat_name = request.cookies.get(SEAT_COOKIE)
    answer = context.pages.respond(
        request,
        "match.html",
        **page.frame_context(),
        **page.link_context(),
        **page.board_context(),
        **players_context(context, cached.view),
        is_seated=False,
        own_seat_url=seat_path(cached.view.id, seat_name) if seat_name in SEAT_NAMES else "",
    )
    answer.headers["Cache-Control"] = "no-cache"
    view_options.save_theme(request, answer, secure=context.is_secure)
    return answer


def requested_view_options(request: web.Request, cached: CachedMatch) -> ViewOptions:
    """Return the view options that a request sets for a match."""
    return ViewOptions.from_request(request, request.app[CONTEXT].games[cached.view.game])


async def events(request: web.Request) -> web.StreamResponse:
    """Stream the updates of a match after the version that the client has."""
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
    """Write to a stream. Raises TimeoutError for a client that does not read; it reconnects for the rest."""
    async with asyncio.timeout(WRITE_TIMEOUT_SECONDS):
        await answer.write(data)


def _match_item(context: WebContext, match: MatchSummary) -> dict[str, Any]:
    texts, awaited_accounts = context.texts, {person.account for person in match.waits_for}
    return {
        "id": match.id,
        "game": texts(f"game.{match.game}.name"),
        "settings": game_formatting.format_options(texts, context.games[match.game], match.options),
        "seats": [
            (
                seat.side.value,
                game_formatting.isolate(seat.person.name),
                seat.person.account in awaited_accounts,
            )
            for seat in match.seats
        ],
        "hidden_picture": texts.for_game(match.game, "choice.hidden"),
        "has_board": match.state is MatchState.PLAYING,
        "picture": f"{match_path(match.id)}/board.svg?{urlencode({'ply': match.ply})}",
    }


def _challenge_item(context: WebContext, challenge: Challenge) -> dict[str, Any]:
    texts = context.texts
    colour = (
        texts("colour.drawn")
        if challenge.colour is None
        else game_formatting.format_side(texts, challenge.colour)
    )
    return {
        "by": game_formatting.isolate(challenge.by.name),
        "game": texts(f"game.{challenge.game}.name"),
        "settings": game_formatting.format_options(texts, context.games[challenge.game], challenge.options),
        "colour": colour,
    }
