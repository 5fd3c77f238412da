"""Errors shown on pages: their texts and HTTP status codes."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from i18n.refusals import format_refusal
from matches import MatchError, MatchUnknown, NotInMatch

if TYPE_CHECKING:
    from engine.game import GameError
    from i18n import Texts


class RequestRefused(Exception):  # noqa: N818 - a refusal, not a programming error
    """A request refused by the website itself; `key` and `values` select the text."""

    def __init__(
        self, key: str, *, status: int = HTTPStatus.FORBIDDEN, **values: str | int | GameError
    ) -> None:
        super().__init__(key)
        self.key = key
        self.status = int(status)
        self.values = values


def format_error(texts: Texts, error: RequestRefused | MatchError) -> str:
    """Return the sentence that says why not, and what to do."""
    return format_refusal(texts, error.key, error.values, front_end="web")


def status_code(error: RequestRefused | MatchError) -> int:
    """Return the HTTP status code of an error."""
    if isinstance(error, RequestRefused):
        return error.status
    if isinstance(error, MatchUnknown):
        return HTTPStatus.NOT_FOUND
    return HTTPStatus.FORBIDDEN if isinstance(error, NotInMatch) else HTTPStatus.CONFLICT
