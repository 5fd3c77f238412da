"""With marked texts: what the bot shows is checked for texts that are not of the catalogue, or cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.discord_server.errors import ApiError
from tests.discord_server.interactions import Callback
from tests.discord_server.limits import check_choices, check_message, check_modal
from tests.marks import find_faults, remove_marks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tests.discord_server.errors import Json

SHOWN = frozenset({"content", "title", "description", "name", "label", "placeholder", "text"})
CHECKS: dict[Callback, Callable[[Any], None]] = {
    Callback.MESSAGE: check_message,
    Callback.UPDATE: check_message,
    Callback.CHOICES: lambda data: check_choices(data.get("choices") or ()),
    Callback.MODAL: check_modal,
}
MAX_ALT_LENGTH = 1024


def find_marking_faults(body: Any, known: Iterable[str], shown: set[str]) -> list[str]:
    """Return what is wrong with the texts of a request's body; `known` are names and typed texts.

    `shown` are texts that the bot may have read in its messages; those of this body are added.
    """
    if not isinstance(body, dict):
        return []  # commands: their names have no marks
    found = _find_limits(body)
    for text in _shown_texts(body):
        if text not in shown and not (len(text) == MAX_ALT_LENGTH and "\n" in text):  # a large diagram
            found += find_faults(text, known)
        shown.add(remove_marks(text))
    return found


def remove_body_marks(body: Any) -> Any:
    """Return the body of a request without the marks of its texts."""
    if isinstance(body, str):
        return remove_marks(body)
    if isinstance(body, list):
        return [remove_body_marks(one) for one in body]
    if isinstance(body, dict):
        return {key: remove_body_marks(value) for key, value in body.items()}
    return body


def _find_limits(body: Json) -> list[str]:
    try:
        if isinstance(body.get("data"), dict) and body.get("type") in CHECKS:
            CHECKS[Callback(body["type"])](body["data"])
        elif "content" in body or "components" in body:
            check_message(body)
    except ApiError as error:
        return [f"limit: {error.body()} of {body}"]
    return []


def _shown_texts(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for one in value:
            yield from _shown_texts(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            if isinstance(one, str):
                if key in SHOWN:
                    yield one
            else:
                yield from _shown_texts(one)
