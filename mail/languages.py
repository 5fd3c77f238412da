"""In which language somebody gets mail: the chosen one, or that of their Discord, by default English."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.translations import choose_language

if TYPE_CHECKING:
    from mail.context import MailContext


async def language_of(context: MailContext, account: str | None, otherwise: str = "") -> str:
    """Return the language of an account, or with None or without a choice `otherwise`, if there are texts."""
    if account is None:
        return choose_language(otherwise)
    return choose_language(await context.matches.people.preferences.find_language(account, otherwise))
