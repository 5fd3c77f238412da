"""Connections to push services: only with HTTPS, to public addresses, without redirects, little to read.

Imported only by what sends a push: requests and urllib3 take some megabytes.
"""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPSConnection
from urllib3.connectionpool import HTTPSConnectionPool

if TYPE_CHECKING:
    from typing import Any

TIMEOUT_SECONDS = (5, 8)  # to connect, and for each piece of an answer
MAX_ANSWER_BYTES = 2048


class PrivateAddress(OSError):  # noqa: N818 - a refusal
    """The name of a service leads to an address that is not public."""


class _GuardedConnection(HTTPSConnection):
    """Connects to an address that was checked, not to one that is looked up again."""

    def _new_conn(self) -> socket.socket:
        name = self._dns_host
        self._dns_host = find_public_address(name, self.port or 443)
        try:
            return super()._new_conn()
        finally:
            self._dns_host = name  # the certificate is for the name


def find_public_address(host: str, port: int) -> str:
    """Return an address of a host. Raises PrivateAddress if one of them is not public, OSError if none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(one[4][0]) for one in found]
    if not all(ip_address(one.partition("%")[0]).is_global for one in addresses):
        raise PrivateAddress(host)
    return addresses[0]


class _GuardedPool(HTTPSConnectionPool):
    ConnectionCls = _GuardedConnection


class _Adapter(HTTPAdapter):
    """Connects with HTTPS only; `is_guarded`: to public addresses only."""

    def __init__(self, *, is_guarded: bool) -> None:
        self._pool_class = _GuardedPool if is_guarded else HTTPSConnectionPool
        super().__init__()

    def init_poolmanager(self, *args: Any, **more: Any) -> None:
        super().init_poolmanager(*args, **more)
        self.poolmanager.pool_classes_by_scheme = {"https": self._pool_class}


class GuardedSession(requests.Session):
    """A session that follows no redirect, takes nothing from the environment and reads short answers only."""

    def __init__(self, *, is_guarded: bool) -> None:
        super().__init__()
        self.trust_env = False  # neither proxies nor passwords of a .netrc
        self.adapters.clear()
        self.mount("https://", _Adapter(is_guarded=is_guarded))

    def post(self, url: str | bytes, *args: Any, **more: Any) -> requests.Response:
        """Send a request. Raises requests.RequestException."""
        more |= {"timeout": TIMEOUT_SECONDS, "allow_redirects": False, "stream": True}
        with super().post(url, *args, **more) as answer:
            # Nothing else limits what requests reads, and an answer read to its end keeps the connection.
            answer._content = self._read(answer)  # noqa: SLF001
            answer._content_consumed = answer.raw.length_remaining == 0  # noqa: SLF001
            return answer

    @staticmethod
    def _read(answer: requests.Response) -> bytes:
        """Return what has arrived of an answer by one read: a reason, if the service gives one."""
        try:
            return bytes(answer.raw.read1(MAX_ANSWER_BYTES))
        except Exception:  # noqa: BLE001 - the status is enough
            return b""
