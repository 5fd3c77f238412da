"""Where notifications of browsers may be sent: to the services of the known browsers, and nowhere else.

A browser names the address itself, so without this anybody could have the server send requests to anything.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

PUSH_HOSTS = (
    "fcm.googleapis.com",  # Chrome and most that are built on it
    "jmt17.google.com",  # Chromium without Google's keys, as Linux distributions build it
    "*.push.services.mozilla.com",  # Firefox
    "*.notify.windows.com",  # Edge
    "*.push.apple.com",  # Safari
)
"""The hosts of the known services; an asterisk stands for one or more parts of a name."""

MAX_ENDPOINT_LENGTH = 1000  # characters
_ENDPOINT = re.compile(
    r"https://[a-z0-9][a-z0-9.-]{0,252}(:[0-9]{1,5})?/[!-\[\]-~]*", re.ASCII | re.IGNORECASE
)
_HTTPS_PORT = 443


def is_endpoint(text: str, more_hosts: tuple[str, ...] = ()) -> bool:
    """Return whether notifications may be sent to this address.

    `more_hosts` are those that the operator added; with them any port will do.
    """
    if len(text) > MAX_ENDPOINT_LENGTH or _ENDPOINT.fullmatch(text) is None:
        return False
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port or _HTTPS_PORT
    except ValueError:
        return False
    return is_host_among(host, more_hosts) or (port == _HTTPS_PORT and is_host_among(host, PUSH_HOSTS))


def is_host_among(host: str, patterns: tuple[str, ...]) -> bool:
    """Return whether a host, in lower case, is one of those that the patterns name."""
    return any(
        host.endswith(pattern[1:]) if pattern.startswith("*.") else host == pattern for pattern in patterns
    )
