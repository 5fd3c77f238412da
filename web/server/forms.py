"""Forms: their bodies, URL-encoded UTF-8 within limits of size and time, and the answer to them."""

from __future__ import annotations

import asyncio
import secrets
from hashlib import sha256
from urllib.parse import parse_qsl

from aiohttp import web

from matches import Refusal

CONTENT_TYPE = "application/x-www-form-urlencoded"
BODY_SECONDS = 15
MAX_FIELDS = 100
FORM_NUMBER_LENGTH = 32  # hexadecimal digits of the secret number of a form
REQUEST_BITS = 62  # of the number of a request: what a column of the database holds with a sign


async def receive_form(request: web.Request) -> bytes:
    """Wait for the body of a request and return it; :func:`read_form` then need not wait.

    Raises Refusal for a body that is broken or comes too slowly, and HTTPRequestEntityTooLarge.
    """
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await request.read()
    except TimeoutError as error:
        raise Refusal("form_too_slow") from error
    except (web.RequestPayloadError, ConnectionError) as error:  # broken, or the client is gone
        raise Refusal("form_malformed") from error


async def read_form(request: web.Request) -> dict[str, str]:
    """Return the fields of a form, by name; of a repeated name the last.

    Raises what :func:`receive_form` raises, and Refusal for a body that is no such form.
    """
    body = await receive_form(request)
    if body and (request.content_type != CONTENT_TYPE or (request.charset or "utf-8").lower() != "utf-8"):
        raise Refusal("form_malformed")
    try:
        fields = dict(
            parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS)
        )
    except ValueError as error:
        raise Refusal("form_malformed") from error
    if any("\0" in text for field in fields.items() for text in field):
        raise Refusal("form_malformed")
    return fields


def redirect(location: str) -> web.Response:
    """Return a redirection to a page, which the browser then gets. No cache stores it."""
    return web.Response(status=303, headers={"Location": location, "Cache-Control": "no-store"})


def new_form_number(sent: str = "") -> str:
    """Return the secret number of a form, by which it makes one thing if sent twice; `sent` if it is one."""
    return sent if len(sent) == FORM_NUMBER_LENGTH else secrets.token_hex(FORM_NUMBER_LENGTH // 2)


def request_number(purpose: str, account: str, number: str) -> int:
    """Return the number of the request that a form of an account makes; without a secret one of its own."""
    if len(number) < FORM_NUMBER_LENGTH:
        number = secrets.token_hex()
    digest = sha256(f"{purpose} {account} {number}".encode()).digest()
    return -1 - (int.from_bytes(digest) >> (8 * len(digest) - REQUEST_BITS))
