"""Slash commands, built from the catalogue of texts and a list of fields."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import structlog
from discord import app_commands

from bot.answers import attend, need_manager
from matches import MatchError, StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.client import Interaction
    from words import Words

log = structlog.stdlib.get_logger(__name__)

MOST_CHOICES = 25
LONGEST_CHOICE = 100

Complete = Callable[["Interaction", str], Awaitable[Sequence[app_commands.Choice[str]]]]


@dataclass(frozen=True, slots=True)
class Field:
    """One parameter of a command: its keyword, its texts under `text`, and how it is completed.

    `kind` is the annotation that discord.py reads, such as str or discord.User.
    """

    name: str
    text: str
    kind: Any = str
    required: bool = False
    complete: Complete | None = None

    def parameter(self) -> inspect.Parameter:
        """Give it as discord.py finds it in a signature."""
        default = inspect.Parameter.empty if self.required else None
        kind = self.kind if self.required else self.kind | None
        return inspect.Parameter(self.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def command(
    words: Words,
    name: str,
    work: Callable[..., Awaitable[None]],
    *fields: Field,
    managers: bool = False,
    anywhere: bool = False,
) -> app_commands.Command[Any, ..., Any]:
    """Make the command whose texts stand under ``command.NAME``; `work` gets the fields as keywords.

    It is used on servers; `anywhere` also in private, and by whoever has installed the bot for themself.

    With `managers` Discord shows it only to those who may manage the server, unless they let others use it
    too; and whoever uses it is asked for that permission again.
    """

    async def callback(interaction: Interaction, **given: Any) -> None:
        await attend(interaction, lambda: _begin(interaction, given))

    async def _begin(interaction: Interaction, given: Mapping[str, Any]) -> None:
        if managers:
            need_manager(interaction)
        await work(interaction, **given)

    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature = inspect.Signature([first, *(field.parameter() for field in fields)])
    callback.__signature__ = signature  # type: ignore[attr-defined]
    if fields:
        app_commands.describe(**{field.name: words(f"{field.text}.about") for field in fields})(callback)
        app_commands.rename(**{field.name: words(f"{field.text}.name") for field in fields})(callback)
    completed = {field.name: _completing(field.complete) for field in fields if field.complete}
    app_commands.autocomplete(**completed)(callback)
    if managers:
        app_commands.default_permissions(manage_guild=True)(callback)
    return app_commands.Command(
        name=words(f"command.{name}.name"),
        description=words(f"command.{name}.about"),
        callback=callback,
        auto_locale_strings=False,
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)
        if anywhere
        else None,
        allowed_installs=app_commands.AppInstallationType(guild=True, user=True) if anywhere else None,
    )


def choice(label: str, value: str) -> app_commands.Choice[str]:
    """Make one proposal of a completion."""
    return app_commands.Choice(name=label[:LONGEST_CHOICE], value=value)


def _completing(complete: Complete) -> Any:
    """Give the completion as discord.py wants it; where nothing can be proposed, nothing is."""

    async def completion(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        try:
            return list(await complete(interaction, current))[:MOST_CHOICES]
        except (MatchError, StorageUnavailable) as error:
            log.info("completion.none", error=repr(error))
            return []

    return completion
