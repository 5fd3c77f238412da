"""Settings from outside: the environment, or a file ``.env`` in the working folder."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from pydantic import BeforeValidator, StringConstraints, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

if TYPE_CHECKING:
    from words import Words

DEFAULT_DATABASE = "sqlite+aiosqlite:///data/rayuela.db"
DATABASE_FORM = r"^(sqlite(\+aiosqlite)?:///.+|postgresql(\+asyncpg)?://.+)$"
BAD_SETTINGS = 2
CANNOT_START = 1

Told = TypeVar("Told", bound="OutsideSettings")


class SettingsError(ValueError):
    """The environment says too little or something unusable; never carries a value.

    `problems` holds pairs: the key of the sentence that says what to do, and the setting's name.
    """

    def __init__(self, problems: tuple[tuple[str, str], ...]) -> None:
        super().__init__(", ".join(name for _, name in problems))
        self.problems = problems


def _level(text: object) -> str:
    return str(text).strip().upper()


Level = Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(_level)]


class OutsideSettings(BaseSettings):
    """Settings whose fields are named as the environment variables, in lower case."""

    model_config = SettingsConfigDict(
        env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True, hide_input_in_errors=True
    )


class StoreSettings(OutsideSettings):
    """What every process needs that opens the database."""

    database_url: Annotated[str, StringConstraints(strip_whitespace=True, pattern=DATABASE_FORM)] = (
        DEFAULT_DATABASE
    )
    log_level: Level = "INFO"


def read(kind: type[Told]) -> Told:
    """Read settings of a kind. Raises SettingsError."""
    try:
        return kind.model_validate({})
    except ValidationError as error:
        problems = {_problem(detail["type"], str(detail["loc"][0])) for detail in error.errors()}
    raise SettingsError(tuple(sorted(problems, key=lambda problem: problem[1])))


def give_up(code: int, *sentences: str) -> int:
    """Say on standard error why nothing starts, and give the exit code back."""
    sys.stderr.writelines(f"{sentence}\n" for sentence in sentences)
    return code


def give_up_on(words: Words, error: SettingsError) -> int:
    """Say what is wrong with the settings, and give the exit code for that."""
    return give_up(BAD_SETTINGS, *(words(key, name=name) for key, name in error.problems))


def _problem(kind: str, field: str) -> tuple[str, str]:
    wrong = "missing" if kind == "missing" else "malformed"
    return f"settings.{field}.{wrong}", field.upper()
