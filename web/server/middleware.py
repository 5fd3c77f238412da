"""Middleware: rate limits, host and origin checks, error pages, security headers, request log."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING

import structlog
from aiohttp import web
from structlog.contextvars import bound_contextvars

from i18n.readers import reading_in
from matches import MAX_RECORD_BYTES, MatchUnknown, Refusal, StorageUnavailable
from metrics import Stage
from web.accounts.my_games import load_turns
from web.accounts.passkey_offer import end_offer, load_offer
from web.accounts.signed_in import find_session, is_signed_in, keep_guest
from web.addresses import CALLBACK_PATH, IMPORT_PATH, LINK_PATH, MAIL_STOP_PATH
from web.context import CONTEXT
from web.errors import OTHERS_SEAT, format_error, status_code
from web.match.access import IS_PRIVATE, refuse_unknown
from web.moderation.header import load_moderation
from web.pages.language import visitor_language
from web.pages.pages import TURN_COUNT
from web.server.assets import STATIC_PATH
from web.server.connections import Connection
from web.server.forms import receive_form
from web.server.limits import TooManyRequests
from web.server.work_queue import ClientGone, Overloaded

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from web.context import WebContext

    Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

log = structlog.stdlib.get_logger(__name__)

# Of a record with the form around it: browsers send a line break that was typed as two characters.
MAX_UPLOAD_BYTES = 2 * MAX_RECORD_BYTES
ERROR_TEXTS = {404: "web.error.missing", 421: "web.error.host"}
SAFE_METHODS = frozenset({"GET", "HEAD"})
METHODS = SAFE_METHODS | {"POST"}
GONE = 499  # the status of requests whose client did not wait for the answer, as other servers count them
NUL = "%00"  # in an address; PostgreSQL has no text with this character
STREAMS = "/events"  # how the paths of streams end, which are open for long and have limits of their own
REQUEST_BITS = 63  # of the random id of a request, which is negative: what a column of the database holds
# No external and no inline content, so that text written by users can never run scripts or set styles.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Server": "rayuela",
}
STRICT_TRANSPORT = f"max-age={365 * 24 * 3600}"  # seconds in which browsers use only HTTPS
# The only script that may compile WebAssembly. It runs as a worker, which has the policy of its own response.
WORKER_NAME = "/hint-worker.js"
WORKER_POLICY = CONTENT_SECURITY_POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
# Marks a response that other websites may show in a frame.
IS_FRAMEABLE = web.ResponseKey("is_frameable", bool)
FRAMEABLE_POLICY = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")


@web.middleware
async def request_middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Check a request, turn errors into pages, and log the response.

    What is logged meanwhile has an id of the request, and so has what it announces. The path is never logged,
    because it can contain the token of a seat.
    """
    context = request.app[CONTEXT]
    started_at = asyncio.get_running_loop().time()
    protocol = request.protocol
    number = -1 - secrets.randbits(REQUEST_BITS)
    with (
        protocol.handling() if isinstance(protocol, Connection) else nullcontext(),
        context.matches.work.requests.handle(number, now=context.now(), is_shared=False),
        bound_contextvars(request=number, **_find_match(request)),
        reading_in(visitor_language(request)),
    ):
        answer = await _handle(context, request, handler, started_at)
    if not answer.prepared:
        answer.headers.setdefault("Cache-Control", "no-store")
        if not request.path.startswith(STATIC_PATH):
            _vary_by_language(answer)
        control = answer.headers["Cache-Control"]
        is_personal = control == "no-cache" and (TURN_COUNT in request or is_signed_in(request))
        if is_personal or (IS_PRIVATE in request and control != "no-store"):
            answer.headers["Cache-Control"] = f"private, {control}"
        if _is_page(request, answer):
            await keep_guest(request, answer)
            end_offer(request, answer)
    metrics, seconds = context.matches.metrics, asyncio.get_running_loop().time() - started_at
    metrics.count_web_request(request.method if request.method in METHODS else "other", answer.status)
    if not answer.prepared:  # not a stream
        metrics.observe(Stage.WEB_REQUEST, seconds)
    route = request.match_info.route.resource
    log.debug(
        "web.request",
        route=None if route is None else route.canonical,
        method=request.method,
        status=answer.status,
        milliseconds=round(1000 * seconds, 1),
    )
    return answer


def _vary_by_language(answer: web.StreamResponse) -> None:
    """Say what the language of an answer depends on; what other websites show in a frame gets no cookies."""
    named = [one.strip() for one in answer.headers.get("Vary", "").split(",") if one]
    more = ["Accept-Language"] if answer.get(IS_FRAMEABLE) else ["Accept-Language", "Cookie"]
    answer.headers["Vary"] = ", ".join(dict.fromkeys([*named, *more]))


def _is_page(request: web.Request, answer: web.StreamResponse) -> bool:
    """Return whether an answer is a page for this visitor alone, which may set a cookie."""
    is_private = answer.headers["Cache-Control"].startswith(("no-store", "private"))
    is_read = request.method in SAFE_METHODS and answer.content_type == "text/html"
    return is_read and is_private and not answer.get(IS_FRAMEABLE)


def _find_match(request: web.Request) -> dict[str, int]:
    """Return the match of the path, if it has one, by its name in the log."""
    match = request.match_info.get("match", "")
    return {"match": int(match)} if match.isascii() and match.isdigit() else {}


