"""Downloads of a match: the board as PNG and SVG, the game as GIF and as a record."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from aiohttp import web

import render
from web.addresses import match_id
from web.context import CONTEXT
from web.match.access import load_match
from web.match.caching import cache_headers, has_current_copy
from web.match.watch import requested_view_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from web.match.cache import CachedMatch
    from web.pages.view_options import ViewOptions

MAX_GIF_BYTES = 8_000_000
MAX_CACHED_BYTES = 2 * MAX_GIF_BYTES
MAX_CACHED = 4096  # also of games for which none is small enough


class AnimationCache:
    """The animations that were asked for last, by their ETag: at most MAX_CACHED and MAX_CACHED_BYTES."""

    def __init__(self) -> None:
        self._found: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0

    def get(self, tag: str) -> bytes | None:
        """Return an animation if it is cached."""
        if tag in self._found:
            self._found.move_to_end(tag)
        return self._found.get(tag)

    def add(self, tag: str, gif: bytes) -> None:
        """Keep an animation."""
        self._size += len(gif) - len(self._found.pop(tag, b""))
        self._found[tag] = gif
        while self._size > MAX_CACHED_BYTES or len(self._found) > MAX_CACHED:
            self._size -= len(self._found.popitem(last=False)[1])


ANIMATIONS = web.AppKey("animations", AnimationCache)


async def board_png(request: web.Request) -> web.Response:
    """Return the board after a turn as PNG."""
    cached, view_options, turn = await _requested_board(request)
    headers = cache_headers(request, cached, view_options, turn)
    return await _file_response(
        request, "image/png", headers, lambda: render.to_png(cached.scene(turn, view_options))
    )


async def board_svg(request: web.Request) -> web.Response:
    """Return the board after a turn as SVG."""
    cached, view_options, turn = await _requested_board(request)
    headers = cache_headers(request, cached, view_options, turn)
    answer = await _file_response(
        request, "image/svg+xml", headers, lambda: render.to_svg(cached.scene(turn, view_options)).encode()
    )
    if answer.body:  # aiohttp fails to compress nothing
        answer.enable_compression()
    return answer


async def game_gif(request: web.Request) -> web.Response:
    """Return the game so far as an animated GIF, at most MAX_GIF_BYTES long."""
    context, animations = request.app[CONTEXT], request.app[ANIMATIONS]
    cached, view_options, _ = await _requested_board(request)

    def render_gif() -> bytes:
        replay = cached.replay
        boards = [] if replay is None else [(turn.position, turn.events) for turn in replay.turns]
        options = view_options.render_options(is_over=cached.view.result is not None)
        gif = render.animate_game(boards, MAX_GIF_BYTES, options)
        return b"" if gif is None else gif.gif

    headers = cache_headers(request, cached, view_options, cached.last_turn, can_keep=False)
    if has_current_copy(request, headers):
        return web.Response(status=304, headers=headers)
    tag = headers["ETag"]
    if animations.get(tag) is None:
        async with context.long_work.turn(context.client_address(request), request):
            if animations.get(tag) is None:  # nobody else has asked for it meanwhile
                animations.add(tag, await context.long_work.in_thread(render_gif))
    gif = animations.get(tag)
    if not gif:
        raise web.HTTPNotFound
    return web.Response(body=gif, content_type="image/gif", headers=headers)


async def record_text(request: web.Request) -> web.Response:
    """Return the record of the match so far."""
    context, match = request.app[CONTEXT], match_id(request)
    names = (await load_match(request, match)).names
    text = await context.matches.export_record(match, names=names, now=context.now())
    answer = web.Response(text=text, content_type="text/plain")
    answer.headers["Content-Disposition"] = f'inline; filename="match-{match}.txt"'
    answer.headers.update({"Cache-Control": "no-cache", "Vary": "Accept-Encoding, Cookie"})
    answer.enable_compression()
    return answer


async def _requested_board(request: web.Request) -> tuple[CachedMatch, ViewOptions, int]:
    """Return the match, view options and turn of a request.

    Raises `choice_pending` if the match has no board.
    """
    cached = await load_match(request, match_id(request), is_picture=True)
    cached.replay_turn(0)
    turn_text = request.query.get("turn", "")
    is_number = turn_text.isascii() and turn_text.isdigit() and len(turn_text) < 6
    turn = min(int(turn_text), cached.last_turn) if is_number else cached.last_turn
    return cached, requested_view_options(request, cached), turn


async def _file_response(
    request: web.Request, content_type: str, headers: dict[str, str], render_file: Callable[[], bytes]
) -> web.Response:
    """Return a file rendered in a worker thread, or 304 if the browser's copy is current."""
    if has_current_copy(request, headers):
        return web.Response(status=304, headers=headers)
    body = await request.app[CONTEXT].run_in_thread(request, render_file)
    return web.Response(body=body, content_type=content_type, headers=headers)
