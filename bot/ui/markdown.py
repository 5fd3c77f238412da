"""Text from users as Discord markdown, and back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bot.ui import ids
from i18n import formatting, quoting
from matches import DELETED_NAME, Person

if TYPE_CHECKING:
    from collections.abc import Iterable

    from i18n import Texts
    from matches import MatchView

ESCAPE_PATTERN = re.compile(r"\\([^\w\s]|_)")
# Signs of markdown, mentions, emoji, links and timestamps, wherever they are: also what is around the text
# could complete them, such as the colon of ``:smile`` in front of another colon.
SPECIAL_SIGNS = re.compile(r"[\\*_~|`<>@#\[\]:/]")
# What begins a list or small text at the start of a line.
LINE_START = re.compile(r"^(\s*\d*)([-+.)])(?=\s|\\#|$)", re.MULTILINE)


def escape(text: str) -> str:
    """Return text that Discord shows as it is: no markdown, mentions, links, timestamps or emoji."""
    return LINE_START.sub(r"\1\\\2", SPECIAL_SIGNS.sub(r"\\\g<0>", text))


def escaped_name(person: Person) -> str:
    """Return the name of a person as text that Discord shows as it is."""
    return formatting.isolate(escape(person.name))


def mention_or_name(person: Person) -> str:
    """Return a mention that notifies a person, or the name of whoever is not in Discord."""
    return ids.user_mention(person.account) if ids.is_from_discord(person.account) else escaped_name(person)


def mention(account: str, persons: Iterable[Person]) -> str:
    """Return a mention of an account, or the name that one of the persons has with it."""
    person = next((one for one in persons if one.account == account), Person(account, DELETED_NAME))
    return mention_or_name(person)


def mention_all(texts: Texts, accounts: Iterable[str], view: MatchView) -> str:
    """Return mentions of accounts, or their names in a match, as a list."""
    persons = [seat.person for seat in view.seats]
    return texts.join([mention(account, persons) for account in accounts])


def escape_foreign(text: str, max_length: int) -> str:
    """Return untrusted text on one line, with markdown, mentions and links escaped.

    Unprintable characters become spaces; text beyond `max_length` characters is cut off.
    """
    printable = "".join(sign if sign.isprintable() else " " for sign in text[: max_length + 1])
    shortened = printable if len(text) <= max_length else f"{printable[: max_length - 1]}…"
    return escape(" ".join(shortened.split()))


def quote(text: str) -> str:
    """Return what a person typed as a short quotation for a refusal, with everything in it escaped."""
    return escape_foreign(quoting.quote(text) or "“”", quoting.MAX_QUOTED)


def strip_escapes(text: str) -> str:
    r"""Return text without markdown escapes, for places that show no markdown."""
    return ESCAPE_PATTERN.sub(r"\1", text)


def strip_markup(text: str) -> str:
    """Return text without escapes and bold markers, for places that show no markdown."""
    return strip_escapes(text.replace("**", ""))
