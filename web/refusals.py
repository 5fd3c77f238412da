"""The sentence of every refusal, as it can be read on a page."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from matches import MatchError, MatchUnknown, NotInMatch

if TYPE_CHECKING:
    from words import Words

MOST_CHOICES = 12


class Refused(Exception):  # noqa: N818 - a no to a person, not a fault
    """The table's own no; `key` and `values` find the sentence."""

    def __init__(self, key: str, *, code: int = HTTPStatus.FORBIDDEN, **values: str | int) -> None:
        super().__init__(key)
        self.key = key
        self.code = int(code)
        self.values = values


def sentence(words: Words, error: Refused | MatchError) -> str:
    """Give the sentence that says why not, and what to do."""
    key = f"web.refused.{error.key}"
    values = {name: _shown(words, value) for name, value in error.values.items()}
    values.setdefault("count", values.get("due", 0))
    return words(key if words.has(key) else "web.refused.refused", **values)


def status(error: Refused | MatchError) -> int:
    """Give the status that tells the same to programs."""
    if isinstance(error, Refused):
        return error.code
    if isinstance(error, MatchUnknown):
        return HTTPStatus.NOT_FOUND
    return HTTPStatus.FORBIDDEN if isinstance(error, NotInMatch) else HTTPStatus.CONFLICT


def _shown(words: Words, value: str | int | tuple[str, ...]) -> str | int:
    return words.listed(list(value[:MOST_CHOICES]), "list.or") if isinstance(value, tuple) else value