async def _handle(
    context: WebContext, request: web.Request, handler: Handler, now: float
) -> web.StreamResponse:
    try:
        _check_request(context, request, now)
        return await _answer_in_turn(context, request, handler)
    except web.HTTPException as error:
        text = context.texts(ERROR_TEXTS.get(error.status, "web.error.wrong"), address=context.base)
        return context.pages.respond_error(request, text, error.status)
    except Refusal as error:
        is_unknown = isinstance(error, MatchUnknown)
        return _refusal_page(context, request, await refuse_unknown(request) if is_unknown else error)
    except (TooManyRequests, Overloaded) as error:
        is_own = isinstance(error, TooManyRequests)
        key, status = ("web.error.busy", 429) if is_own else ("web.error.overloaded", 503)
        answer = _error_page(context, request, key, status)
        answer.headers["Retry-After"] = str(error.seconds)
        return answer
    except StorageUnavailable as error:
        log.warning("web.storage", error=str(error))
        return _error_page(
            context, request, "web.error.uncertain" if error.uncertain else "web.error.storage", 503
        )
    except Exception:
        error_id = secrets.token_hex(4)
        log.exception("web.failed", number=error_id)
        return context.pages.respond_error(request, context.texts("web.error.failed", number=error_id), 500)


async def _answer_in_turn(context: WebContext, request: web.Request, handler: Handler) -> web.StreamResponse:
    """Return the answer to a request; nothing is done only to show something to a client that is gone."""
    if request.path.endswith(STREAMS):
        return await _answer(request, handler)
    if request.method not in SAFE_METHODS:
        # Before its turn, so that others need not wait for a slow client.
        request = await _receive_record(context, request) if request.path == IMPORT_PATH else request
        await receive_form(request)
    with suppress(ClientGone):
        async with context.handling_limiter.turn(context.client_address(request)):
            if request.transport is not None or request.method not in SAFE_METHODS:
                return await _answer(request, handler)
    return web.Response(status=GONE)  # nobody receives it


async def _receive_record(context: WebContext, request: web.Request) -> web.Request:
    """Return a request whose body, larger than those of other forms, has arrived: few of a client at once.

    Raises `record_too_large`, and what :func:`receive_form` raises.
    """
    larger = request.clone(client_max_size=MAX_UPLOAD_BYTES)
    try:
        async with context.handling_limiter.turn(context.client_address(request)):
            await receive_form(larger)
    except web.HTTPRequestEntityTooLarge as error:
        size = max(request.content_length or 0, MAX_UPLOAD_BYTES)
        raise Refusal("record_too_large", limit=MAX_RECORD_BYTES, size=size) from error
    return larger


async def _answer(request: web.Request, handler: Handler) -> web.StreamResponse:
    # Only pages show the number of turns, what moderators wrote, and offers. Browsers ask for anything else
    # with other types.
    if "text/html" in request.headers.get("Accept", ""):
        with suppress(StorageUnavailable):
            await find_session(request)
            await load_turns(request)
            await load_moderation(request)
            load_offer(request)
    return await handler(request)


def _refusal_page(context: WebContext, request: web.Request, error: Refusal) -> web.Response:
    match = str(error.values["match"]) if error.key in OTHERS_SEAT else None
    return context.pages.respond_error(
        request,
        format_error(context.texts, error),
        status_code(error),
        match,
        is_hidden=error.key in {"not_public", "chapter_match_hidden"},
    )


def _error_page(context: WebContext, request: web.Request, key: str, status: int) -> web.Response:
    return context.pages.respond_error(request, context.texts(key), status)


def _check_request(context: WebContext, request: web.Request, now: float) -> None:
    """Raise an exception for too many requests, a wrong Host header or address, or a form of another site."""
    context.request_limiter.acquire(context.client_address(request), now)
    is_asset = request.path.startswith(STATIC_PATH)  # also of the page that refuses a host
    if not is_asset and not context.origins.is_own_host(request.headers.get("Host", "")):
        raise web.HTTPMisdirectedRequest
    if NUL in request.rel_url.raw_path_qs:
        raise web.HTTPNotFound
    is_foreign = not context.origins.is_same_site(request.headers)
    # Mail programs post without any header of a browser; the token in the link is all that counts.
    if request.method not in SAFE_METHODS and is_foreign and not request.path.startswith(MAIL_STOP_PATH):
        raise Refusal("other_site")


async def add_security_headers(request: web.Request, answer: web.StreamResponse) -> None:
    """Set the security headers. Connected to `on_response_prepare`, so that every response has them."""
    answer.headers.update(SECURITY_HEADERS)
    if request.app[CONTEXT].is_secure:
        answer.headers["Strict-Transport-Security"] = STRICT_TRANSPORT
    if answer.get(IS_FRAMEABLE):
        answer.headers["Content-Security-Policy"] = FRAMEABLE_POLICY
        del answer.headers["X-Frame-Options"]
    if request.path.endswith(WORKER_NAME):
        answer.headers["Content-Security-Policy"] = WORKER_POLICY
    # The paths contain the token of a seat or a code, or an answer of Discord: no Referer header has them.
    # The page of a link in a mail keeps the Referer on this website: without any, browsers would hide from us
    # that its form is our own.
    if request.path.startswith((LINK_PATH, CALLBACK_PATH, MAIL_STOP_PATH)):
        answer.headers["Referrer-Policy"] = "no-referrer"
