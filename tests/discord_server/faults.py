"""Faults between a bot and Discord, enabled by tests."""

from __future__ import annotations

import asyncio
import math
import re
from typing import TYPE_CHECKING

from tests.discord_server.errors import ApiError, Json

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self


class ConnectionDropped(Exception):  # noqa: N818 - intended by the test
    """The connection is closed instead of answering."""


class Fault:
    """A fault for requests of a method and route, applied `times` times (None: until removed).

    `hits` counts the requests that it applied to; `arrived` is set by the first one. Used as a context
    manager, it is removed at the end.
    """

    def __init__(self, faults: Faults, method: str, route: str, times: int | None) -> None:
        self._faults = faults
        self._method = method.upper()
        self._route = _pattern(route)
        self.left = times
        self.hits = 0
        self.arrived = asyncio.Event()
        self.released = asyncio.Event()

    def matches(self, method: str, path: str) -> bool:
        return self._method in ("*", method) and self._route.fullmatch(path) is not None

    def apply(self) -> None:
        self.hits += 1
        self.arrived.set()
        if self.left is not None:
            self.left -= 1
            if self.left <= 0:
                self._faults.forget(self)

    def release(self) -> None:
        """Continue every held request."""
        self.released.set()

    def remove(self) -> None:
        """Disable the fault and continue the requests that it holds."""
        self.release()
        self._faults.forget(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()

    async def before(self) -> None:
        """Apply before the request is processed; may raise `ApiError` or `ConnectionDropped`."""

    async def after(self) -> None:
        """Apply after the request was processed, before the response."""


class _Refuse(Fault):
    """Responds with an error."""

    answer: ApiError

    async def before(self) -> None:
        raise self.answer


class _Hold(Fault):
    """Delays the request or the response until released."""

    after_processing = False

    async def before(self) -> None:
        if not self.after_processing:
            await self.released.wait()

    async def after(self) -> None:
        if self.after_processing:
            await self.released.wait()


class _Drop(Fault):
    """Closes the connection."""

    after_processing = False

    async def before(self) -> None:
        if not self.after_processing:
            raise ConnectionDropped

    async def after(self) -> None:
        raise ConnectionDropped


class _Silence(Fault):
    """Never responds."""

    async def before(self) -> None:
        await self.released.wait()
        raise ConnectionDropped


class RateLimitError(ApiError):
    """429: retry after `retry_after` seconds."""

    def __init__(self, retry_after: float, *, everywhere: bool) -> None:
        super().__init__(429, 0, "You are being rate limited.")
        self.retry_after = retry_after
        self.everywhere = everywhere

    def headers(self) -> dict[str, str]:
        """Return the headers that distinguish Discord's own 429 from a proxy's."""
        scope = "global" if self.everywhere else "user"
        seconds = str(math.ceil(self.retry_after))
        headers = {"Via": "1.1 google", "Retry-After": seconds, "X-RateLimit-Scope": scope}
        return headers | ({"X-RateLimit-Global": "true"} if self.everywhere else {})

    def body(self) -> Json:
        return super().body() | {"retry_after": self.retry_after, "global": self.everywhere}


class Faults:
    """Enables faults. Routes are paths below /api/v10; `*` matches one segment, `**` any number.

    The first active fault that matches a request applies to it.
    """

    def __init__(self) -> None:
        self._on: list[Fault] = []
        self._all: list[Fault] = []

    def refuse(
        self,
        method: str,
        route: str,
        *,
        status: int = 500,
        code: int = 0,
        message: str | None = None,
        times: int | None = 1,
    ) -> Fault:
        """Respond with an error status. discord.py retries 500, 502, 504 and 524 after a second or more."""
        fault = _Refuse(self, method, route, times)
        fault.answer = ApiError(status, code, message or f"{status}: by the test's wish")
        return self._add(fault)

    def rate_limit(
        self,
        method: str,
        route: str,
        *,
        retry_after: float = 0.05,
        everywhere: bool = False,
        times: int | None = 1,
    ) -> Fault:
        """Respond 429 with this `retry_after` (seconds)."""
        fault = _Refuse(self, method, route, times)
        fault.answer = RateLimitError(retry_after, everywhere=everywhere)
        return self._add(fault)

    def hold(
        self, method: str, route: str, *, after_processing: bool = False, times: int | None = 1
    ) -> Fault:
        """Hold the request before it is processed or, with `after_processing`, before the response."""
        fault = _Hold(self, method, route, times)
        fault.after_processing = after_processing
        return self._add(fault)

    def drop(
        self, method: str, route: str, *, after_processing: bool = False, times: int | None = 1
    ) -> Fault:
        """Close the connection before the request is processed or, with `after_processing`, after it."""
        fault = _Drop(self, method, route, times)
        fault.after_processing = after_processing
        return self._add(fault)

    def silence(self, method: str = "*", route: str = "**", *, times: int | None = None) -> Fault:
        """Neither process nor answer matching requests; removing the fault closes their connections.

        This is the situation of a bot that is killed before its request arrives: it is never processed.
        """
        return self._add(_Silence(self, method, route, times))

    def take(self, method: str, path: str) -> Fault | None:
        """Return the fault that applies to this request, and count it."""
        for fault in self._on:
            if fault.matches(method, path):
                fault.apply()
                return fault
        return None

    def clear(self) -> None:
        """Remove all faults and continue all held requests."""
        for fault in self._all:
            fault.remove()
        self._all.clear()

    def forget(self, fault: Fault) -> None:
        if fault in self._on:
            self._on.remove(fault)

    def _add(self, fault: Fault) -> Fault:
        self._on.append(fault)
        self._all.append(fault)
        return fault


def _pattern(route: str) -> re.Pattern[str]:
    marked = re.escape(route).replace(r"\*\*", ".*").replace(r"\*", "[^/]+")
    return re.compile(marked)
