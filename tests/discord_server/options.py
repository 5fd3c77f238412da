"""Command options as filled in by a person: validated like in the app and converted to interaction data."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tests.discord_server.attachments import Attachment, Upload
from tests.discord_server.command_limits import MESSAGE, USER
from tests.discord_server.errors import ActionNotPossible
from tests.discord_server.permissions import Permission

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.discord_server.errors import Json
    from tests.discord_server.guilds import ChannelState
    from tests.discord_server.users import User
    from tests.discord_server.world import World


class OptionType(IntEnum):
    """Discord's option types."""

    SUB_COMMAND = 1
    SUB_COMMAND_GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7
    ROLE = 8
    MENTIONABLE = 9
    NUMBER = 10
    ATTACHMENT = 11


_GROUPS = (OptionType.SUB_COMMAND, OptionType.SUB_COMMAND_GROUP)


@dataclass(slots=True)
class CommandForm:
    """A command being filled in: by whom, where, and the objects that its options refer to."""

    world: World
    user: User
    channel: ChannelState
    resolved: Json = field(default_factory=dict)

    def refer(self, kind: str, one_id: int, value: Json) -> None:
        self.resolved.setdefault(kind, {})[str(one_id)] = value


def command_data(form: CommandForm, path: str, values: Mapping[str, Any], focused: str | None = None) -> Json:
    """Return the interaction data of a command, e.g. `challenge` or `match resign`.

    With `focused`, return the data of an autocomplete: options may be missing and the focused one is marked.
    Raises `ActionNotPossible` if there is no such command or the app would not send it with these options.
    """
    name, *subcommands = path.removeprefix("/").split()
    guild = form.channel.guild
    command = form.world.commands.find(name, guild.id if guild else 0)
    if command is None or not _is_offered(command, form):
        known = ", ".join(form.world.commands.names(guild.id if guild else 0)) or "none"
        raise ActionNotPossible(f"there is no command /{name} here; there are: {known}")
    data: Json = {"id": command["id"], "name": command["name"], "type": command["type"]}
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    options = _options(form, command, subcommands, values, focused)
    if options:
        data["options"] = options
    if form.resolved:
        data["resolved"] = form.resolved
    return data


def context_menu_data(form: CommandForm, name: str, target: Any) -> Json:
    """Return the interaction data of a command in the menu of a user or a message.

    Raises `ActionNotPossible` if the app would not show it.
    """
    kind = USER if hasattr(target, "user") else MESSAGE
    guild = form.channel.guild
    command = form.world.commands.find(name, guild.id if guild else 0, kind)
    if command is None or not _is_offered(command, form):
        known = ", ".join(form.world.commands.names(guild.id if guild else 0, kind)) or "none"
        raise ActionNotPossible(f"there is no {name!r} in this menu; there are: {known}")
    if kind == USER:
        target_id = _user(form, {"name": name}, target)
    else:
        form.refer("messages", target.id, target.json())
        target_id = str(target.id)
    data: Json = {"id": command["id"], "name": name, "type": kind, "target_id": target_id}
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    return {**data, "resolved": form.resolved}


def _is_offered(command: Json, form: CommandForm) -> bool:
    """Return whether the app shows this command to the person, considering the required permissions."""
    in_guild = form.channel.guild is not None
    required = Permission(int(command.get("default_member_permissions") or 0))
    granted = form.channel.bits(form.user)
    if in_guild and required not in granted and Permission.ADMINISTRATOR not in granted:
        return False
    if not _is_installed(command, form):
        return False
    contexts = command.get("contexts")
    if contexts is not None:
        return (0 if in_guild else 1) in contexts
    return in_guild or command.get("dm_permission", False)


def _is_installed(command: Json, form: CommandForm) -> bool:
    """Return whether the bot is installed here, in one of the user's guilds (for DMs), or for the user."""
    guilds = [form.channel.guild] if form.channel.guild else form.world.guilds_of(form.user)
    of_guild = any(form.world.bot.id in guild.members for guild in guilds)
    kinds = command.get("integration_types") or [0]
    return (of_guild and 0 in kinds) or (form.user.installed and 1 in kinds)


def _options(
    form: CommandForm, level: Json, subcommands: list[str], values: Mapping[str, Any], focused: str | None
) -> list[Json]:
    specs = {spec["name"]: spec for spec in level.get("options", ())}
    groups = [name for name, spec in specs.items() if spec["type"] in _GROUPS]
    if subcommands:
        name, *rest = subcommands
        if name not in groups:
            raise ActionNotPossible(
                f"/{level['name']} has no subcommand {name}; there are: {', '.join(groups)}"
            )
        inner = _options(form, specs[name], rest, values, focused)
        return [{"name": name, "type": specs[name]["type"], "options": inner}]
    if groups:
        raise ActionNotPossible(f"/{level['name']} needs one of its subcommands: {', '.join(groups)}")
    return _leaves(form, level["name"], specs, values, focused)


