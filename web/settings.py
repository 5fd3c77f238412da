"""Settings of the website, from environment variables."""

from __future__ import annotations

import re
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, StringConstraints
from pydantic_settings import NoDecode

from backups.settings import BackupSettings
from runtime.heartbeat import HeartbeatSettings
from runtime.role import Role, parse_role
from runtime.settings import DatabaseSettings, EnvSettings, LogLevel, SettingsError, load_settings

DEFAULT_PORT = 8080
MIN_SECRET_LENGTH = 32
APPLICATION_ID_PATTERN = r"^[0-9]{15,20}$"
CLIENT_SECRET_PATTERN = re.compile(r"[\w-]{16,}", re.ASCII)  # as the developer portal issues them
PROXY_PATTERN = r"^https?://[^\s/]+/?$"

Network = IPv4Network | IPv6Network


def _parse_host(text: str) -> str:
    host = text.strip().strip("[]")
    return host if host == "localhost" else str(ip_address(host))


def _parse_public_url(text: str) -> str:
    """Return scheme, host and port of a URL. Raises ValueError if it has more than these."""
    parts = urlsplit(text.strip())
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username:
        raise ValueError("not an HTTP or HTTPS URL")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError("more than scheme, host and port")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _check_secret(secret: SecretStr) -> SecretStr:
    if len(secret.get_secret_value()) < MIN_SECRET_LENGTH:
        raise ValueError("too short")
    return secret


def _check_client_secret(secret: SecretStr) -> SecretStr:
    text = secret.get_secret_value().strip()
    if not CLIENT_SECRET_PATTERN.fullmatch(text):
        raise ValueError("not the form of a client secret")
    return SecretStr(text)


def _parse_networks(value: object) -> object:
    if not isinstance(value, str):
        return value
    return tuple(ip_network(part.strip()) for part in value.split(",") if part.strip())


class WebSettings(EnvSettings):
    """Settings of the website.

    `public_url` is the URL by which visitors reach it, if that is not the address it listens on.
    `web_secret` signs the tokens of seats. The X-Forwarded-For headers of `web_proxies` are trusted.
    With `discord_client_secret` people can sign in with Discord; the bot knows `discord_client_id` without
    the setting. `discord_proxy` is a forward proxy for connections to Discord.
    """

    web_host: Annotated[str, AfterValidator(_parse_host)] = "127.0.0.1"
    web_port: Annotated[int, Field(ge=0, le=65535)] = DEFAULT_PORT
    public_url: Annotated[str, AfterValidator(_parse_public_url)] | None = None
    web_secret: Annotated[SecretStr, AfterValidator(_check_secret)] | None = None
    web_proxies: Annotated[tuple[Network, ...], NoDecode, BeforeValidator(_parse_networks)] = ()
    discord_client_id: (
        Annotated[str, StringConstraints(strip_whitespace=True, pattern=APPLICATION_ID_PATTERN)] | None
    ) = None
    discord_client_secret: Annotated[SecretStr, AfterValidator(_check_client_secret)] | None = None
    discord_proxy: Annotated[str, StringConstraints(strip_whitespace=True, pattern=PROXY_PATTERN)] | None = (
        None
    )

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be logged."""
        found = (self.web_secret, self.discord_client_secret)
        return tuple(secret.get_secret_value() for secret in found if secret is not None)


class StandaloneWebSettings(WebSettings, HeartbeatSettings, BackupSettings, DatabaseSettings):
    """Settings of a website in a process of its own, which logs only warnings by default.

    `role` is what it does; one that leaves the rest to other processes touches `health_file`.
    """

    log_level: LogLevel = "WARNING"
    role: Annotated[Literal[Role.ALL, Role.WEB], BeforeValidator(parse_role)] = Role.ALL


def require_secret(settings: WebSettings) -> None:
    """Raise SettingsError unless the settings have the secret that several processes must share."""
    if settings.web_secret is None:
        raise SettingsError((("settings.web_secret.missing", "WEB_SECRET"),))


def load_standalone_settings() -> StandaloneWebSettings:
    """Return the settings of a website in a process of its own. Raises SettingsError."""
    settings = load_settings(StandaloneWebSettings)
    if settings.role is not Role.ALL:
        require_secret(settings)
    return settings
