"""Settings of the bot, read from the environment."""

from __future__ import annotations

import re
from dataclasses import dataclass

from backups.settings import BackupSettings
from bot.shard_range import ShardRange, parse_shard_range
from runtime.heartbeat import HeartbeatSettings
from runtime.mail_settings import check_mail_settings
from runtime.role import Role, role_parser
from runtime.settings import DatabaseSettings, load_settings, parse_matching, required_secret, setting
from web.settings import WebSettings, require_secret

# Three parts of URL-safe base64 joined by dots, as the developer portal issues them.
TOKEN_PATTERN = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class HealthSettings(HeartbeatSettings, BackupSettings):
    """The settings of a container's health check: those of backups, and the path of the heartbeat file."""


@dataclass(frozen=True, kw_only=True)
class Settings(HealthSettings, WebSettings, DatabaseSettings):
    """The settings of the bot and of the website in the same process.

    `role` is what this process does. `shards` are the shards of this process; None: all that Discord
    recommends.
    """

    discord_token: str = required_secret(parse_matching(TOKEN_PATTERN))
    role: Role = setting(role_parser(Role.ALL, Role.BOT, Role.WORKER), Role.ALL)
    shards: ShardRange | None = setting(parse_shard_range, None)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be logged."""
        return (self.discord_token, *super().secrets)


def load_bot_settings() -> Settings:
    """Return the settings. Raises SettingsError."""
    settings = load_settings(Settings)
    if settings.role is not Role.ALL and settings.public_url:
        require_secret(settings)
    check_mail_settings(settings)
    return settings
