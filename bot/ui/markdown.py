"""Text from users as Discord markdown, and back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from discord.utils import escape_markdown

from i18n import quoting

if TYPE_CHECKING:
    from matches import Person

ESCAPE_PATTERN = re.compile(r"\\([^\w\s]|_)")


def escaped_name(person: Person) -> str:
    """Return the name of a person with its markdown escaped."""
    return escape_markdown(person.name)


def escape_foreign(text: str, max_length: int) -> str:
    """Return untrusted text on one line, with markdown, mentions and links escaped.

    Unprintable characters become spaces; text beyond `max_length` characters is cut off.
    """
    printable = "".join(sign if sign.isprintable() else " " for sign in text[: max_length + 1])
    shortened = printable if len(text) <= max_length else f"{printable[: max_length - 1]}…"
    return escape_markdown(" ".join(shortened.split())).replace("<", "\\<").replace("://", ":\\//")


def quote(text: str) -> str:
    """Return what a person typed as a short quotation for a refusal, with everything in it escaped."""
    return escape_foreign(quoting.quote(text) or "“”", quoting.MAX_QUOTED)


def strip_escapes(text: str) -> str:
    r"""Return text without markdown escapes, for places that show no markdown."""
    return ESCAPE_PATTERN.sub(r"\1", text)


def strip_markup(text: str) -> str:
    """Return text without escapes and bold markers, for places that show no markdown."""
    return strip_escapes(text.replace("**", ""))
