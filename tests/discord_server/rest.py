"""The HTTP API: reading requests, faults, authorisation, schema checks and the request log."""

from __future__ import annotations

import hashlib
import json
import time
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from aiohttp import BodyPartReader, web

from tests.discord_server.attachments import Upload
from tests.discord_server.errors import MALFORMED, ApiError, ValidationProblems
from tests.discord_server.faults import ConnectionDropped, Faults, RateLimitError
from tests.discord_server.marks import find_marking_faults, remove_body_marks
from tests.marks import IS_MARKED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tests.discord_server.schema import Checker
    from tests.discord_server.users import User
    from tests.discord_server.world import World

PREFIX = "/api/v10"
FORM_TYPE = "application/x-www-form-urlencoded"


@dataclass(slots=True)
class ApiCall:
    """A parsed request: path parameters, query, JSON (also from `payload_json`) or a form, and files.

    `authorization` is the header, `user` the person whose access token it has.
    """

    world: World
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Any = None
    uploads: dict[int, Upload] = field(default_factory=dict)
    authorization: str = ""
    user: User | None = None

    def id(self, name: str) -> int:
        """Return a snowflake from the path."""
        if not self.path[name].isdecimal():
            problems = ValidationProblems()
            problems.add(name, "NUMBER_TYPE_COERCE", f'Value "{self.path[name]}" is not snowflake.')
            problems.raise_if_any()
        return int(self.path[name])

    def flag(self, name: str) -> bool:
        return self.query.get(name, "").lower() in ("1", "true")


@dataclass(frozen=True, slots=True)
class ApiResponse:
    """A response: JSON, or 204 without content."""

    body: Any = None
    status: int = 200


NO_CONTENT = ApiResponse(status=204)

Handler = Callable[[ApiCall], Awaitable[ApiResponse]]


@dataclass(frozen=True, slots=True)
class Route:
    """An operation; its path is as in Discord's description. Routes with a token need no authorisation.

    `scope` lets an access token in that has it; with `client_login` the handler checks the authorisation.
    """

    method: str
    path: str
    handler: Handler
    authorised: bool = True
    scope: str = ""
    client_login: bool = False


@dataclass(slots=True)
class LoggedRequest:
    """A request in the log. `status` is None while it runs or if the connection was closed."""

    method: str
    path: str
    route: str
    body: Any = None
    uploads: dict[int, Upload] = field(default_factory=dict)
    status: int | None = None
    processed: bool = False

    def __str__(self) -> str:
        return f"{self.method} {self.path} -> {self.status}"


