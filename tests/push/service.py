"""A push service on loopback, with HTTPS, and browsers that subscribe there and decrypt what arrives."""

from __future__ import annotations

import asyncio
import json
import os
import ssl
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import http_ece
import trustme
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from metrics.address import bind
from tests.marks import IS_MARKED
from tests.push.marks import check_push_marks

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from matches import Matches, Session

HOST = "localhost"
CREATED = 201
MAX_BODY_BYTES = 4096  # what every service takes


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass(slots=True)
class Received:
    """A push as its service got it, decrypted with the keys of the browser."""

    headers: dict[str, str]
    claims: dict[str, Any]
    payload: dict[str, Any]
    size: int

    @property
    def topic(self) -> str:
        return self.headers["topic"]


@dataclass(slots=True)
class StubBrowser:
    """A browser; `statuses` are the answers of its service to the next pushes, then CREATED; None is silence.

    `waiting` is what its service keeps for it while it is off: of each topic the newest.
    """

    name: str
    endpoint: str
    private_key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = field(default_factory=lambda: os.urandom(16))
    statuses: list[int | None] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    received: list[Received] = field(default_factory=list)
    waiting: dict[str, Received] = field(default_factory=dict)
    requests: int = 0

    @property
    def p256dh(self) -> str:
        return encode(
            self.private_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        )

    @property
    def auth_text(self) -> str:
        return encode(self.auth)

    async def subscribe(self, matches: Matches, session: Session) -> None:
        """Switch notifications on in the session of this browser."""
        await matches.people.push.add(
            session,
            self.endpoint,
            p256dh=self.p256dh,
            auth=self.auth_text,
            more_hosts=(HOST,),
            now=session.used_at,
        )

    def decrypt(self, body: bytes) -> dict[str, Any]:
        text = http_ece.decrypt(body, private_key=self.private_key, auth_secret=self.auth)
        found: dict[str, Any] = json.loads(text)
        return found


@dataclass(slots=True)
class PushService:
    """The service: its browsers by name, and the file with which its certificate is checked.

    `on_push` is called when a push has arrived. `has_texts` says that what arrives is from the catalogue.
    """

    base: str
    authority: str
    browsers: dict[str, StubBrowser] = field(default_factory=dict)
    redirected: int = 0
    connections: set[tuple[str, int]] = field(default_factory=set)
    is_closing: asyncio.Event = field(default_factory=asyncio.Event)
    on_push: Callable[[], None] = lambda: None
    has_texts: bool = False

    def browser(self, name: str, *statuses: int | None, **headers: str) -> StubBrowser:
        """Add a browser."""
        browser = StubBrowser(name, f"{self.base}/push/{name}", statuses=list(statuses))
        browser.headers = {key.replace("_", "-"): value for key, value in headers.items()}
        self.browsers[name] = browser
        return browser

    async def handle(self, request: web.Request) -> web.Response:
        browser, body = self.browsers[request.match_info["name"]], await request.read()
        browser.requests += 1
        assert request.transport is not None
        self.connections.add(request.transport.get_extra_info("peername"))
        status = browser.statuses.pop(0) if browser.statuses else CREATED
        if len(body) > MAX_BODY_BYTES:
            status = 413
        if status is None:
            await self.is_closing.wait()
        if status != CREATED:
            return web.Response(status=status or 500, headers=browser.headers, text="no " * 10_000)
        scheme, _, credentials = request.headers["Authorization"].partition(" ")
        assert scheme == "vapid"
        assert Vapid02.verify(auth=request.headers["Authorization"])
        token = dict(part.strip().split("=", 1) for part in credentials.split(","))["t"]
        claims = token.split(".")[1]
        payload = browser.decrypt(body)
        if IS_MARKED and self.has_texts:
            payload = check_push_marks(payload)
        received = Received(
            {key.lower(): value for key, value in request.headers.items()},
            json.loads(urlsafe_b64decode(claims + "=" * (-len(claims) % 4))),
            payload,
            len(body),
        )
        browser.received.append(received)
        browser.waiting[received.topic] = received
        self.on_push()
        return web.Response(status=CREATED, headers={"Location": f"{self.base}/message/1"})

    async def handle_redirected(self, _request: web.Request) -> web.Response:
        self.redirected += 1
        return web.Response(status=CREATED)


@asynccontextmanager
async def running_service(folder: Path, kind: type[PushService] = PushService) -> AsyncIterator[PushService]:
    """Run a push service while the block runs; `folder` gets the certificate of its authority."""
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(HOST, "127.0.0.1").configure_cert(context)
    file = folder / "authority.pem"
    authority.cert_pem.write_to_path(str(file))
    with bind("127.0.0.1", 0) as listener:
        service = kind(f"https://{HOST}:{listener.getsockname()[1]}", str(file))
        app = web.Application()
        app.router.add_post("/push/{name}", service.handle)
        app.router.add_route("*", "/elsewhere", service.handle_redirected)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.SockSite(runner, listener, ssl_context=context).start()
        try:
            yield service
        finally:
            service.is_closing.set()
            # A client that is gone does not end its encryption, which would be waited for.
            for connection in [] if runner.server is None else list(runner.server.connections):
                if connection.transport is not None:
                    connection.transport.abort()
            await runner.cleanup()
            await asyncio.sleep(0)
