"""Names and descriptions of commands in the language of each user's Discord.

Each command is built once more with the texts of a language; what discord.py asks for is taken from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location

from i18n.plurals import ENGLISH
from i18n.translations import list_languages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bot.ui.commands import AnyCommand

# Without their own English texts, readers of one kind of English would get those of another language.
ENGLISH_LOCALES = (discord.Locale.american_english, discord.Locale.british_english)


class CommandTranslator(app_commands.Translator):
    """Translates commands; `build` returns all of them in a language, in the same order for each."""

    def __init__(self, build: Callable[[str], Iterable[AnyCommand]]) -> None:
        english = tuple(build(ENGLISH))
        translated = {
            language: {one.qualified_name: other for one, other in zip(english, build(language), strict=True)}
            for language in list_languages()[1:]
        }
        # discord.py asks for every text in every locale that Discord has: over 10,000 times.
        self._translated: Mapping[discord.Locale, Mapping[str, AnyCommand]] = {
            locale: translated[language]
            for locale in discord.Locale
            if (language := locale.value.partition("-")[0]) in translated
        }

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Return a text of a command in a language, None in one that has no texts."""
        translated = self._translated.get(locale)
        if translated is not None:
            return _find_text(translated, context)
        return string.message if locale in ENGLISH_LOCALES else None


def _find_text(
    translated: Mapping[str, AnyCommand], context: app_commands.TranslationContextTypes
) -> str | None:
    """Return the name or the description of a command, or of one of its options."""
    data: Any = context.data
    if context.location is Location.command_name:
        return translated[data.qualified_name].name
    if context.location is Location.command_description:
        return getattr(translated[data.qualified_name], "description", None)
    command = translated[data.command.qualified_name]
    parameter = None if isinstance(command, app_commands.ContextMenu) else command.get_parameter(data.name)
    if parameter is None:
        return None
    return parameter.display_name if context.location is Location.parameter_name else parameter.description
