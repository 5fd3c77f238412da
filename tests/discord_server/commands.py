"""The application commands that the bot has registered, globally or in one guild."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

from tests.discord_server.command_limits import CHAT_INPUT, check_commands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.discord_server.clock import DiscordClock
    from tests.discord_server.errors import Json

GLOBAL = 0


class CommandRegistry:
    """Registered commands by guild id; `GLOBAL` holds the global ones."""

    def __init__(self, clock: DiscordClock, application_id: int) -> None:
        self._clock = clock
        self._application_id = application_id
        self._books: dict[int, list[Json]] = {}

    def commands_of(self, guild_id: int = GLOBAL) -> list[Json]:
        return list(self._books.get(guild_id, ()))

    def replace(self, guild_id: int, commands: Sequence[Json]) -> list[Json]:
        """Replace all commands; commands that stay keep their ids."""
        _check(json.dumps(commands))
        known = {(one["type"], one["name"]): one["id"] for one in self.commands_of(guild_id)}
        self._books[guild_id] = [self._registered(guild_id, command, known) for command in commands]
        return self.commands_of(guild_id)

    def add(self, guild_id: int, command: Json) -> Json:
        """Register a command; one with the same name is replaced."""
        key = (command.get("type") or CHAT_INPUT, command["name"])
        others = [one for one in self.commands_of(guild_id) if (one["type"], one["name"]) != key]
        return self.replace(guild_id, [*others, command])[-1]

    def remove(self, guild_id: int, command_id: str) -> bool:
        kept = [one for one in self.commands_of(guild_id) if one["id"] != command_id]
        removed = len(kept) < len(self.commands_of(guild_id))
        self._books[guild_id] = kept
        return removed

    def find(self, name: str, guild_id: int, kind: int = CHAT_INPUT) -> Json | None:
        """Return the command of this type and name in a guild; a guild command precedes a global one."""
        for command in [*self.commands_of(guild_id), *self.commands_of(GLOBAL)]:
            if command["type"] == kind and command["name"] == name:
                return command
        return None

    def names(self, guild_id: int, kind: int = CHAT_INPUT) -> list[str]:
        every = [*self.commands_of(guild_id), *self.commands_of(GLOBAL)]
        return [command["name"] for command in every if command["type"] == kind]

    def _registered(self, guild_id: int, command: Json, known: dict[tuple[Any, Any], str]) -> Json:
        kind = command.get("type") or CHAT_INPUT
        found: Json = {
            "id": known.get((kind, command["name"])) or str(self._clock.snowflake()),
            "application_id": str(self._application_id),
            "version": str(self._clock.snowflake()),
            "type": kind,
            "name": command["name"],
            "description": command.get("description") or "",
            "default_member_permissions": _text(command.get("default_member_permissions")),
            "nsfw": bool(command.get("nsfw")),
            "integration_types": command.get("integration_types") or [0],
        }
        for texts in ("name_localizations", "description_localizations"):
            if command.get(texts):
                found[texts] = command[texts]
        if command.get("options"):
            found["options"] = [_option(option) for option in command["options"]]
        if guild_id == GLOBAL:
            found["contexts"] = command.get("contexts")
            found["dm_permission"] = command.get("dm_permission", True) is not False
        else:
            found["guild_id"] = str(guild_id)
        return found


@functools.lru_cache(maxsize=8)
def _check(commands: str) -> None:
    """Check commands once: most bots of a test process upload the same ones."""
    check_commands(json.loads(commands))


def _option(option: Json) -> Json:
    found = {key: value for key, value in option.items() if value is not None}
    if "options" in found:
        found["options"] = [_option(one) for one in found["options"]]
    return found


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
