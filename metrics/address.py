"""Addresses to listen on, such as the setting METRICS."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from ipaddress import ip_address

MAX_PORT = 65535


@dataclass(frozen=True, slots=True)
class Address:
    """A host, "localhost" or an IP address without brackets, and a port; 0 is any free one."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_port(text: str) -> int:
    """Parse a port from 0 to 65535 in decimal digits. Raises ValueError."""
    if not text.isascii() or not text.isdigit() or int(text) > MAX_PORT:
        raise ValueError("not a port")
    return int(text)


def parse_address(text: str) -> Address:
    """Parse ``host:port``, such as ``127.0.0.1:9464`` or ``[::1]:9464``. Raises ValueError."""
    host, _, port = text.strip().rpartition(":")
    is_bracketed = host.startswith("[") and host.endswith("]")
    host = host.strip("[]")
    if host != "localhost":
        host = str(ip_address(host))
    if is_bracketed != (":" in host):
        raise ValueError("an IPv6 address needs brackets, and nothing else has them")
    return Address(host, parse_port(port))


def bind(host: str, port: int) -> socket.socket:
    """Return a socket bound to a host and a port. Raises OSError."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except BaseException:
        listener.close()
        raise
    return listener
