"""Names and descriptions of commands in the language of each user's Discord.

Each command is built once more with the texts of a language; what Discord shows in it is taken from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from i18n.plurals import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.ui.commands import AnyCommand

    Payload = dict[str, Any]

# Without their own English texts, readers of one kind of English would get those of another language.
ENGLISH_LOCALES = frozenset({discord.Locale.american_english, discord.Locale.british_english})


def build_payloads(
    commands: Mapping[str, Sequence[AnyCommand]], tree: discord.app_commands.CommandTree[Any]
) -> list[Payload]:
    """Return the commands as they are uploaded; `commands` has the same ones by language, in the same order.

    discord.py's own translation asks for every text in each of Discord's locales, which takes much longer.
    """
    payloads = {language: [one.to_dict(tree) for one in built] for language, built in commands.items()}
    languages = {
        locale.value: language
        for locale in discord.Locale
        if (language := locale.value.partition("-")[0]) in payloads
        and (language != ENGLISH or locale in ENGLISH_LOCALES)
    }
    for index, english in enumerate(payloads[ENGLISH]):
        _translate(english, {locale: payloads[one][index] for locale, one in languages.items()})
    return payloads[ENGLISH]


def _translate(payload: Payload, translated: Mapping[str, Payload]) -> None:
    """Add to a command, a subcommand or an option what it is called in each locale."""
    options = {locale: one.get("options", ()) for locale, one in translated.items()}
    for index, option in enumerate(payload.get("options", ())):
        _translate(option, {locale: of_locale[index] for locale, of_locale in options.items()})
    for name in ("name", "description"):
        if name in payload:
            payload[f"{name}_localizations"] = {locale: one[name] for locale, one in translated.items()}