class Rest:
    """Serves the routes. `requests` is the log; `violations` are differences from Discord's description."""

    def __init__(self, world: World, faults: Faults, checker: Checker | None) -> None:
        self._world = world
        self._faults = faults
        self._checker = checker
        self._shown = set[str]()
        self.requests: list[LoggedRequest] = []
        self.violations: list[str] = []

    def install(self, app: web.Application, routes: Iterable[Route]) -> None:
        for route in routes:
            app.router.add_route(route.method, PREFIX + route.path, self._serve(route))
        app.router.add_route("*", PREFIX + "/{unknown:.*}", self._unknown)

    def _serve(self, route: Route) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def serve(request: web.Request) -> web.StreamResponse:
            path = request.path.removeprefix(PREFIX)
            entry = LoggedRequest(request.method, path, route.path)
            self.requests.append(entry)
            try:
                answer, headers = await self._answer(route, request, entry)
            except ConnectionDropped:
                return _cut_connection(request)
            finally:
                self._world.changed.notify()
            entry.status = answer.status
            return _response(answer, headers)

        return serve

    async def _answer(
        self, route: Route, request: web.Request, entry: LoggedRequest
    ) -> tuple[ApiResponse, dict[str, str]]:
        headers = _rate_limit_headers(route)
        try:
            call = await _read(self._world, request)
            if IS_MARKED:
                self.violations += find_marking_faults(call.body, self._world.known_words(), self._shown)
                call.body = remove_body_marks(call.body)
            entry.body, entry.uploads = call.body, call.uploads
            fault = self._faults.take(request.method, entry.path)
            if fault is not None:
                await fault.before()
            self._authorise(route, call)
            if self._world.settings.limit is not None and route.authorised:
                self._world.settings.limit.count(call.authorization)
            answer = await self._handle(route, call)
            entry.processed = True
            self._world.changed.notify()
            if fault is not None:
                await fault.after()
        except ApiError as refusal:
            answer = ApiResponse(refusal.body(), refusal.status)
            if isinstance(refusal, RateLimitError):
                headers |= refusal.headers()
        self._check_answer(route, answer)
        return answer, headers

    def _authorise(self, route: Route, call: ApiCall) -> None:
        given = call.authorization
        if route.client_login or (not given and not route.authorised):
            return
        if given.startswith("Bearer ") and route.scope:
            call.user = self._world.oauth.bearer(given.removeprefix("Bearer "), route.scope)
        if call.user is None and given != f"Bot {self._world.settings.token}":
            raise ApiError(401, 0, "401: Unauthorized")

    async def _handle(self, route: Route, call: ApiCall) -> ApiResponse:
        """Check and process a request. A malformed one gets status 400, as from Discord."""
        found: list[str] = []
        if self._checker is not None:
            found = self._checker.check_request(route.method, route.path, call.query, call.body)
            self.violations += [f"the bot's {route.method} {route.path}: {one}" for one in found]
        try:
            return await route.handler(call)
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            if not found:
                trace = "".join(traceback.format_exception(error))
                self.violations.append(f"{route.method} {route.path} was too much for the server: {trace}")
            raise ApiError(400, MALFORMED, "Invalid Form Body") from None

    def _check_answer(self, route: Route, answer: ApiResponse) -> None:
        if self._checker is not None:
            found = self._checker.check_response(route.method, route.path, answer.status, answer.body)
            self.violations += [f"the answer to {route.method} {route.path}: {one}" for one in found]

    async def _unknown(self, request: web.Request) -> web.StreamResponse:
        path = request.path.removeprefix(PREFIX)
        self.requests.append(LoggedRequest(request.method, path, path, status=404))
        self.violations.append(f"{request.method} {path}: the loopback Discord does not implement this")
        return _response(ApiResponse({"message": "404: Not Found", "code": 0}, 404), {})


def _rate_limit_headers(route: Route) -> dict[str, str]:
    """Return the headers of a rate-limit bucket that never empties; routes with a token have none."""
    if not route.authorised:
        return {}
    return {
        "X-RateLimit-Limit": "50",
        "X-RateLimit-Remaining": "49",
        "X-RateLimit-Reset": f"{time.time() + 1:.3f}",
        "X-RateLimit-Reset-After": "1.000",
        "X-RateLimit-Bucket": hashlib.sha256(f"{route.method} {route.path}".encode()).hexdigest()[:32],
    }


def _response(answer: ApiResponse, headers: dict[str, str]) -> web.Response:
    if answer.status == NO_CONTENT.status:
        return web.Response(status=204, headers=headers)
    return web.Response(
        body=json.dumps(answer.body).encode(),
        status=answer.status,
        headers=headers | {"Content-Type": "application/json"},
    )


def _cut_connection(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)


async def _read(world: World, request: web.Request) -> ApiCall:
    call = ApiCall(world, request.match_info, request.query)
    call.authorization = request.headers.get("Authorization", "")
    kind = request.headers.get("Content-Type", "")
    if kind.startswith("application/json"):
        text = await request.text()
        call.body = _json(text) if text else None
    elif kind.startswith(FORM_TYPE):
        call.body = dict(parse_qsl(await request.text(), keep_blank_values=True))
    elif kind.startswith("multipart/form-data"):
        async for part in await request.multipart():
            if isinstance(part, BodyPartReader):
                await _read_part(call, part)
    return call


async def _read_part(call: ApiCall, part: BodyPartReader) -> None:
    name = part.name or ""
    if name == "payload_json":
        call.body = _json(await part.text())
    elif name.startswith("files["):
        index = int(name.removeprefix("files[").removesuffix("]"))
        data = bytes(await part.read(decode=False))
        call.uploads[index] = Upload(part.filename or f"file{index}", data)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise ApiError(400, 50109, "The request body contains invalid JSON.") from None
