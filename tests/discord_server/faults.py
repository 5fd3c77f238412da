"""What can go wrong between a bot and Discord, switched on by a test."""

from __future__ import annotations

import asyncio
import math
import re
from typing import TYPE_CHECKING

from tests.discord_server.errors import ApiError, Json

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self


class ConnectionDropped(Exception):  # noqa: N818 - it is what the test wanted
    """The connection is to be cut instead of answering."""


class Fault:
    """One thing that goes wrong with requests of a method and route, `times` times (None: until removed).

    `hits` counts the requests that it has met, `arrived` is set with the first of them. Used in a `with`
    statement it is removed at the end.
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
        """Let every held request go on."""
        self.released.set()

    def remove(self) -> None:
        """Switch it off, and let go what it holds."""
        self.release()
        self._faults.forget(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()

    async def before(self) -> None:
        """Act before the request is worked on; raises `Refusal` or `ConnectionDropped` in place of that."""

    async def after(self) -> None:
        """Act when the request has been worked on, before it is answered."""


class _Refuse(Fault):
    answer: ApiError

    async def before(self) -> None:
        raise self.answer


class _Hold(Fault):
    after_processing = False

    async def before(self) -> None:
        if not self.after_processing:
            await self.released.wait()

    async def after(self) -> None:
        if self.after_processing:
            await self.released.wait()


class _Drop(Fault):
    after_processing = False

    async def before(self) -> None:
        if not self.after_processing:
            raise ConnectionDropped

    async def after(self) -> None:
        raise ConnectionDropped


class _Silence(Fault):
    async def before(self) -> None:
        await self.released.wait()
        raise ConnectionDropped


class RateLimitError(ApiError):
    """429: come back after `retry_after` seconds."""

    def __init__(self, retry_after: float, *, everywhere: bool) -> None:
        super().__init__(429, 0, "You are being rate limited.")
        self.retry_after = retry_after
        self.everywhere = everywhere

    def headers(self) -> dict[str, str]:
        """Return the headers by which clients tell Discord's own 429 from a proxy's."""
        return {"Via": "1.1 google", "Retry-After": str(math.ceil(self.retry_after))}

    def body(self) -> Json:
        return super().body() | {"retry_after": self.retry_after, "global": self.everywhere}


class Faults:
    """Switches faults on. Routes are paths below /api/v10 in which `*` stands for one step and `**` for any.

    The first fault that matches a request and is still on acts on it.
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
        """Answer with an error status. discord.py tries 500, 502, 504, 524 again, after a second or more."""
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
        """Answer 429 with this `retry_after` (seconds)."""
        fault = _Refuse(self, method, route, times)
        fault.answer = RateLimitError(retry_after, everywhere=everywhere)
        return self._add(fault)

    def hold(
        self, method: str, route: str, *, after_processing: bool = False, times: int | None = 1
    ) -> Fault:
        """Keep the request until `release()`.

        Before it is worked on or, `after_processing`, before its answer.
        """
        fault = _Hold(self, method, route, times)
        fault.after_processing = after_processing
        return self._add(fault)

    def drop(
        self, method: str, route: str, *, after_processing: bool = False, times: int | None = 1
    ) -> Fault:
        """Cut the connection: unprocessed, or (`after_processing`) processed while the answer is lost."""
        fault = _Drop(self, method, route, times)
        fault.after_processing = after_processing
        return self._add(fault)

    def silence(self, method: str = "*", route: str = "**", *, times: int | None = None) -> Fault:
        """Never answer, nor work on, what matches; removing the fault cuts those connections.

        This is what a bot meets that is killed with its request on the way: the request is never done.
        """
        return self._add(_Silence(self, method, route, times))

    def take(self, method: str, path: str) -> Fault | None:
        """Return the fault that acts on this request, counting it."""
        for fault in self._on:
            if fault.matches(method, path):
                fault.apply()
                return fault
        return None

    def clear(self) -> None:
        """Switch everything off and let go whatever is held."""
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
