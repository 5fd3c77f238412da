"""What the bot is told from outside: the environment, or a file ``.env`` beside it."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, SecretStr, StringConstraints, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

DEFAULT_DATABASE = "sqlite+aiosqlite:///data/rayuela.db"

# Three parts of URL-safe base64 joined by dots: what the developer portal hands out.
TOKEN_FORM = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)
PROXY_FORM = r"^https?://[^\s/]+/?$"
DATABASE_FORM = r"^(sqlite(\+aiosqlite)?:///.+|postgresql(\+asyncpg)?://.+)$"


class SettingsError(ValueError):
    """The environment says too little or something unusable; never carries a value.

    `problems` holds pairs: the key of the sentence that says what to do, and the setting's name.
    """

    def __init__(self, problems: tuple[tuple[str, str], ...]) -> None:
        super().__init__(", ".join(name for _, name in problems))
        self.problems = problems


def _token(secret: SecretStr) -> SecretStr:
    text = secret.get_secret_value().strip()
    if not TOKEN_FORM.fullmatch(text):
        raise ValueError("not the form of a bot token")
    return SecretStr(text)


def _level(text: object) -> str:
    return str(text).strip().upper()


class HealthSettings(BaseSettings):
    """Where the running bot leaves its sign of life, for the health check of a container."""

    model_config = SettingsConfigDict(
        env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True, hide_input_in_errors=True
    )

    health_file: Path = Path(tempfile.gettempdir()) / "rayuela.health"


class Settings(HealthSettings):
    """The bot's configuration; fields are named as the environment variables, in lower case."""

    discord_token: Annotated[SecretStr, AfterValidator(_token)]
    database_url: Annotated[str, StringConstraints(strip_whitespace=True, pattern=DATABASE_FORM)] = (
        DEFAULT_DATABASE
    )
    discord_proxy: Annotated[str, StringConstraints(strip_whitespace=True, pattern=PROXY_FORM)] | None = None
    log_level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(_level)] = "INFO"


def read() -> Settings:
    """Read the settings. Raises SettingsError."""
    try:
        return Settings.model_validate({})
    except ValidationError as error:
        problems = tuple(_problem(detail["type"], str(detail["loc"][0])) for detail in error.errors())
    raise SettingsError(problems)


def _problem(kind: str, field: str) -> tuple[str, str]:
    wrong = "missing" if kind == "missing" else "malformed"
    return f"settings.{field}.{wrong}", field.upper()
