"""The sentence of every refusal, as it can be read on a page."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from matches import MatchError, MatchUnknown, NotInMatch

if TYPE_CHECKING:
    from i18n import Texts

MAX_CHOICES = 12


class RequestRefused(Exception):  # noqa: N818 - a no to a person, not a fault
    """The website refuses; `key` and `values` find the sentence."""

    def __init__(self, key: str, *, status: int = HTTPStatus.FORBIDDEN, **values: str | int) -> None:
        super().__init__(key)
        self.key = key
        self.status = int(status)
        self.values = values


def format_error(texts: Texts, error: RequestRefused | MatchError) -> str:
    """Return the sentence that says why not, and what to do."""
    key = f"web.refused.{error.key}"
    values = {name: _format_value(texts, value) for name, value in error.values.items()}
    values.setdefault("count", values.get("due", 0))
    return texts(key if texts.has(key) else "web.refused.refused", **values)


def status_code(error: RequestRefused | MatchError) -> int:
    """Return the status that tells the same to programs."""
    if isinstance(error, RequestRefused):
        return error.status
    if isinstance(error, MatchUnknown):
        return HTTPStatus.NOT_FOUND
    return HTTPStatus.FORBIDDEN if isinstance(error, NotInMatch) else HTTPStatus.CONFLICT


def _format_value(texts: Texts, value: str | int | tuple[str, ...]) -> str | int:
    return texts.join(list(value[:MAX_CHOICES]), "list.or") if isinstance(value, tuple) else value
