"""Builder of slash commands: names and descriptions come from the catalogue."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

import discord
import structlog
from discord import app_commands

from bot.ui.fitting import fit_text
from bot.ui.interactions import DELIVERY_ERRORS, handle_interaction, require_manager
from bot.ui.permissions import is_manager
from bot.ui.refusals import check_length
from i18n.plurals import ENGLISH
from i18n.readers import reading_in
from i18n.translations import choose_language
from i18n.typed_values import fold
from matches import Refusal, StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.context import Interaction
    from engine.game import Game
    from i18n import Texts

log = structlog.stdlib.get_logger(__name__)

MAX_CHOICES = 25
MAX_CHOICE_LENGTH = 100
MAX_DESCRIPTION_LENGTH = 100
MAX_TEXT_LENGTH = 100  # of a text option that sets no other limit

# discord.py reads the kind of a menu from the annotation of the second parameter of its callback.
AnyUser = discord.Member | discord.User

PENDING = "pending"  # the key of Interaction.extras for the name of the command and its options

Completer = Callable[["Interaction", str], Awaitable[Sequence[app_commands.Choice[str]]]]


@dataclass(frozen=True, slots=True)
class CommandField:
    """One option of a slash command.

    `name` is the keyword argument of the handler. The name and description are in the catalogue under
    `text_key`. `annotation` is the type that discord.py reads, such as str or discord.User. `completer`
    returns autocomplete suggestions. `about` replaces the description from the catalogue; it has at most
    MAX_DESCRIPTION_LENGTH characters. A text has at most `max_length` characters; longer ones are neither
    accepted nor completed.
    """

    name: str
    text_key: str
    annotation: Any = str
    required: bool = False
    completer: Completer | None = None
    about: str = ""
    max_length: int = MAX_TEXT_LENGTH

    @property
    def is_text(self) -> bool:
        """Whether the option is a text."""
        return self.annotation is str

    def to_parameter(self) -> inspect.Parameter:
        """Return the field as a parameter of the callback's signature, which discord.py inspects."""
        default = inspect.Parameter.empty if self.required else None
        annotation = app_commands.Range[str, 1, self.max_length] if self.is_text else self.annotation
        kind = annotation if self.required else annotation | None
        return inspect.Parameter(self.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


AnyCommand = app_commands.Command[Any, ..., Any] | app_commands.ContextMenu | app_commands.Group
CommandBuilder = Callable[["Texts", "Mapping[str, Game]"], AnyCommand]
"""Builds a command with the texts of a catalogue, for these games."""
FieldBuilder = Callable[["Texts", "Mapping[str, Game]"], Iterable[CommandField]]
"""Returns the options that depend on the games."""


def define_command(
    name: str,
    handler: Callable[..., Awaitable[None]],
    *fields: CommandField | FieldBuilder,
    managers_only: bool = False,
    anywhere: bool = False,
    direct: bool = False,
) -> CommandBuilder:
    """Define the command whose texts are under ``command.NAME``; `handler` gets the fields as keywords.

    A command works in servers. With `direct` it also works in direct messages with the bot, with `anywhere`
    in all private messages and for users who installed the bot for themselves, where it must post nothing.
    With `managers_only` Discord shows it only to members with the permission Manage Server by default; the
    permission is checked again on every use. It is built once for the same texts and games: that takes
    discord.py long, and what is built belongs to no client.
    """

    @cache
    def build(texts: Texts, games: tuple[tuple[str, Game], ...]) -> app_commands.Command[Any, ..., Any]:
        built = ((one,) if isinstance(one, CommandField) else one(texts, dict(games)) for one in fields)
        return _build_command(
            texts,
            name,
            handler,
            tuple(chain(*built)),
            managers_only=managers_only,
            anywhere=anywhere,
            direct=direct,
        )

    return lambda texts, games: build(texts, tuple(games.items()))


def define_group(name: str, *builders: CommandBuilder) -> CommandBuilder:
    """Define a command of subcommands, which work where the others and in direct messages with the bot.

    Its texts are under ``command.NAME``.
    """

    @cache
    def build(texts: Texts, games: tuple[tuple[str, Game], ...]) -> app_commands.Group:
        group = app_commands.Group(
            name=texts(f"command.{name}.name"),
            description=texts(f"command.{name}.about"),
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=False
            ),
        )
        for build_command in builders:
            command = build_command(texts, dict(games))
            if isinstance(command, app_commands.Command):
                group.add_command(command)
        return group

    return lambda texts, games: build(texts, tuple(games.items()))


