"""The sentence of every refusal in Discord."""

from __future__ import annotations

from typing import TYPE_CHECKING

import i18n.formatting
import i18n.refusals
from i18n import clocks
from i18n.writing import Code
from matches import (
    ChallengeAlreadyAccepted,
    ExtraTimeOutOfBounds,
    MatchError,
    NotAddressee,
    TimeControlOutOfBounds,
    parse_duration,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    import discord

    from i18n import Texts


class Refusal(Exception):  # noqa: N818 - a refusal, not a programming error
    """A request refused by the front end itself.

    `key` selects the text under ``refused``; `values` fill it: what people typed with
    :func:`i18n.quoting.quote`. `view` holds buttons and menus that lead on.
    """

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values
        self.view: discord.ui.View | None = None

    def with_view(self, view: discord.ui.View) -> Refusal:
        """Add buttons and menus, and return the refusal."""
        self.view = view
        return self


def format_refusal(texts: Texts, error: MatchError | Refusal, match_name: str = "") -> str:
    """Return the sentence that says why something was not done, and what to do.

    `match_name` is the name of the match that it is about, for a reader who may know it.
    """
    if isinstance(error, Refusal):
        shown = {
            name: texts.join(map(Code, value), "list.or") if isinstance(value, tuple) else value
            for name, value in error.values.items()
        }
        return texts(f"refused.{error.key}", **shown)
    values: Mapping[str, str | int | tuple[str, ...]] = error.values
    if isinstance(error, TimeControlOutOfBounds | ExtraTimeOutOfBounds):
        values = {name: _format_duration(texts, str(value)) for name, value in error.values.items()}
    return i18n.refusals.format_refusal(texts, refusal_key(error), values, match_name=match_name)


def check_length(text: str, max_length: int) -> None:
    """Raise Refusal if a text has more than `max_length` characters."""
    if len(text) > max_length:
        raise Refusal("text_too_long", limit=max_length, size=len(text))


def refusal_key(error: MatchError) -> str:
    """Return the key of the sentence; some errors have a second sentence for a special case."""
    if isinstance(error, ChallengeAlreadyAccepted) and error.values["you"]:
        return f"{error.key}_you"
    if isinstance(error, NotAddressee) and not error.values["to"]:
        return f"{error.key}_open"
    return error.key


def _format_duration(texts: Texts, text: str) -> str:
    duration = parse_duration(text)
    return text if duration is None else clocks.describe_duration(texts, duration)
