"""Which puzzles a browser has seen without an account: the beginnings of their keys, in a cookie."""

from __future__ import annotations

import base64
import binascii
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.puzzles.values import SEEN_LENGTH
from web.addresses import PUZZLES_PATH
from web.server.cookies import cookie_name, set_private_cookie

if TYPE_CHECKING:
    from aiohttp import web

    from web.context import WebContext

COOKIE = "puzzles"
LIFETIME = timedelta(days=365)
MAX_SEEN = 600  # the newest ones; they take 2,400 characters of the 4,096 that a browser keeps
_BYTES = SEEN_LENGTH // 2


def read_seen(context: WebContext, request: web.Request) -> tuple[str, ...]:
    """Return the beginnings of the keys that the cookie of a request names, the oldest first."""
    text = request.cookies.get(cookie_name(context, COOKIE), "")[: MAX_SEEN * 2 * SEEN_LENGTH]
    try:
        data = base64.b64decode(text, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return ()
    parts = (data[start : start + _BYTES].hex() for start in range(0, len(data) // _BYTES * _BYTES, _BYTES))
    return tuple(dict.fromkeys(parts))[-MAX_SEEN:]


def remember_seen(context: WebContext, request: web.Request, answer: web.Response, key: str) -> None:
    """Let a browser remember that it has seen a puzzle."""
    beginning = key[:SEEN_LENGTH]
    seen = [*(one for one in read_seen(context, request) if one != beginning), beginning][-MAX_SEEN:]
    value = base64.urlsafe_b64encode(bytes.fromhex("".join(seen))).decode()
    set_private_cookie(context, answer, cookie_name(context, COOKIE), value, PUZZLES_PATH, LIFETIME)
