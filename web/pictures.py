"""A match to take away: the board as PNG and SVG, the whole game as an animation and as a record."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from aiohttp import web

import render
from web.house import HOUSE
from web.look import A_YEAR
from web.watch import NUMBER, look_of, number

if TYPE_CHECKING:
    from collections.abc import Callable

    from web.look import Look
    from web.shelf import Shown

FILM_BYTES = 8_000_000
PICTURE_WIDTH = 700
FILMS = web.AppKey("films", asyncio.Semaphore)


def routes() -> list[web.RouteDef]:
    """Give the addresses of the files."""
    return [
        web.get(f"/m/{NUMBER}/board.png", board),
        web.get(f"/m/{NUMBER}/board.svg", drawing),
        web.get(f"/m/{NUMBER}/game.gif", film),
        web.get(f"/m/{NUMBER}/record.txt", record),
    ]


async def board(request: web.Request) -> web.Response:
    """Give the board after a turn as PNG."""
    shown, look, turn = await _asked(request)

    def paint() -> bytes:
        page = shown.page(turn)
        return render.png(render.scene(page.position, look.view(page.events, PICTURE_WIDTH)))

    return await _file(request, shown, turn, "image/png", paint)


async def drawing(request: web.Request) -> web.Response:
    """Give the board after a turn as SVG."""
    shown, look, turn = await _asked(request)
    answer = await _file(request, shown, turn, "image/svg+xml", lambda: shown.board(turn, look).encode())
    answer.enable_compression()
    return answer


async def film(request: web.Request) -> web.Response:
    """Give the game so far as an animation. One is made at a time, so that nobody else waits for several."""
    shown, look, _ = await _asked(request)

    def make() -> bytes:
        replay = shown.replay
        boards = [] if replay is None else [(page.position, page.events) for page in replay.pages]
        made = render.reel(boards, FILM_BYTES, look.view())
        return b"" if made is None else made.gif

    async with request.app[FILMS]:
        answer = await _file(request, shown, shown.last, "image/gif", make)
    if answer.status == web.HTTPOk.status_code and not answer.body:
        raise web.HTTPNotFound
    return answer


async def record(request: web.Request) -> web.Response:
    """Give the record of the match so far."""
    house, match = request.app[HOUSE], number(request)
    text = await house.matches.record(match, now=house.now())
    answer = web.Response(text=text, content_type="text/plain")
    answer.headers["Content-Disposition"] = f'inline; filename="match-{match}.txt"'
    answer.headers["Cache-Control"] = "no-cache"
    answer.enable_compression()
    return answer


async def _asked(request: web.Request) -> tuple[Shown, Look, int]:
    """Give the match, the look and the turn that a request asks for. Raises FistsClosed without a board."""
    house = request.app[HOUSE]
    shown = await house.shelf.get(number(request))
    shown.page(0)
    asked = request.query.get("turn", "")
    is_number = asked.isascii() and asked.isdigit() and len(asked) < 6
    turn = min(int(asked), shown.last) if is_number else shown.last
    return shown, look_of(request, shown), turn


async def _file(
    request: web.Request, shown: Shown, turn: int, kind: str, make: Callable[[], bytes]
) -> web.Response:
    """Answer with a file made beside the loop, or that the browser's own is still good.

    A turn that is over never changes, and its picture may be kept for good.
    """
    tag = f'"{shown.view.id}-{turn}-{shown.mark}"'
    headers = {
        "ETag": tag,
        "Cache-Control": f"max-age={A_YEAR}" if turn < shown.last else "no-cache",
        "Vary": "Cookie",
    }
    if request.headers.get("If-None-Match") == tag:
        return web.Response(status=304, headers=headers)
    return web.Response(body=await asyncio.to_thread(make), content_type=kind, headers=headers)
