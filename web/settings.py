"""What the table is told from outside: where it listens, and under which address people find it."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr
from pydantic_settings import NoDecode

from runtime.settings import DatabaseSettings, EnvSettings, LogLevel

DEFAULT_PORT = 8080
MIN_SECRET_LENGTH = 32

Network = IPv4Network | IPv6Network


def _parse_host(text: str) -> str:
    host = text.strip().strip("[]")
    return host if host == "localhost" else str(ip_address(host))


def _parse_public_url(text: str) -> str:
    """Return an address as it begins every link: scheme, host and port, nothing after them."""
    parts = urlsplit(text.strip())
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username:
        raise ValueError("no address of a web site")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError("more than scheme, host and port")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _check_secret(secret: SecretStr) -> SecretStr:
    if len(secret.get_secret_value()) < MIN_SECRET_LENGTH:
        raise ValueError("too short")
    return secret


def _parse_networks(value: object) -> object:
    if not isinstance(value, str):
        return value
    return tuple(ip_network(part.strip()) for part in value.split(",") if part.strip())


class WebSettings(EnvSettings):
    """The table's own settings.

    `public_url` is the address under which people reach it, where that is not what it listens on itself.
    `web_secret` signs the keys to seats. What the `web_proxies` say of where a request came from is believed.
    """

    web_host: Annotated[str, AfterValidator(_parse_host)] = "127.0.0.1"
    web_port: Annotated[int, Field(ge=0, le=65535)] = DEFAULT_PORT
    public_url: Annotated[str, AfterValidator(_parse_public_url)] | None = None
    web_secret: Annotated[SecretStr, AfterValidator(_check_secret)] | None = None
    web_proxies: Annotated[tuple[Network, ...], NoDecode, BeforeValidator(_parse_networks)] = ()


class StandaloneWebSettings(WebSettings, DatabaseSettings):
    """What a table needs that runs by itself. It says its address, and else little."""

    log_level: LogLevel = "WARNING"
