"""Text from users as Discord markdown, and back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bot.ui import ids
from i18n import formatting, quoting
from matches import is_computer

if TYPE_CHECKING:
    from matches import Person

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
    """Return a mention that notifies a person, or the name of the computer, which nothing notifies."""
    return escaped_name(person) if is_computer(person.account) else ids.user_mention(person.account)


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
