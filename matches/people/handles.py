"""Names on the website: unique also among those that look alike, and part of an address, ``/@NAME``."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.audience import ANONYMOUS_NAME
from matches.computer.accounts import NAME as COMPUTER_NAME
from matches.errors import Refusal
from matches.moderation.values import Act
from matches.names import clean_name, fold_name, spellings_of
from matches.personal_data.stand_ins import DELETED_NAME
from matches.platforms import WEB, platform_of
from matches.times import from_millis, to_millis
from storage.people import handles, moderation, people
from storage.people.handles import HandleRow

if TYPE_CHECKING:
    from datetime import datetime

    from storage import Connection, Database

MIN_LENGTH, MAX_LENGTH = 3, 20  # characters
CHANGE_INTERVAL = timedelta(days=30)  # between two changes
FORMER_LIFETIME = timedelta(days=365)  # that a former name is kept for who had it
_CATEGORIES = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Mn", "Mc"})  # letters, their marks, and digits
_JOINERS = frozenset("_-")
_ALPHABETS = frozenset({"LATIN", "GREEK", "CYRILLIC"})  # their letters look like those of others
_DISTINCT = frozenset(
    {"", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC"}
)  # these do not
_RESERVED_WORDS = """
    admin administrator moderator moderators mod mods system support staff official operator owner root help
    security team bot computer guest player everyone here nobody somebody null none undefined discord
    web mail account signin login lobby challenges matches learn rules privacy terms analysis news new static
    embed reports moderation
"""
_RESERVED = frozenset(map(fold_name, (*_RESERVED_WORDS.split(), DELETED_NAME, ANONYMOUS_NAME)))


@dataclass(frozen=True, slots=True)
class Handle:
    """A person's name on the website, and from when on it can be changed again."""

    name: str
    changeable_at: datetime


def clean_handle(text: str) -> str:
    """Return a name as it is stored.

    It has letters and digits of any script, ``_`` and ``-``, begins with a letter or digit, and is not like
    the name of the computer, of the website's staff, or of one of its pages. Letters of Latin, Greek or
    Cyrillic do not stand among those of other alphabets, where they would look like these.

    Raises `handle_length`, `handle_signs`, `handle_reserved`, `handle_mixed`.
    """
    name = unicodedata.normalize("NFC", text.strip()) if len(text) <= MAX_LENGTH * 4 else text
    if not MIN_LENGTH <= len(name) <= MAX_LENGTH:
        raise Refusal("handle_length", least=MIN_LENGTH, most=MAX_LENGTH)
    is_plain = all(sign in _JOINERS or unicodedata.category(sign) in _CATEGORIES for sign in name)
    if not is_plain or not name[0].isalnum() or clean_name(name) != name:
        raise Refusal("handle_signs")
    folded = fold_name(name)
    if folded in _RESERVED or folded.startswith(fold_name(COMPUTER_NAME)):
        raise Refusal("handle_reserved")
    scripts = set(map(_find_script, name)) - _DISTINCT
    if len(scripts) > 1 and not scripts.isdisjoint(_ALPHABETS):
        raise Refusal("handle_mixed")
    return name


def _find_script(sign: str) -> str:
    """Return the script of a letter or digit by its Unicode name; empty for what goes with every script."""
    is_shared = sign in _JOINERS or (sign.isascii() and sign.isdigit())
    if is_shared or unicodedata.category(sign).startswith("M"):
        return ""
    return re.split("[ -]", unicodedata.name(sign, "").removeprefix("EXTENDED "))[0]


class Handles:
    """The names that people have chosen on the website."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, name: str) -> str | None:
        """Return the account whose name this is, or was in the last year; None for a free name."""
        async with self._database.read() as connection:
            return await find_in(connection, fold_name(name))

    async def get(self, account: str) -> Handle | None:
        """Return the name of an account; None if it has none."""
        async with self._database.read() as connection:
            row = await handles.load(connection, account)
        if row is None or row.handle is None:
            return None
        return Handle(row.handle, from_millis(row.handle_at or 0) + CHANGE_INTERVAL)

    async def choose(self, account: str, name: str, *, now: datetime) -> str:
        """Give a known account a name, its first or another, and return it as it is stored.

        It is changed once in CHANGE_INTERVAL; another spelling of the same name is free. The former name
        stays reserved for FORMER_LIFETIME. Raises what :func:`clean_handle` raises, `handle_taken`,
        `handle_too_soon`, `nothing_stored`.
        """
        async with self._database.transaction() as connection:
            return await choose_in(connection, account, name, now)

    async def delete_old(self, *, now: datetime) -> None:
        """Give the names free that were changed longer than FORMER_LIFETIME ago."""
        async with self._database.transaction() as connection:
            await handles.delete_former(connection, to_millis(now - FORMER_LIFETIME))


async def find_in(connection: Connection, folded: str) -> str | None:
    """Return whose name this is or was, by what :func:`fold_name` makes of it."""
    # In this order: a name that is given up meanwhile is found in one place or the other.
    return await handles.find_account(connection, folded) or await handles.find_former(connection, folded)


async def choose_in(connection: Connection, account: str, text: str, now: datetime) -> str:
    """Do what :meth:`Handles.choose` does, in an open transaction."""
    name, millis = clean_handle(text), to_millis(now)
    row = await handles.load(connection, account, lock=True)
    if row is None:
        raise Refusal("nothing_stored")
    folded = fold_name(name)
    is_alias = await people.has_name(connection, spellings_of(name), account, only_aliases=True)
    is_removed = await moderation.is_removed_name(connection, account, folded, Act.REMOVE_NAME)
    if is_alias or is_removed or await find_in(connection, folded) not in {None, account}:
        raise Refusal("handle_taken")
    changed_at = row.handle_at
    if folded != row.folded_handle:
        if row.folded_handle is not None and changed_at is not None:
            free_at = from_millis(changed_at) + CHANGE_INTERVAL
            if now < free_at:
                raise Refusal("handle_too_soon", until=free_at)
        if row.folded_handle is not None:
            await handles.add_former(connection, account, row.folded_handle, millis)
        await handles.remove_former(connection, folded)
        changed_at = millis
    is_shown = platform_of(account) == WEB
    if not await handles.save(connection, account, HandleRow(name, folded, changed_at), is_shown=is_shown):
        raise Refusal("handle_taken")
    return name
