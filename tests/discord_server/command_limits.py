"""Discord's limits for commands: names, descriptions, options, choices, nesting and total size."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.discord_server.errors import ValidationProblems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.discord_server.errors import Json

CHAT_INPUT = 1
USER, MESSAGE = 2, 3
SUB_COMMAND = 1
SUB_COMMAND_GROUP = 2
MAX_COMMANDS = 100
MAX_CONTEXT_MENUS = 5  # of each type
MAX_NAME_LENGTH = 32
MAX_CHARACTERS = 8000

_NAME = re.compile(r"[-_'\w]{1,32}")
LOCALES = frozenset(
    [
        "en-US",
        "en-GB",
        "bg",
        "zh-CN",
        "zh-TW",
        "hr",
        "cs",
        "id",
        "da",
        "nl",
        "fi",
        "fr",
        "de",
        "el",
        "hi",
        "hu",
        "it",
        "ja",
        "ko",
        "es-419",
        "lt",
        "no",
        "pl",
        "pt-BR",
        "ro",
        "ru",
        "es-ES",
        "sv-SE",
        "th",
        "tr",
        "uk",
        "vi",
    ]
)


def check_commands(commands: Sequence[Json]) -> None:
    """Check a whole set of commands; raises `ApiError` 50035 with all violations."""
    problems = ValidationProblems()
    chat = [command for command in commands if command.get("type", CHAT_INPUT) == CHAT_INPUT]
    if len(chat) > MAX_COMMANDS:
        problems.add(
            "0", "APPLICATION_COMMAND_TOO_MANY", f"Maximum number of commands reached ({MAX_COMMANDS})."
        )
    for index, command in enumerate(commands):
        if command.get("type", CHAT_INPUT) == CHAT_INPUT:
            check_command(problems, str(index), command)
    for kind in (USER, MESSAGE):
        menus = [command for command in commands if command.get("type") == kind]
        if len(menus) > MAX_CONTEXT_MENUS:
            problems.add(
                "0",
                "APPLICATION_COMMAND_TOO_MANY",
                f"Maximum number of commands reached ({MAX_CONTEXT_MENUS}).",
            )
        for menu in menus:
            check_context_menu(problems, str(commands.index(menu)), menu)
    _check_siblings(problems, "", commands)
    names = [(command.get("type", CHAT_INPUT), command.get("name")) for command in commands]
    for index, name in enumerate(names):
        if name in names[:index]:
            problems.add(
                f"{index}.name",
                "APPLICATION_COMMANDS_DUPLICATE_NAME",
                "Application command names must be unique",
            )
    problems.raise_if_any()


def check_command(problems: ValidationProblems, path: str, command: Json) -> None:
    _check_names(problems, path, command)
    _check_options(problems, path, command.get("options") or (), inside=None)
    if characters(command) > MAX_CHARACTERS:
        problems.add(
            path, "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({MAX_CHARACTERS})"
        )


def check_context_menu(problems: ValidationProblems, path: str, menu: Json) -> None:
    """Check a command of the menu of a user or a message: it has a name and nothing else to fill in."""
    problems.length(f"{path}.name", menu.get("name"), 1, MAX_NAME_LENGTH)
    for locale, translated in _localizations(problems, path, menu, "name"):
        problems.length(f"{path}.name_localizations.{locale}", translated, 1, MAX_NAME_LENGTH)
    if menu.get("description") or menu.get("options"):
        problems.add(
            path,
            "APPLICATION_COMMAND_CONTEXT_MENU",
            "Context menu commands cannot have description or options",
        )


def characters(command: Json) -> int:
    """Count the characters that Discord limits to 8000: names, descriptions and choice values."""
    total = sum(
        max(map(len, [command.get(field) or "", *(command.get(f"{field}_localizations") or {}).values()]))
        for field in ("name", "description")
    )
    total += sum(len(one["name"]) + len(str(one["value"])) for one in command.get("choices") or ())
    return total + sum(characters(option) for option in command.get("options") or ())


def _check_names(problems: ValidationProblems, path: str, thing: Json) -> None:
    name = thing.get("name") or ""
    if not _NAME.fullmatch(name) or name != name.lower():
        problems.add(f"{path}.name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    problems.required(f"{path}.description", thing.get("description"))
    problems.length(f"{path}.description", thing.get("description"), 1, 100)
    for locale, translated in _localizations(problems, path, thing, "name"):
        if not _NAME.fullmatch(translated) or translated != translated.lower():
            problems.add(
                f"{path}.name_localizations.{locale}",
                "APPLICATION_COMMAND_INVALID_NAME",
                "Command name is invalid",
            )
    for locale, translated in _localizations(problems, path, thing, "description"):
        problems.length(f"{path}.description_localizations.{locale}", translated, 1, 100)


def _localizations(problems: ValidationProblems, path: str, thing: Json, field: str) -> list[tuple[str, str]]:
    """Return the texts of a name or description in other languages, by locale."""
    found: Json = thing.get(f"{field}_localizations") or {}
    for locale in found.keys() - LOCALES:
        problems.add(f"{path}.{field}_localizations", "DICT_TYPE_KEY", f"{locale} is not a locale of Discord")
    return sorted(found.items())


def _check_siblings(problems: ValidationProblems, path: str, things: Sequence[Json]) -> None:
    """Check that commands, or options of one command, have different names in every language."""
    for locale in LOCALES:
        names = [(one.get("name_localizations") or {}).get(locale, one.get("name")) for one in things]
        kinds = [one.get("type", CHAT_INPUT) if path == "" else 0 for one in things]
        pairs = list(zip(kinds, names, strict=True))
        if len(set(pairs)) < len(pairs):
            problems.add(
                f"{path}.name_localizations.{locale}",
                "APPLICATION_COMMANDS_DUPLICATE_NAME",
                "Names must be unique in each language",
            )


def _check_options(
    problems: ValidationProblems, path: str, options: Sequence[Json], inside: int | None
) -> None:
    problems.length(f"{path}.options", options, 0, 25)
    _check_siblings(problems, f"{path}.options", options)
    names = [option.get("name") for option in options]
    optional_seen = False
    for index, option in enumerate(options):
        here = f"{path}.options.{index}"
        _check_names(problems, here, option)
        if option.get("name") in names[:index]:
            problems.add(
                f"{here}.name", "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED", "Option name is not unique"
            )
        if option["type"] in (SUB_COMMAND, SUB_COMMAND_GROUP):
            _check_nesting(problems, here, option, inside)
            continue
        if option.get("required") and optional_seen:
            problems.add(
                here,
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        optional_seen = optional_seen or not option.get("required")
        _check_choices(problems, here, option)
    kinds = {option["type"] in (SUB_COMMAND, SUB_COMMAND_GROUP) for option in options}
    if len(kinds) > 1:
        problems.add(
            f"{path}.options",
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Sub-command and sub-command group option types are mutually exclusive to all other types",
        )


def _check_nesting(problems: ValidationProblems, path: str, option: Json, inside: int | None) -> None:
    """Check that groups are direct children of the command, and subcommands of the command or a group."""
    allowed = (None, SUB_COMMAND_GROUP) if option["type"] == SUB_COMMAND else (None,)
    if inside not in allowed:
        problems.add(
            f"{path}.type", "APPLICATION_COMMAND_OPTIONS_NESTING", "Sub-commands are nested too deeply"
        )
    _check_options(problems, path, option.get("options") or (), option["type"])


def _check_choices(problems: ValidationProblems, path: str, option: Json) -> None:
    choices = option.get("choices") or ()
    problems.length(f"{path}.choices", choices, 0, 25)
    for index, choice in enumerate(choices):
        problems.length(f"{path}.choices.{index}.name", choice.get("name"), 1, 100)
        if isinstance(choice.get("value"), str):
            problems.length(f"{path}.choices.{index}.value", choice["value"], 1, 100)
    names = [choice.get("name") for choice in choices]
    if len(set(names)) < len(names):
        problems.add(
            f"{path}.choices", "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATE", "Names must be unique"
        )
    if choices and option.get("autocomplete"):
        problems.add(
            path, "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES", "Options with choices cannot have autocomplete"
        )