def _leaves(
    form: CommandForm, name: str, specs: Mapping[str, Json], values: Mapping[str, Any], focused: str | None
) -> list[Json]:
    for given in (*values, *([focused] if focused else [])):
        if given not in specs:
            raise ActionNotPossible(f"/{name} has no option {given}; there are: {', '.join(specs)}")
    if focused is not None:
        return [
            _focused_option(form, specs[given], values.get(given, ""), focused)
            for given in {**values, focused: ""}
        ]
    for spec in specs.values():
        if spec.get("required") and spec["name"] not in values:
            raise ActionNotPossible(f"/{name}: the option {spec['name']} is required")
    return [
        {"name": given, "type": specs[given]["type"], "value": _value(form, specs[given], value)}
        for given, value in values.items()
    ]


def _focused_option(form: CommandForm, spec: Json, value: Any, focused: str) -> Json:
    """Return an option that is being typed: the focused one is raw text, whatever its type."""
    if spec["name"] != focused:
        return {"name": spec["name"], "type": spec["type"], "value": _value(form, spec, value)}
    if not spec.get("autocomplete"):
        raise ActionNotPossible(f"the option {focused} has no autocomplete")
    return {"name": focused, "type": spec["type"], "value": str(value), "focused": True}


def _value(form: CommandForm, spec: Json, value: Any) -> Any:
    if spec.get("choices"):
        return _choice(spec, value)
    return _PARSERS[OptionType(spec["type"])](form, spec, value)


def _choice(spec: Json, value: Any) -> Any:
    for choice in spec["choices"]:
        if value in (choice["name"], choice["value"]):
            return choice["value"]
    offered = ", ".join(choice["name"] for choice in spec["choices"])
    raise ActionNotPossible(f"{value!r} is no choice of {spec['name']}; there are: {offered}")


def _string(_: CommandForm, spec: Json, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ActionNotPossible(f"the option {spec['name']} takes a text, not {value!r}")
    low, high = spec.get("min_length", 0), spec.get("max_length", 6000)
    if not low <= len(value) <= high:
        raise ActionNotPossible(
            f"the option {spec['name']} takes {low} to {high} characters, not {len(value)}"
        )
    return value


def _boolean(_: CommandForm, spec: Json, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ActionNotPossible(f"the option {spec['name']} takes True or False, not {value!r}")
    return value


def _number(_: CommandForm, spec: Json, value: Any) -> int | float:
    expected = int if spec["type"] == OptionType.INTEGER else (int, float)
    if isinstance(value, bool) or not isinstance(value, expected):
        raise ActionNotPossible(f"the option {spec['name']} takes a number, not {value!r}")
    low, high = spec.get("min_value", -(2**53)), spec.get("max_value", 2**53)
    if not low <= value <= high:
        raise ActionNotPossible(f"the option {spec['name']} takes {low} to {high}, not {value}")
    return value


def _user(form: CommandForm, spec: Json, value: Any) -> str:
    user = getattr(value, "user", value)
    if getattr(user, "id", None) not in form.world.users:
        raise ActionNotPossible(f"the option {spec['name']} takes a person, not {value!r}")
    refer_to_user(form, user)
    return str(user.id)


def refer_to_user(form: CommandForm, user: User) -> None:
    """Add a user to the objects that a command or menu refers to, and the member that they are here."""
    form.refer("users", user.id, user.json())
    guild = form.channel.guild
    if guild is not None and user.id in guild.members:
        member = guild.members[user.id].json()
        for key in ("user", "mute", "deaf"):
            member.pop(key)
        member["permissions"] = str(int(form.channel.bits(user)))
        form.refer("members", user.id, member)


def _channel(form: CommandForm, spec: Json, value: Any) -> str:
    channel = getattr(value, "state", value)
    if getattr(channel, "id", None) not in form.world.channels:
        raise ActionNotPossible(f"the option {spec['name']} takes a channel, not {value!r}")
    form.refer(
        "channels",
        channel.id,
        channel.json() | {"permissions": str(int(channel.permissions(form.user)))},
    )
    return str(channel.id)


def _attachment(form: CommandForm, _: Json, value: Any) -> str:
    upload = value if isinstance(value, Upload) else Upload(*value)
    file = Attachment(
        form.world.clock.snowflake(), form.channel.id, upload.filename, upload.data, ephemeral=True
    )
    form.world.attachments[file.id] = file
    form.refer("attachments", file.id, file.json())
    return str(file.id)


_PARSERS: Mapping[OptionType, Callable[[CommandForm, Json, Any], Any]] = MappingProxyType(
    {
        OptionType.STRING: _string,
        OptionType.INTEGER: _number,
        OptionType.NUMBER: _number,
        OptionType.BOOLEAN: _boolean,
        OptionType.USER: _user,
        OptionType.MENTIONABLE: _user,
        OptionType.CHANNEL: _channel,
        OptionType.ATTACHMENT: _attachment,
    }
)
