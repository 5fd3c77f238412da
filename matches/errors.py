"""Why something was not done: one error with a key, and values for a sentence about it.

Where no code tells a refusal from others, :class:`Refusal` itself is raised with a key. What code
distinguishes has a class::

    Refusal
    ├── AliasRefused
    ├── AnnouncementUnknown
    ├── MatchUnknown
    ├── MoveRefused
    │   ├── MoveAmbiguous
    │   ├── MoveIllegal
    │   └── MoveUnreadable
    ├── NoBoard
    ├── NotFollowed
    ├── NotInMatch
    ├── NoteTooLong
    ├── NothingStored
    ├── OfferPending
    ├── StaleBoard
    └── TooManyMoves

The sentence of each key is in the catalogue, under ``refused``; :mod:`i18n.refusals` fills it. Docstrings
name a refusal by its class, or by its key in backticks.

>>> error = Refusal("not_your_turn", match=7, name="Zoë")
>>> error.key, error.values["name"]
('not_your_turn', 'Zoë')
>>> str(error)  # may get into a log, so it has numbers only
'not_your_turn match=7'
>>> NotInMatch(match=7).key
'not_in_match'

Failures of the database are :class:`storage.StorageUnavailable`; then nothing of the call was applied.
"""

# ruff: noqa: N818 - refusals are named by their cause

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, timedelta

    from engine.game import GameError

    class Named(Protocol):
        """A person, such as :class:`matches.values.Person`; importing that would be a cycle."""

        @property
        def account(self) -> str:
            """The account."""

        @property
        def name(self) -> str:
            """The name."""

    Value = str | int | timedelta | tuple[str, ...] | GameError | Named | datetime


class Refusal(Exception):
    """Something that was not done. `key` names the reason; `values` fill the placeholders of its sentence.

    Its message has the key and the numbers: other values can be names and texts.
    """

    key: str

    def __init__(self, key: str = "", /, **values: Value) -> None:
        """Set the key, which a class with only one has already, and the values."""
        self.key = key or self.key
        self.values: Mapping[str, Value] = MappingProxyType(values)
        numbers = [f"{name}={value}" for name, value in values.items() if isinstance(value, int)]
        super().__init__(" ".join([self.key, *numbers]))


class MatchUnknown(Refusal):
    """There is no such match. Values: match."""

    key = "match_unknown"


class NotInMatch(Refusal):
    """The person has no seat in the match. Values: match."""

    key = "not_in_match"


class NoBoard(Refusal):
    """The match has no position: not yet (`choice_pending`), or never (`never_started`). Values: match."""


class StaleBoard(Refusal):
    """The match has changed since the revision that was shown. Values: match."""

    key = "stale_board"


class TooManyMoves(Refusal):
    """More moves were given than are due in this turn. Values: match, due, given."""

    key = "too_many_moves"


class MoveRefused(Refusal):
    """The game rejects a move; none of the given moves was played.

    `error` is the engine's. Always one of the three subclasses. Values: match, index (from 0, among the given
    moves), text, reason (the game's refusal), choices.
    """

    def __init__(self, match: int, index: int, text: str, error: GameError) -> None:
        self.error = error
        super().__init__(match=match, index=index, text=text, reason=error, choices=error.choices)


class MoveUnreadable(MoveRefused):
    """The text is not a move of this game."""

    key = "move_unreadable"


class MoveIllegal(MoveRefused):
    """The move is not legal here."""

    key = "move_illegal"


class MoveAmbiguous(MoveRefused):
    """The text matches several legal moves; `choices` are texts that tell them apart."""

    key = "move_ambiguous"


class OfferPending(Refusal):
    """The person has made this offer already (`offer_pending`, `pause_pending`). Values: match."""


class NoteTooLong(Refusal):
    """The note is too long. Values: match, limit, size (in characters)."""

    key = "note_too_long"


class NotFollowed(Refusal):
    """The person does not follow this match. Values: match."""

    key = "not_followed"


class AliasRefused(Refusal):
    """The alias has no visible signs (`alias_empty`), or is like somebody else's name (`alias_taken`)."""


class AnnouncementUnknown(Refusal):
    """There is no such announcement. Values: announcement."""

    key = "announcement_unknown"


class NothingStored(Refusal):
    """Nothing is stored about the person."""

    key = "nothing_stored"
