"""A certificate authority and a server certificate for Discord's host names, created once per process."""

from __future__ import annotations

import functools
import ssl

import trustme

from tests.discord_connector import HOSTS


class Certificates:
    """The authority's certificate (PEM, for clients) and the server's TLS context."""

    def __init__(self) -> None:
        authority = trustme.CA()
        self.authority_pem: bytes = authority.cert_pem.bytes()
        self.server_context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(*HOSTS).configure_cert(self.server_context)


@functools.cache
def certificates() -> Certificates:
    """Return this process's certificates; the first call takes tens of milliseconds."""
    return Certificates()
