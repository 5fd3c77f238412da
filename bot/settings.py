"""Settings of the bot, read from the environment."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, SecretStr
from pydantic_settings import NoDecode

from backups.settings import BackupSettings
from bot.shard_range import ShardRange, parse_shard_range
from runtime.heartbeat import HeartbeatSettings
from runtime.role import Role, parse_role
from runtime.settings import DatabaseSettings, load_settings
from web.settings import WebSettings, require_secret

# Three parts of URL-safe base64 joined by dots, as the developer portal issues them.
TOKEN_PATTERN = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)


def _validate_token(secret: SecretStr) -> SecretStr:
    text = secret.get_secret_value().strip()
    if not TOKEN_PATTERN.fullmatch(text):
        raise ValueError("not the form of a bot token")
    return SecretStr(text)


def _parse_shards(value: object) -> object:
    return parse_shard_range(value) if isinstance(value, str) else value


class HealthSettings(HeartbeatSettings, BackupSettings):
    """The settings of a container's health check: those of backups, and the path of the heartbeat file."""


class Settings(HealthSettings, WebSettings, DatabaseSettings):
    """The settings of the bot and of the website in the same process.

    `role` is what this process does. `shards` are the shards of this process; None: all that Discord
    recommends.
    """

    discord_token: Annotated[SecretStr, AfterValidator(_validate_token)]
    role: Annotated[Literal[Role.ALL, Role.BOT, Role.WORKER], BeforeValidator(parse_role)] = Role.ALL
    shards: Annotated[ShardRange | None, NoDecode, BeforeValidator(_parse_shards)] = None

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be logged."""
        return (self.discord_token.get_secret_value(), *super().secrets)


def load_bot_settings() -> Settings:
    """Return the settings. Raises SettingsError."""
    settings = load_settings(Settings)
    if settings.role is not Role.ALL and settings.public_url:
        require_secret(settings)
    return settings
