"""Watching: the list of what is under way, the page of a match, and its stream of news."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import structlog
from aiohttp import web

from matches import MatchId, MatchState
from web import telling
from web.house import HOUSE
from web.look import A_YEAR, Look
from web.showing import Showing, event

if TYPE_CHECKING:
    from matches import Challenge, MatchSummary
    from web.house import House
    from web.shelf import Shown

log = structlog.stdlib.get_logger(__name__)

BREATH_SECONDS = 20  # between signs of life on a quiet stream
PATIENCE_SECONDS = 30  # for one event to be taken
RETRY_MILLISECONDS = 1500
SEATS = ("1", "2", "both")  # what seats are called in addresses
OWN_SEAT = "sits"  # a cookie of a match that says where this browser sits; it opens nothing
NUMBER = r"{match:[1-9]\d{0,14}}"


def routes() -> list[web.RouteDef]:
    """Give the addresses of everything that anybody may see."""
    return [
        web.get("/", index),
        web.get(f"/m/{NUMBER}", match_page),
        web.get(f"/m/{NUMBER}/events", events, allow_head=False),
    ]


def number(request: web.Request) -> MatchId:
    """Give the match that an address names."""
    return MatchId(int(request.match_info["match"]))


async def index(request: web.Request) -> web.Response:
    """List matches under way and open challenges."""
    house = request.app[HOUSE]
    now = house.now()
    found = await house.matches.under_way(now=now)
    challenges = await house.matches.open_challenges(now=now)
    return house.pages.page(
        request,
        "index.html",
        matches=[_line(house, one) for one in found],
        challenges=[_offer(house, one) for one in challenges],
        open_house=house.open_house,
    )


async def match_page(request: web.Request) -> web.Response:
    """Show a match: the whole page, or the board of a turn alone."""
    house = request.app[HOUSE]
    shown = await house.shelf.get(number(request))
    look = look_of(request, shown)
    showing = Showing.of(house, shown, look, request.query.get("turn"), f"/m/{shown.view.id}")
    if request.query.get("part") == "stage":
        answer = web.Response(
            text=house.pages.part("stage.html", **showing.stage()), content_type="text/html"
        )
        answer.headers["Cache-Control"] = (
            f"max-age={A_YEAR}, immutable" if not showing.is_latest else "no-cache"
        )
        answer.enable_compression()
        return answer
    sits = request.cookies.get(OWN_SEAT)
    own_seat = f"/m/{shown.view.id}/seat/{sits}" if sits in SEATS else ""
    answer = house.pages.page(request, "match.html", **showing.values(), own_seat=own_seat)
    answer.headers["Cache-Control"] = "no-cache"
    look.keep(request, answer, secure=house.is_secure)
    return answer


def look_of(request: web.Request, shown: Shown) -> Look:
    """Give the look that a request asks for at a match."""
    return Look.of(request, request.app[HOUSE].games[shown.view.game])


async def events(request: web.Request) -> web.StreamResponse:
    """Stream what happens in a match, going on after the last event that the visitor has had."""
    house, match = request.app[HOUSE], number(request)
    shown = await house.shelf.get(match)
    look = look_of(request, shown)
    seen = request.headers.get("Last-Event-ID") or request.query.get("after", "")
    with house.streams.one(house.client(request)), house.live.watching(shown) as watcher:
        answer = web.StreamResponse(headers={"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"})
        answer.headers["Cache-Control"] = "no-store"
        try:
            await _prepared(request, answer)
            while not house.live.closing:
                if watcher.shown.mark != seen:
                    shown = watcher.shown
                    await _write(answer, event(house, shown, look, shown.since(seen)))
                    seen = shown.mark
                elif not await watcher.news(BREATH_SECONDS):
                    await _write(answer, b":\n\n")
        except (ConnectionResetError, TimeoutError):
            log.debug("web.stream_gone")
    return answer


async def _prepared(request: web.Request, answer: web.StreamResponse) -> None:
    await answer.prepare(request)
    await _write(answer, f"retry: {RETRY_MILLISECONDS}\n\n".encode())


async def _write(answer: web.StreamResponse, data: bytes) -> None:
    """Write to a stream; whoever does not take it in time is left behind, and comes back for the rest."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        await answer.write(data)


def _line(house: House, one: MatchSummary) -> dict[str, Any]:
    words, awaited = house.words, {person.account for person in one.waits_for}
    return {
        "id": one.id,
        "game": telling.game(words, one.game),
        "settings": telling.settings(words, house.games[one.game], one.options),
        "seats": [(seat.side.value, seat.person.name, seat.person.account in awaited) for seat in one.seats],
        "has_board": one.state is MatchState.PLAYING,
        "picture": f"/m/{one.id}/board.svg?{urlencode({'ply': one.ply})}",
        "changed_at": one.changed_at,
        "ply": one.ply,
    }


def _offer(house: House, one: Challenge) -> dict[str, Any]:
    words = house.words
    colour = words("colour.drawn") if one.colour is None else telling.side(words, one.colour)
    return {
        "by": one.by.name,
        "game": telling.game(words, one.game),
        "settings": telling.settings(words, house.games[one.game], one.options),
        "colour": colour,
        "lapses_at": one.lapses_at,
    }
