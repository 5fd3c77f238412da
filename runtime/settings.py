"""Settings from the environment, or from a file ``.env`` in the working folder."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar

from dotenv import dotenv_values

from metrics.address import Address, parse_address

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from i18n import Texts

DEFAULT_DATABASE_URL = "sqlite+aiosqlite:///data/rayuela.db"
DATABASE_URL_PATTERN = re.compile(r"sqlite(\+aiosqlite)?:///.+|postgresql(\+asyncpg)?://.+")
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
SWITCHES = dict.fromkeys(("on", "true", "yes", "1", "t", "y"), True) | dict.fromkeys(
    ("off", "false", "no", "0", "f", "n"), False
)
ENV_FILE = ".env"
# All settings, of every process, and what only the compose files read.
NAMES = frozenset(
    (
        *("BACKUP_DIR", "BACKUP_EVERY", "BACKUP_KEEP", "COMPUTER", "DATABASE_URL", "DISCORD_CLIENT_ID"),
        *("DISCORD_CLIENT_SECRET", "DISCORD_PROXY", "DISCORD_TOKEN", "HEALTH_FILE", "LOG_LEVEL"),
        *(
            "MAIL_AUTHSERV_ID",
            "MAIL_FROM",
            "MAIL_IN",
            "MAIL_REPLY_TO",
            "MAIL_URL",
            "METRICS",
            "MODERATORS",
            "PUBLIC_URL",
            "PUSH_HOSTS",
            "ROLE",
            "SHARDS",
            "WEB_HOST",
            "WEB_PORT",
            "WEB_PROXIES",
            "WEB_SECRET",
        ),
    )
)
COMPOSE_NAMES = frozenset(("DOMAIN", "POSTGRES_PASSWORD", "SHARDS_1", "SHARDS_2"))
EXIT_BAD_SETTINGS = 2
EXIT_CANNOT_START = 1

_PARSE = "parse"  # in the metadata of a field: the function that reads its value
SettingsT = TypeVar("SettingsT", bound="EnvSettings")
ValueT = TypeVar("ValueT")


class SettingsError(ValueError):
    """Settings are missing or malformed; the error never contains a value.

    `problems` are pairs: the key of a text that says what to do, and the name of the setting.
    """

    def __init__(self, problems: tuple[tuple[str, str], ...]) -> None:
        super().__init__(", ".join(name for _, name in problems))
        self.problems = problems


def setting(parse: Callable[[str], ValueT], default: ValueT, *, is_secret: bool = False) -> ValueT:
    """Declare a field of settings. `parse` reads its value, or raises ValueError.

    A secret, or a URL that may hold a password, is not in the `repr` of the settings.
    """
    declared: ValueT = field(default=default, repr=not is_secret, metadata={_PARSE: parse})
    return declared


def required_secret(parse: Callable[[str], ValueT]) -> ValueT:
    """Declare a field as :func:`setting` does: a secret without a default."""
    declared: ValueT = field(repr=False, metadata={_PARSE: parse})
    return declared


def parse_matching(pattern: re.Pattern[str]) -> Callable[[str], str]:
    """Return a function that strips a text and raises ValueError unless all of it matches."""

    def parse(text: str) -> str:
        stripped = text.strip()
        if pattern.fullmatch(stripped) is None:
            raise ValueError("not of the expected form")
        return stripped

    return parse


def parse_level(text: str) -> str:
    """Return the name of a level of logging. Raises ValueError."""
    level = text.strip().upper()
    if level not in LOG_LEVELS:
        raise ValueError("not a level")
    return level


def _parse_switch(text: str) -> bool:
    try:
        return SWITCHES[text.strip().lower()]
    except KeyError:
        raise ValueError("neither on nor off") from None


@dataclass(frozen=True, kw_only=True)
class EnvSettings:
    """Settings whose fields are named as the environment variables, in lower case."""


@dataclass(frozen=True, kw_only=True)
class DatabaseSettings(EnvSettings):
    """Settings of every process that opens the database.

    `computer`: whether a front end starts a worker that thinks for the computer opponent. `metrics`: the
    address of the port for operators, None for none.
    """

    database_url: str = setting(parse_matching(DATABASE_URL_PATTERN), DEFAULT_DATABASE_URL, is_secret=True)
    log_level: str = setting(parse_level, "INFO")
    computer: bool = setting(_parse_switch, default=True)
    metrics: Address | None = setting(parse_address, None)


def load_settings(kind: type[SettingsT]) -> SettingsT:
    """Return settings of type `kind`, from the environment or else from the file. Raises SettingsError."""
    return parse_settings(kind, _read_variables(_read_file()) | _read_variables(os.environ))


def parse_settings(kind: type[SettingsT], values: Mapping[str, str]) -> SettingsT:
    """Return settings of type `kind` from values by the name of their field. Raises SettingsError.

    Other names are ignored.
    """
    parsed: dict[str, Any] = {}
    problems: list[tuple[str, str]] = []
    for one in fields(kind):
        if one.name in values:
            try:
                parsed[one.name] = one.metadata[_PARSE](values[one.name])
            except ValueError:
                problems.append(_problem("malformed", one.name))
        elif one.default is MISSING:
            problems.append(_problem("missing", one.name))
    if problems:
        raise SettingsError(tuple(sorted(problems, key=lambda problem: problem[1])))
    return kind(**parsed)


def setting_names(kind: type[EnvSettings]) -> tuple[str, ...]:
    """Return the names of the fields of settings."""
    return tuple(one.name for one in fields(kind))


def find_unknown_names() -> dict[str, str]:
    """Return the names in the file that are no settings, each with the setting that it resembles or "".

    Raises SettingsError.
    """
    names = sorted(name for name in _read_file() if name.upper() not in NAMES | COMPOSE_NAMES)
    return {name: next(iter(get_close_matches(name.upper(), NAMES, n=1)), "") for name in names}


def report_unknown_names(texts: Texts) -> None:
    """Write a sentence to standard error about names in the file that are no settings, if there are any."""
    try:
        found = find_unknown_names()
    except SettingsError:
        return  # it is reported when the settings are read
    if found:
        names = [
            texts("settings.file.similar", name=name, setting=setting) if setting else name
            for name, setting in found.items()
        ]
        sys.stderr.write(f"{texts('settings.file.unknown', name=ENV_FILE, names=texts.join(names))}\n")


def _read_file() -> dict[str, str | None]:
    """Return the variables of the file, none without a file. Raises SettingsError."""
    try:
        return dotenv_values(ENV_FILE, encoding="utf-8-sig")  # some editors begin a file with a mark
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError((("settings.file.malformed", ENV_FILE),)) from error


def _read_variables(variables: Mapping[str, str | None]) -> dict[str, str]:
    """Return variables by their names in lower case, without the empty ones."""
    return {name.lower(): value for name, value in variables.items() if value}


def report_failure(code: int, *sentences: str) -> int:
    """Write sentences to standard error and return the exit code."""
    sys.stderr.writelines(f"{sentence}\n" for sentence in sentences)
    return code


def report_settings_error(texts: Texts, error: SettingsError) -> int:
    """Write what is wrong with the settings to standard error and return the exit code for that."""
    return report_failure(EXIT_BAD_SETTINGS, *(texts(key, name=name) for key, name in error.problems))


def _problem(problem: str, name: str) -> tuple[str, str]:
    return f"settings.{name}.{problem}", name.upper()
