"""The page of the preferences panel with the name on public pages, and the modal for an alias."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.posts.post import Post
from bot.ui import modals
from bot.ui.buttons import view_of
from matches import ANONYMOUS_NAME, MAX_NAME_LENGTH, Person

if TYPE_CHECKING:
    import discord

    from i18n import Texts

MODAL_ID = "myalias1"
OWN, ALIAS, ANONYMOUS = "own", "alias", "anonymous"


def build_name_post(texts: Texts, person: Person, alias: str | None, *buttons: discord.ui.Item[Any]) -> Post:
    """Return the page. `alias` is empty for no name, None for the own name."""
    choice = OWN if alias is None else ALIAS if alias else ANONYMOUS
    shown = person if alias is None else Person(person.account, alias or ANONYMOUS_NAME)
    name = texts(f"preferences.public_name_{choice}", name=shown)
    text = texts("preferences.public_name", choice=name)
    return Post(text, None, lambda: view_of(*buttons))


def create_alias_modal(texts: Texts, alias: str | None) -> discord.ui.Modal:
    """Return the modal with the current alias in it."""
    line = modals.text_line(
        "alias",
        texts("preferences.alias_label"),
        texts("preferences.alias_example"),
        value=alias or "",
        max_length=MAX_NAME_LENGTH,
    )
    return modals.create_modal(texts("preferences.alias_title"), MODAL_ID, line)
