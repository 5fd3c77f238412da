"""Settings from the environment, or from a file ``.env`` in the working folder."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from pydantic import BeforeValidator, StringConstraints, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from metrics.address import Address, parse_address

if TYPE_CHECKING:
    from i18n import Texts

DEFAULT_DATABASE_URL = "sqlite+aiosqlite:///data/rayuela.db"
DATABASE_URL_PATTERN = r"^(sqlite(\+aiosqlite)?:///.+|postgresql(\+asyncpg)?://.+)$"
EXIT_BAD_SETTINGS = 2
EXIT_CANNOT_START = 1

SettingsT = TypeVar("SettingsT", bound="EnvSettings")


class SettingsError(ValueError):
    """Settings are missing or malformed; the error never contains a value.

    `problems` are pairs: the key of a text that says what to do, and the name of the setting.
    """

    def __init__(self, problems: tuple[tuple[str, str], ...]) -> None:
        super().__init__(", ".join(name for _, name in problems))
        self.problems = problems


def _normalize_level(text: object) -> str:
    return str(text).strip().upper()


def _parse_address(value: object) -> object:
    return parse_address(value) if isinstance(value, str) else value


LogLevel = Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(_normalize_level)]


class EnvSettings(BaseSettings):
    """Settings whose fields are named as the environment variables, in lower case."""

    model_config = SettingsConfigDict(
        env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True, hide_input_in_errors=True
    )


class DatabaseSettings(EnvSettings):
    """Settings of every process that opens the database.

    `computer`: whether a front end starts a worker that thinks for the computer opponent. `metrics`: the
    address of the port for operators, None for none.
    """

    database_url: Annotated[str, StringConstraints(strip_whitespace=True, pattern=DATABASE_URL_PATTERN)] = (
        DEFAULT_DATABASE_URL
    )
    log_level: LogLevel = "INFO"
    computer: bool = True
    metrics: Annotated[Address | None, NoDecode, BeforeValidator(_parse_address)] = None


def load_settings(kind: type[SettingsT]) -> SettingsT:
    """Return settings of type `kind`. Raises SettingsError."""
    try:
        return kind.model_validate({})
    except ValidationError as error:
        problems = {_problem(detail["type"], str(detail["loc"][0])) for detail in error.errors()}
    raise SettingsError(tuple(sorted(problems, key=lambda problem: problem[1])))


def report_failure(code: int, *sentences: str) -> int:
    """Write sentences to standard error and return the exit code."""
    sys.stderr.writelines(f"{sentence}\n" for sentence in sentences)
    return code


def report_settings_error(texts: Texts, error: SettingsError) -> int:
    """Write what is wrong with the settings to standard error and return the exit code for that."""
    return report_failure(EXIT_BAD_SETTINGS, *(texts(key, name=name) for key, name in error.problems))


def _problem(kind: str, field: str) -> tuple[str, str]:
    problem = "missing" if kind == "missing" else "malformed"
    return f"settings.{field}.{problem}", field.upper()
