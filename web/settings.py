"""Settings of the website, from environment variables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from backups.settings import BackupSettings
from matches.moderation.rights import parse_moderators
from metrics.address import parse_port
from push.settings import PushSettings, find_contact
from runtime.heartbeat import HeartbeatSettings
from runtime.mail_settings import check_mail_settings
from runtime.role import Role, role_parser
from runtime.settings import (
    DatabaseSettings,
    SettingsError,
    load_settings,
    parse_level,
    parse_matching,
    setting,
)

DEFAULT_PORT = 8080
MIN_SECRET_LENGTH = 32
APPLICATION_ID_PATTERN = re.compile(r"[0-9]{15,20}")
CLIENT_SECRET_PATTERN = re.compile(r"[\w-]{16,}", re.ASCII)  # as the developer portal issues them
PROXY_PATTERN = re.compile(r"https?://[^\s/]+/?")
# A name or an address in ASCII, and perhaps a port.
SITE_PATTERN = re.compile(r"([a-z0-9]([a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?", re.IGNORECASE)

Network = IPv4Network | IPv6Network


def _parse_host(text: str) -> str:
    host = text.strip().strip("[]")
    return host if host == "localhost" else str(ip_address(host))


def _parse_public_url(text: str) -> str:
    """Return scheme, host and port of a URL. Raises ValueError if it has more than these."""
    parts = urlsplit(text.strip())
    if parts.scheme not in {"http", "https"} or SITE_PATTERN.fullmatch(parts.netloc) is None:
        raise ValueError("not an HTTP or HTTPS URL")
    if parts.port == 0:  # one above 65535 raises ValueError by itself
        raise ValueError("not a port")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError("more than scheme, host and port")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _parse_secret(text: str) -> str:
    if len(text) < MIN_SECRET_LENGTH or not text.strip():
        raise ValueError("too short or blank")
    return text


def _parse_port(text: str) -> int:
    return parse_port(text.strip())


def _parse_networks(text: str) -> tuple[Network, ...]:
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


@dataclass(frozen=True, kw_only=True)
class WebSettings(PushSettings):
    """Settings of the website.

    `public_url` is the URL by which visitors reach it, if that is not the address it listens on.
    `web_secret` signs the tokens of seats. The X-Forwarded-For headers of `web_proxies` are trusted.
    With `discord_client_secret` people can sign in with Discord; the bot knows `discord_client_id` without
    the setting. `discord_proxy` is a forward proxy for connections to Discord. `moderators` are the accounts,
    mail addresses or names of those who see reports about players.
    """

    web_host: str = setting(_parse_host, "127.0.0.1")
    web_port: int = setting(_parse_port, DEFAULT_PORT)
    public_url: str | None = setting(_parse_public_url, None)
    web_secret: str | None = setting(_parse_secret, None, is_secret=True)
    web_proxies: tuple[Network, ...] = setting(_parse_networks, ())
    discord_client_id: str | None = setting(parse_matching(APPLICATION_ID_PATTERN), None)
    discord_client_secret: str | None = setting(parse_matching(CLIENT_SECRET_PATTERN), None, is_secret=True)
    discord_proxy: str | None = setting(parse_matching(PROXY_PATTERN), None, is_secret=True)
    moderators: tuple[str, ...] = setting(parse_moderators, (), is_secret=True)

    @property
    def push_contact(self) -> str | None:
        """How push services can reach the operator; None if no notification can be pushed."""
        return find_contact(self.mail_from, self.public_url)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be logged."""
        found = (self.web_secret, self.discord_client_secret)
        return (*(secret for secret in found if secret is not None), *self.mail_secrets)


@dataclass(frozen=True, kw_only=True)
class StandaloneWebSettings(WebSettings, HeartbeatSettings, BackupSettings, DatabaseSettings):
    """Settings of a website in a process of its own, which logs only warnings by default.

    `role` is what it does. A website on one's own machine has all roles and no public URL; others touch
    `health_file`.
    """

    log_level: str = setting(parse_level, "WARNING")
    role: Role = setting(role_parser(Role.ALL, Role.WEB), Role.ALL)

    @property
    def is_own_machine(self) -> bool:
        """Whether the website is one for those who use this machine."""
        return self.role is Role.ALL and self.public_url is None


def require_secret(settings: WebSettings) -> None:
    """Raise SettingsError unless the settings have the secret that several processes must share."""
    if settings.web_secret is None:
        raise SettingsError((("settings.web_secret.missing", "WEB_SECRET"),))


def load_standalone_settings() -> StandaloneWebSettings:
    """Return the settings of a website in a process of its own. Raises SettingsError."""
    settings = load_settings(StandaloneWebSettings)
    if settings.role is not Role.ALL:
        require_secret(settings)
    check_mail_settings(settings)
    return settings
