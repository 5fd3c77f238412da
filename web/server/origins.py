"""Origin checks: the address of the client, the Host header, and the site that sent a form."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from web.settings import Network, WebSettings

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
ANY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not listened on


def reachable_host(host: str) -> str:
    """Return a host that other machines can open: for one that means every address of this machine, its own.

    That is the address by which this machine would reach others; without a network, the loopback address.
    """
    if host not in ANY_ADDRESS:
        return host
    family, far, near = (
        (socket.AF_INET6, "2001:db8::1", "::1") if ":" in host else (socket.AF_INET, "192.0.2.1", "127.0.0.1")
    )
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))  # addresses for documentation; nothing is sent
            return str(probe.getsockname()[0])
    except OSError:
        return near


@dataclass(frozen=True, slots=True)
class Origins:
    """Checks requests against the settings; `proxies` are the trusted reverse proxies."""

    host: str
    public_url: str | None
    proxies: tuple[Network, ...]

    @classmethod
    def from_settings(cls, settings: WebSettings) -> Origins:
        """Return the checks for these settings."""
        return cls(settings.web_host, settings.public_url, settings.web_proxies)

    def client_address(self, peer: str | None, forwarded: Sequence[str]) -> str:
        """Return the address that a request is counted for: the peer, or the one that a trusted proxy names.

        `forwarded` are the X-Forwarded-For headers, in order: each proxy appends the address of its client.
        Only what trusted proxies appended is believed. For IPv6 the /64 network is returned, because one
        client usually has all of it.
        """
        client = _normalize(peer or "")
        for hop in reversed(",".join(forwarded).split(",")):
            if not self.is_proxy(client):
                break
            address = _normalize(hop.strip())
            if not is_address(address):
                break
            client = address
        return _rate_limit_key(client)

    def is_own_host(self, host: str) -> bool:
        """Return whether a Host header names this server; rejecting all others prevents DNS rebinding."""
        name = _host_name(host)
        if self.public_url is not None and host.lower() == urlsplit(self.public_url).netloc:
            return True
        if name in LOOPBACK_NAMES or name == self.host:
            return True
        return self.host in ANY_ADDRESS and self.public_url is None and is_address(name)

    def is_same_site(self, headers: Mapping[str, str]) -> bool:
        """Return whether a form was sent by one of our own pages, by headers that scripts cannot set."""
        site = headers.get("Sec-Fetch-Site")
        if site is not None and site != "same-origin":
            return False
        origin = headers.get("Origin")
        if origin is None:
            return site == "same-origin"
        host = headers.get("Host", "").lower()
        if self.public_url is not None and _host_name(host) not in LOOPBACK_NAMES:
            return origin == self.public_url
        return host != "" and urlsplit(origin).netloc.lower() == host

    def is_proxy(self, address: str) -> bool:
        """Return whether an address belongs to a trusted reverse proxy."""
        if not is_address(address):
            return False
        return any(ip_address(address) in network for network in self.proxies)


def _normalize(address: str) -> str:
    """Return an address without brackets and the port that some proxies append; IPv4 in IPv6 as IPv4."""
    if address.startswith("["):
        address = address[1:].partition("]")[0]
    elif address.count(":") == 1:
        address = address.partition(":")[0]
    if not is_address(address):
        return address
    parsed = ip_address(address)
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)


def _rate_limit_key(address: str) -> str:
    if not is_address(address):
        return address
    parsed = ip_address(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((int(parsed), 64), strict=False))
    return str(parsed)


def is_address(text: str) -> bool:
    """Return whether a host is an address of numbers, IPv4 or IPv6."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _host_name(host: str) -> str:
    """Return the host of a Host header without the port; empty if it is malformed."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
