"""What every request passes on its way in, and every answer on its way out."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING

import structlog
from aiohttp import web

from matches import MatchError, StorageUnavailable
from web.house import HOUSE
from web.limits import Busy
from web.refusals import Refused, sentence, status

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from web.house import House

    Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

log = structlog.stdlib.get_logger(__name__)

SAFE = frozenset({"GET", "HEAD"})
# Nothing from elsewhere, nothing inline: a text that somebody wrote can bring neither script nor style.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Server": "rayuela",
}
# The address of a seat's link is the key itself: whatever is fetched from there is not told of it.
KEY_PATH = "/sit/"


@web.middleware
async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Let a request through if it may, turn refusals into pages, and note what was answered.

    The path is never logged: it may hold the key to a seat.
    """
    house = request.app[HOUSE]
    began = asyncio.get_running_loop().time()
    answer = await _answered(house, request, handler, began)
    if not answer.prepared:
        answer.headers.setdefault("Cache-Control", "no-store")
    route = request.match_info.route.resource
    log.debug(
        "web.request",
        route=None if route is None else route.canonical,
        method=request.method,
        status=answer.status,
        milliseconds=round(1000 * (asyncio.get_running_loop().time() - began), 1),
    )
    return answer


async def _answered(house: House, request: web.Request, handler: Handler, at: float) -> web.StreamResponse:
    try:
        _admit(house, request, at)
        return await handler(request)
    except web.HTTPRedirection:
        raise
    except web.HTTPException as error:
        return _refuse(
            house, request, "web.error.missing" if error.status == 404 else "web.error.wrong", error.status
        )
    except (Refused, MatchError) as error:
        match = error.values.get("match") if isinstance(error, Refused) else None
        return house.pages.refusal(request, sentence(house.words, error), status(error), match)
    except Busy as error:
        answer = _refuse(house, request, "web.error.busy", 429)
        answer.headers["Retry-After"] = str(error.seconds)
        return answer
    except StorageUnavailable as error:
        log.warning("web.storage", error=str(error))
        return _refuse(house, request, "web.error.uncertain" if error.uncertain else "web.error.storage", 503)
    except Exception:
        number = secrets.token_hex(4)
        log.exception("web.failed", number=number)
        return house.pages.refusal(request, house.words("web.error.failed", number=number), 500)


def _refuse(house: House, request: web.Request, key: str, code: int) -> web.Response:
    return house.pages.refusal(request, house.words(key), code)


def _admit(house: House, request: web.Request, at: float) -> None:
    """Refuse what comes too often, under another name, or from another site."""
    house.requests.take(house.client(request), at)
    if not house.origins.ours(request.headers.get("Host", "")):
        raise web.HTTPMisdirectedRequest
    if request.method not in SAFE and not house.origins.same_site(request.headers):
        raise Refused("other_site", code=403)


async def secured(request: web.Request, answer: web.StreamResponse) -> None:
    """Put the headers of safety on an answer; a signal, so that no answer is without."""
    answer.headers.update(HEADERS)
    if request.path.startswith(KEY_PATH):
        answer.headers["Referrer-Policy"] = "no-referrer"
