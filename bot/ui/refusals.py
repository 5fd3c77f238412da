"""Refusals in Discord: with buttons that lead on, and their sentences as markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import i18n.refusals
from matches import Refusal

if TYPE_CHECKING:
    import discord

    from i18n import Texts
    from matches.errors import Value


class RefusalWithView(Refusal):
    """A refusal with buttons and menus that lead on."""

    def __init__(self, key: str, view: discord.ui.View, **values: Value) -> None:
        super().__init__(key, **values)
        self.view = view


def format_refusal(texts: Texts, error: Refusal, match_name: str = "") -> str:
    """Return the sentence that says why something was not done, and what to do.

    `match_name` is the name of the match that it is about, for a reader who may know it.
    """
    return i18n.refusals.format_refusal(texts, error, match_name=match_name)


def check_length(text: str, max_length: int) -> None:
    """Raise `text_too_long` if a text has more than `max_length` characters."""
    if len(text) > max_length:
        raise Refusal("text_too_long", limit=max_length, size=len(text))
