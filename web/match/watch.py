"""The public page of a match and its stream of server-sent events."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from aiohttp import web

from matches import is_of_local_game
from web.accounts.signed_in import find_session
from web.addresses import SEAT_COOKIE, SEAT_NAMES, match_id, match_path, seat_path
from web.context import CONTEXT
from web.match.access import keep_visible, load_match, still_sees
from web.match.caching import cache_headers, has_current_copy
from web.match.game_analysis import game_analysis_context
from web.match.match_page import MatchPage, event_bytes, players_context
from web.match.profile_links import load_profile_links
from web.pages.preferences import preference_items
from web.pages.view_options import ViewOptions
from web.play import seat_links
from web.play.seat_sessions import own_seat_path
from web.server.connections import notify_lost
from web.tournaments.marks import tournament_of_match

if TYPE_CHECKING:
    from matches import MatchId, MatchView
    from web.match.cache import CachedMatch

log = structlog.stdlib.get_logger(__name__)

KEEPALIVE_SECONDS = 20  # between comments on an idle stream
RETRY_MILLISECONDS = 1500  # until a browser reconnects
POLL_MILLISECONDS = 10_000  # the same with too many streams open
ENDED_EVENT = b"event: ended\ndata: 1\n\n"  # tells scripts that the page may not be seen any more
POLL_EVENT = b"event: poll\ndata: 1\n\n"  # tells scripts that the end of the stream is no lost connection


async def match_page(request: web.Request) -> web.Response:
    """Show the page of a match; with ``part=board`` only the board of a turn."""
    context, is_board = request.app[CONTEXT], request.query.get("part") == "board"
    cached = await load_match(request, match_id(request), is_picture=is_board)
    view_options = requested_view_options(request, cached)
    path = match_path(cached.view.id)
    page = MatchPage.create(context, cached, view_options, request.query.get("turn"), path)
    if is_board:
        headers = cache_headers(request, cached, view_options, page.turn)
        if has_current_copy(request, headers):
            return web.Response(status=304, headers=headers)
        text = context.pages.render("board_parts.html", **page.board_context())
        answer = web.Response(text=text, content_type="text/html", headers=headers)
        answer.enable_compression()
        return answer
    own_path = await _own_seat_path(request, cached.view)
    answer = context.pages.respond(
        request,
        "match.html",
        **page.frame_context(),
        preferences=preference_items(request, is_seated=False),
        **page.link_context(),
        **page.board_context(),
        **players_context(context, cached, cached.view, view_options.side),
        is_seated=False,
        rematch=await _visible_rematch(request, cached),
        links_url=seat_links.links_url(request, cached.view),
        game_analysis=await game_analysis_context(request, page),
        own_seat_url=own_path,
        profile_links=await load_profile_links(request, cached.view),
        tournament=await tournament_of_match(request, cached.view),
    )
    answer.headers["Cache-Control"] = "no-cache"
    view_options.save_theme(request, answer, secure=context.is_secure)
    return answer


async def _own_seat_path(request: web.Request, view: MatchView) -> str:
    """Return the path of the visitor's own seat, by the account or by a personal link; empty without one."""
    session, seat_name = await find_session(request), request.cookies.get(SEAT_COOKIE)
    own = "" if session is None else own_seat_path(view, session.account)
    is_member = session is not None and not session.is_guest
    if own or (is_member and not any(is_of_local_game(seat.person.account) for seat in view.seats)):
        return own
    return seat_path(view.id, seat_name) if seat_name in SEAT_NAMES else ""


async def _visible_rematch(request: web.Request, cached: CachedMatch) -> MatchId | None:
    """Return the rematch of a match if the sender of a request may see it."""
    rematch = cached.fingerprint.rematch
    return rematch if rematch is not None and await keep_visible(request, [rematch]) else None


def requested_view_options(request: web.Request, cached: CachedMatch) -> ViewOptions:
    """Return the view options that a request sets for a match."""
    context = request.app[CONTEXT]
    return ViewOptions.from_request(context.texts, request, context.games[cached.view.game])


async def events(request: web.Request) -> web.StreamResponse:
    """Stream the updates of a match after the version that the client has.

    With too many streams open this one ends after what is new, and the client asks again after a while. It
    ends too when the client may not see the match any more; that is looked up before each event, and at least
    every KEEPALIVE_SECONDS.
    """
    context, match = request.app[CONTEXT], match_id(request)
    cached = await load_match(request, match)
    view_options = requested_view_options(request, cached)
    known_version = request.headers.get("Last-Event-ID") or request.query.get("after", "")
    with (
        context.stream_limiter.slot(context.client_address(request)) as has_slot,
        context.broadcaster.subscribe(cached) as subscriber,
        notify_lost(request, subscriber.changed.set),
    ):
        answer = web.StreamResponse(headers={"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"})
        answer.headers["Cache-Control"] = "no-store"
        try:
            await answer.prepare(request)
            await answer.write(f"retry: {RETRY_MILLISECONDS if has_slot else POLL_MILLISECONDS}\n\n".encode())
            while request.transport is not None and not context.broadcaster.is_closing:
                if not await still_sees(request, subscriber.cached):
                    await answer.write(ENDED_EVENT)
                    break
                if subscriber.cached.version != known_version:
                    cached = subscriber.cached
                    await answer.write(
                        event_bytes(context, cached, view_options, cached.last_turn_of(known_version))
                    )
                    known_version = cached.version
                elif not has_slot:
                    await answer.write(POLL_EVENT)
                    break
                elif not await subscriber.wait(KEEPALIVE_SECONDS):
                    await answer.write(b":\n\n")
        except ConnectionResetError:
            log.debug("web.stream_gone")
    return answer