def _build_command(
    texts: Texts,
    name: str,
    handler: Callable[..., Awaitable[None]],
    fields: Sequence[CommandField],
    *,
    managers_only: bool,
    anywhere: bool,
    direct: bool,
) -> app_commands.Command[Any, ..., Any]:
    limits = {field.name: field.max_length for field in fields if field.is_text}
    optional = {field.name for field in fields if field.is_text and not field.required}

    async def callback(interaction: Interaction, **arguments: Any) -> None:
        async def run() -> None:
            for field_name, limit in limits.items():
                check_length(arguments.get(field_name) or "", limit)
            for field_name in optional:
                if not (arguments.get(field_name) or "").strip():
                    arguments[field_name] = None  # only spaces, so as good as left out
            if managers_only:
                require_manager(interaction)
            interaction.extras[PENDING] = (name, arguments)
            await handler(interaction, **arguments)

        await handle_interaction(interaction, run)

    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature = inspect.Signature([first, *(field.to_parameter() for field in fields)])
    callback.__signature__ = signature  # type: ignore[attr-defined]
    shown_names = {field.name: texts(f"{field.text_key}.name") for field in fields}
    if fields:
        abouts = {field.name: field.about or texts(f"{field.text_key}.about") for field in fields}
        app_commands.describe(**abouts)(callback)
        app_commands.rename(**shown_names)(callback)
    shown_limits = {shown_names[field_name]: limit for field_name, limit in limits.items()}
    completed = {
        field.name: _wrap_completer(field.completer, shown_limits, managers_only=managers_only)
        for field in fields
        if field.completer
    }
    app_commands.autocomplete(**completed)(callback)
    if managers_only:
        app_commands.default_permissions(manage_guild=True)(callback)
    return app_commands.Command(
        name=texts(f"command.{name}.name"),
        description=texts(f"command.{name}.about"),
        callback=callback,
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=anywhere)
        if anywhere or direct
        else None,
        allowed_installs=app_commands.AppInstallationType(guild=True, user=True) if anywhere else None,
    )


def define_user_menu(key: str, handler: Callable[[Interaction, AnyUser], Awaitable[None]]) -> CommandBuilder:
    """Define a command in the menu of a user; its name is the text ``menu.KEY``."""

    async def callback(interaction: Interaction, user: AnyUser) -> None:
        await handle_interaction(interaction, lambda: handler(interaction, user))

    return _menu_builder(key, callback)


def define_message_menu(
    key: str, handler: Callable[[Interaction, discord.Message], Awaitable[None]]
) -> CommandBuilder:
    """Define a command in the menu of a message; its name is the text ``menu.KEY``."""

    async def callback(interaction: Interaction, message: discord.Message) -> None:
        await handle_interaction(interaction, lambda: handler(interaction, message))

    return _menu_builder(key, callback)


def _menu_builder(key: str, callback: Any) -> CommandBuilder:
    return lambda texts, _games: app_commands.ContextMenu(name=texts(f"menu.{key}"), callback=callback)


def typed_value(interaction: Interaction, option_key: str) -> Any:
    """Return what is typed so far for an option of a command, such as ``command.move.match``.

    Discord sends the names that options have in English.
    """
    name = interaction.client.texts.plain.in_language(ENGLISH)(f"{option_key}.name")
    return getattr(interaction.namespace, name, None)


def fit_description(candidates: Iterable[str]) -> str:
    """Return the first of `candidates` that fits in a description, else the last one, shortened."""
    return fit_text(MAX_DESCRIPTION_LENGTH, *candidates)


def completion_choice(label: str, value: str, short_label: str = "") -> app_commands.Choice[str]:
    """Return one autocomplete suggestion; `short_label` is shown if there is no room for the label."""
    return app_commands.Choice(name=fit_text(MAX_CHOICE_LENGTH, label, short_label or label), value=value)


def complete_labels(labels: Iterable[tuple[str, object]], current: str) -> list[app_commands.Choice[str]]:
    """Return suggestions from labels and their values: those whose label contains what is typed so far."""
    query = fold(current).strip()
    return [completion_choice(label, str(value)) for label, value in labels if query in fold(label)]


def _wrap_completer(completer: Completer, limits: Mapping[str, int], *, managers_only: bool) -> Any:
    """Return an autocomplete callback for discord.py; on an error it suggests nothing.

    Nor does it if a text typed so far is longer than `limits` allow, by the shown names of the options:
    Discord enforces them only when the command is sent. With `managers_only` it suggests nothing to others,
    whom a server may have allowed the command.
    """

    async def completion(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        with reading_in(choose_language(interaction.locale.value)):
            return await complete(interaction, current)

    async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        if managers_only and not is_manager(interaction):
            return []
        if any(len(str(value)) > limits.get(name, MAX_TEXT_LENGTH) for name, value in interaction.namespace):
            return []
        try:
            return list(await completer(interaction, current))[:MAX_CHOICES]
        except (Refusal, StorageUnavailable, *DELIVERY_ERRORS) as error:
            log.info("completion.none", error=repr(error))
            return []

    return completion
