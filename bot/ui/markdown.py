"""TODO."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from discord.utils import escape_markdown

if TYPE_CHECKING:
    from matches import Person

ESCAPE_PATTERN = re.compile(r"\\([^\w\s]|_)")


def escaped_name(person: Person) -> str:
    """Return the name of a person, safe inside a post."""
    return escape_markdown(person.name)


def escape_foreign(text: str, max_length: int) -> str:
    """Return a text that anybody may have written into a file, safe inside a post and on one line.

    No sign that is not seen, no markup, mention or link of it is left to work; more than `longest` signs
    are cut off.
    """
    printable = "".join(sign if sign.isprintable() else " " for sign in text[: max_length + 1])
    shortened = printable if len(text) <= max_length else f"{printable[: max_length - 1]}…"
    return escape_markdown(" ".join(shortened.split())).replace("<", "\\<").replace("://", ":\\//")


def strip_escapes(text: str) -> str:
    r"""Return a text without the backslashes of :func:`called`, for where no markup is read."""
    return ESCAPE_PATTERN.sub(r"\1", text)


def strip_markup(text: str) -> str:
    """Return a text without backslashes and emphasis, for where no markup is read."""
    return strip_escapes(text.replace("**", ""))
