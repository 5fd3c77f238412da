"""The names of players as their readers read them.

The stored names of the computer, of deleted accounts, of guests, of people who stay anonymous, and of players
of local games who are called by their side, are English. They are data: readers get theirs instead.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.game import Side
from matches.audience import ANONYMOUS_NAME
from matches.computer.accounts import computer_level, computer_name
from matches.personal_data.stand_ins import DELETED_NAME, is_deleted
from matches.platforms import WEB, platform_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from i18n.contracts import Lookup, Named
    from matches.values import Person

GUEST_NAME = "Guest"
# Nobody can choose them as the name of an account of the website.
WEBSITE_NAMES: Mapping[str, str] = MappingProxyType(
    {GUEST_NAME: "name.guest", **{side.capitalize(): f"side.{side}" for side in Side}}
)


def stored_side_name(side: Side) -> str:
    """Return the stored name of a player of a local game who is called by the side."""
    return side.capitalize()


def name_of(texts: Lookup, person: Named) -> str:
    """Return the name of a person in plain words, that of the computer with its level."""
    name, key = person.name, ""
    level = computer_level(person.account)
    if level is not None and name == computer_name(level):
        return texts.plain("name.computer", level=texts.plain(f"level.{level}.name"))
    if name == ANONYMOUS_NAME:
        key = "name.anonymous"
    elif name in ("", DELETED_NAME) and is_deleted(person.account):
        key = "name.deleted"
    elif name in WEBSITE_NAMES and platform_of(person.account) == WEB:
        key = WEBSITE_NAMES[name]
    return texts.plain(key) if key else name


def with_own_name(texts: Lookup, person: Person) -> Person:
    """Return a person under the name that the reader reads."""
    name = name_of(texts, person)
    return person if name == person.name else replace(person, name=name)
