"""Settings of the bot, read from the environment."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, SecretStr

from runtime.settings import DatabaseSettings, EnvSettings
from web.settings import WebSettings

# Three parts of URL-safe base64 joined by dots, as the developer portal issues them.
TOKEN_PATTERN = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)


def _validate_token(secret: SecretStr) -> SecretStr:
    text = secret.get_secret_value().strip()
    if not TOKEN_PATTERN.fullmatch(text):
        raise ValueError("not the form of a bot token")
    return SecretStr(text)


class HealthSettings(EnvSettings):
    """The settings that a container's health check needs: the path of the heartbeat file."""

    health_file: Path = Path(tempfile.gettempdir()) / "rayuela.health"


class Settings(HealthSettings, WebSettings, DatabaseSettings):
    """The settings of the bot and of the website in the same process."""

    discord_token: Annotated[SecretStr, AfterValidator(_validate_token)]

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be logged."""
        return (self.discord_token.get_secret_value(), *super().secrets)
