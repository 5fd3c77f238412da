"""Forms: their bodies, URL-encoded UTF-8 within limits of size and time, and the answer to them.

A form with a file is multipart/form-data instead.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from hashlib import sha256
from urllib.parse import parse_qsl

from aiohttp import web
from aiohttp.helpers import parse_mimetype

from matches import Refusal

CONTENT_TYPE = "application/x-www-form-urlencoded"
BODY_SECONDS = 15
MAX_FIELDS = 100
MAX_HEAD_BYTES = 1000  # of a part of a form with a file; browsers send little more than the names
UPLOAD_TYPE = "multipart/form-data"
PART_NAME = re.compile(rb'content-disposition:[^\r\n]*[; ]name="([^"\r\n]{1,100})"', re.IGNORECASE)
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
    """Return the fields of a form, by name; of a repeated name the last. Raises as :func:`read_fields`."""
    return dict(await read_fields(request))


async def read_fields(request: web.Request) -> list[tuple[str, str]]:
    """Return the fields of a form as pairs of name and value, in order.

    Raises what :func:`receive_form` raises, and Refusal for a body that is no such form.
    """
    body = await receive_form(request)
    if body and (request.content_type != CONTENT_TYPE or (request.charset or "utf-8").lower() != "utf-8"):
        raise Refusal("form_malformed")
    try:
        fields = parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS)
    except ValueError as error:
        raise Refusal("form_malformed") from error
    if any("\0" in text for field in fields for text in field):
        raise Refusal("form_malformed")
    return fields


async def read_upload(request: web.Request) -> dict[str, bytes]:
    """Return the fields of a form with a file, by name; of a repeated name the last.

    Raises what :func:`receive_form` raises, and Refusal for a body that is no such form.
    """
    body = await receive_form(request)
    mime = parse_mimetype(request.headers.get("Content-Type", ""))
    boundary = mime.parameters.get("boundary", "")
    if f"{mime.type}/{mime.subtype}" != UPLOAD_TYPE or not boundary.isascii() or not boundary:
        raise Refusal("form_malformed")
    # Each part is the rest of the line of its boundary, the lines of its headers, an empty line, the content.
    _, *parts = (b"\r\n" + body).split(b"\r\n--" + boundary.encode(), MAX_FIELDS)
    if not parts or not parts[-1].startswith(b"--"):
        raise Refusal("form_malformed")
    fields: dict[str, bytes] = {}
    for part in parts[:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        name = PART_NAME.search(head[:MAX_HEAD_BYTES])
        if name is None:
            raise Refusal("form_malformed")
        fields[name[1].decode("ascii", "replace")] = content
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
